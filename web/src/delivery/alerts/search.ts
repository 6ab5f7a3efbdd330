import { listSearch } from '#lib/url-state.ts'
import { searchParams, pickParams, type ParamsOf, integer, flag, id, day } from '#lib/search-params.ts'

/** The triggered alert of a notification. */
export const notificationSearch = searchParams({ trigger: id })

/** `createAlertModal` opens the form; `limit`: rows of a page. */
export const alertSearch = {
  date: day,
  limit: integer(1, 100),
  createAlertModal: flag,
  ...listSearch.shape,
}
const all = searchParams(alertSearch)
export const triggeredFilters = pickParams(all, 'date')
export type AlertSearch = ParamsOf<typeof all>
