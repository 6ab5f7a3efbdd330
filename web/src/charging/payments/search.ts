import { paymentStates } from '@gridmast/contract/choices.ts'
import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { sortSearch } from '#lib/sort-state.ts'

/** What the page of payments is narrowed to, and which of them is open. */
export const paymentsSearch = z.object({
  ...sortSearch.shape,
  state: z.enum(paymentStates).optional().catch(undefined),
  chargerId: z.uuid().optional().catch(undefined),
  startDate: localDate.optional().catch(undefined),
  endDate: localDate.optional().catch(undefined),
  payment: z.uuid().optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(100_000).optional().catch(undefined),
})
