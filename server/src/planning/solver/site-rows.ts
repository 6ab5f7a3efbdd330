import { limitOf, limitRow, type Program } from './limits.ts'
import type { LoadColumns } from './load-rows.ts'
import { addColumn, addRow, type Prices, type Term } from './model.ts'
import type { PlanProblem, Site } from './plan.ts'
import type { Grid } from './quarters.ts'
import { addSold, calledIn, scaled, type SoldColumns } from './reserve-rows.ts'

export type SiteColumns = {
  sold: SoldColumns[]
  /** kWh that all loads may use in a quarter without a new peak in these values. */
  room: (values: readonly number[], q: number) => number
  sunk: number
}

export type SitePrices = Prices & {
  /** Per kWh drawn from the grid and fed into it. */
  drawn: (quarter: number) => number
  fed: (quarter: number) => number
  /** Per kW of a month's peak. */
  peakKw: number
  dkk: number
}

type Flows = { drawn: number; fed: number; otherKwh: number }[]

const addFlows = (
  program: Program,
  grid: Grid,
  problem: PlanProblem,
  loads: readonly LoadColumns[],
  prices: SitePrices,
): Flows =>
  problem.quarters.map(({ otherKw }, q) => {
    const hours = grid.hours[q] ?? 0
    const otherKwh = otherKw * hours
    const drawn = addColumn(program.model, { cost: prices.drawn(q) })
    // Surplus solar power is fed in regardless of the agreement: no load can change it.
    const upper = Math.max(problem.site.feedInKw * hours, -otherKwh)
    const fed = addColumn(program.model, { cost: -prices.fed(q), upper })
    const takes = loads.flatMap((load) => load.takes[q] ?? [])
    const terms: Term[] = [[drawn, 1], [fed, -1], ...scaled(takes, -1)]
    addRow(program.model, { terms, sense: '=', limit: otherKwh })
    return { drawn, fed, otherKwh }
  })

/** The connection carries the plan and possible activations of sold slots; other consumption beyond it is not the plan's fault. */
const addConnection = (
  program: Program,
  grid: Grid,
  { limitKw, feedInKw }: Site,
  flows: Flows,
  sold: readonly SoldColumns[],
) =>
  flows.forEach(({ drawn, fed, otherKwh }, q) => {
    const hours = grid.hours[q] ?? 0
    const down = calledIn(grid, sold, q, 'down')
    if (limitKw !== null) {
      const limit = limitOf(program, { limit: 'site-limit', id: null, unit: 'kW', now: limitKw })
      const most = Math.max(limitKw * hours, otherKwh)
      limitRow(
        program,
        { terms: [[drawn, 1], [fed, -1], ...down.terms], sense: '<=', limit: most - down.fixed },
        q,
        [limit, hours],
        ...down.limits,
      )
    }
    const up = calledIn(grid, sold, q, 'up')
    if (up.fixed === 0) return
    const limit = limitOf(program, { limit: 'feed-in', id: null, unit: 'kW', now: feedInKw })
    const most = Math.max(feedInKw * hours, -otherKwh)
    limitRow(
      program,
      { terms: [[fed, 1], [drawn, -1], ...up.terms], sense: '<=', limit: most - up.fixed },
      q,
      [limit, hours],
      ...up.limits,
    )
  })

const addShared = (program: Program, grid: Grid, { shared }: Site, loads: readonly LoadColumns[]) => {
  for (const { id, loadIds, limitKw } of shared) {
    const limit = limitOf(program, { limit: 'shared-limit', id, unit: 'kW', now: limitKw })
    const own = loads.filter(({ load }) => loadIds.includes(load.id))
    const givesBack = own.some(({ ways }) => ways !== null)
    grid.hours.forEach((hours, q) => {
      const terms = own.flatMap(({ takes }) => takes[q] ?? [])
      if (terms.length === 0) return
      limitRow(program, { terms, sense: '<=', limit: limitKw * hours }, q, [limit, hours])
      if (givesBack)
        limitRow(program, { terms: scaled(terms, -1), sense: '<=', limit: limitKw * hours }, q, [limit, hours])
    })
  }
}

