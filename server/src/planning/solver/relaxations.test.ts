import { minuteMs, quarterMs } from '@gridmast/contract/time.ts'
import { describe, expect, test } from 'vitest'
import { openSolver } from './highs.ts'
import { makePlan } from './make-plan.ts'
import type { PlanProblem, Relaxation } from './plan.ts'
import { at, battery, onOff, problemOf, quartersAt, shiftable, slot } from './planning.fixture.ts'

const solve = await openSolver()
const limits = { timeLimitS: 20 }
const start = at('2026-11-24T11:00:00Z')

const relaxations = (problem: PlanProblem): Relaxation[] => {
  const plan = makePlan(problem, solve, limits)
  return plan.status === 'infeasible' ? plan.relaxations : []
}

describe('an infeasible plan names its conflicts with the nearest feasible value', () => {
  const quarters = quartersAt(start, [100, 200, 300, 400])

  const isNearest = (make: (value: number) => PlanProblem, works: number, short: number) => {
    expect(makePlan(make(works), solve, limits).status).toBe('optimal')
    expect(makePlan(make(short), solve, limits).status).toBe('infeasible')
  }

  test('a need beyond the available time', () => {
    const asked = (more: object) =>
      problemOf(quarters, [shiftable(quarters, { needKwh: 3, deadlineMs: start + 2 * quarterMs, ...more })])
    const found = relaxations(asked({}))
    expect(found).toEqual([
      { limit: 'need', id: 'heat', unit: 'kWh', now: 3, works: 2, isEnough: true },
      { limit: 'load-power', id: 'heat', unit: 'kW', now: 4, works: 6, isEnough: true },
      {
        limit: 'deadline',
        id: 'heat',
        unit: 'ms',
        now: start + 2 * quarterMs,
        works: start + 3 * quarterMs,
        isEnough: true,
      },
    ])
    isNearest((needKwh) => asked({ needKwh }), 2, 2.01)
    isNearest((maxKw) => asked({ maxKw }), 6, 5.99)
    isNearest((deadlineMs) => asked({ deadlineMs }), start + 3 * quarterMs, start + 3 * quarterMs - minuteMs)
  })

  test('a deadline beyond the quarters of the plan, with sold reserve there', () => {
    const [first, ...rest] = quarters
    const later = { quarters: rest, sold: [slot(quarters, 1, 1, { loadIds: ['heat'], downKw: 2 })] }
    const asked = problemOf(first ? [first] : [], [
      shiftable([], { needKwh: 2, fromMs: start, deadlineMs: start + quarterMs }),
    ])
    const deadlineOf = (problem: PlanProblem) => relaxations(problem).find(({ limit }) => limit === 'deadline')?.works
    expect(deadlineOf({ ...asked, later: { ...later, sold: [] } })).toBe(start + 2 * quarterMs)
    expect(deadlineOf({ ...asked, later })).toBe(start + 3 * quarterMs)
    expect(deadlineOf(asked)).toBeUndefined()
  })

  test('a connection below the needs, named next to both needs', () => {
    const loads = [shiftable(quarters, { id: 'a', needKwh: 3 }), shiftable(quarters, { id: 'b', needKwh: 3 })]
    const asked = (limitKw: number) => problemOf(quarters, loads, { site: { limitKw } })
    const found = relaxations(asked(5))
    expect(found).toContainEqual({ limit: 'site-limit', id: null, unit: 'kW', now: 5, works: 6, isEnough: true })
    expect(found).toContainEqual({ limit: 'need', id: 'a', unit: 'kWh', now: 3, works: 2, isEnough: true })
    expect(found).toContainEqual({ limit: 'need', id: 'b', unit: 'kWh', now: 3, works: 2, isEnough: true })
    isNearest(asked, 6, 5.99)
  })

  test('a sold slot that cannot be released', () => {
    const heat = shiftable(quarters, { needKwh: 4 })
    const asked = (downKw: number) =>
      problemOf(quarters, [heat], { sold: [slot(quarters, 1, 1, { loadIds: ['heat'], downKw })] })
    expect(relaxations(asked(3))).toContainEqual(
      expect.objectContaining({ limit: 'sold-reserve', id: 'slot', works: 0 }),
    )
    isNearest(asked, 0, 0.01)
  })

  test('slots that require more than the need: the need is raised and the slots are named', () => {
    const sold = [0, 1, 2].map((q) => slot(quarters, q, 1, { id: `slot ${q}`, loadIds: ['heat'], upKw: 3 }))
    const asked = (needKwh: number) => problemOf(quarters, [shiftable(quarters, { needKwh })], { sold })
    const [raised, ...others] = relaxations(asked(1))
    expect(raised).toEqual({ limit: 'need', id: 'heat', unit: 'kWh', now: 1, works: 2.25, isEnough: true })
    expect(new Set(others.map(({ limit, isEnough }) => `${limit} ${isEnough}`))).toEqual(
      new Set(['sold-reserve false']),
    )
    isNearest(asked, 2.25, 2.24)
    const runs = (needKwh: number) => problemOf(quarters, [onOff(quarters, { id: 'heat', needKwh })], { sold })
    expect(relaxations(runs(1))[0]).toMatchObject({ limit: 'need', works: 3, isEnough: true })
    isNearest(runs, 3, 2)
  })

  test('a run that does not fit, and too few starts', () => {
    const asked = (minRunQuarters: number) => problemOf(quarters, [onOff(quarters, { needKwh: 1, minRunQuarters })])
    expect(relaxations(asked(6))).toContainEqual({
      limit: 'min-run',
      id: 'pump',
      unit: 'quarters',
      now: 6,
      works: 4,
      isEnough: true,
    })
    const held = [slot(quarters, 1, 1, { loadIds: ['pump'], downKw: 4 })]
    const starts = (maxStartsADay: number) =>
      problemOf(quarters, [onOff(quarters, { needKwh: 3, maxStartsADay })], { sold: held })
    expect(relaxations(starts(1))).toContainEqual({
      limit: 'starts',
      id: 'pump',
      unit: 'starts',
      now: 1,
      works: 2,
      isEnough: true,
    })
    isNearest(starts, 2, 1)
  })

  test('a target beyond the battery', () => {
    const asked = (kwh: number) =>
      problemOf(quarters, [battery({ target: { kwh, atMs: start + 2 * quarterMs, isFirm: true } })])
    expect(relaxations(asked(3))).toContainEqual(expect.objectContaining({ limit: 'target', works: 2 }))
    isNearest(asked, 2, 2.01)
  })
})
