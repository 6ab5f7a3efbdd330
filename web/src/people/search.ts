import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { param, listSearch } from '#lib/url-state.ts'

const text = (longest: number) => param(z.coerce.string().max(longest))

/** Filter and page of the audit trail; what is not in the address is the last 30 days, everyone, changes only, page 1. */
export const auditSearch = z.object({
  ...listSearch.shape,
  start: param(localDate),
  end: param(localDate),
  who: text(100),
  action: text(60),
  show: param(z.enum(['changes', 'all'])),
  page: param(z.coerce.number().int().min(1).max(300_000)),
})

/** The webhook whose deliveries are open, and their page; the first page is left out. */
export const webhooksSearch = z.object({
  webhook: param(z.uuid()),
  page: param(z.coerce.number().int().min(1)),
})

/** Tab, kind of event, filter and page; what is usual is left out. */
export const subscriptionsSearch = z.object({
  ...listSearch.shape,
  tab: param(z.enum(['add'])),
  eventType: param(z.enum(['frr_based'])),
  filter: param(z.coerce.string().max(100)),
  page: param(z.coerce.number().int().min(1).max(1000)),
})
