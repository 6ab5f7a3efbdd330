import { paymentStates } from '@gridmast/contract/choices.ts'
import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { param, listSearch } from '#lib/url-state.ts'

/** Filter of the payments and the open one. */
export const paymentsSearch = z.object({
  ...listSearch.shape,
  state: param(z.enum(paymentStates)),
  chargerId: param(z.uuid()),
  startDate: param(localDate),
  endDate: param(localDate),
  payment: param(z.uuid()),
  page: param(z.coerce.number().int().min(1).max(100_000)),
})

export const paymentFilters = paymentsSearch.pick({ state: true, chargerId: true, startDate: true, endDate: true })
