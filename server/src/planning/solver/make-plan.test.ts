import { dayBounds, hourMs, localTime, minuteMs, quarterMs } from '@gridmast/contract/time.ts'
import { describe, expect, test } from 'vitest'
import { openSolver } from './highs.ts'
import { violationsOf } from './violations.ts'
import { makePlan } from './make-plan.ts'
import type { PlanProblem, PlanQuarter } from './plan.ts'
import { at, battery, onOff, problemOf, quartersAt, session, shiftable, slot } from './planning.fixture.ts'
import { withAssumedPrices } from './quarters.ts'

const solve = await openSolver()
const limits = { timeLimitS: 20 }
const start = at('2026-11-24T11:00:00Z')

const planned = (problem: PlanProblem) => {
  const plan = makePlan(problem, solve, limits)
  if (plan.status !== 'optimal') throw new Error(`${plan.status}: ${JSON.stringify(plan)}`)
  const left = problem.sold.filter(({ id }) => plan.left.some(({ soldId }) => soldId === id))
  const needsMissed = plan.missed.some(({ wish }) => wish === 'need')
  expect(violationsOf(problem, plan.plan.loads, left).filter(({ limit }) => limit !== 'need' || !needsMissed)).toEqual(
    [],
  )
  return { ...plan, wh: Object.fromEntries(plan.plan.loads.map(({ loadId, wh }) => [loadId, wh])) }
}
const months = (reachedKw: number) => [{ fromMs: start - 1, toMs: start + 30 * 24 * hourMs, reachedKw }]
const sum = (wh: readonly number[] = []) => wh.reduce((all, of) => all + of, 0)

test('an on/off load takes its own power in a partly elapsed quarter, with and without a plan', () => {
  const quarters = quartersAt(start, [500, 400, 300, 200])
  const problem = problemOf(quarters, [onOff(quarters, { kw: 4, needKwh: 2 })], {
    nowMs: start + 9 * minuteMs,
    site: { capacity: { dkkPerKw: '26', months: months(0) } },
  })
  const { wh, baseline, scaled } = planned(problem)
  expect(wh['pump']).toEqual([0, 0, 1000, 1000])
  expect([baseline.loads[0]?.wh, baseline.peakKw, scaled]).toEqual([[400, 1000, 600, 0], 4, []])
})

test('the worked example of planner.md', () => {
  const quarters = quartersAt(start, [400, 200, 100, 500, 600, 700], { tariffDkkPerMwh: '100', taxDkkPerMwh: '100' })
  const car = session(quarters, { phases: 3, maxA: 16, needKwh: 4 })
  const pump = onOff(quarters, { kw: 4, needKwh: 1.5, minRunQuarters: 2 })
  const plan = planned(
    problemOf(quarters, [car, pump], { site: { limitKw: 14, capacity: { dkkPerKw: '0.2', months: months(8) } } }),
  )
  expect(plan.wh).toEqual({ car: [2000, 1000, 1000, 0, 0, 0], pump: [0, 1000, 1000, 0, 0, 0] })
  expect(plan).toMatchObject({
    plan: { peakKw: 8, bill: { spot: '1.4', tariff: '0.6', tax: '0.6', capacity: '0', total: '2.6' } },
    baseline: { peakKw: 11.04, bill: { spot: '1.652', capacity: '0.608', total: '3.46' } },
    savedDkk: '0.86',
  })
  expect(plan.binding).toContainEqual(
    expect.objectContaining({ limit: 'capacity-peak', unit: 'kW', dkkPerUnit: '0.1250' }),
  )
})

