import {
  type BacktestMonth,
  type BacktestResult,
  type BacktestWay,
  backtestWays,
} from '@gridmast/contract/planning/load-backtests.ts'
import { addDecimals, roundDecimal, subtractDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'
import { addDays, datesBetween, type LocalDate, type Span } from '@gridmast/contract/time.ts'
import { forecastOf, historyDays, loadsOf, problemIn, spanOf, type BacktestRequest } from './backtest-days.ts'
import { immediate, storedAfter, cheapestHours } from './baseline.ts'
import { billOf, kgCo2Of, siteWh } from './bill.ts'
import { formulate } from './formulate.ts'
import { brokenSlots } from './violations.ts'
import { makePlan, schedules } from './make-plan.ts'
import type { Solve } from './model.ts'
import type { Load, LoadSchedule, PlanProblem, SoldReserve } from './plan.ts'
import type { PlanBill } from '@gridmast/contract/planning/load-plan-answer.ts'

/**
 * Savings of planning in the past: each day a plan is made from the data available then and billed with the actual data. It is compared with no plan,
 * the cheapest hours, and perfect foresight. Rules: planner.md.
 */

export type Progress = { done: number; of: number }

export type Backtest = Pick<
  BacktestResult,
  'savedDkk' | 'regretDkk' | 'overCheapestHoursDkk' | 'withoutPlan' | 'missedKwh' | 'brokenSlots'
> & { months: BacktestMonth[]; notBest: NonNullable<BacktestResult['notBest']> }

const dayLimitS = 30
/** A better plan is searched for up to the portal's limit, while the days so far took less than the mean below. */
const maxSearchS = 1.8
const meanDayS = 0.1
const monthLimitS = 30

type Run = { wh: Map<string, number[]>; skipped: SoldReserve[]; stored: Map<string, number> }

const appendDay = (
  run: Run,
  loads: readonly LoadSchedule[],
  count: number,
  all: readonly string[],
  skipped: readonly SoldReserve[],
) => {
  run.skipped.push(...skipped)
  for (const id of all) {
    const planned = loads.find(({ loadId }) => loadId === id)
    const before = run.wh.get(id) ?? []
    run.wh.set(id, [...before, ...(planned?.wh ?? Array.from({ length: count }, () => 0))])
    const last = planned?.storedWh?.at(-1)
    if (last !== undefined) run.stored.set(id, last / 1000)
  }
}

const peakKw = (problem: PlanProblem, loads: readonly LoadSchedule[]) =>
  Math.max(0, ...siteWh(problem, loads).map(({ kw }) => kw))

/** The plan of that time: unpublished prices, other consumption and the peak that the month reaches anyway are forecasts. */
const planOf = (
  request: BacktestRequest,
  actual: PlanProblem,
  span: Span,
  forecast: ReturnType<typeof forecastOf>,
  reachedKw: number,
  { solve, searchS }: { solve: Solve; searchS: number },
) => {
  // Planned up to the peak of the mean consumption, each day would end slightly above it, and the next would start there.
  const planned = Math.max(reachedKw - forecast.offByKw, forecast.peakKw)
  const problem = problemIn(request, span, actual.loads, planned)
  const options = { timeLimitS: dayLimitS, searchS }
  const plan = makePlan({ ...problem, quarters: forecast.quarters }, solve, options, { isBrief: true })
  if (plan.status !== 'optimal' && plan.status !== 'best-found') return null
  const missed = plan.missed.reduce((sum, { wish, by }) => sum + (wish === 'need' ? by : 0), 0)
  const skipped = actual.sold.filter(({ id }) => plan.left.some(({ soldId }) => soldId === id))
  const gapDkk = plan.status === 'best-found' ? (plan.gapDkk ?? null) : null
  return { loads: plan.plan.loads, missed, skipped, solveMs: plan.solveMs, gapDkk }
}

/** A whole month with the actual data, without integer constraints: no plan of single days can cost less except by what it missed. */
const foresightOf = (request: BacktestRequest, days: readonly LocalDate[], stored: Run['stored'], solve: Solve) => {
  const daily = days.map((day) => ({ day, loads: loadsOf(request, spanOf(request, day, day), stored) }))
  const loads = daily.flatMap(({ day, loads: of }, no) =>
    of.flatMap((load): Load[] => {
      if (load.kind === 'storage') return no === 0 ? [load] : []
      const id = `${load.id} ${day}`
      if (load.kind === 'on-off') return [{ ...load, id, kind: 'shiftable', maxKw: load.kw, minKw: 0 }]
      return [load.kind === 'session' ? { ...load, id, minA: 0 } : { ...load, id, minKw: 0 }]
    }),
  )
  const idsOf = (ids: readonly string[]) =>
    ids.flatMap((id) => loads.filter((load) => load.id === id || load.id.startsWith(`${id} `)).map((load) => load.id))
  const month = problemIn(request, spanOf(request, days[0] ?? '', days.at(-1) ?? ''), loads, 0)
  // The bound is an amount of money, whatever weight CO₂ has in the plans.
  const weights = { ...request.weights, cost: 1, co2: 0 }
  const problem: PlanProblem = {
    ...month,
    weights,
    sold: month.sold.map((slot) => ({ ...slot, loadIds: idsOf(slot.loadIds) })),
    site: { ...month.site, shared: month.site.shared.map((one) => ({ ...one, loadIds: idsOf(one.loadIds) })) },
  }
  const formulation = formulate(problem)
  for (const column of formulation.model.columns) column.isInteger = false
  const solution = solve(formulation.model, { timeLimitS: monthLimitS })
  if (solution.status !== 'optimal') return null
  const leaving = formulation.site.sold.reduce((sum, { sold, skip }) => {
    const share = skip === null ? 0 : (solution.values[skip] ?? 0)
    return sum + share * (Number(sold.leaving?.lostDkk ?? 0) + Number(sold.leaving?.penaltyDkk ?? 0))
  }, 0)
  const loadsThen = schedules(formulation, solution)
  return {
    dkk: addDecimals(billOf(problem, loadsThen).total, roundDecimal(leaving.toFixed(9), 6)),
    peakKw: peakKw(problem, loadsThen),
  }
}

/**
 * The peak that was worth its charge on the days before the first month: a kW is charged once a month and serves all its days, so no single day
 * determines it. Each later month uses the previous month's.
 */
const peakBefore = (request: BacktestRequest, days: number, solve: Solve): number => {
  const { dkkPerKw } = request.site
  const knownFrom = request.quarters[0]?.atMs ?? Infinity
  const before = datesBetween(addDays(request.first, -historyDays), addDays(request.first, -1)).filter(
    (day) => spanOf(request, day, day).fromMs >= knownFrom,
  )
  if (dkkPerKw === null || before.length === 0) return 0
  const share = ((Number(dkkPerKw) * before.length) / days).toFixed(6)
  const past = { ...request, sold: [], site: { ...request.site, dkkPerKw: share } }
  return foresightOf(past, before, new Map(), solve)?.peakKw ?? 0
}

const ofWays = <T>(valueOf: (way: BacktestWay) => T): Record<BacktestWay, T> => ({
  noPlan: valueOf('noPlan'),
  cheapestHours: valueOf('cheapestHours'),
  plan: valueOf('plan'),
})

/** One step per day and one more per month; a caller cancels by not taking the next step. */
export function* runBacktest(request: BacktestRequest, solve: Solve): Generator<Progress, Backtest> {
  const byMonth = Map.groupBy(datesBetween(request.first, request.last), (day) => day.slice(0, 7))
  const of = datesBetween(request.first, request.last).length
  const ids = request.loads.map(({ load }) => load.id)
  const stored = ofWays((): Run['stored'] => new Map())
  const result: Backtest = {
    months: [],
    savedDkk: '0',
    regretDkk: '0',
    overCheapestHoursDkk: '0',
    withoutPlan: [],
    missedKwh: 0,
    notBest: { days: 0, dkk: '0' },
    brokenSlots: 0,
  }
  let [done, solvedMs] = [0, 0]
  const [firstDays = []] = byMonth.values()
  let worthKw = peakBefore(request, firstDays.length, solve)
  for (const [month, days] of byMonth) {
    const runs = ofWays((way): Run => ({ wh: new Map(), skipped: [], stored: new Map(stored[way]) }))
    let reachedKw = 0
    for (const day of days) {
      const span = spanOf(request, day, day)
      const actual = (way: BacktestWay) => problemIn(request, span, loadsOf(request, span, runs[way].stored), reachedKw)
      const count = actual('plan').quarters.length
      const forecast = forecastOf(request, span)
      for (const way of ['noPlan', 'cheapestHours'] as const) {
        const problem = actual(way)
        const loads = way === 'noPlan' ? immediate(problem) : cheapestHours({ ...problem, quarters: forecast.quarters })
        appendDay(runs[way], loads, count, ids, brokenSlots(problem, loads))
      }
      const problem = actual('plan')
      const spareS = maxSearchS + meanDayS * done - solvedMs / 1000
      const searchS = Math.min(maxSearchS, Math.max(0, spareS))
      const planned = planOf(request, problem, span, forecast, Math.max(reachedKw, worthKw), { solve, searchS })
      solvedMs += planned?.solveMs ?? 0
      const loads = planned?.loads ?? immediate(problem)
      if (!planned) result.withoutPlan.push(day)
      result.missedKwh += planned?.missed ?? 0
      if (typeof planned?.gapDkk === 'string') {
        const { days: count, dkk } = result.notBest
        result.notBest = { days: count + 1, dkk: addDecimals(dkk, planned.gapDkk) }
      }
      appendDay(runs.plan, loads, count, ids, planned?.skipped ?? brokenSlots(problem, loads))
      reachedKw = Math.max(reachedKw, peakKw(problem, loads))
      yield { done: ++done, of }
    }
    const span = spanOf(request, days[0] ?? '', days.at(-1) ?? '')
    const countWay = (way: BacktestWay): { bill: PlanBill; kgCo2: string | null } => {
      const storages = request.loads.flatMap(({ load }) =>
        load.kind === 'storage' ? [{ ...load, nowKwh: stored[way].get(load.id) ?? load.nowKwh }] : [],
      )
      const loads = [...runs[way].wh].map(([loadId, wh]): LoadSchedule => {
        const storage = storages.find(({ id }) => id === loadId)
        return { loadId, wh, storedWh: storage ? storedAfter(storage, wh) : null }
      })
      const problem = problemIn(request, span, storages, 0)
      return { bill: billOf(problem, loads, runs[way].skipped), kgCo2: kgCo2Of(problem.quarters, loads) }
    }
    const counted = ofWays(countWay)
    const foresight = foresightOf(request, days, stored.plan, solve)
    worthKw = foresight?.peakKw ?? worthKw
    result.months.push({
      month,
      bills: ofWays((way) => counted[way].bill),
      kgCo2: ofWays((way) => counted[way].kgCo2),
      foresightDkk: foresight?.dkk ?? null,
    })
    result.brokenSlots += runs.cheapestHours.skipped.length
    for (const way of backtestWays) stored[way] = runs[way].stored
    yield { done, of }
  }
  const total = (way: BacktestWay) => sumDecimals(result.months.map(({ bills }) => bills[way].total))
  const minus = (a: string, b: string) => roundDecimal(subtractDecimals(a, b), 2)
  const foresights = result.months.map((one) => one.foresightDkk).filter((dkk) => dkk !== null)
  return {
    ...result,
    savedDkk: minus(total('noPlan'), total('plan')),
    regretDkk: foresights.length < result.months.length ? null : minus(total('plan'), sumDecimals(foresights)),
    overCheapestHoursDkk: minus(total('cheapestHours'), total('plan')),
  }
}