/** A quarter of the cost of a missed need, so that cars leave charged rather than a peak being avoided. */
const addWishedPeak = (program: Program, grid: Grid, wishedKw: number, flows: Flows, prices: SitePrices) => {
  const limit = limitOf(program, { limit: 'wished-peak', id: null, unit: 'kW', now: wishedKw })
  const places = flows.map(({ drawn, otherKwh }, q) => {
    const hours = grid.hours[q] ?? 0
    const column = addColumn(program.model, { cost: prices.wish / 4 })
    const most = Math.max(wishedKw * hours, otherKwh)
    limitRow(
      program,
      {
        terms: [
          [drawn, 1],
          [column, -1],
        ],
        sense: '<=',
        limit: most,
      },
      q,
      [limit, hours],
    )
    return { column, perUnit: hours, quarter: q }
  })
  program.wishes.push({ wish: 'site-peak', loadId: null, wished: wishedKw, unit: 'kW', places })
}

/** The reached peak is sunk: only power above it costs. */
const addPeaks = (
  program: Program,
  grid: Grid,
  months: NonNullable<Site['capacity']>['months'],
  flows: Flows,
  prices: SitePrices,
) =>
  months.flatMap(({ fromMs, toMs, reachedKw }) => {
    const of = [...flows.keys()].filter((q) => (grid.fromMs[q] ?? 0) >= fromMs && (grid.fromMs[q] ?? 0) < toMs)
    if (of.length === 0) return []
    const peak = addColumn(program.model, { lower: reachedKw, cost: prices.peakKw })
    const limit = limitOf(program, { limit: 'capacity-peak', id: null, unit: 'kW', now: reachedKw })
    for (const q of of) {
      const hours = grid.hours[q] ?? 0
      const terms: Term[] = [
        [flows[q]?.drawn ?? 0, 1],
        [peak, -hours],
      ]
      limitRow(program, { terms, sense: '<=', limit: 0 }, q, [limit, hours])
    }
    return of.map((q) => ({ q, peak }))
  })

export const addSite = (
  program: Program,
  grid: Grid,
  problem: PlanProblem,
  loads: readonly LoadColumns[],
  prices: SitePrices,
): SiteColumns => {
  const { site } = problem
  const flows = addFlows(program, grid, problem, loads, prices)
  const sold = addSold(program, grid, loads, problem.sold, prices.dkk)
  addConnection(program, grid, site, flows, sold)
  addShared(program, grid, site, loads)
  if (site.wishedPeakKw !== null) addWishedPeak(program, grid, site.wishedPeakKw, flows, prices)
  const peaks = new Map(
    (site.capacity ? addPeaks(program, grid, site.capacity.months, flows, prices) : []).map(({ q, peak }) => [q, peak]),
  )
  const room: SiteColumns['room'] = (values, q) => {
    const peak = peaks.get(q)
    const mostKw = Math.min(
      site.limitKw ?? Infinity,
      site.wishedPeakKw ?? Infinity,
      peak === undefined ? Infinity : (values[peak] ?? 0),
    )
    return mostKw * (grid.hours[q] ?? 0) - (flows[q]?.otherKwh ?? 0)
  }
  const energy = flows.reduce(
    (sum, { otherKwh }, q) => sum + otherKwh * (otherKwh > 0 ? prices.drawn(q) : prices.fed(q)),
    0,
  )
  const reached = (site.capacity?.months ?? []).map(({ fromMs, toMs, reachedKw }) => {
    const kw = flows.flatMap(({ otherKwh }, q) => {
      const [at, hours] = [grid.fromMs[q] ?? 0, grid.hours[q] ?? 0]
      return at >= fromMs && at < toMs && hours > 0 ? otherKwh / hours : []
    })
    return kw.length > 0 ? Math.max(reachedKw, ...kw) * prices.peakKw : 0
  })
  return { sold, room, sunk: energy + reached.reduce((sum, one) => sum + one, 0) }
}
