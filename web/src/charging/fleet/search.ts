import { searchParams, oneOf, numberOf, id, day } from '#lib/search-params.ts'
import { zoomSearch } from '#ui/Chart/range-search.ts'

export const fleetDays = [7, 30, 90] as const

export const fleetSearch = searchParams({
  days: numberOf(...fleetDays),
  ...zoomSearch.shape,
})

export const toolsSearch = searchParams({
  tab: oneOf('chargers', 'sites'),
  siteId: id,
  date: day,
  ...zoomSearch.shape,
})
