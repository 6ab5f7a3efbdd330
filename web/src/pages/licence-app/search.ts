import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'

/** Tabs whose parts exist, in the order of the specification; each is shown where the licence has it. */
export const appTabs = ['overview', 'details'] as const
export type AppTab = (typeof appTabs)[number]

/** What the app of a licence keeps in the address (specification text 1, section 2); what is not understood is dropped. */
export const appSearch = z.object({
  /** The licence; without it the name in the path says which. */
  licenseTypeId: z.string().optional().catch(undefined),
  tab: z.enum(appTabs).optional().catch(undefined),
  subTab: z.enum(['power', 'consumption']).optional().catch(undefined),
  instance: z.uuid().optional().catch(undefined),
  date: localDate.optional().catch(undefined),
})
export type AppSearch = z.infer<typeof appSearch>
