import { limits } from '@gridmast/contract/limits.ts'
import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { param } from '#lib/url-state.ts'

export const mostDays = limits.dayAheadDays

/** Start, number of days, price signal and resolution; what is not in the address is today, one day, the first signal, quarters. */
export const dayAheadSearch = z.object({
  date: param(localDate),
  days: param(z.coerce.number().int().min(1).max(366)),
  signal: param(z.uuid()),
  resolution: param(z.enum(['hour'])),
  dialog: param(z.enum(['tax', 'download'])),
})
