import { relativeRanges } from '@gridmast/contract/choices.ts'
import { pickParams, searchParams, oneOf, matching, either } from '#lib/search-params.ts'

export const interval = /^(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)\/(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/
const intervalParam = matching(interval)

/** The chosen range of a screen, and a part of it that a zoom shows; `useTimeRange` ignores an interval that is no range. */
export const rangeSearch = searchParams({
  range: either(oneOf(...relativeRanges), intervalParam),
  zoom: intervalParam,
})
/** Of a screen whose window is a day, month or year. */
export const zoomSearch = pickParams(rangeSearch, 'zoom')
