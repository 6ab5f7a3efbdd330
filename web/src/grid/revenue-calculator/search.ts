import { calculatorAreas, calculatorMarkets } from '@gridmast/contract/choices.ts'
import { month } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { param } from '#lib/url-state.ts'

/** What was submitted; what is not in the address has its default. `capacity` in MW. */
export const calculatorSearch = z.object({
  area: param(z.enum(calculatorAreas)),
  market: param(z.enum(calculatorMarkets)),
  capacity: param(z.coerce.number().gt(0).max(10_000)),
  currency: param(z.enum(['Euro'])),
  startDate: param(month),
  endDate: param(month),
})
