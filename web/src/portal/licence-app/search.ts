import { eventTypes } from '@gridmast/contract/markets.ts'
import { alertSearch } from '#delivery/alerts/search.ts'
import { annotationSearch } from '#grid/annotations/search.ts'
import { eventSearch } from '#delivery/events/filter.ts'
import { comparisonSearch } from '#delivery/instances/comparison-search.ts'
import { rangeSearch } from '#ui/Chart/range-search.ts'
import { searchParams, oneOf, text } from '#lib/search-params.ts'

/** Implemented tabs in the order of the specification; the licence enables each. */
export const appTabs = ['overview', 'alerts', 'events', 'details'] as const
export type AppTab = (typeof appTabs)[number]

/** URL parameters of a licence's app (specification text 1, section 2); invalid ones are dropped. */
export const appSearch = searchParams({
  licenseTypeId: text(100),
  tab: oneOf(...appTabs),
  subTab: oneOf('power', 'consumption', 'triggered'),
  ...eventSearch,
  ...alertSearch,
  /** Of the Data Hub. */
  view: oneOf('month', 'year'),
  ...rangeSearch.shape,
  ...annotationSearch.shape,
  ...comparisonSearch.shape,
  eventType: oneOf(...eventTypes),
})
