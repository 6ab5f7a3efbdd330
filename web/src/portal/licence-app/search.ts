import { eventTypes } from '@gridmast/contract/markets.ts'
import { z } from 'zod'
import { alertSearch } from '#delivery/alerts/search.ts'
import { annotationSearch } from '#delivery/annotations/search.ts'
import { eventSearch } from '#delivery/events/filter.ts'
import { comparisonSearch } from '#delivery/instances/comparison-search.ts'
import { param } from '#lib/url-state.ts'
import { rangeSearch } from '#ui/Chart/range-search.ts'

/** Implemented tabs in the order of the specification; the licence enables each. */
export const appTabs = ['overview', 'alerts', 'events', 'details'] as const
export type AppTab = (typeof appTabs)[number]

/** URL parameters of a licence's app (specification text 1, section 2); invalid ones are dropped. */
export const appSearch = z.object({
  licenseTypeId: param(z.string()),
  tab: param(z.enum(appTabs)),
  subTab: param(z.enum(['power', 'consumption', 'triggered'])),
  ...eventSearch,
  ...alertSearch,
  ...rangeSearch.shape,
  ...annotationSearch.shape,
  ...comparisonSearch.shape,
  eventType: param(z.enum(eventTypes)),
})
