import {
  absoluteDecimal,
  addDecimals,
  compareDecimals,
  divideDecimal,
  multiplyDecimals,
  subtractDecimals,
} from '@gridmast/contract/numbers.ts'
import { quarterMs } from '@gridmast/contract/time.ts'
import { scheduled } from './baseline.ts'
import { billOf, kgCo2Of, type Measured } from './bill.ts'
import { violationsOf } from './violations.ts'
import type { LoadSchedule, PlanProblem, SoldReserve } from './plan.ts'
import { gridOf, isWhole } from './quarters.ts'

export const thresholds = {
  /** A new plan must gain more than both. */
  gainPercent: 2,
  gainDkk: '5',
  priceDkkPerMwh: '50',
  /** Readings must differ from the plan by more than both. */
  deviationPercent: 20,
  deviationKwh: 2,
} as const

export type Reason =
  /** `prices` are the new prices of the changed quarters. */
  | { why: 'prices' | 'published'; fromMs: number; quarters: number; prices: readonly string[] }
  | { why: 'deviation'; loadId: string; plannedWh: number; measuredWh: number }
  | { why: 'load-came' | 'load-left'; loadId: string }
  | { why: 'sold'; soldId: string }

type Followed = { problem: PlanProblem; loads: readonly LoadSchedule[] }

const priceOf = (quarter: PlanProblem['quarters'][number]) =>
  addDecimals(quarter.spotDkkPerMwh, quarter.tariffDkkPerMwh, quarter.taxDkkPerMwh)

const isFar = (a: string, b: string) => {
  const difference = subtractDecimals(a, b)
  return compareDecimals(absoluteDecimal(difference), thresholds.priceDkkPerMwh) >= 0
}