describe('beyond the cheapest hours', () => {
  test('a paid peak makes simultaneous cheap quarters too expensive', () => {
    const quarters = quartersAt(start, [100, 101, 102, 103])
    const loads = [shiftable(quarters, { id: 'a' }), shiftable(quarters, { id: 'b' })]
    expect(planned(problemOf(quarters, loads)).wh).toEqual({ a: [1000, 0, 0, 0], b: [1000, 0, 0, 0] })
    const site = { capacity: { dkkPerKw: '30', months: months(0) } }
    const flat = planned(problemOf(quarters, loads, { site }))
    expect([flat.plan.peakKw, flat.plan.bill.capacity]).toEqual([2, '60'])
    expect(flat.binding).toContainEqual(expect.objectContaining({ limit: 'capacity-peak', unit: 'kW' }))
    const sunk = { capacity: { dkkPerKw: '30', months: months(4) } }
    expect(planned(problemOf(quarters, loads, { site: sunk })).plan.bill.capacity).toBe('0')
  })

  test('a minimum run crosses a price spike, or avoids it where that is cheaper', () => {
    const needs = { kw: 4, needKwh: 3, minRunQuarters: 3 }
    const low = quartersAt(start, [100, 400, 100, 500, 500, 500])
    expect(planned(problemOf(low, [onOff(low, needs)])).wh['pump']).toEqual([1000, 1000, 1000, 0, 0, 0])
    const high = quartersAt(start, [100, 2000, 100, 500, 500, 500])
    expect(planned(problemOf(high, [onOff(high, needs)])).wh['pump']).toEqual([0, 0, 1000, 1000, 1000, 0])
  })

  test('a battery stays idle for a spread below its losses and runs above it', () => {
    const lossy = battery({ chargeEfficiency: 0.9, dischargeEfficiency: 1, capacityKwh: 1 })
    const site = { feedInKw: 10 }
    const idle = planned(problemOf(quartersAt(start, [450, 499]), [lossy], { site }))
    expect(idle.wh['battery']).toEqual([0, 0])
    const works = planned(problemOf(quartersAt(start, [440, 499]), [lossy], { site }))
    expect(works.wh['battery']).toEqual([1000, -900])
  })

  test('sold reserve in the cheapest hour stays available', () => {
    const quarters = quartersAt(start, [500, 100, 500, 400])
    const store = battery({ nowKwh: 5, chargeKw: 4, target: { kwh: 6, atMs: start + hourMs, isFirm: true } })
    expect(planned(problemOf(quarters, [store])).wh['battery']).toEqual([0, 1000, 0, 0])
    const sold = [slot(quarters, 1, 1, { downKw: 4, downKwh: 1 })]
    expect(planned(problemOf(quarters, [store], { sold })).wh['battery']).toEqual([0, 0, 0, 1000])
  })

  test('two loads share one connection', () => {
    const quarters = quartersAt(start, [100, 200, 300])
    const loads = [shiftable(quarters, { id: 'a' }), shiftable(quarters, { id: 'b', needKwh: 2, maxKw: 8 })]
    const plan = planned(problemOf(quarters, loads, { site: { limitKw: 6 } }))
    const both = [0, 1, 2].map((q) => (plan.wh['a']?.[q] ?? 0) + (plan.wh['b']?.[q] ?? 0))
    expect(both).toEqual([1500, 1500, 0])
    expect(plan.binding).toContainEqual(
      expect.objectContaining({ limit: 'site-limit', unit: 'kW', dkkPerUnit: '0.0250' }),
    )
    const shared = [{ id: 'fuse', loadIds: ['a', 'b'], limitKw: 8 }]
    const fused = planned(problemOf(quarters, loads, { site: { limitKw: 20, shared } }))
    expect(fused.plan.peakKw).toBe(8)
    expect(fused.binding).toContainEqual(
      expect.objectContaining({ limit: 'shared-limit', id: 'fuse', dkkPerUnit: '0.0250' }),
    )
  })

  test('a deadline at 02:30 in the repeated hour of October', () => {
    const { fromMs } = dayBounds('2026-10-25')
    const quarters = quartersAt(
      fromMs,
      Array.from({ length: 100 }, (_, q) => 1000 - q),
    )
    const deadlineMs = fromMs + 3.5 * hourMs
    expect(localTime(deadlineMs)).toBe('02:30')
    const { wh } = planned(problemOf(quarters, [session(quarters, { needKwh: 5.52, deadlineMs })]))
    const taken = (wh['car'] ?? []).flatMap((of, q) => (of > 0 ? [localTime(quarters[q]?.atMs ?? 0)] : []))
    expect(taken).toEqual(['02:00', '02:15'])
    expect(sum(wh['car']?.slice(12, 14))).toBe(5520)
  })

  test('missing prices of the last 8 hours are assumed and marked', () => {
    const known = quartersAt(
      start,
      Array.from({ length: 64 }, () => 500),
    ).map((quarter): PlanQuarter => quarter)
    const open = quartersAt(
      start + 64 * quarterMs,
      Array.from({ length: 32 }, () => 0),
    )
    const quarters = [...known, ...open.map((quarter) => ({ ...quarter, spotDkkPerMwh: null }))]
    const history = [1, 2, 3].flatMap((week) =>
      open.map(({ atMs }, q) => ({
        atMs: atMs - week * 7 * 24 * hourMs,
        spotDkkPerMwh: String(q < 8 ? 900 : 200 + week),
      })),
    )
    const priced = withAssumedPrices(quarters, history) ?? []
    expect(priced.slice(63, 66).map(({ spotDkkPerMwh, isAssumed }) => [spotDkkPerMwh, isAssumed])).toEqual([
      ['500', false],
      ['900.000000', true],
      ['900.000000', true],
    ])
    const plan = planned(problemOf(priced, [shiftable(priced, { needKwh: 2 })]))
    expect(plan.assumedMs).toEqual(open.map(({ atMs }) => atMs))
    expect(plan.wh['heat']?.flatMap((wh, q) => (wh > 0 ? [q] : []))).toEqual([72, 73])
    expect(withAssumedPrices(quarters.slice(64), [])).toBeNull()
  })

  test('at negative prices a battery does not charge and discharge simultaneously', () => {
    const full = battery({ chargeEfficiency: 0.8, dischargeEfficiency: 0.8, capacityKwh: 0.8, nowKwh: 0.8 })
    const site = { feedInKw: 10 }
    expect(planned(problemOf(quartersAt(start, [-500]), [full], { site })).wh['battery']).toEqual([0])
    // In sequence it is allowed: paid for 1 kWh, charged for 0.64.
    expect(planned(problemOf(quartersAt(start, [-100, -500]), [full], { site })).wh['battery']).toEqual([-640, 1000])
  })
})

