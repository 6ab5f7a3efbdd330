import { addDays, localDateOf, type LocalDate, monthBounds } from '@gridmast/contract/time.ts'

type Days = { startDate?: LocalDate | undefined; endDate?: LocalDate | undefined }

/** A missing date is in the month of the other one, or in the current month. */
export const daysOf = ({ startDate, endDate }: Days, now: LocalDate): { start: LocalDate; end: LocalDate } => {
  const month = (startDate ?? endDate ?? now).slice(0, 7)
  const start = startDate ?? `${month}-01`
  const end = endDate ?? addDays(localDateOf(monthBounds(month).toMs), -1)
  return start <= end ? { start, end } : daysOf({}, now)
}
