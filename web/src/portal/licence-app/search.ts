import { eventTypes } from '@gridmast/contract/markets.ts'
import { z } from 'zod'
import { param } from '#lib/url-state.ts'
import { alertSearch } from '#delivery/alerts/search.ts'
import { eventSearch } from '#delivery/events/filter.ts'

/** Tabs whose parts exist, in the order of the specification; each is shown where the licence has it. */
export const appTabs = ['overview', 'alerts', 'events', 'details'] as const
export type AppTab = (typeof appTabs)[number]

/** What the app of a licence keeps in the address (specification text 1, section 2); what is not understood is dropped. */
export const appSearch = z.object({
  /** The licence; without it the name in the path says which. */
  licenseTypeId: param(z.string()),
  tab: param(z.enum(appTabs)),
  /** Of the overview or of the alerts; the usual one is left out. */
  subTab: param(z.enum(['power', 'consumption', 'triggered'])),
  ...eventSearch,
  ...alertSearch,
  /** Of the events; the usual one is left out. */
  eventType: param(z.enum(eventTypes)),
})
