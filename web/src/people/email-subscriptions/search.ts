import { z } from 'zod'
import { sortSearch } from '#lib/sort-state.ts'

/** Tab, kind of event, filter and page; what is usual is left out. */
export const subscriptionsSearch = z.object({
  ...sortSearch.shape,
  tab: z.enum(['add']).optional().catch(undefined),
  eventType: z.enum(['frr_based']).optional().catch(undefined),
  filter: z.coerce.string().max(100).optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(1000).optional().catch(undefined),
})
