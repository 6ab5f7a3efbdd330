import { z } from 'zod'
import { param, sortSearch } from '#lib/url-state.ts'

/** Tab, kind of event, filter and page; what is usual is left out. */
export const subscriptionsSearch = z.object({
  ...sortSearch.shape,
  tab: param(z.enum(['add'])),
  eventType: param(z.enum(['frr_based'])),
  filter: param(z.coerce.string().max(100)),
  page: param(z.coerce.number().int().min(1).max(1000)),
})
