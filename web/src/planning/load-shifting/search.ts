import { z } from 'zod'
import { pageSearch, param, listSearch } from '#lib/url-state.ts'

export const loadShiftingSearch = z.object({
  tab: param(z.enum(['plan', 'savings', 'backtest'])),
  backtest: param(z.uuid()),
  load: param(z.uuid()),
  plan: param(z.uuid()),
  ...listSearch.shape,
  ...pageSearch.shape,
})
