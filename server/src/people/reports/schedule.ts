import type { ReportInterval } from '@gridmast/contract/people/report-sources.ts'
import {
  addDays,
  addMonths,
  atLocalTime,
  formatDate,
  type LocalDate,
  localDateOf,
  localMonthOf,
  weekday,
} from '@gridmast/contract/time.ts'

const mondayOf = (date: LocalDate): LocalDate => addDays(date, 1 - weekday(date))

/** First and last day: the previous day, week from Monday to Sunday, or month. */
export const periodOf = (every: ReportInterval, atMs: number): { first: LocalDate; last: LocalDate } => {
  const today = localDateOf(atMs)
  if (every === 'daily') return { first: addDays(today, -1), last: addDays(today, -1) }
  if (every === 'weekly') return { first: addDays(mondayOf(today), -7), last: addDays(mondayOf(today), -1) }
  const month = localMonthOf(atMs)
  return { first: `${addMonths(month, -1)}-01`, last: addDays(`${month}-01`, -1) }
}

const daysOf = (every: ReportInterval, today: LocalDate): LocalDate[] => {
  if (every === 'daily') return [today, addDays(today, 1)]
  if (every === 'weekly') return [mondayOf(today), addDays(mondayOf(today), 7)]
  const month = today.slice(0, 7)
  return [`${month}-01`, `${addMonths(month, 1)}-01`]
}

/** The next day, Monday or first of a month at the local time, later than `afterMs`. */
export const nextAt = ({ every, time }: { every: ReportInterval; time: string }, afterMs: number): number =>
  daysOf(every, localDateOf(afterMs))
    .map((day) => atLocalTime(day, time))
    .find((atMs) => atMs > afterMs) ?? Infinity

export const daysText = ({ first, last }: ReturnType<typeof periodOf>): string =>
  first === last ? formatDate(first) : `${formatDate(first)} – ${formatDate(last)}`
