import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { param, sortSearch } from '#lib/url-state.ts'

const text = (longest: number) => param(z.coerce.string().max(longest))

/** Filter and page of the audit trail; what is not in the address is the last 30 days, everyone, changes only, page 1. */
export const auditSearch = z.object({
  ...sortSearch.shape,
  start: param(localDate),
  end: param(localDate),
  who: text(100),
  action: text(60),
  show: param(z.enum(['changes', 'all'])),
  page: param(z.coerce.number().int().min(1).max(300_000)),
})
