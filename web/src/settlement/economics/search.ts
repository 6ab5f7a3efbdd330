import { causes, shownLines } from '@gridmast/contract/choices.ts'
import { addDays, localDate, localDateOf, type LocalDate, month, monthBounds } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { listSearch, param, pageSearch } from '#lib/url-state.ts'

export const economicsSearch = z.object({
  tab: param(z.enum(['comparison', 'reconciliation', 'statements'])),
  month: param(month),
  against: param(month),
  licenseId: param(z.uuid()),
  instanceId: param(z.uuid()),
  startDate: param(localDate),
  endDate: param(localDate),
  /** Open statement of the reconciliation, and the filter of its lines. */
  statement: param(z.uuid()),
  show: param(z.enum(shownLines)),
  cause: param(z.enum(causes)),
  ...listSearch.shape,
  ...pageSearch.shape,
})
export const settlementFilters = economicsSearch.pick({
  licenseId: true,
  instanceId: true,
  startDate: true,
  endDate: true,
})
export const lineFilters = economicsSearch.pick({ show: true, cause: true, instanceId: true })
export type EconomicsSearch = z.infer<typeof economicsSearch>

type Days = { startDate?: LocalDate | undefined; endDate?: LocalDate | undefined }

/** A missing date is in the month of the other one, or in the current month. */
export const daysOf = ({ startDate, endDate }: Days, now: LocalDate): { start: LocalDate; end: LocalDate } => {
  const monthOfDates = (startDate ?? endDate ?? now).slice(0, 7)
  const start = startDate ?? `${monthOfDates}-01`
  const end = endDate ?? addDays(localDateOf(monthBounds(monthOfDates).toMs), -1)
  return start <= end ? { start, end } : daysOf({}, now)
}
