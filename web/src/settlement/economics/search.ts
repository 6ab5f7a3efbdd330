import { causes, shownLines } from '@gridmast/contract/choices.ts'
import { addDays, localDateOf, type LocalDate, monthBounds } from '@gridmast/contract/time.ts'
import { listSearch, pageSearch } from '#lib/url-state.ts'
import { searchParams, pickParams, type ParamsOf, oneOf, id, day, month } from '#lib/search-params.ts'

export const economicsSearch = searchParams({
  tab: oneOf('comparison', 'reconciliation', 'statements'),
  month: month,
  against: month,
  licenseId: id,
  instanceId: id,
  startDate: day,
  endDate: day,
  /** Open statement of the reconciliation, and the filter of its lines. */
  statement: id,
  show: oneOf(...shownLines),
  cause: oneOf(...causes),
  ...listSearch.shape,
  ...pageSearch.shape,
})
export const settlementFilters = pickParams(economicsSearch, 'licenseId', 'instanceId', 'startDate', 'endDate')
export const lineFilters = pickParams(economicsSearch, 'show', 'cause', 'instanceId')
export type EconomicsSearch = ParamsOf<typeof economicsSearch>

type Days = { startDate?: LocalDate | undefined; endDate?: LocalDate | undefined }

/** A missing date is in the month of the other one, or in the current month. */
export const daysOf = ({ startDate, endDate }: Days, now: LocalDate): { start: LocalDate; end: LocalDate } => {
  const monthOfDates = (startDate ?? endDate ?? now).slice(0, 7)
  const start = startDate ?? `${monthOfDates}-01`
  const end = endDate ?? addDays(localDateOf(monthBounds(monthOfDates).toMs), -1)
  return start <= end ? { start, end } : daysOf({}, now)
}
