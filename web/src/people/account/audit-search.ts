import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { sortSearch } from '#lib/sort-state.ts'

const text = (longest: number) => z.coerce.string().max(longest).optional().catch(undefined)

/** Filter and page of the audit trail; what is not in the address is the last 30 days, everyone, changes only, page 1. */
export const auditSearch = z.object({
  ...sortSearch.shape,
  start: localDate.optional().catch(undefined),
  end: localDate.optional().catch(undefined),
  who: text(100),
  action: text(60),
  show: z.enum(['changes', 'all']).optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(300_000).optional().catch(undefined),
})
