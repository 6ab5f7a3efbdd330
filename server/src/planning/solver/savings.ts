import { roundDecimal, subtractDecimals } from '@gridmast/contract/numbers.ts'
import { quarterMs, type Span } from '@gridmast/contract/time.ts'
import { scaledTo, storedAfter } from './baseline.ts'
import { billOf, kgCo2Of, scheduleOf } from './bill.ts'
import type { Bill, LoadSchedule, PlanProblem, Scaled, Schedule, SoldReserve } from './plan.ts'
import { gridOf, isWhole } from './quarters.ts'

/** Readings of a load, Wh by quarter; null where unknown. */
export type Measured = { loadId: string; wh: readonly (number | null)[] }

export type Saving = {
  savedDkk: string
  savedKgCo2: string | null
  parts: Bill
  baseline: Schedule
  measured: Schedule
  scaled: Scaled[]
  /** Followed quarters without a reading of a load: they count on neither side. */
  unknownMs: number[]
  countedMs: number[]
}

type Counted = {
  left?: readonly SoldReserve[]
  baselineLeft?: readonly SoldReserve[]
  followed?: Span
}

export const differenceOf = (baseline: Schedule, other: Schedule) => {
  const part = (key: keyof Bill) => subtractDecimals(baseline.bill[key], other.bill[key])
  const parts: Bill = {
    spot: part('spot'),
    tariff: part('tariff'),
    tax: part('tax'),
    capacity: part('capacity'),
    reserve: part('reserve'),
    stored: part('stored'),
    total: part('total'),
  }
  const kg = baseline.kgCo2 === null || other.kgCo2 === null ? null : subtractDecimals(baseline.kgCo2, other.kgCo2)
  return { parts, savedDkk: roundDecimal(parts.total, 2), savedKgCo2: kg && roundDecimal(kg, 3) }
}

/**
 * Saving by readings against the baseline stored before, never by the plan. `problem` has the actual prices, emissions and other consumption. Only
 * whole quarters in `followed` count: a plan saves nothing before it is accepted or after it has ended.
 */
export const savingOf = (
  problem: PlanProblem,
  baseline: readonly LoadSchedule[],
  measured: readonly Measured[],
  { left = [], baselineLeft = [], followed }: Counted = {},
): Saving => {
  const grid = gridOf(problem)
  const isCounted = (atMs: number, q: number) =>
    isWhole(grid, q) && (!followed || (atMs >= followed.fromMs && atMs + quarterMs <= followed.toMs))
  const counts = problem.quarters.map(({ atMs }, q) => isCounted(atMs, q))
  const known = counts.map((does, q) => does && measured.every(({ wh }) => typeof wh[q] === 'number'))
  const counted = (loadId: string, wh: readonly (number | null)[]): LoadSchedule => {
    const load = problem.loads.find(({ id }) => id === loadId)
    const own = known.map((isKnown, q) => (isKnown ? (wh[q] ?? 0) : 0))
    return { loadId, wh: own, storedWh: load?.kind === 'storage' ? storedAfter(load, own) : null }
  }
  const done = measured.map(({ loadId, wh }) => counted(loadId, wh))
  const { loads, scaled } = scaledTo(
    baseline.map(({ loadId, wh }) => counted(loadId, wh)),
    done,
  )
  const [before, after] = [scheduleOf(problem, loads, baselineLeft), scheduleOf(problem, done, left)]
  return {
    ...differenceOf(before, after),
    baseline: before,
    measured: after,
    scaled,
    unknownMs: problem.quarters.flatMap(({ atMs }, q) => (counts[q] && !known[q] ? [atMs] : [])),
    countedMs: problem.quarters.flatMap(({ atMs }, q) => (counts[q] ? [atMs] : [])),
  }
}

export const quartersOf = (problem: PlanProblem, { baseline, measured }: Pick<Saving, 'baseline' | 'measured'>) =>
  problem.quarters.map((quarter, q) => {
    const at = (loads: readonly LoadSchedule[]) => {
      const own = loads.map(({ loadId, wh }) => ({ loadId, wh: [wh[q] ?? 0], storedWh: null }))
      const alone = { ...problem, quarters: [quarter], site: { ...problem.site, capacity: null }, loads: [] }
      const { total } = billOf(alone, own)
      return { wh: own.reduce((sum, { wh }) => sum + (wh[0] ?? 0), 0), dkk: total, kgCo2: kgCo2Of([quarter], own) }
    }
    return { atMs: quarter.atMs, baseline: at(baseline.loads), measured: at(measured.loads) }
  })