const priceReasons = (before: PlanProblem, now: PlanProblem): Reason[] => {
  const quartersBefore = new Map(before.quarters.map((quarter) => [quarter.atMs, quarter]))
  const pairs = now.quarters.flatMap((quarter) => {
    const old = quartersBefore.get(quarter.atMs)
    return old ? [{ quarter, old }] : []
  })
  const moved = pairs.filter(({ quarter, old }) => isFar(priceOf(quarter), priceOf(old)))
  const published = pairs.filter(({ quarter, old }) => old.isAssumed && !quarter.isAssumed)
  const reasonOf = (why: 'prices' | 'published', changed: typeof pairs): Reason[] => {
    const [first] = changed
    const prices = changed.map(({ quarter }) => `${new Date(quarter.atMs).toISOString()} ${priceOf(quarter)}`)
    return first ? [{ why, fromMs: first.quarter.atMs, quarters: changed.length, prices }] : []
  }
  return [...reasonOf('prices', moved), ...reasonOf('published', published)]
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

const deviationReasons = ({ problem, loads }: Followed, measured: readonly Measured[], nowMs: number): Reason[] => {
  const grid = gridOf(problem)
  return measured.flatMap(({ loadId, wh }): Reason[] => {
    const planned = loads.find((load) => load.loadId === loadId)
    const over = problem.quarters.flatMap(({ atMs }, q) => {
      const of = wh[q]
      const isOver = atMs + quarterMs <= nowMs && isWhole(grid, q)
      return planned && typeof of === 'number' && isOver ? [{ of, plan: planned.wh[q] ?? 0 }] : []
    })
    const [plannedWh, measuredWh] = [sumOf(over.map(({ plan }) => plan)), sumOf(over.map(({ of }) => of))]
    const off = Math.abs(measuredWh - plannedWh)
    const isOff = off > thresholds.deviationKwh * 1000 && off * 100 > Math.abs(plannedWh) * thresholds.deviationPercent
    return isOff ? [{ why: 'deviation', loadId, plannedWh, measuredWh }] : []
  })
}

const soldKey = ({ upKw, downKw, upKwh, downKwh, fromMs, toMs, loadIds }: SoldReserve) =>
  JSON.stringify([upKw, downKw, upKwh, downKwh, fromMs, toMs, loadIds.toSorted()])

/** Bids that are not sent yet change with each request: only sold slots count. */
const soldSlots = ({ sold }: PlanProblem) => sold.filter(({ leaving }) => leaving === null)

/** Reasons for a new plan. An offline charger counts as a removed load; past slots are no change. */
export const reasonsToReplan = (followed: Followed, now: PlanProblem, measured: readonly Measured[]): Reason[] => {
  const before = followed.problem
  const has = (loads: PlanProblem['loads'], id: string) => loads.some((load) => load.id === id)
  const isDone = (load: PlanProblem['loads'][number]) => load.kind !== 'storage' && load.deadlineMs <= now.nowMs
  const added = now.loads.filter(({ id }) => !has(before.loads, id))
  const removed = before.loads.filter((load) => !has(now.loads, load.id) && !isDone(load))
  const soldBefore = new Map(soldSlots(before).map((sold) => [sold.id, soldKey(sold)]))
  const soldNow = new Map(soldSlots(now).map((sold) => [sold.id, soldKey(sold)]))
  const slots = [...soldSlots(before), ...soldSlots(now)].filter(({ toMs }) => toMs > now.nowMs)
  const changed = slots.filter(({ id }) => soldBefore.get(id) !== soldNow.get(id)).map(({ id }) => id)
  return [
    ...priceReasons(before, now),
    ...deviationReasons(followed, measured, now.nowMs),
    ...added.map(({ id }) => ({ why: 'load-came' as const, loadId: id })),
    ...removed.map(({ id }) => ({ why: 'load-left' as const, loadId: id })),
    ...[...new Set(changed)].map((soldId) => ({ why: 'sold' as const, soldId })),
  ]
}

const weightedCost = (problem: PlanProblem, loads: readonly LoadSchedule[], skipped: readonly SoldReserve[]) => {
  const { total, reserve } = billOf(problem, loads, skipped)
  const kg = kgCo2Of(problem.quarters, loads) ?? '0'
  const cost = multiplyDecimals(subtractDecimals(total, reserve), String(problem.weights.cost))
  const co2 = multiplyDecimals(multiplyDecimals(kg, String(problem.weights.co2)), problem.weights.co2DkkPerKg)
  return addDecimals(reserve, cost, co2)
}

export type Comparison = { isBetter: boolean; gainDkk: string | null; why: 'gain' | 'cannot-be-kept' | 'too-little' }

/** The followed plan stays unless it is infeasible or the gain exceeds the threshold, because frequent changes switch equipment for nothing. */
export const compareWithFollowed = (
  problem: PlanProblem,
  running: readonly LoadSchedule[],
  plan: { loads: readonly LoadSchedule[]; skipped: readonly SoldReserve[] },
  runningSkipped: readonly SoldReserve[] = [],
): Comparison => {
  // A need that the new plan misses too is no reason to change.
  const missed = violationsOf(problem, plan.loads, plan.skipped)
  const broken = violationsOf(problem, running, runningSkipped).filter(
    (one) => one.limit !== 'need' || !missed.some(({ limit, id }) => limit === 'need' && id === one.id),
  )
  if (broken.length > 0) return { isBetter: true, gainDkk: null, why: 'cannot-be-kept' }
  const before = weightedCost(problem, running, runningSkipped)
  const gainDkk = subtractDecimals(before, weightedCost(problem, plan.loads, plan.skipped))
  const size = absoluteDecimal(before)
  const percent = divideDecimal(multiplyDecimals(size, String(thresholds.gainPercent)), 100, 6)
  const isBetter = compareDecimals(gainDkk, thresholds.gainDkk) > 0 && compareDecimals(gainDkk, percent) > 0
  return { isBetter, gainDkk, why: isBetter ? 'gain' : 'too-little' }
}

export const remainingSchedule = (followed: Followed, problem: PlanProblem): LoadSchedule[] => {
  const grid = gridOf(problem)
  const at = followed.problem.quarters.findIndex(({ atMs }) => atMs === problem.quarters[0]?.atMs)
  return problem.loads.map((load) => {
    const plannedWh = followed.loads.find(({ loadId }) => loadId === load.id)?.wh ?? []
    const kwh = grid.hours.map((skipped, q) => (at < 0 ? 0 : ((plannedWh[at + q] ?? 0) * skipped) / 250))
    return scheduled(grid, load, kwh)
  })
}
