import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { addDays, dayBounds, localDateOf, quarterMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { runBacktest } from './backtest.ts'
import type { BacktestRequest } from './backtest-days.ts'
import { openSolver } from './highs.ts'
import type { PlanQuarter } from './plan.ts'
import { battery, shiftable } from './planning.fixture.ts'

/** Day-ahead prices of DK2 as published by Energinet (Energi Data Service, CC BY 4.0), by quarter. */
const recorded = join(
  import.meta.dirname,
  '../../../../demo/recorded/eds_DayAheadPrices_15min_DK2_2025-10-27_2026-03-15.csv.gz',
)

const solve = await openSolver()
const [first, last] = ['2026-01-12', '2026-01-16']

const prices = (() => {
  const [head = '', ...lines] = gunzipSync(readFileSync(recorded))
    .toString('utf8')
    .replace('\ufeff', '')
    .trim()
    .split(/\r?\n/)
  const separator = head.includes(';') ? ';' : ','
  const columns = head.split(separator)
  const [utc, dkk] = [
    columns.findIndex((name) => name.endsWith('UTC')),
    columns.findIndex((name) => name.endsWith('PriceDKK')),
  ]
  return new Map(
    lines.map((line) => {
      const cells = line.split(separator)
      return [Date.parse(`${cells[utc]?.replace('+00:00', '')}Z`), Number(cells[dkk]?.replace(',', '.'))]
    }),
  )
})()

const quarters = (() => {
  const { fromMs } = dayBounds(addDays(first, -29))
  const { toMs } = dayBounds(addDays(last, 1))
  return Array.from({ length: (toMs - fromMs) / quarterMs }, (_, q): PlanQuarter => {
    const atMs = fromMs + q * quarterMs
    return {
      atMs,
      spotDkkPerMwh: prices.get(atMs)?.toFixed(2) ?? '',
      tariffDkkPerMwh: '0',
      taxDkkPerMwh: '0',
      isAssumed: false,
      gCo2PerKwh: 100,
      otherKw: 0,
    }
  })
})()

const request: BacktestRequest = {
  first,
  last,
  planAt: '00:00',
  quarters,
  sold: [],
  weights: { cost: 1, co2: 0, co2DkkPerKg: '0' },
  site: { limitKw: null, feedInKw: 100, wishedPeakKw: null, dkkPerKw: null, shared: [] },
  loads: [
    {
      load: shiftable([], { needKwh: 60, maxKw: 40, isFirm: false }),
      from: '00:00',
      deadline: '24:00',
      weekdays: [1, 2, 3, 4, 5, 6, 7],
    },
  ],
}

const run = (asked: BacktestRequest) => {
  const running = runBacktest(asked, solve)
  for (let step = running.next(); ; step = running.next()) if (step.done) return step.value
}

const days = Map.groupBy(
  quarters.filter(({ atMs }) => atMs >= dayBounds(first).fromMs && atMs < dayBounds(last).toMs),
  ({ atMs }) => localDateOf(atMs),
)
const sumOf = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0)

test('recorded days of January: 10 kWh in each of the six cheapest quarters, compared with the first six of the day', () => {
  const { months, savedDkk, overCheapestHoursDkk, regretDkk } = run(request)
  const spots = [...days.values()].map((day) => day.map(({ spotDkkPerMwh }) => Number(spotDkkPerMwh)))
  expect(spots.map((day) => day.length)).toEqual([96, 96, 96, 96, 96])
  // 60 kWh at 40 kW are six quarters of 10 kWh; a price is DKK/MWh.
  const atOnce = sumOf(spots.map((day) => sumOf(day.slice(0, 6)) * 0.01))
  const cheapest = sumOf(spots.map((day) => sumOf(day.toSorted((a, b) => a - b).slice(0, 6)) * 0.01))
  const [month] = months
  expect(Number(month?.bills.noPlan.total)).toBeCloseTo(atOnce, 2)
  expect(Number(month?.bills.plan.total)).toBeCloseTo(cheapest, 2)
  expect(Number(savedDkk)).toBeCloseTo(atOnce - cheapest, 2)
  expect(Number(savedDkk)).toBeGreaterThan(0)
  expect([overCheapestHoursDkk, regretDkk]).toEqual(['0.00', '0.00'])
})

test('a peak with a charge above the price spread is avoided, on the same days', () => {
  const { months } = run({ ...request, site: { ...request.site, dkkPerKw: '1000' } })
  const [month] = months
  // Spread over all 96 quarters, 60 kWh in 24 hours are 2.5 kW, and every day costs its mean price.
  const mean = sumOf(
    [...days.values()].map((day) => 60 * (sumOf(day.map((one) => Number(one.spotDkkPerMwh))) / day.length / 1000)),
  )
  expect(Number(month?.bills.plan.capacity)).toBeCloseTo(2500, 0)
  expect(Number(month?.bills.plan.spot)).toBeCloseTo(mean, 0)
  expect(Number(month?.bills.cheapestHours.capacity)).toBe(40_000)
})

test('a battery earns more than the rule of thumb on each recorded day, and at most the result of perfect foresight', () => {
  const load = battery({
    capacityKwh: 100,
    chargeKw: 50,
    dischargeKw: 50,
    chargeEfficiency: 0.95,
    dischargeEfficiency: 0.95,
  })
  const { months, savedDkk, overCheapestHoursDkk, regretDkk } = run({ ...request, loads: [{ load }] })
  expect(months[0]?.bills.noPlan.total).toBe('0')
  expect(Number(savedDkk)).toBeGreaterThan(0)
  expect(Number(overCheapestHoursDkk)).toBeGreaterThanOrEqual(0)
  expect(Number(regretDkk)).toBeGreaterThanOrEqual(0)
})
