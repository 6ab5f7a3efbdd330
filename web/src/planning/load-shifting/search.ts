import { z } from 'zod'
import { sortSearch } from '#lib/sort-state.ts'

const shiftingTabs = ['plan', 'savings', 'backtest'] as const

export const loadShiftingSearch = z.object({
  tab: z.enum(shiftingTabs).optional().catch(undefined),
  backtest: z.uuid().optional().catch(undefined),
  load: z.uuid().optional().catch(undefined),
  plan: z.uuid().optional().catch(undefined),
  ...sortSearch.shape,
  page: z.coerce.number().int().min(1).max(10_000).optional().catch(undefined),
})
