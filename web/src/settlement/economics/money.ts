import { formatNumber } from '@gridmast/contract/numbers.ts'
import { addDays, localDateOf, type LocalDate, monthBounds } from '@gridmast/contract/time.ts'

type Days = { startDate?: LocalDate | undefined; endDate?: LocalDate | undefined }

/** What the address leaves out is of the same month as what it names, or of the running one. */
export const daysOf = ({ startDate, endDate }: Days, now: LocalDate): { start: LocalDate; end: LocalDate } => {
  const month = (startDate ?? endDate ?? now).slice(0, 7)
  const start = startDate ?? `${month}-01`
  const end = endDate ?? addDays(localDateOf(monthBounds(month).toMs), -1)
  return start <= end ? { start, end } : daysOf({}, now)
}

/** With its unit; what is not known has none. */
export const euro = (eur: string | null | undefined): string => formatNumber(eur, { decimals: 2, unit: '€' })