describe('time', () => {
  test.each([
    ['2026-03-29', 92],
    ['2026-10-25', 100],
  ])('the day %s has %i quarters, and starts are counted over the whole day', (date, count) => {
    const { fromMs, toMs } = dayBounds(date)
    const quarters = quartersAt(
      fromMs,
      Array.from({ length: (toMs - fromMs) / quarterMs }, (_, q) => (q % 8 === 0 ? 100 : 900)),
    )
    const plan = planned(problemOf(quarters, [onOff(quarters, { needKwh: 5, maxStartsADay: 2 })]))
    expect(plan.wh['pump']).toHaveLength(count)
    const starts = plan.wh['pump']?.filter((wh, q, all) => wh > 0 && (all[q - 1] ?? 0) === 0)
    expect(starts?.length).toBe(2)
  })

  test('only the remaining part of the current quarter is planned', () => {
    const quarters = quartersAt(start, [100, 500])
    const plan = planned(problemOf(quarters, [shiftable(quarters)], { nowMs: start + 10 * minuteMs }))
    expect(plan.wh['heat']).toEqual([333, 667])
    expect(plan.plan.peakKw).toBeCloseTo(4, 2)
  })

  test('a current run lasts its minimum, and a current pause too', () => {
    const quarters = quartersAt(start, [900, 900, 100, 100, 100])
    const runs = onOff(quarters, { needKwh: 3, minRunQuarters: 4, isOn: true, sinceMs: start - 2 * quarterMs })
    expect(planned(problemOf(quarters, [runs])).wh['pump']?.slice(0, 2)).toEqual([1000, 1000])
    const rests = onOff(quarters, { needKwh: 1, minPauseQuarters: 4, isOn: false, sinceMs: start - quarterMs })
    const cheapFirst = quartersAt(start, [100, 100, 100, 500, 900])
    expect(planned(problemOf(cheapFirst, [rests])).wh['pump']).toEqual([0, 0, 0, 1000, 0])
  })
})

