import { addDays, addMonths, dayBounds, formatDate, type LocalDate, type Span } from '@gridmast/contract/time.ts'

export type MeterView = 'day' | 'month' | 'year'

const monthOf = (date: LocalDate) => date.slice(0, 7)
const yearOf = (date: LocalDate) => date.slice(0, 4)

/** Local days of what is shown, both included. */
export const daysOf = (view: MeterView, date: LocalDate): { first: LocalDate; last: LocalDate } => {
  if (view === 'day') return { first: date, last: date }
  const first = view === 'month' ? monthOf(date) : `${yearOf(date)}-01`
  const next = addMonths(first, view === 'month' ? 1 : 12)
  return { first: `${first}-01`, last: addDays(`${next}-01`, -1) }
}

export const spanOf = (view: MeterView, date: LocalDate): Span => {
  const { first, last } = daysOf(view, date)
  return { fromMs: dayBounds(first).fromMs, toMs: dayBounds(last).toMs }
}

/** `20.11.2026`, `11.2026` or `2026`. */
export const viewText = (view: MeterView, date: LocalDate): string =>
  view === 'day' ? formatDate(date) : view === 'month' ? formatDate(date).slice(3) : yearOf(date)

/** Ends of columns that begin at `x` and fill the span. */
export const endsOf = (x: readonly number[], { toMs }: Span): number[] => x.map((_, i) => x[i + 1] ?? toMs)
