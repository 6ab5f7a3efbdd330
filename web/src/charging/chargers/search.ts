import { limits } from '@gridmast/contract/limits.ts'
import { listSearch, pageSearch } from '#lib/url-state.ts'
import { searchParams, pickParams, type ParamsOf, oneOf, text, integer, flag, id, day } from '#lib/search-params.ts'
import { annotationSearch } from '#grid/annotations/search.ts'
import { rangeSearch } from '#ui/Chart/range-search.ts'

/** Address of the EV charging app (specification text 2, section 2); invalid values are dropped. */
export const evSearch = searchParams({
  /** Absent: the company's licence. */
  licenseTypeId: text(100),
  tab: oneOf('details', 'tag', 'transactions', 'chargers'),
  /** Of the tags; absent: tag. */
  subTab: oneOf('tag', 'group'),
  date: day,
  chargerId: id,
  connectorId: integer(1, limits.connectorsPerCharger),
  groupId: id,
  tagId: id,
  startDate: day,
  endDate: day,
  /** The session whose details are open. */
  session: id,
  createTagModal: flag,
  /** The form for a remote start of the charger and connector is open. */
  remote: flag,
  ...rangeSearch.shape,
  ...annotationSearch.shape,
  /** Rows of a page of tags or transactions. */
  limit: integer(1, 100),
  /** Text of tags or transactions. */
  search: text(100),
  ...listSearch.shape,
  ...pageSearch.shape,
})
export const tagFilters = pickParams(evSearch, 'groupId', 'search')
export const sessionFilters = pickParams(
  evSearch,
  'chargerId',
  'connectorId',
  'groupId',
  'tagId',
  'startDate',
  'endDate',
  'search',
)
export type EvSearch = ParamsOf<typeof evSearch>
