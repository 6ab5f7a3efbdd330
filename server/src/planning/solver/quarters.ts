import {
  hourMs,
  quarterMs,
  type Span,
  addDays,
  dayBounds,
  localDateOf,
  localTime,
  weekday,
} from '@gridmast/contract/time.ts'
import { sessionKw, type Load, type PlanProblem, type Storage, type PlanQuarter } from './plan.ts'

export type Grid = { fromMs: number[]; toMs: number[]; hours: number[] }

export const gridOf = ({ nowMs, quarters }: Pick<PlanProblem, 'nowMs' | 'quarters'>): Grid => {
  quarters.forEach(({ atMs }, q) => {
    if (atMs % quarterMs !== 0 || atMs !== (quarters[0]?.atMs ?? 0) + q * quarterMs)
      throw new RangeError(`quarter ${q} does not follow the one before`)
  })
  const fromMs = quarters.map(({ atMs }) => Math.max(atMs, nowMs))
  const toMs = quarters.map(({ atMs }) => atMs + quarterMs)
  return { fromMs, toMs, hours: toMs.map((end, q) => Math.max(0, end - (fromMs[q] ?? end)) / hourMs) }
}

/** Readings cover whole quarters: one that had started when the plan was made cannot be compared. */
export const isWhole = ({ hours }: Grid, q: number): boolean => (hours[q] ?? 0) >= quarterMs / hourMs

const hoursIn = (grid: Grid, { fromMs, toMs }: Span): number[] =>
  grid.fromMs.map((start, q) => Math.max(0, Math.min(grid.toMs[q] ?? start, toMs) - Math.max(start, fromMs)) / hourMs)

export const storageHours = (grid: Grid, { fromMs = -Infinity }: Storage): number[] =>
  hoursIn(grid, { fromMs, toMs: Infinity })

export type Consumer = Exclude<Load, Storage>

/** Hours of each quarter in which a load may run; an on/off load uses only quarters entirely within its window. */
export const usableHours = (grid: Grid, load: Consumer): number[] => {
  const hours = hoursIn(grid, { fromMs: load.fromMs, toMs: load.deadlineMs })
  return load.kind === 'on-off' ? hours.map((mine, q) => (mine === grid.hours[q] ? mine : 0)) : hours
}

export const maxPowerKw = (load: Consumer): number =>
  load.kind === 'on-off' ? load.kw : load.kind === 'session' ? sessionKw(load, load.maxA) : load.maxKw

export const minPowerKw = (load: Exclude<Consumer, { kind: 'on-off' }>): number =>
  load.kind === 'session' ? sessionKw(load, load.minA) : load.minKw

/** Quarters in which an on/off load must keep its state, and its total number of quarters: needs are rounded up. */
export const runsOf = (grid: Grid, load: Extract<Load, { kind: 'on-off' }>) => {
  const passed = load.sinceMs === null ? Infinity : Math.floor(((grid.fromMs[0] ?? 0) - load.sinceMs) / quarterMs)
  const boundQuarters = Math.max(0, (load.isOn ? load.minRunQuarters : load.minPauseQuarters) - passed)
  const usable = usableHours(grid, load)
  const heldOn = load.isOn ? usable.slice(0, boundQuarters).findIndex((hours) => hours === 0) : 0
  const forcedOn = load.isOn ? (heldOn < 0 ? Math.min(boundQuarters, usable.length) : heldOn) : 0
  const forcedOff = load.isOn ? 0 : boundQuarters
  // A float sum must not require one more quarter.
  const needed = Math.ceil(load.needKwh / (load.kw / 4) - 1e-9)
  return { forcedOn, forcedOff, most: Math.max(needed, needed > 0 ? load.minRunQuarters : 0, forcedOn) }
}

export type QuarterWh = { atMs: number; wh: number }

const days = 28

const readPlaces = (atMs: number): readonly [string, string] => {
  const day = weekday(localDateOf(atMs))
  return [`${day} ${localTime(atMs)}`, String(day)]
}

/** Cached up to about a year: a backtest uses the same quarters for weeks. */
const cacheSize = 40_000
const placesCache = new Map<number, readonly [string, string]>()

/** October's repeated hour counts as one; a quarter that a weekday lacks, as 02:15 in March, uses the weekday's mean. */
const placesOf = (atMs: number) => {
  const values = placesCache.get(atMs) ?? readPlaces(atMs)
  if (placesCache.size >= cacheSize) placesCache.clear()
  placesCache.set(atMs, values)
  return values
}

/** Over the 28 previous local days; null without values of that weekday. */
export const weekdayMean = (values: readonly { atMs: number; value: number }[], beforeMs: number) => {
  const firstMs = dayBounds(addDays(localDateOf(beforeMs), -days)).fromMs
  const sums = new Map<string, { sum: number; count: number }>()
  for (const { atMs, value } of values) {
    if (atMs >= beforeMs || atMs < firstMs) continue
    for (const place of placesOf(atMs)) {
      const { sum, count } = sums.get(place) ?? { sum: 0, count: 0 }
      sums.set(place, { sum: sum + value, count: count + 1 })
    }
  }
  return (atMs: number): number | null => {
    const [first] = placesOf(atMs).flatMap((place) => sums.get(place) ?? [])
    return first ? first.sum / first.count : null
  }
}

export type KnownQuarter = Omit<PlanQuarter, 'isAssumed' | 'spotDkkPerMwh'> & {
  spotDkkPerMwh: string | null
}

/** Unpublished prices are the mean of the same weekday in the last 28 days, flagged as assumed; null without those. */
export const withAssumedPrices = (
  quarters: readonly KnownQuarter[],
  history: readonly { atMs: number; spotDkkPerMwh: string }[],
): PlanQuarter[] | null => {
  const published = quarters.flatMap(({ atMs, spotDkkPerMwh }) =>
    spotDkkPerMwh === null ? [] : [{ atMs, spotDkkPerMwh }],
  )
  const values = [...history, ...published].map((one) => ({ atMs: one.atMs, value: Number(one.spotDkkPerMwh) }))
  const until = Math.max(...values.map(({ atMs }) => atMs), 0) + quarterMs
  const mean = weekdayMean(values, until)
  const priced = quarters.map((quarter): PlanQuarter | null => {
    const { spotDkkPerMwh } = quarter
    if (spotDkkPerMwh !== null) return { ...quarter, spotDkkPerMwh, isAssumed: false }
    const assumed = mean(quarter.atMs)
    if (assumed === null) return null
    return { ...quarter, spotDkkPerMwh: assumed.toFixed(6), isAssumed: true }
  })
  return priced.every((one) => one !== null) ? priced : null
}
