import { addDays, dayBounds, hourMs, localTime, quarterMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { runBacktest, type Backtest, type Progress } from './backtest.ts'
import type { BacktestRequest } from './backtest-days.ts'
import { openSolver } from './highs.ts'
import type { PlanQuarter } from './plan.ts'
import { battery, onOff, session, shiftable } from './planning.fixture.ts'

const solve = await openSolver()
const [first, last] = ['2026-10-23', '2026-10-27']

const quarters = (() => {
  const { fromMs } = dayBounds(addDays(first, -29))
  const { toMs } = dayBounds(addDays(last, 1))
  return Array.from({ length: (toMs - fromMs) / quarterMs }, (_, q): PlanQuarter => {
    const atMs = fromMs + q * quarterMs
    const hour = Number(localTime(atMs).slice(0, 2))
    const spot = hour < 6 ? 100 + hour : hour >= 17 && hour < 21 ? 1500 : 600
    return {
      atMs,
      spotDkkPerMwh: String(spot),
      tariffDkkPerMwh: '100',
      taxDkkPerMwh: '119',
      isAssumed: false,
      gCo2PerKwh: 100,
      otherKw: hour >= 8 && hour < 16 ? 20 : 10,
    }
  })
})()

const request: BacktestRequest = {
  first,
  last,
  planAt: '13:00',
  quarters,
  sold: [],
  weights: { cost: 1, co2: 0, co2DkkPerKg: '0.75' },
  site: { limitKw: 60, feedInKw: 0, wishedPeakKw: null, dkkPerKw: '20', shared: [] },
  loads: [
    { load: session([], { needKwh: 30, maxA: 32 }), from: '17:00', deadline: '07:00', weekdays: [1, 2, 3, 4, 5, 6, 7] },
    {
      load: onOff([], { kw: 8, needKwh: 11, minRunQuarters: 4 }),
      from: '18:00',
      deadline: '10:00',
      weekdays: [1, 2, 3, 4, 5],
    },
    { load: battery({ chargeEfficiency: 0.9, dischargeEfficiency: 0.9 }) },
  ],
}

const run = (asked: BacktestRequest): { backtest: Backtest; steps: Progress[] } => {
  const [steps, running] = [[] as Progress[], runBacktest(asked, solve)]
  for (let step = running.next(); ; step = running.next()) {
    if (step.done) return { backtest: step.value, steps }
    steps.push(step.value)
  }
}

test('a plan costs less than no plan, at most the cheapest hours, and at least perfect foresight', () => {
  const { backtest, steps } = run(request)
  expect(steps.map(({ done }) => done)).toEqual([1, 2, 3, 4, 5, 5])
  expect(steps.every(({ of }) => of === 5)).toBe(true)
  expect(backtest).toMatchObject({ withoutPlan: [], missedKwh: 0, months: [{ month: '2026-10' }] })
  const [month] = backtest.months
  // Five cars of 30 kWh at 1.719 instead of about 0.32 DKK/kWh are most of the saving; the night has room below the peak of the day.
  expect(Number(backtest.savedDkk)).toBeGreaterThan(5 * 30 * 1.39)
  expect(Number(month?.bills.plan.capacity)).toBeLessThan(0.5)
  expect(Number(month?.bills.noPlan.capacity)).toBeGreaterThan(0)
  expect(Number(backtest.overCheapestHoursDkk)).toBeGreaterThan(0)
  expect(Number(backtest.regretDkk)).toBeGreaterThanOrEqual(-0.01)
  expect(Number(backtest.regretDkk)).toBeLessThan(Number(backtest.savedDkk) / 10)
})

test('a slot violated by the cheapest hours is lost to them, and kept by the plan where that costs less', () => {
  const { fromMs } = dayBounds('2026-10-24')
  const slot = { id: 's', market: 'FCR-D-DEC', loadIds: ['car'], upKw: 0, downKw: 22, upKwh: 0, downKwh: 0 }
  const sold = [{ ...slot, fromMs, toMs: fromMs + hourMs, leaving: { lostDkk: '9', penaltyDkk: '1' } }]
  const [month] = run({ ...request, sold }).backtest.months
  expect([month?.bills.plan.reserve, month?.bills.cheapestHours.reserve]).toEqual(['0', '10'])
})

const allDay = { weekdays: [1, 2, 3, 4, 5, 6, 7] }

test('a peak is accepted when it pays off over a month, though on no single day', () => {
  const load = shiftable([], { needKwh: 120, maxKw: 60, isFirm: false })
  const daily = { ...request, planAt: '00:00', loads: [{ load, from: '00:00', deadline: '24:00', ...allDay }] }
  const of = (dkkPerKw: string) => run({ ...daily, site: { ...request.site, dkkPerKw } }).backtest
  // 20 kW during the six hours of a night are 10 above the 20 that the day reaches anyway: 60 kWh at about 0.5 DKK less are 30 DKK a day.
  const worth = of('10')
  expect(Number(worth.months[0]?.bills.plan.capacity)).toBeCloseTo(100, 0)
  expect(Number(worth.regretDkk)).toBeLessThan(1)
  expect(Number(of('20').months[0]?.bills.plan.capacity)).toBeCloseTo(0, 0)
})

test('daily deviations of other load do not increase the planned monthly peak', () => {
  const [car] = request.loads
  if (!car) throw new Error('a car')
  const restless = quarters.map((quarter, q) => ({ ...quarter, otherKw: ((q * 7919) % 101) / 25 }))
  const { backtest } = run({
    ...request,
    quarters: restless,
    loads: [car],
    site: { ...request.site, dkkPerKw: '50' },
  })
  expect(Number(backtest.months[0]?.bills.plan.capacity) / 50).toBeLessThan(3)
})

test('the cheapest hours are selected by the prices published at that time', () => {
  const dear = dayBounds('2026-10-24').fromMs
  const spike = quarters.map((one) =>
    one.atMs >= dear && one.atMs < dear + 6 * hourMs ? { ...one, spotDkkPerMwh: '5000' } : one,
  )
  const load = shiftable([], { needKwh: 30, maxKw: 20, isFirm: false })
  const { backtest } = run({
    ...request,
    quarters: spike,
    planAt: '06:00',
    site: { ...request.site, dkkPerKw: null },
    loads: [{ load, from: '06:00', deadline: '06:00', ...allDay }],
  })
  expect(backtest.overCheapestHoursDkk).toBe('0.00')
  expect(Number(backtest.regretDkk)).toBeGreaterThan(30 * 4)
})

test('a window open at the next planning time and missing quarters are refused', () => {
  expect(() => run({ ...request, planAt: '22:00' })).toThrow('not done when the next plan is made')
  expect(() => run({ ...request, quarters: quarters.slice(0, -96) })).toThrow('no quarters')
})
