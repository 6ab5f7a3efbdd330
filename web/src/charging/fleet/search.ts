import { searchParams, oneOf, numberOf, id, day } from '#lib/search-params.ts'

export const fleetDays = [7, 30, 90] as const

export const fleetSearch = searchParams({
  days: numberOf(...fleetDays),
})

export const toolsSearch = searchParams({
  tab: oneOf('chargers', 'sites'),
  siteId: id,
  date: day,
})
