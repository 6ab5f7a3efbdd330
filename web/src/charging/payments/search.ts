import { paymentStates } from '@gridmast/contract/choices.ts'
import { listSearch } from '#lib/url-state.ts'
import { searchParams, pickParams, oneOf, integer, id, day } from '#lib/search-params.ts'

/** Filter of the payments and the open one. */
export const paymentsSearch = searchParams({
  ...listSearch.shape,
  state: oneOf(...paymentStates),
  chargerId: id,
  startDate: day,
  endDate: day,
  payment: id,
  page: integer(1, 100_000),
})

export const paymentFilters = pickParams(paymentsSearch, 'state', 'chargerId', 'startDate', 'endDate')
