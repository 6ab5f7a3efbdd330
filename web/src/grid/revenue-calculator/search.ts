import { calculatorAreas, calculatorMarkets } from '@gridmast/contract/choices.ts'
import { month } from '@gridmast/contract/time.ts'
import { z } from 'zod'

/** What was submitted; what is not in the address has its default. `capacity` in MW. */
export const calculatorSearch = z.object({
  area: z.enum(calculatorAreas).optional().catch(undefined),
  market: z.enum(calculatorMarkets).optional().catch(undefined),
  capacity: z.coerce.number().gt(0).max(10_000).optional().catch(undefined),
  currency: z.enum(['Euro']).optional().catch(undefined),
  startDate: month.optional().catch(undefined),
  endDate: month.optional().catch(undefined),
})
