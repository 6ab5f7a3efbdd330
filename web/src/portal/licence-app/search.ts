import { eventTypes } from '@gridmast/contract/markets.ts'
import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { eventSearch } from '#delivery/events/filter.ts'

/** Tabs whose parts exist, in the order of the specification; each is shown where the licence has it. */
export const appTabs = ['overview', 'alerts', 'events', 'details'] as const
export type AppTab = (typeof appTabs)[number]

/** What the app of a licence keeps in the address (specification text 1, section 2); what is not understood is dropped. */
export const appSearch = z.object({
  /** The licence; without it the name in the path says which. */
  licenseTypeId: z.string().optional().catch(undefined),
  tab: z.enum(appTabs).optional().catch(undefined),
  /** Of the overview or of the alerts; the usual one is left out. */
  subTab: z.enum(['power', 'consumption', 'triggered']).optional().catch(undefined),
  ...eventSearch,
  /** Of the events; the usual one is left out. */
  eventType: z.enum(eventTypes).optional().catch(undefined),
  date: localDate.optional().catch(undefined),
  /** Rows of a page of alerts. */
  limit: z.int().min(1).max(100).optional().catch(undefined),
  createAlertModal: z.boolean().optional().catch(undefined),
})
export type AppSearch = z.infer<typeof appSearch>
