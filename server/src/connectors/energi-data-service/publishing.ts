import {
  addDays,
  dayBounds,
  dayMs,
  hourMs,
  type LocalDate,
  localTime,
  minuteMs,
  quarterMs,
  today,
} from '@gridmast/contract/time.ts'
import type { DatasetName } from './datasets.ts'

/** Publication schedule of a dataset, which decides requests and gaps. Clock times are local, on the day before delivery. */
export type Publishing = {
  /** Available delivery days. */
  history: readonly [first: LocalDate, last?: LocalDate]
} & (
  | {
      /** Tomorrow in one piece: requested from `from` every `lookEveryMs`, late after `by`; otherwise refreshed. */
      kind: 'ahead'
      from: string
      by: string
      lookEveryMs: number
      refreshMs: number
      /** Published on some days only, so no day counts as missing. */
      isOccasional?: true
    }
  | {
      /** Continuous: the newest interval is `lagMs` old, or in the future when negative. */
      kind: 'running'
      lagMs: number
      everyMs: number
    }
  | { kind: 'list'; everyMs: number }
  | { kind: 'closed' }
)

const tomorrow = (from: string, by: string, history: LocalDate, lookEveryMs = 10 * minuteMs) =>
  ({ kind: 'ahead', from, by, history: [history], lookEveryMs, refreshMs: hourMs }) as const

export const publishing: Readonly<Record<DatasetName, Publishing>> = {
  DayAheadPrices: tomorrow('12:45', '13:30', '2025-10-01', 2 * minuteMs),
  Elspotprices: { kind: 'closed', history: ['2010-01-01', '2025-09-30'] },
  FcrDK1: { ...tomorrow('08:30', '14:00', '2021-01-20', hourMs), refreshMs: 6 * hourMs },
  FcrNdDK2: tomorrow('19:00', '20:30', '2021-11-11'),
  AfrrReservesNordic: tomorrow('09:00', '12:00', '2022-12-09'),
  MfrrCapacityMarket: tomorrow('09:30', '14:00', '2023-06-22'),
  MfrrCapacityMarketExtra: { ...tomorrow('09:30', '18:00', '2023-06-22', hourMs), isOccasional: true },
  FfrDK2: tomorrow('15:30', '18:00', '2021-04-27', hourMs),
  ImbalancePrice: { kind: 'running', lagMs: hourMs, everyMs: quarterMs, history: ['2025-03-05'] },
  MfrrEnergyActivationMarket: { kind: 'running', lagMs: hourMs, everyMs: quarterMs, history: ['2025-03-05'] },
  CO2Emis: { kind: 'running', lagMs: quarterMs, everyMs: 5 * minuteMs, history: ['2017-01-01'] },
  CO2EmisProg: { kind: 'running', lagMs: -6 * hourMs, everyMs: quarterMs, history: ['2017-01-01'] },
  DatahubPricelist: { kind: 'list', everyMs: dayMs, history: ['2014-01-01'] },
}

/** State of a source; instants are null before their first event. */
export type SourceState = {
  lastSuccessMs: number | null
  lastRequestMs: number | null
  /** End of complete data of all areas, and of the newest data of any area. */
  coveredUntilMs: number | null
  newestMs: number | null
}

const endOfDay = (nowMs: number, days: number) => dayBounds(addDays(today(nowMs), days)).toMs

/** Expected end of data at an instant; null without a schedule. */
export const expectedUntil = (publishing: Publishing, nowMs: number): number | null => {
  if (publishing.kind === 'running') return nowMs - publishing.lagMs
  if (publishing.kind !== 'ahead') return null
  return publishing.isOccasional ? null : endOfDay(nowMs, localTime(nowMs) >= publishing.by ? 1 : 0)
}

/** Earliest useful next request; null for none. A past instant means now. */
export const nextDue = (publishing: Publishing, state: SourceState, nowMs: number): number | null => {
  const { lastSuccessMs, coveredUntilMs, lastRequestMs } = state
  if (publishing.kind === 'closed') return null
  if (lastSuccessMs === null) return nowMs
  if (publishing.kind !== 'ahead') return lastSuccessMs + publishing.everyMs
  const refreshMs = lastSuccessMs + publishing.refreshMs
  if (publishing.isOccasional) return refreshMs
  const wantedUntil = endOfDay(nowMs, localTime(nowMs) >= publishing.from ? 1 : 0)
  const isMissing = (coveredUntilMs ?? 0) < wantedUntil
  return isMissing ? Math.min(refreshMs, (lastRequestMs ?? 0) + publishing.lookEveryMs) : refreshMs
}

export const isDue = (publishing: Publishing, state: SourceState, nowMs: number): boolean => {
  const dueMs = nextDue(publishing, state, nowMs)
  return dueMs !== null && dueMs <= nowMs
}

/** Revisions appear for days: the first request of a local day covers these days. */
const repullDays = 7
/** Longest span of a request; older data needs a backfill. */
const longestDays = 30

type RequestWindow = { fromMs: number; toMs: number }

/**
 * Span of the next request: two days back (forward-published datasets have gaps otherwise), the last seven once per day, after an outage from
 * the end of the data of all areas. An area without data for longer than a request does not delay others.
 */
export const requestWindow = (publishing: Publishing, state: SourceState, nowMs: number): RequestWindow => {
  const date = today(nowMs)
  if (publishing.kind === 'list') {
    const year = Number(date.slice(0, 4))
    return { fromMs: dayBounds(`${year - 1}-01-01`).fromMs, toMs: dayBounds(`${year + 1}-12-31`).toMs }
  }
  const toMs = endOfDay(nowMs, 1)
  const { lastSuccessMs, coveredUntilMs, newestMs } = state
  const isFirstToday = lastSuccessMs === null || today(lastSuccessMs) < date
  const usualMs = dayBounds(addDays(date, isFirstToday ? -repullDays : -2)).fromMs
  const oldestMs = dayBounds(addDays(date, 2 - longestDays)).fromMs
  const endMs = coveredUntilMs !== null && coveredUntilMs >= oldestMs ? coveredUntilMs : newestMs
  const endDayMs = endMs === null ? usualMs : dayBounds(today(Math.min(endMs, nowMs))).fromMs
  return { fromMs: Math.max(Math.min(usualMs, endDayMs), oldestMs), toMs }
}
