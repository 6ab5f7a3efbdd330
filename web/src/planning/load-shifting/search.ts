import { z } from 'zod'
import { pageSearch, param } from '#lib/url-state.ts'
import { sortSearch } from '#lib/sort-state.ts'

export const loadShiftingSearch = z.object({
  tab: param(z.enum(['plan', 'savings', 'backtest'])),
  backtest: param(z.uuid()),
  load: param(z.uuid()),
  plan: param(z.uuid()),
  ...sortSearch.shape,
  ...pageSearch.shape,
})
