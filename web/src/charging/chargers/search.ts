import { limits } from '@gridmast/contract/limits.ts'
import { localDate } from '@gridmast/contract/time.ts'
import { sortSearch } from '#lib/sort-state.ts'
import { pageSearch } from '#lib/url-state.ts'
import { z } from 'zod'

export const evTabs = ['details', 'tag', 'transactions', 'chargers'] as const
export type EvTab = (typeof evTabs)[number]

/** What the EV charging app keeps in the address (specification text 2, section 2); what is not understood is dropped. */
export const evSearch = z.object({
  /** The licence; without it the company's own. */
  licenseTypeId: z.string().optional().catch(undefined),
  tab: z.enum(evTabs).optional().catch(undefined),
  /** Of the tags; the usual one is left out. */
  subTab: z.enum(['tag', 'group']).optional().catch(undefined),
  date: localDate.optional().catch(undefined),
  chargerId: z.uuid().optional().catch(undefined),
  connectorId: z.coerce.number().int().min(1).max(limits.connectorsPerCharger).optional().catch(undefined),
  groupId: z.uuid().optional().catch(undefined),
  tagId: z.uuid().optional().catch(undefined),
  startDate: localDate.optional().catch(undefined),
  endDate: localDate.optional().catch(undefined),
  /** The session whose details are open. */
  session: z.uuid().optional().catch(undefined),
  createTagModal: z.boolean().optional().catch(undefined),
  /** Rows of a page of tags or transactions. */
  limit: z.coerce.number().int().min(1).max(100).optional().catch(undefined),
  /** Text of tags or transactions. */
  search: z.string().max(100).optional().catch(undefined),
  ...sortSearch.shape,
  ...pageSearch.shape,
})
export type EvSearch = z.infer<typeof evSearch>