describe('wishes and weights', () => {
  test('an infeasible wish is missed by the minimum, and the shortfall is stated', () => {
    const quarters = quartersAt(start, [100, 100])
    const plan = planned(problemOf(quarters, [shiftable(quarters, { needKwh: 3, isFirm: false })]))
    expect(plan.wh['heat']).toEqual([1000, 1000])
    expect(plan.missed).toEqual([
      { wish: 'need', loadId: 'heat', fromMs: start, toMs: start + 2 * quarterMs, by: 1, wished: 3, unit: 'kWh' },
    ])
    expect(plan.binding[0]).toMatchObject({ limit: 'load-power', id: 'heat', dkkPerUnit: null })
  })

  test('a wished peak yields to a need, and stored energy to a target', () => {
    const quarters = quartersAt(start, [100, 100])
    const peak = planned(
      problemOf(quarters, [shiftable(quarters, { needKwh: 2, isFirm: false })], { site: { wishedPeakKw: 3 } }),
    )
    expect(peak.missed).toEqual([
      { wish: 'site-peak', loadId: null, fromMs: start, toMs: start + 2 * quarterMs, by: 1, wished: 3, unit: 'kW' },
    ])
    const store = battery({
      nowKwh: 1,
      wishedMostKwh: 2,
      target: { kwh: 3, atMs: start + 2 * quarterMs, isFirm: false },
    })
    expect(planned(problemOf(quarters, [store])).missed).toMatchObject([{ wish: 'stored-most', by: 1, wished: 2 }])
  })

  test('a need between multiples of a quarter is rounded up and stated', () => {
    const quarters = quartersAt(start, [100, 300, 200])
    const plan = planned(problemOf(quarters, [onOff(quarters, { needKwh: 1.2 })]))
    expect(plan.wh['pump']).toEqual([1000, 0, 1000])
    expect(plan.roundedUp).toEqual([{ loadId: 'pump', needWh: 1200, plannedWh: 2000 }])
  })

  test('a weight of 0 plans the cheapest, 1 the cleanest, and without any the earliest quarters', () => {
    const quarters = quartersAt(start, [300, 100, 200]).map((quarter, q) => ({
      ...quarter,
      gCo2PerKwh: [200, 300, 50][q] ?? 0,
    }))
    const by = (cost: number, co2: number) =>
      planned(problemOf(quarters, [shiftable(quarters)], { weights: { cost, co2, co2DkkPerKg: '0.75' } })).wh['heat']
    expect(by(1, 0)).toEqual([0, 1000, 0])
    expect(by(0, 1)).toEqual([0, 0, 1000])
    expect(by(1, 1)).toEqual([0, 0, 1000])
    expect(by(0, 0)).toEqual([1000, 0, 0])
  })

  test('an unknown emission of a quarter makes the total unknown', () => {
    const quarters = quartersAt(start, [100, 300], { gCo2PerKwh: null })
    expect(planned(problemOf(quarters, [shiftable(quarters)]))).toMatchObject({
      plan: { kgCo2: null },
      savedKgCo2: null,
    })
  })
})

