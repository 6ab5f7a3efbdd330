import { listSearch, pageSearch } from '#lib/url-state.ts'
import { searchParams, pickParams, type ParamsOf, oneOf, id, day, text } from '#lib/search-params.ts'
import { rangeSearch } from '#ui/Chart/range-search.ts'

/** Other than any state. */
export const meterStates = ['on', 'off', 'unconfigured'] as const

/** Specification text 0, section 2. `page` is the page of all meters. */
export const hubSearch = searchParams({
  tab: oneOf('details', 'allMeters'),
  /** A day of the month or year on screen. Default: yesterday, the newest day of Eloverblik. */
  date: day,
  /** Default: the first configured meter. */
  device: id,
  view: oneOf('month', 'year'),
  compare: oneOf('before', 'profile'),
  ...rangeSearch.shape,
  /** Filters of all meters. */
  search: text(100),
  state: oneOf(...meterStates),
  ...listSearch.shape,
  ...pageSearch.shape,
})
export const meterFilters = pickParams(hubSearch, 'search', 'state')
export type HubSearch = ParamsOf<typeof hubSearch>
