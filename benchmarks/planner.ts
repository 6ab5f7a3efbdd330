// The planner in its thread: a day of 96 quarters with 20 loads, and the backtest of a site over a year, with seeded prices.
import { addDays, dayBounds, dayMs, hourMs, localTime, quarterMs } from '@gridmast/contract/time.ts'
import type { Load, PlanProblem, PlanQuarter } from '../server/src/planning/solver/plan.ts'
import { startPlanner } from '../server/src/planning/solver/planner.ts'
import { battery, onOff, problemOf, session, shiftable } from '../server/src/planning/solver/planning.fixture.ts'

const problems = Number(process.env['PROBLEMS'] ?? 40)
const [first, last] = ['2025-11-01', process.env['LAST'] ?? '2026-10-31']
/** As in the portal. */
const timeLimitS = 1.8

/** mulberry32: equal numbers for equal seeds. */
const randomOf = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const quarterAt = (atMs: number, random: () => number): PlanQuarter => {
  const hour = Number(localTime(atMs).slice(0, 2))
  return {
    atMs,
    spotDkkPerMwh: (500 + 300 * Math.sin((hour - 5) / 3.5) + 100 * random()).toFixed(2),
    tariffDkkPerMwh: hour >= 17 && hour < 21 ? '400' : '120',
    taxDkkPerMwh: '119',
    isAssumed: false,
    gCo2PerKwh: 100 + 50 * random(),
    otherKw: 20 + 20 * random(),
  }
}

const startMs = dayBounds('2026-11-24').fromMs
const problem = (seed: number): PlanProblem => {
  const random = randomOf(seed)
  const quarters = Array.from({ length: 96 }, (_, q) => quarterAt(startMs + q * quarterMs, random))
  const several = <T>(count: number, make: (no: number) => T) => Array.from({ length: count }, (_, no) => make(no))
  const loads: Load[] = [
    ...several(4, (no) =>
      onOff(quarters, {
        id: `pump ${no}`,
        kw: 5 + 10 * random(),
        needKwh: 20 + 60 * random(),
        minRunQuarters: 4,
        minPauseQuarters: 2,
        maxStartsADay: 3,
      }),
    ),
    ...several(2, (no) =>
      battery({
        id: `battery ${no}`,
        capacityKwh: 100,
        chargeKw: 50,
        dischargeKw: 50,
        nowKwh: 15 + 50 * random(),
        chargeEfficiency: 0.95,
        dischargeEfficiency: 0.95,
        lowestKwh: 10,
        wishedLeastKwh: 15,
      }),
    ),
    ...several(10, (no) => {
      const fromMs = startMs + Math.floor(random() * 40) * quarterMs
      const deadlineMs = fromMs + (5 + 8 * random()) * hourMs
      return session(quarters, {
        id: `car ${no}`,
        maxA: 32,
        needKwh: 10 + 40 * random(),
        isFirm: false,
        fromMs,
        deadlineMs,
      })
    }),
    ...several(4, (no) =>
      shiftable(quarters, { id: `heat ${no}`, maxKw: 5 + 10 * random(), needKwh: 20 + 30 * random() }),
    ),
  ]
  const cars = loads.flatMap(({ kind, id }) => (kind === 'session' ? id : []))
  return problemOf(quarters, loads, {
    weights: { cost: 1, co2: 0.5, co2DkkPerKg: '0.75' },
    storedDkkPerMwh: null,
    site: {
      limitKw: 150,
      feedInKw: 100,
      shared: [{ id: 'cars', loadIds: cars, limitKw: 60 }],
      capacity: {
        dkkPerKw: '35',
        months: [{ fromMs: startMs - hourMs, toMs: startMs + 40 * dayMs, reachedKw: 60 }],
      },
    },
    sold: Array.from({ length: 4 }, (_, i) => ({
      id: `slot ${i}`,
      market: 'FCR-D-INC',
      loadIds: ['battery 0'],
      fromMs: startMs + (6 + i) * hourMs,
      toMs: startMs + (7 + i) * hourMs,
      upKw: 20,
      downKw: 4,
      upKwh: 7,
      downKwh: 1.3,
      leaving: null,
    })),
  })
}

