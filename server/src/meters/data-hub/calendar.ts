import {
  addDays,
  addMonths,
  dayBounds,
  daysBetween,
  hourMs,
  monthBounds,
  quarterMs,
  today,
  type LocalDate,
  type Span,
} from '@gridmast/contract/time.ts'

export type View = 'day' | 'month' | 'year'

/** Local days [from, to) of a view; its columns are intervals of a day, days of a month, months of a year. */
export type Days = { from: LocalDate; to: LocalDate }

export const daysOf = (view: View, date: LocalDate): Days => {
  const month = date.slice(0, 7)
  if (view === 'day') return { from: date, to: addDays(date, 1) }
  if (view === 'month') return { from: `${month}-01`, to: `${addMonths(month, 1)}-01` }
  const year = Number(date.slice(0, 4))
  return { from: `${year}-01-01`, to: `${year + 1}-01-01` }
}

export const daysBefore = (view: View, { from }: Days): Days => {
  if (view === 'day') return daysOf('day', addDays(from, -1))
  const month = addMonths(from.slice(0, 7), view === 'month' ? -1 : -12)
  return daysOf(view, `${month}-01`)
}

export const spanOf = ({ from, to }: Days): Span => ({ fromMs: dayBounds(from).fromMs, toMs: dayBounds(to).fromMs })

export const columnsOf = (view: 'month' | 'year', { from, to }: Days) => {
  if (view === 'month') {
    const starts = Array.from({ length: daysBetween(from, to) }, (_, i) => dayBounds(addDays(from, i)).fromMs)
    return { starts, of: (day: LocalDate) => Number(day.slice(8)) - 1 }
  }
  const starts = Array.from({ length: 12 }, (_, i) => monthBounds(addMonths(from.slice(0, 7), i)).fromMs)
  return { starts, of: (day: LocalDate) => Number(day.slice(5, 7)) - 1 }
}

export const startsOf = (day: LocalDate, stepS: number): number[] => {
  const { fromMs, toMs } = dayBounds(day)
  const stepMs = stepS === 900 ? quarterMs : hourMs
  return Array.from({ length: (toMs - fromMs) / stepMs }, (_, i) => fromMs + i * stepMs)
}

/** Intervals that can have readings by now: none of today, since Eloverblik delivers a day later. */
export const intervalsOf = ({ fromMs, toMs }: Span, stepS: number, nowMs: number): number =>
  Math.max(0, (Math.min(toMs, dayBounds(today(nowMs)).fromMs) - fromMs) / (stepS * 1000))
