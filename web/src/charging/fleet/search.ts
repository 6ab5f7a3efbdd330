import { searchParams, oneOf, numberOf, id, day } from '#lib/search-params.ts'
import { annotationSearch } from '#grid/annotations/search.ts'
import { rangeSearch } from '#ui/Chart/range-search.ts'

export const fleetDays = [7, 30, 90] as const

export const fleetSearch = searchParams({
  days: numberOf(...fleetDays),
  ...rangeSearch.shape,
})

export const toolsSearch = searchParams({
  tab: oneOf('chargers', 'sites'),
  siteId: id,
  date: day,
  ...rangeSearch.shape,
  ...annotationSearch.shape,
})