const backtestRequest = () => {
  const random = randomOf(1)
  const [fromMs, toMs] = [dayBounds(addDays(first, -29)).fromMs, dayBounds(addDays(last, 1)).toMs]
  const each = { weekdays: [1, 2, 3, 4, 5, 6, 7] }
  return {
    first,
    last,
    planAt: '13:00',
    sold: [],
    weights: { cost: 1, co2: 0.5, co2DkkPerKg: '0.75' },
    quarters: Array.from({ length: (toMs - fromMs) / quarterMs }, (_, q) => quarterAt(fromMs + q * quarterMs, random)),
    site: { limitKw: 60, feedInKw: 20, wishedPeakKw: null, dkkPerKw: '30', shared: [] },
    loads: [
      { load: session([], { needKwh: 30, maxA: 32 }), from: '17:00', deadline: '07:00', ...each },
      { load: onOff([], { kw: 8, needKwh: 11, minRunQuarters: 4 }), from: '18:00', deadline: '10:00', ...each },
      {
        load: battery({
          capacityKwh: 50,
          chargeKw: 20,
          dischargeKw: 20,
          chargeEfficiency: 0.95,
          dischargeEfficiency: 0.95,
        }),
      },
    ],
  }
}

/** Three chargers whose cars charge with at least 6 A or not at all, under a priced peak. */
const carsRequest = () => {
  const { site, loads: _, ...request } = backtestRequest()
  const each = { from: '17:00', deadline: '07:00', weekdays: [1, 2, 3, 4, 5, 6, 7] }
  const cars = [31, 31, 15].map((maxA, no) =>
    session([], { id: `car ${no}`, minA: 6, maxA, needKwh: 40 / 3, isFirm: false }),
  )
  return {
    ...request,
    planAt: '17:00',
    weights: { cost: 1, co2: 0, co2DkkPerKg: '0.75' },
    quarters: request.quarters.map((quarter) => ({ ...quarter, otherKw: 5 })),
    site: {
      ...site,
      limitKw: 32,
      dkkPerKw: '20',
      shared: [{ id: 'group', loadIds: cars.map(({ id }) => id), limitKw: 30 }],
    },
    loads: cars.map((load) => ({ load, ...each })),
  }
}

const planner = startPlanner({ threads: 1 })
await planner.plan(problem(0), { timeLimitS })
const times: number[] = []
const gaps: number[] = []
let optimal = 0
for (let seed = 1; seed <= problems; seed++) {
  const startedAt = performance.now()
  const plan = await planner.plan(problem(seed), { timeLimitS })
  times.push(performance.now() - startedAt)
  if (plan.status === 'optimal') optimal++
  else if (plan.status === 'best-found') gaps.push(plan.gapPercent ?? Infinity)
  else throw new Error(plan.status)
}
const sorted = times.toSorted((a, b) => a - b)
const startedAt = performance.now()
const backtest = await planner.backtest(backtestRequest())
const backtestS = (performance.now() - startedAt) / 1000
const carsAt = performance.now()
const cars = await planner.backtest(carsRequest())
console.log(
  JSON.stringify({
    problems,
    optimal,
    widestGapPercent: Math.max(0, ...gaps),
    p50Ms: sorted[sorted.length >> 1],
    p99Ms: sorted[Math.floor(sorted.length * 0.99)],
    backtestS,
    carsS: (performance.now() - carsAt) / 1000,
    carsNotBestDkk: Number(cars?.notBest.dkk ?? Infinity),
    carsDkk: (cars?.months ?? []).reduce((sum, { bills }) => sum + Number(bills.plan.total), 0),
    savedDkk: backtest?.savedDkk ?? null,
  }),
)
process.exit(0)
