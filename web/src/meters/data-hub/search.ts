import { pageSearch } from '#lib/url-state.ts'
import { searchParams, type ParamsOf, oneOf, id, day } from '#lib/search-params.ts'

/** Specification text 0, section 2. `page` is the page of all meters. */
export const hubSearch = searchParams({
  tab: oneOf('details', 'allMeters'),
  /** A day of the month or year on screen. Default: yesterday, the newest day of Eloverblik. */
  date: day,
  /** Default: the first configured meter. */
  device: id,
  view: oneOf('month', 'year'),
  compare: oneOf('before', 'profile'),
  ...pageSearch.shape,
})
export type HubSearch = ParamsOf<typeof hubSearch>
