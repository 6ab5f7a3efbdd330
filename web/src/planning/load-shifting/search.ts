import { pageSearch, listSearch } from '#lib/url-state.ts'
import { searchParams, oneOf, id } from '#lib/search-params.ts'

export const loadShiftingSearch = searchParams({
  tab: oneOf('plan', 'savings', 'backtest'),
  backtest: id,
  load: id,
  plan: id,
  ...listSearch.shape,
  ...pageSearch.shape,
})
