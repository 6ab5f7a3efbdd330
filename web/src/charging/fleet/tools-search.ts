import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'

export const toolsTabs = ['chargers', 'sites'] as const
export type ToolsTab = (typeof toolsTabs)[number]

/** What the tools of the charge fleet keep in the address; what is not understood is dropped. */
export const toolsSearch = z.object({
  tab: z.enum(toolsTabs).optional().catch(undefined),
  siteId: z.uuid().optional().catch(undefined),
  date: localDate.optional().catch(undefined),
})
