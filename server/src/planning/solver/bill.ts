import {
  addDecimals,
  multiplyDecimals,
  roundDecimal,
  sumDecimals,
  subtractDecimals,
} from '@gridmast/contract/numbers.ts'
import { addCost, dkkOf, noCost, priceOf, type Cost } from '#grid/published/cost-of-energy.ts'
import type { LoadSchedule, PlanProblem, PlanQuarter, Schedule, SoldReserve, Scaled } from './plan.ts'
import type { PlanBill } from '@gridmast/contract/planning/load-plan-answer.ts'
import { gridOf, isWhole } from './quarters.ts'
import { quarterMs, type Span } from '@gridmast/contract/time.ts'
import { scaledTo, storedAfter } from './baseline.ts'

/** Cost that a schedule adds to the bill of its site, in exact decimals: the bill with it minus the bill of the other consumption. */

/** Consumption at spot + tariff + tax, feed-in at spot. */
const energyCost = (wh: number, quarter: PlanQuarter): Cost => {
  // Prices have six decimals and costs eight more: grid/published/cost-of-energy.ts.
  const by = BigInt(wh) * 100n
  const spot = priceOf(quarter.spotDkkPerMwh) * by
  if (wh <= 0) return { spot, tariff: 0n, tax: 0n }
  return { spot, tariff: priceOf(quarter.tariffDkkPerMwh) * by, tax: priceOf(quarter.taxDkkPerMwh) * by }
}

const subtractCost = (a: Cost, b: Cost): Cost => ({
  spot: a.spot - b.spot,
  tariff: a.tariff - b.tariff,
  tax: a.tax - b.tax,
})

/** The site in each quarter, Wh and kW, without and with the loads. In the last second of a quarter one Wh would be 3.6 kW. */
export const siteWh = (
  problem: Pick<PlanProblem, 'nowMs' | 'quarters'>,
  loads: readonly Pick<LoadSchedule, 'wh' | 'kwh'>[],
) => {
  const grid = gridOf(problem)
  return problem.quarters.map(({ otherKw }, q) => {
    const hours = grid.hours[q] ?? 0
    const otherWh = Math.round(otherKw * hours * 1000)
    const kwh = loads.reduce((sum, load) => sum + (load.kwh?.[q] ?? (load.wh[q] ?? 0) / 1000), 0)
    return {
      hours,
      otherWh,
      otherKw,
      kw: otherKw + (hours > 0 ? kwh / hours : 0),
      wh: loads.reduce((sum, { wh }) => sum + (wh[q] ?? 0), otherWh),
    }
  })
}

type SiteWh = ReturnType<typeof siteWh>

const kwText = (kw: number) => multiplyDecimals(String(Math.round(kw * 1000)), '0.001')

const peakKw = (site: SiteWh, of: (quarter: SiteWh[number]) => number, within: (q: number) => boolean) =>
  site.reduce((most, quarter, q) => (within(q) && quarter.hours > 0 ? Math.max(most, of(quarter)) : most), 0)

const capacityCost = ({ site: { capacity }, quarters, nowMs }: PlanProblem, site: SiteWh): string => {
  if (!capacity) return '0'
  const kws = capacity.months.map(({ fromMs, toMs, reachedKw }) => {
    const within = (q: number) => {
      const at = Math.max(quarters[q]?.atMs ?? 0, nowMs)
      return at >= fromMs && at < toMs
    }
    const above = (of: (quarter: SiteWh[number]) => number) => Math.max(peakKw(site, of, within), reachedKw)
    return above(({ kw }) => kw) - above(({ otherKw }) => otherKw)
  })
  return sumDecimals(kws.map((kw) => multiplyDecimals(kwText(kw), capacity.dkkPerKw)))
}

const meanPrice = (quarters: readonly PlanQuarter[]): bigint =>
  quarters.reduce(
    (sum, one) => sum + priceOf(one.spotDkkPerMwh) + priceOf(one.tariffDkkPerMwh) + priceOf(one.taxDkkPerMwh),
    0n,
  ) / BigInt(Math.max(1, quarters.length))

const storedCost = (problem: PlanProblem, loads: readonly LoadSchedule[]): string => {
  const price = problem.storedDkkPerMwh === null ? meanPrice(problem.quarters) : priceOf(problem.storedDkkPerMwh)
  const wh = problem.loads.reduce((sum, load) => {
    const stored = loads.find(({ loadId }) => loadId === load.id)?.storedWh?.at(-1)
    if (load.kind !== 'storage' || stored === undefined) return sum
    return sum + Math.round((stored - load.nowKwh * 1000) * load.dischargeEfficiency)
  }, 0)
  return dkkOf(-BigInt(wh) * price * 100n)
}

const skippedCost = (skipped: readonly SoldReserve[]): string =>
  sumDecimals(skipped.flatMap(({ leaving }) => (leaving ? [leaving.lostDkk, leaving.penaltyDkk] : [])))

