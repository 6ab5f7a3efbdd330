import { addDays, dayBounds, localDateOf, localTime, quarterMs, weekday } from '@gridmast/contract/time.ts'
import type { PlanQuarter } from './plan.ts'

/** Mean of the same quarter on the same weekday: a substitute for missing values. */

export type QuarterWh = { atMs: number; wh: number }

const days = 28

const readPlaces = (atMs: number): readonly [string, string] => {
  const day = weekday(localDateOf(atMs))
  return [`${day} ${localTime(atMs)}`, String(day)]
}

/** Cached up to about a year: a backtest uses the same quarters for weeks. */
const mostKnown = 40_000
const known = new Map<number, readonly [string, string]>()

/** October's repeated hour counts as one; a quarter that a weekday lacks, as 02:15 in March, uses the weekday's mean. */
const placesOf = (atMs: number) => {
  const found = known.get(atMs) ?? readPlaces(atMs)
  if (known.size >= mostKnown) known.clear()
  known.set(atMs, found)
  return found
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
    const found = placesOf(atMs).flatMap((place) => sums.get(place) ?? [])[0]
    return found ? found.sum / found.count : null
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
  const until = Math.max(...[...history, ...published].map(({ atMs }) => atMs), 0) + quarterMs
  const mean = weekdayMean(
    [...history, ...published].map((one) => ({ atMs: one.atMs, value: Number(one.spotDkkPerMwh) })),
    until,
  )
  const priced = quarters.map((quarter): PlanQuarter | null => {
    const { spotDkkPerMwh } = quarter
    if (spotDkkPerMwh !== null) return { ...quarter, spotDkkPerMwh, isAssumed: false }
    const assumed = mean(quarter.atMs)
    if (assumed === null) return null
    return { ...quarter, spotDkkPerMwh: assumed.toFixed(6), isAssumed: true }
  })
  return priced.every((one) => one !== null) ? priced : null
}
