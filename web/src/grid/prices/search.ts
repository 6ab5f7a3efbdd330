import { limits } from '@gridmast/contract/limits.ts'
import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'

export const mostDays = limits.dayAheadDays

/** Start, number of days, price signal and resolution; what is not in the address is today, one day, the first signal, quarters. */
export const dayAheadSearch = z.object({
  date: localDate.optional().catch(undefined),
  days: z.coerce.number().int().min(1).max(366).optional().catch(undefined),
  signal: z.uuid().optional().catch(undefined),
  resolution: z.enum(['hour']).optional().catch(undefined),
  dialog: z.enum(['tax', 'download']).optional().catch(undefined),
})
export type DayAheadSearch = z.infer<typeof dayAheadSearch>
