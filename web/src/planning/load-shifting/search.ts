import { pageSearch, listSearch } from '#lib/url-state.ts'
import { searchParams, oneOf, id } from '#lib/search-params.ts'
import { zoomSearch } from '#ui/Chart/range-search.ts'

export const loadShiftingSearch = searchParams({
  tab: oneOf('plan', 'savings', 'backtest'),
  backtest: id,
  load: id,
  plan: id,
  ...zoomSearch.shape,
  ...listSearch.shape,
  ...pageSearch.shape,
})