export const billOf = (problem: PlanProblem, loads: readonly LoadSchedule[], skipped: readonly SoldReserve[] = []) => {
  const site = siteWh(problem, loads)
  const cost = problem.quarters.reduce((sum, quarter, q) => {
    const { wh = 0, otherWh = 0 } = site[q] ?? {}
    return addCost(sum, subtractCost(energyCost(wh, quarter), energyCost(otherWh, quarter)))
  }, noCost)
  const parts = {
    spot: dkkOf(cost.spot),
    tariff: dkkOf(cost.tariff),
    tax: dkkOf(cost.tax),
    capacity: capacityCost(problem, site),
    reserve: skippedCost(skipped),
    stored: storedCost(problem, loads),
  }
  return { ...parts, total: addDecimals(...Object.values(parts)) }
}

/** Emission of the grid, in kg with three decimals; null where a quarter with consumption has no emission. */
export const kgCo2Of = (quarters: readonly PlanQuarter[], loads: readonly Pick<LoadSchedule, 'wh'>[]) => {
  let grams = 0
  for (const [q, { gCo2PerKwh }] of quarters.entries()) {
    const wh = loads.reduce((sum, load) => sum + (load.wh[q] ?? 0), 0)
    if (wh !== 0 && gCo2PerKwh === null) return null
    grams += (wh / 1000) * (gCo2PerKwh ?? 0)
  }
  return roundDecimal((grams / 1000).toFixed(9), 3)
}

export const scheduleOf = (problem: PlanProblem, loads: LoadSchedule[], skipped: readonly SoldReserve[] = []) => {
  const watts = siteWh(problem, loads).map(({ hours, kw }) => (hours > 0 ? Math.round(kw * 1000) : 0))
  const peak = Math.max(0, ...watts)
  return {
    loads: loads.map(({ loadId, wh, storedWh }) => ({ loadId, wh, storedWh })),
    bill: billOf(problem, loads, skipped),
    kgCo2: kgCo2Of(problem.quarters, loads),
    peakKw: peak / 1000,
    peakAtMs: peak > 0 ? (problem.quarters[watts.indexOf(peak)]?.atMs ?? null) : null,
  }
}

/** Readings of a load, Wh by quarter; null where unknown. */
export type Measured = { loadId: string; wh: readonly (number | null)[] }

export type Saving = {
  savedDkk: string
  savedKgCo2: string | null
  parts: PlanBill
  baseline: Schedule
  measured: Schedule
  scaled: Scaled[]
  /** Followed quarters without a reading of a load: they count on neither side. */
  unknownMs: number[]
  countedMs: number[]
}

type SavingScope = {
  skipped?: readonly SoldReserve[]
  baselineSkipped?: readonly SoldReserve[]
  followed?: Span
}

export const differenceOf = (baseline: Schedule, other: Schedule) => {
  const part = (key: keyof PlanBill) => subtractDecimals(baseline.bill[key], other.bill[key])
  const parts: PlanBill = {
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
  { skipped = [], baselineSkipped = [], followed }: SavingScope = {},
): Saving => {
  const grid = gridOf(problem)
  const isCounted = (atMs: number, q: number) =>
    isWhole(grid, q) && (!followed || (atMs >= followed.fromMs && atMs + quarterMs <= followed.toMs))
  const counts = problem.quarters.map(({ atMs }, q) => isCounted(atMs, q))
  const hasReadings = counts.map((does, q) => does && measured.every(({ wh }) => typeof wh[q] === 'number'))
  const countedSchedule = (loadId: string, wh: readonly (number | null)[]): LoadSchedule => {
    const load = problem.loads.find(({ id }) => id === loadId)
    const loadsOfQuarter = hasReadings.map((isKnown, q) => (isKnown ? (wh[q] ?? 0) : 0))
    return { loadId, wh: loadsOfQuarter, storedWh: load?.kind === 'storage' ? storedAfter(load, loadsOfQuarter) : null }
  }
  const measuredLoads = measured.map(({ loadId, wh }) => countedSchedule(loadId, wh))
  const baselineLoads = baseline.map(({ loadId, wh }) => countedSchedule(loadId, wh))
  const { loads, scaled } = scaledTo(baselineLoads, measuredLoads)
  const [before, after] = [scheduleOf(problem, loads, baselineSkipped), scheduleOf(problem, measuredLoads, skipped)]
  return {
    ...differenceOf(before, after),
    baseline: before,
    measured: after,
    scaled,
    unknownMs: problem.quarters.flatMap(({ atMs }, q) => (counts[q] && !hasReadings[q] ? [atMs] : [])),
    countedMs: problem.quarters.flatMap(({ atMs }, q) => (counts[q] ? [atMs] : [])),
  }
}

export const quartersOf = (problem: PlanProblem, { baseline, measured }: Pick<Saving, 'baseline' | 'measured'>) =>
  problem.quarters.map((quarter, q) => {
    const at = (loads: readonly LoadSchedule[]) => {
      const loadsOfQuarter = loads.map(({ loadId, wh }) => ({ loadId, wh: [wh[q] ?? 0], storedWh: null }))
      const alone = { ...problem, quarters: [quarter], site: { ...problem.site, capacity: null }, loads: [] }
      const { total } = billOf(alone, loadsOfQuarter)
      const wh = loadsOfQuarter.reduce((sum, load) => sum + (load.wh[0] ?? 0), 0)
      return { wh, dkk: total, kgCo2: kgCo2Of([quarter], loadsOfQuarter) }
    }
    return { atMs: quarter.atMs, baseline: at(baseline.loads), measured: at(measured.loads) }
  })
