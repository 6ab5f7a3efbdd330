import { hourMs, quarterMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { openSolver } from './highs.ts'
import { makePlan } from './make-plan.ts'
import { at, problemOf, quartersAt, shiftable } from './planning.fixture.ts'

const solve = await openSolver()
const start = at('2026-11-24T11:00:00Z')
const quarters = quartersAt(start, [900, 800, 700, 600, 100, 200, 300, 400, 500], { otherKw: 5 })
const capacity = { dkkPerKw: '26.5', months: [{ fromMs: start - 1, toMs: start + 24 * hourMs, reachedKw: 0 }] }

const askedWith = (restMs: number, load: { maxKw: number; needKwh: number }) => {
  const nowMs = start + quarterMs - restMs
  const plan = makePlan(
    problemOf(quarters, [shiftable(quarters, { ...load, fromMs: nowMs })], { nowMs, site: { capacity } }),
    solve,
    { timeLimitS: 20 },
  )
  if (plan.status !== 'optimal') throw new Error(plan.status)
  return plan
}
const rests = [200, 700, 1000, 1300, 7300, 59_000, 61_700, 5 * 60_000 + 37, 14 * 60_000]

test('a partly elapsed quarter has no peak above the limits, and its saving is that of its energy', () => {
  const load = { maxKw: 150, needKwh: 200 }
  const whole = Number(askedWith(quarterMs, load).savedDkk)
  const without = Number(askedWith(1, load).savedDkk)
  expect(whole - without).toBeGreaterThan(0)
  for (const restMs of rests) {
    const { plan, baseline, savedDkk } = askedWith(restMs, load)
    expect([restMs, baseline.peakKw, baseline.bill.capacity]).toEqual([restMs, 155, '3975'])
    expect(plan.peakKw).toBeLessThanOrEqual(155)
    const hours = restMs / hourMs
    for (const { loads } of [plan, baseline]) {
      const wh = loads[0]?.wh ?? []
      expect(wh[0]).toBeLessThanOrEqual(150_000 * hours)
      expect(wh.reduce((sum, of) => sum + of, 0)).toBe(200_000)
    }
    // A kWh costs at most 0.9 DKK, and one in the started quarter leaves room for half a kW less.
    expect(Math.abs(Number(savedDkk) - without)).toBeLessThanOrEqual(150 * hours * (0.9 + 26.5 / 2) + 0.01)
  }
})

test('a constant full load adds its power to the peak', () => {
  for (const restMs of rests) {
    const { plan, baseline } = askedWith(restMs, { maxKw: 100, needKwh: 100 * (2 + restMs / hourMs) })
    expect([restMs, plan.bill.capacity, baseline.bill.capacity]).toEqual([restMs, '2650', '2650'])
  }
})
