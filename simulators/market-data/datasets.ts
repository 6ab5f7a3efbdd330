import {
  addDays,
  atLocalTime,
  daysBetween,
  hourMs,
  localDateOf,
  minuteMs,
  offsetMs,
  type LocalDate,
  type Span,
} from '@gridmast/contract/time.ts'
import { areas, dayPrices, type Area } from './prices.ts'
import type { Recorded } from './recorded.ts'

export type Row = Record<string, string | number | null>

type Column = { dbColumn: string; dataType: 'datetime' | 'string' | 'number'; unit: string; displayName: string }

export type Dataset = {
  name: string
  title: string
  resolution: string
  timeColumn: string
  columns: Column[]
  /** First and last local day that exist at an instant. */
  days: (nowMs: number, lateMs: number) => [first: LocalDate, last: LocalDate]
  /** Rows of one local day, oldest first. */
  rows: (recorded: Recorded, area: Area, date: LocalDate) => Row[]
}

const historyDays = 400
const lastHourlyDay = '2025-09-30'

/** Tomorrow's prices appear at 12:55, or so much later when a fault says so. */
const lastPublishedDay = (nowMs: number, lateMs: number): LocalDate => {
  const today = localDateOf(nowMs)
  return nowMs >= atLocalTime(today, '12:55') + lateMs ? addDays(today, 1) : today
}

const stamp = (ms: number) => new Date(ms).toISOString().slice(0, 19)

const column = (dbColumn: string, dataType: Column['dataType'], displayName: string, unit = ''): Column => ({
  dbColumn,
  dataType,
  unit,
  displayName,
})

const later = (a: LocalDate, b: LocalDate) => (a > b ? a : b)

export const datasets: Dataset[] = [
  {
    name: 'DayAheadPrices',
    title: 'Day-Ahead Prices',
    resolution: '15 minutes (PT15M)',
    timeColumn: 'TimeUTC',
    columns: [
      column('TimeUTC', 'datetime', 'Time UTC'),
      column('TimeDK', 'datetime', 'Time DK'),
      column('PriceArea', 'string', 'Price Area'),
      column('DayAheadPriceEUR', 'number', 'Day-Ahead Price (EUR)', 'EUR per MWh'),
      column('DayAheadPriceDKK', 'number', 'Day-Ahead Price (DKK)', 'DKK per MWh'),
    ],
    days: (nowMs, lateMs) => {
      const last = lastPublishedDay(nowMs, lateMs)
      return [later(addDays(last, -historyDays), addDays(lastHourlyDay, 1)), last]
    },
    rows: (recorded, area, date) =>
      (dayPrices(recorded, area, date) ?? []).map(({ fromMs, eur, dkk }) => ({
        TimeUTC: stamp(fromMs),
        TimeDK: stamp(fromMs + offsetMs(fromMs)),
        PriceArea: area,
        DayAheadPriceEUR: eur,
        DayAheadPriceDKK: dkk,
      })),
  },
  {
    name: 'Elspotprices',
    title: 'Elspot Prices',
    resolution: '1 hour (PT1H)',
    timeColumn: 'HourUTC',
    columns: [
      column('HourUTC', 'datetime', 'Hour UTC'),
      column('HourDK', 'datetime', 'Hour DK'),
      column('PriceArea', 'string', 'Price Area'),
      column('SpotPriceDKK', 'number', 'Spot Price (DKK)', 'DKK per MWh'),
      column('SpotPriceEUR', 'number', 'Spot Price (EUR)', 'EUR per MWh'),
    ],
    days: () => [addDays(lastHourlyDay, -historyDays), lastHourlyDay],
    rows: (recorded, area, date) =>
      (dayPrices(recorded, area, date) ?? [])
        .filter(({ fromMs }) => fromMs % hourMs === 0)
        .map(({ fromMs, eur, dkk }) => ({
          HourUTC: stamp(fromMs),
          HourDK: stamp(fromMs + offsetMs(fromMs)),
          PriceArea: area,
          SpotPriceDKK: dkk,
          SpotPriceEUR: eur,
        })),
  },
]

/** Rows of a dataset that start within a span (UTC), for some areas: newest first, then by area, as the service sorts them. */
export const rowsWithin = (
  dataset: Dataset,
  recorded: Recorded,
  span: Span,
  wanted: (area: Area) => boolean,
  days: [LocalDate, LocalDate],
): Row[] => {
  const [first, last] = days
  const from = Number.isFinite(span.fromMs) ? later(first, localDateOf(span.fromMs)) : first
  const lastAsked = Number.isFinite(span.toMs) ? localDateOf(span.toMs - minuteMs) : last
  const to = lastAsked < last ? lastAsked : last
  const rows: Row[] = []
  for (let back = 0; back <= daysBetween(from, to); back++) {
    const date = addDays(to, -back)
    const ofDay = areas.filter(wanted).flatMap((area) => dataset.rows(recorded, area, date))
    rows.push(
      ...ofDay
        .filter((row) => {
          const at = Date.parse(`${row[dataset.timeColumn]}Z`)
          return at >= span.fromMs && at < span.toMs
        })
        .toSorted((a, b) => compareCells(b[dataset.timeColumn], a[dataset.timeColumn])),
    )
  }
  return rows
}

/** Nulls first, numbers by size, texts by letters. */
export const compareCells = (a: Row[string] | undefined, b: Row[string] | undefined): number => {
  if (a === b) return 0
  if (a === null || a === undefined) return -1
  if (b === null || b === undefined) return 1
  return a < b ? -1 : 1
}