describe('plans of equal cost', () => {
  const quarters = quartersAt(start, [100, 100, 100, 100])

  test('the earliest plan is selected', () => {
    expect(planned(problemOf(quarters, [shiftable(quarters, { needKwh: 2 })])).wh['heat']).toEqual([1000, 1000, 0, 0])
  })

  test('then the plan closest to the followed one', () => {
    const loads = [shiftable(quarters, { id: 'a' }), shiftable(quarters, { id: 'b' })]
    const site = { limitKw: 4 }
    expect(planned(problemOf(quarters, loads, { site })).wh).toEqual({ a: [1000, 0, 0, 0], b: [0, 1000, 0, 0] })
    const running = { a: { fromMs: start, wh: [0, 1000, 0, 0] }, b: { fromMs: start, wh: [1000, 0, 0, 0] } }
    expect(planned(problemOf(quarters, loads, { site, running })).wh).toEqual({
      a: [0, 1000, 0, 0],
      b: [1000, 0, 0, 0],
    })
  })

  test('remaining energy has the mean price, so a battery is not empty at midnight', () => {
    const falling = quartersAt(start, [900, 500, 100, 100])
    const store = battery({ nowKwh: 2 })
    const site = { feedInKw: 10 }
    const plan = planned(problemOf(falling, [store], { site, storedDkkPerMwh: null }))
    expect(plan.wh['battery']).toEqual([-1000, -1000, 1000, 1000])
    expect(plan.plan.bill.stored).toBe('0')
    expect(planned(problemOf(falling, [store], { site, storedDkkPerMwh: '0' })).plan.loads[0]?.storedWh?.at(-1)).toBe(0)
  })
})

describe('sold markets', () => {
  const quarters = quartersAt(start, [100, 2000])
  const heat = shiftable(quarters, { maxKw: 4, needKwh: 1 })
  const sold = (leaving: { lostDkk: string; penaltyDkk: string } | null) => [
    slot(quarters, 0, 1, { loadIds: ['heat'], downKw: 4, leaving }),
  ]

  test('a slot is released when that saves more than it costs, and the saving is stated', () => {
    const plan = planned(problemOf(quarters, [heat], { sold: sold({ lostDkk: '1', penaltyDkk: '0.5' }) }))
    expect(plan.left).toEqual([
      {
        soldId: 'slot',
        market: 'FCR-D-INC',
        lostDkk: '1',
        penaltyDkk: '0.5',
        span: { fromMs: start, toMs: start + quarterMs },
      },
    ])
    expect(plan.plan.bill).toMatchObject({ spot: '0.1', reserve: '1.5', total: '1.6' })
    expect(plan.leavingSavesDkk).toBe('0.40')
  })

  test('a slot is kept when its release costs more, whatever the cost weight', () => {
    const dear = sold({ lostDkk: '2', penaltyDkk: '0' })
    expect(planned(problemOf(quarters, [heat], { sold: dear })).wh['heat']).toEqual([0, 1000])
    const weights = { cost: 0, co2: 0, co2DkkPerKg: '0.75' }
    expect(planned(problemOf(quarters, [heat], { sold: dear, weights })).wh['heat']).toEqual([0, 1000])
  })

  test('a slot past its release is a hard limit', () => {
    expect(planned(problemOf(quarters, [heat], { sold: sold(null) })).left).toEqual([])
  })

  test('two simultaneous slots are both reserved', () => {
    const store = battery({ nowKwh: 5, dischargeKw: 4 })
    const both = (upKw: number) => ['a', 'b'].map((id) => slot(quarters, 0, 1, { id, upKw }))
    const site = { feedInKw: 10 }
    expect(planned(problemOf(quarters, [store], { sold: both(2), site })).wh['battery']?.[0]).toBe(0)
    expect(makePlan(problemOf(quarters, [store], { sold: both(5), site }), solve, limits).status).toBe('infeasible')
  })

  test('the connection carries an activation in addition to the plan', () => {
    const store = battery({ nowKwh: 0, chargeKw: 8, target: { kwh: 2, atMs: start + 2 * quarterMs, isFirm: false } })
    const held = problemOf(quarters, [store], { sold: [slot(quarters, 0, 1, { downKw: 4 })], site: { limitKw: 5 } })
    expect(planned(held).wh['battery']).toEqual([250, 1250])
  })
})

