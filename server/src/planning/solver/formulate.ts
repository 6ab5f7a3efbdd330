import { type Program, addColumn, addRow, newModel, type Term } from './model.ts'
import { addLoad, type LoadColumns } from './load-rows.ts'
import type { PlanProblem, PlanQuarter, Site } from './plan.ts'
import { gridOf, type Grid } from './quarters.ts'
import { addSite, type SiteColumns, type SitePrices } from './site-rows.ts'

export type Formulation = Program & {
  grid: Grid
  loads: LoadColumns[]
  site: SiteColumns
  shared: Site['shared']
  /** Objective units per DKK, and per kWh of a missed wish. */
  dkk: number
  wish: number
}

/** Units per DKK: differences of a hundredth of a DKK/MWh are well above the solver's tolerance of 1e-7. */
const unitsInDkk = 1000
/** Spread over all quarters, less than the last digit of a published price. */
const tieDkkPerKwh = 1e-5
const keepDkkPerKwh = 2e-8

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const dkkPerKwh = ({ spotDkkPerMwh, tariffDkkPerMwh, taxDkkPerMwh }: PlanQuarter) => {
  const spot = Number(spotDkkPerMwh) / 1000
  const drawn = spot + (Number(tariffDkkPerMwh) + Number(taxDkkPerMwh)) / 1000
  // Feeding in and drawing at once must not pay.
  return { drawn, fed: Math.min(spot, drawn) }
}

const weightedPrices = ({ quarters, weights, storedDkkPerMwh }: PlanProblem) => {
  const meanFactor = mean(quarters.flatMap(({ gCo2PerKwh }) => gCo2PerKwh ?? []))
  const co2 = quarters.map(
    ({ gCo2PerKwh }) => (weights.co2 * Number(weights.co2DkkPerKg) * (gCo2PerKwh ?? meanFactor)) / 1000,
  )
  const prices = quarters.map(dkkPerKwh)
  const kept = storedDkkPerMwh === null ? mean(prices.map(({ drawn }) => drawn)) : Number(storedDkkPerMwh) / 1000
  return {
    drawn: prices.map(({ drawn }, q) => weights.cost * drawn + (co2[q] ?? 0)),
    fed: prices.map(({ fed }, q) => weights.cost * fed + (co2[q] ?? 0)),
    stored: weights.cost * kept + mean(co2),
  }
}

/** Far above the possible cost of a kWh, even one that alone makes a month's peak. */
const wishDkkPerKwh = (drawn: readonly number[], peakDkkPerKw: number) =>
  Math.max(100, 10 * Math.max(0, ...drawn.map(Math.abs)) + 40 * peakDkkPerKw)

const pricesOf = (problem: PlanProblem): SitePrices & { stored: number } => {
  const { drawn, fed, stored } = weightedPrices(problem)
  const peakKw = problem.weights.cost * Number(problem.site.capacity?.dkkPerKw ?? 0)
  const [count, loads] = [problem.quarters.length, problem.loads.length]
  return {
    drawn: (q) => (drawn[q] ?? 0) * unitsInDkk,
    fed: (q) => (fed[q] ?? 0) * unitsInDkk,
    stored: stored * unitsInDkk,
    peakKw: peakKw * unitsInDkk,
    wish: wishDkkPerKwh(drawn, peakKw) * unitsInDkk,
    tie: (no, q) => tieDkkPerKwh * unitsInDkk * ((q + 1) / count) * (1 + (0.01 * (loads - no)) / loads),
    dkk: unitsInDkk,
  }
}

/** Among equal and equally early plans, the one closer to the followed plan. */
const preferFollowedPlan = ({ model }: Program, { running, quarters }: PlanProblem, loads: readonly LoadColumns[]) => {
  loads.forEach(({ load, kwhTerms }) => {
    const followed = running?.[load.id]
    if (!followed) return
    kwhTerms.forEach((terms, q) => {
      const at = quarters.findIndex(({ atMs }) => atMs === followed.fromMs)
      const wh = followed.wh[q - at] ?? 0
      if (at < 0 || q < at || wh <= 0 || terms.length === 0) return
      const kept = addColumn(model, { upper: wh / 1000, cost: -keepDkkPerKwh * unitsInDkk })
      const row: Term[] = [[kept, 1], ...terms.map(([column, factor]): Term => [column, -factor])]
      addRow(model, { terms: row, sense: '<=', limit: 0 })
    })
  })
}

type Variant = {
  isOneWay?: boolean
  /** Only these limits are relaxed, as little as possible, and no other cost counts. */
  canRelax?: Program['canRelax']
}

export const formulate = (problem: PlanProblem, { isOneWay = false, canRelax = null }: Variant = {}): Formulation => {
  const program: Program = { model: newModel(), limits: new Map(), wishes: [], semis: [], canRelax }
  const grid = gridOf(problem)
  const prices = pricesOf(problem)
  const loads = problem.loads.map((load, no) => addLoad(program, grid, load, no, prices, isOneWay))
  const site = addSite(program, grid, problem, loads, prices)
  if (canRelax) {
    const slacks = new Set([...program.limits.values()].map(({ slack }) => slack))
    program.model.columns.forEach((column, at) => {
      if (!slacks.has(at)) column.cost = 0
    })
  } else {
    for (const { load, stored } of loads) {
      const last = program.model.columns[stored?.at(-1) ?? -1]
      if (last && load.kind === 'storage') last.cost -= load.dischargeEfficiency * prices.stored
    }
    preferFollowedPlan(program, problem, loads)
    program.model.sunk = site.sunk
  }
  return { ...program, grid, loads, site, shared: problem.site.shared, dkk: prices.dkk, wish: prices.wish }
}
