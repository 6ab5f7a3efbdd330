import { quarterMs, type Span } from '@gridmast/contract/time.ts'
import { plausibleWh } from '#charging/ledger/session-energy.ts'

/** Energy of a session per quarter of an hour, from the charger's register; rules and a worked example: session-cost.md. */

export type RegisterReading = { atMs: number; wh: number }

/** `wh` is the energy of the session, null: unknown; a running session ends at its last reading. */
export type Session = Span & { meterStartWh: number | null; wh: number | null; maxKw: number }

export type QuarterEnergy = {
  fromMs: number
  /** Whole Wh of each quarter; they add up to the energy of the session, rounded once. */
  wh: number[]
  /** True where readings further apart than half an hour leave the time of charging unknown. */
  spread: boolean
}

const longestGapMs = 2 * quarterMs

/** The longest non-decreasing subsequence of readings: a wrong reading costs itself only. O(n log n). */
const steadyRow = (points: readonly RegisterReading[]): RegisterReading[] => {
  // tails[k]: the last reading of the subsequence of k + 1 readings that ends lowest.
  const tails: number[] = []
  const before: number[] = []
  points.forEach(({ wh }, i) => {
    let [low, high] = [0, tails.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((points[tails[middle] ?? 0]?.wh ?? 0) <= wh) low = middle + 1
      else high = middle
    }
    before[i] = low > 0 ? (tails[low - 1] ?? -1) : -1
    tails[low] = i
  })
  const row: RegisterReading[] = []
  for (let i = tails.at(-1) ?? -1; i >= 0; i = before[i] ?? -1) {
    const point = points[i]
    if (point) row.push(point)
  }
  return row.toReversed()
}

/** Index of the first point that the connector's power cannot have delivered since the start or the previous point; -1: all are plausible. */
const firstImplausible = (points: readonly RegisterReading[], maxKw: number): number => {
  const [start] = points
  return points.findIndex((point, i) => {
    const before = points[i - 1]
    if (!start || !before) return false
    const isPossible = (from: RegisterReading) => point.wh - from.wh <= plausibleWh(maxKw, point.atMs - from.atMs)
    return !isPossible(start) || !isPossible(before)
  })
}

const rise = (session: Session, readings: readonly RegisterReading[]): RegisterReading[] => {
  const { fromMs, toMs, meterStartWh, wh, maxKw } = session
  const inside = readings
    .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
    .toSorted((a, b) => a.atMs - b.atMs || a.wh - b.wh)
  const base = meterStartWh ?? inside[0]?.wh ?? 0
  const since = inside
    .map(({ atMs, wh: register }) => ({ atMs, wh: register - base }))
    .filter((point) => point.wh >= 0 && point.atMs > fromMs && (wh === null || (point.atMs < toMs && point.wh <= wh)))
  const points = [{ atMs: fromMs, wh: 0 }, ...steadyRow(since)]
  if (wh !== null) return [...points, { atMs: toMs, wh }]
  const end = firstImplausible(points, maxKw)
  return end < 0 ? points : points.slice(0, end)
}

export const isPlausible = (session: Session & { wh: number }, readings: readonly RegisterReading[]): boolean =>
  firstImplausible(rise(session, readings), session.maxKw) < 0

/**
 * Energy of each quarter that a session touches, charged evenly between two register readings; null where neither the charger nor its register states
 * the energy. The order of readings and duplicates do not matter.
 */
export const quarterEnergy = (session: Session, readings: readonly RegisterReading[]): QuarterEnergy | null => {
  const points = rise(session, readings)
  const last = points.at(-1)
  if (!last || (points.length === 1 && session.wh === null)) return null
  const fromMs = Math.floor(session.fromMs / quarterMs) * quarterMs
  const count = Math.max(1, Math.ceil((last.atMs - fromMs) / quarterMs))
  let next = 0
  const at = (ms: number): number => {
    while (next < points.length - 1 && (points[next]?.atMs ?? Infinity) < ms) next++
    const [a, b] = [points[next - 1], points[next]]
    if (!b) return last.wh
    if (!a || ms >= b.atMs) return b.wh
    return a.wh + ((b.wh - a.wh) * (ms - a.atMs)) / (b.atMs - a.atMs)
  }
  let before = 0
  const wh = Array.from({ length: count }, (_, i) => {
    const sum = i === count - 1 ? Math.round(last.wh) : Math.round(at(fromMs + (i + 1) * quarterMs))
    const part = sum - before
    before = sum
    return part
  })
  const spread = points.some((b, i) => {
    const a = points[i - 1]
    return a !== undefined && b.wh > a.wh && b.atMs - a.atMs > longestGapMs
  })
  return { fromMs, wh, spread }
}