test.each([
  [30, '0.03', expect.closeTo(30, 1)],
  [300, '0.30', null],
])('a plan cut off by its time limit states its distance from the optimum: %s', (gap, gapDkk, gapPercent) => {
  const quarters = quartersAt(start, [100, 200])
  const early: typeof solve = (model, options) => {
    const found = solve(model, options)
    return model.columns.some(({ isInteger }) => isInteger) ? { ...found, status: 'feasible', gap } : found
  }
  const plan = makePlan(problemOf(quarters, [onOff(quarters)]), early, limits)
  expect(plan).toMatchObject({ status: 'best-found', gapDkk, gapPercent, plan: { loads: [{ wh: [1000, 0] }] } })
})

test.each([
  ['a fourth of a CPU: the search goes on for the CPU time that is left', 0.25, 'optimal', [4, 12]],
  ['a whole CPU: the plan that was found in time', 1, 'best-found', [4]],
])('search time: %s', (_what, share, status, limitsS) => {
  const quarters = quartersAt(start, [100, 200])
  const clock = { wallMs: 0, cpuMs: 0 }
  const pass = (wallS: number) => {
    clock.wallMs += wallS * 1000
    clock.cpuMs += wallS * 1000 * share
  }
  const searches: number[] = []
  // The solver needs 2 s of CPU, and its own clock is a wall clock.
  const slow: typeof solve = (model, options) => {
    const found = solve(model, { ...options, timeLimitS: 20 })
    if (model.columns.every(({ isInteger }) => !isInteger)) return found
    searches.push(options.timeLimitS)
    pass(searches.length === 1 ? options.timeLimitS : 8)
    return searches.length === 1 ? { ...found, status: 'feasible', gap: 30 } : found
  }
  const plan = makePlan(problemOf(quarters, [onOff(quarters)]), slow, { timeLimitS: 4, now: () => ({ ...clock }) })
  expect([plan.status, searches]).toEqual([status, limitsS])
})

test('power has no value for a car that is off while another one charges', () => {
  const quarters = quartersAt(start, [100, 200])
  const cars = ['a', 'b'].map((id) => session(quarters, { id, minA: 6, needKwh: 1.1, isFirm: false }))
  const shared = [{ id: 'fuse', loadIds: ['a', 'b'], limitKw: 5 }]
  const plan = makePlan(problemOf(quarters, cars, { site: { shared } }), solve, limits)
  if (!('binding' in plan)) throw new Error(plan.status)
  expect(plan.plan.loads.map(({ wh }) => wh.filter((one) => one > 0))).toEqual([[1100], [1100]])
  expect(plan.binding.filter(({ limit }) => limit === 'load-power')).toEqual([])
})

test('cars with at least 6 A all charge below a paid peak without a search', () => {
  // Hours of an evening and a night in DKK/MWh; 40 kWh spread evenly would be 2.9 kW, below the minimum of a car.
  const hours = [
    669, 821, 860, 808, 737, 678, 608, 551, 541, 538, 537, 540, 575, 768, 944, 1055, 867, 747, 634, 560, 548, 566, 590,
    670,
  ]
  const night = quartersAt(
    start,
    hours.flatMap((one) => [one, one, one, one]),
    { otherKw: 5, taxDkkPerMwh: '119' },
  )
  const cars = ['a', 'b', 'c'].map((id) =>
    session(night.slice(0, 56), { id, maxA: id === 'c' ? 15 : 31, minA: 6, needKwh: 40 / 3, isFirm: false }),
  )
  const site = {
    limitKw: 32,
    capacity: { dkkPerKw: '20', months: months(5) },
    shared: [{ id: 'group', loadIds: ['a', 'b', 'c'], limitKw: 30 }],
  }
  const plan = makePlan(problemOf(night, cars, { site }), solve, { ...limits, searchS: 0.05 })
  if (!('plan' in plan)) throw new Error(plan.status)
  expect(plan.missed).toEqual([])
  expect(plan.plan.peakKw).toBeLessThan(10)
})
