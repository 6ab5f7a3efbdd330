import { annotationSearch } from '#grid/annotations/search.ts'
import { eventSearch } from '#delivery/events/filter.ts'
import { priceSignalPattern, priceTypes } from '@gridmast/contract/grid/price-signals.ts'
import { rangeSearch } from '#ui/Chart/range-search.ts'
import { searchParams, pickParams, oneOf, text, matching, id, day, clockTime, either } from '#lib/search-params.ts'

/** Specification text 2, section 2. */
export const marketSearch = searchParams({
  tab: oneOf('events', 'market', 'signal', 'requestBid', 'soldCapacity'),
  subTab: text(60),
  ...eventSearch,
  ...rangeSearch.shape,
  ...annotationSearch.shape,
  signal: matching(priceSignalPattern),
  priceType: oneOf(...priceTypes),
  date: day,
  startTime: clockTime,
  endTime: clockTime,
  frequency: id,
  license: id,
  filter: text(60),
  /** The request that is open; `new` is the form of a new one, for `instance`. */
  request: either(oneOf('new'), id),
})

export const requestFilters = pickParams(marketSearch, 'filter')
