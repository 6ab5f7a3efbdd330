import { limits } from '@gridmast/contract/limits.ts'
import { meterColumns } from '@gridmast/contract/meters/periods.ts'
import {
  addDays,
  addMonths,
  dayBounds,
  daysBetween,
  hourMs,
  localDateOf,
  monthBounds,
  quarterMs,
  today,
  type LocalDate,
  type Span,
} from '@gridmast/contract/time.ts'
import { readWindow, type WindowQuery } from '#platform/http/chart-window.ts'

export type View = 'day' | 'month' | 'year'

/** Local days [from, to) of a view; its columns are intervals of a day, days of a month, months of a year. */
export type Days = { from: LocalDate; to: LocalDate }

const daysOf = (view: View, date: LocalDate): Days => {
  const month = date.slice(0, 7)
  if (view === 'day') return { from: date, to: addDays(date, 1) }
  if (view === 'month') return { from: `${month}-01`, to: `${addMonths(month, 1)}-01` }
  const year = Number(date.slice(0, 4))
  return { from: `${year}-01-01`, to: `${year + 1}-01-01` }
}

export const spanOf = ({ from, to }: Days): Span => ({ fromMs: dayBounds(from).fromMs, toMs: dayBounds(to).fromMs })

/** A view, or a range with its complete columns; the days contain it. */
export type Period = { by: View | 'hours' | 'days'; days: Days; span: Span }

export const periodOf = (query: WindowQuery & { view?: View | undefined }, nowMs: number): Period => {
  const date = query.date ?? addDays(today(nowMs), -1)
  if (query.start === undefined && query.end === undefined) {
    const by = query.view ?? 'day'
    const days = daysOf(by, date)
    return { by, days, span: spanOf(days) }
  }
  const { by, span } = meterColumns(readWindow(query, nowMs, dayBounds(date), limits.meterDays))
  return { by, days: { from: localDateOf(span.fromMs), to: addDays(localDateOf(span.toMs - 1), 1) }, span }
}

/** The same view one day, month or year earlier; none for a range. */
export const periodBefore = ({ by, days: { from } }: Period): Period | null => {
  if (by === 'hours' || by === 'days') return null
  const date = by === 'day' ? addDays(from, -1) : `${addMonths(from.slice(0, 7), by === 'month' ? -1 : -12)}-01`
  const days = daysOf(by, date)
  return { by, days, span: spanOf(days) }
}

export const columnsOf = (by: 'month' | 'days' | 'year', { from, to }: Days) => {
  if (by !== 'year') {
    const starts = Array.from({ length: daysBetween(from, to) }, (_, i) => dayBounds(addDays(from, i)).fromMs)
    return { starts, of: (day: LocalDate) => daysBetween(from, day) }
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
