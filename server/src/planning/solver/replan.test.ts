import { quarterMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import type { LoadSchedule, PlanProblem } from './plan.ts'
import { at, battery, problemOf, quartersAt, shiftable, slot } from './planning.fixture.ts'
import { compareWithFollowed, reasonsToReplan, remainingSchedule, thresholds } from './replan.ts'

const start = at('2026-11-24T11:00:00Z')
const quarters = quartersAt(start, [500, 100, 300, 200])
const heat = shiftable(quarters, { needKwh: 4, maxKw: 8 })
const problem = problemOf(quarters, [heat])
const of = (wh: number[]): LoadSchedule[] => [{ loadId: 'heat', wh, storedWh: null }]
const followed = { problem, loads: of([0, 2000, 0, 2000]) }

test('small changes are no reason for a new plan', () => {
  const later = { ...problem, nowMs: start + 2 * quarterMs, quarters: quarters.slice(2) }
  const moved = later.quarters.map((quarter) => ({
    ...quarter,
    spotDkkPerMwh: String(Number(quarter.spotDkkPerMwh) + 49.99),
  }))
  expect(
    reasonsToReplan(followed, { ...later, quarters: moved }, [{ loadId: 'heat', wh: [0, 1000, null, null] }]),
  ).toEqual([])
})

test.each([
  [
    'a price that moved',
    { quarters: [{ ...quarters[0], spotDkkPerMwh: '550' }, ...quarters.slice(1)] },
    { why: 'prices', quarters: 1 },
  ],
  ['a load that came', { loads: [heat, battery()] }, { why: 'load-came', loadId: 'battery' }],
  ['a charger that is offline', { loads: [] }, { why: 'load-left', loadId: 'heat' }],
  ['a slot that was sold', { sold: [slot(quarters, 2, 1, { upKw: 1 })] }, { why: 'sold', soldId: 'slot' }],
])('a reason for a new plan: %s', (_, change, reason) => {
  expect(reasonsToReplan(followed, { ...problem, ...change } as PlanProblem, [])).toMatchObject([reason]) // parts of a problem
})

test('a published price in place of an assumed one and a large measured deviation are reasons for a new plan', () => {
  const assumed = { ...problem, quarters: quarters.map((quarter) => ({ ...quarter, isAssumed: true })) }
  expect(reasonsToReplan({ ...followed, problem: assumed }, problem, [])).toMatchObject([
    { why: 'published', quarters: 4 },
  ])
  const later = { ...problem, nowMs: start + 2 * quarterMs }
  const measured = (wh: number) => [{ loadId: 'heat', wh: [0, wh, null, null] }]
  expect(reasonsToReplan({ ...followed, loads: of([0, 5000, 0, 0]) }, later, measured(2900))).toEqual([
    { why: 'deviation', loadId: 'heat', plannedWh: 5000, measuredWh: 2900 },
  ])
  expect(reasonsToReplan({ ...followed, loads: of([0, 5000, 0, 0]) }, later, measured(3000))).toEqual([])
})

test('a quarter that began before the plan is no deviation', () => {
  const begun = { ...problem, nowMs: start + 0.8 * quarterMs }
  const later = { ...problem, nowMs: start + 2 * quarterMs }
  const measured = [{ loadId: 'heat', wh: [5000, 2000, null, null] }]
  expect(reasonsToReplan({ problem: begun, loads: of([1000, 2000, 0, 2000]) }, later, measured)).toEqual([])
})

test('the followed plan is kept unless the gain is above 2 % and 5 DKK', () => {
  const dear = (first: number, second: number): PlanProblem =>
    problemOf(quartersAt(start, [first, second, 9000, 9000]), [shiftable(quarters, { maxKw: 8, needKwh: 2 })])
  const [running, other] = [of([2000, 0, 0, 0]), { loads: of([0, 2000, 0, 0]), skipped: [] }]
  expect(thresholds).toMatchObject({ gainDkk: '5', gainPercent: 2 })
  expect(compareWithFollowed(dear(3000, 500), running, other)).toEqual({
    isBetter: false,
    gainDkk: '5',
    why: 'too-little',
  })
  expect(compareWithFollowed(dear(3001, 500), running, other)).toEqual({
    isBetter: true,
    gainDkk: '5.002',
    why: 'gain',
  })
  expect(compareWithFollowed(dear(300_000, 297_400), running, other)).toMatchObject({ isBetter: false, gainDkk: '5.2' })
})

test('an infeasible followed plan is replaced', () => {
  const short = problemOf(quarters, [{ ...heat, deadlineMs: start + 2 * quarterMs, maxKw: 8 }])
  const comparison = compareWithFollowed(short, followed.loads, { loads: of([2000, 2000, 0, 0]), skipped: [] })
  expect(comparison).toEqual({ isBetter: true, gainDkk: null, why: 'cannot-be-kept' })
})

test('the rest of a plan is cut to the remaining quarters', () => {
  const later = { ...problem, nowMs: start + 1.5 * quarterMs, quarters: quarters.slice(1) }
  expect(remainingSchedule(followed, later)).toMatchObject(of([1000, 0, 2000]))
})
