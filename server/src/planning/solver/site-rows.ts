import {
  difference,
  limitOf,
  limitRow,
  type LimitRows,
  type Program,
  addColumn,
  type Term,
  addRow,
  type Prices,
} from './model.ts'
import type { LoadColumns } from './load-rows.ts'
import type { SoldReserve, PlanProblem, Site } from './plan.ts'
import { maxPowerKw, usableHours, type Grid } from './quarters.ts'

type SoldColumns = { sold: SoldReserve; limit: LimitRows; skip: number | null; quarters: readonly number[] }

type Way = 'up' | 'down'
type Sum = { terms: Term[]; fixed: number }

export const soldKwOf = ({ soldKw, upKw, downKw }: SoldReserve) => soldKw ?? Math.max(upKw, downKw)

const kwOf = (sold: SoldReserve, way: Way) => (way === 'up' ? sold.upKw : sold.downKw)
const kwhOf = (sold: SoldReserve, way: Way) => (way === 'up' ? sold.upKwh : sold.downKwh)

const scaled = (terms: readonly Term[], by: number): Term[] => terms.map(([column, factor]) => [column, factor * by])

const total = (sums: readonly Sum[]): Sum => ({
  terms: sums.flatMap(({ terms }) => terms),
  fixed: sums.reduce((sum, { fixed }) => sum + fixed, 0),
})

/** kWh that a load could drop (up) or add (down) in a quarter. */
const powerRoom = (grid: Grid, { load, kwhTerms }: LoadColumns, q: number, way: Way): Sum => {
  const ofLoad = kwhTerms[q] ?? []
  const terms = way === 'up' ? ofLoad : scaled(ofLoad, -1)
  if (load.kind === 'storage')
    return { terms, fixed: (way === 'up' ? load.dischargeKw : load.chargeKw) * (grid.hours[q] ?? 0) }
  return { terms, fixed: way === 'up' ? 0 : maxPowerKw(load) * (usableHours(grid, load)[q] ?? 0) }
}

/** kWh on the grid side that a storage could discharge (up) or charge (down) after a quarter, or before the first. */
const storedRoom = ({ load, stored }: LoadColumns, q: number, way: Way): Sum => {
  if (load.kind !== 'storage' || !stored) return { terms: [], fixed: 0 }
  const factor = way === 'up' ? load.dischargeEfficiency : -1 / load.chargeEfficiency
  const fixed = -factor * (way === 'up' ? load.lowestKwh : load.capacityKwh)
  const column = stored[q]
  return column === undefined
    ? { terms: [], fixed: fixed + factor * load.nowKwh }
    : { terms: [[column, factor]], fixed }
}

const requiredBy = (slots: readonly SoldColumns[], of: (sold: SoldReserve) => number): Sum => ({
  terms: slots.flatMap(({ sold, skip }): Term[] => (skip === null ? [] : [[skip, -of(sold)]])),
  fixed: slots.reduce((sum, { sold }) => sum + of(sold), 0),
})

/** kWh above a quarter's plan that the connection must carry when its slots are activated. */
const calledIn = (grid: Grid, slots: readonly SoldColumns[], q: number, way: Way) => {
  const of = slots.filter(({ sold, quarters }) => kwOf(sold, way) > 0 && quarters.includes(q))
  const hours = grid.hours[q] ?? 0
  const limits = of.map(({ sold, limit }) => [limit, (kwOf(sold, way) / soldKwOf(sold)) * hours] as const)
  return { ...requiredBy(of, (sold) => kwOf(sold, way) * hours), limits }
}

/** Power in each quarter and, with storages, energy before and after it; other loads keep a change up for as long as required. */
const addRoom = (
  program: Program,
  grid: Grid,
  loads: readonly LoadColumns[],
  slots: readonly SoldColumns[],
  way: Way,
) => {
  const row = (q: number, has: Sum, of: readonly SoldColumns[], needs: Sum, perKw: (sold: SoldReserve) => number) =>
    limitRow(
      program,
      { terms: [...has.terms, ...scaled(needs.terms, -1)], sense: '>=', limit: needs.fixed - has.fixed },
      q,
      ...of.map(({ sold, limit }) => [limit, perKw(sold)] as const),
    )
  for (const q of grid.hours.keys()) {
    const of = slots.filter(({ sold, quarters }) => kwOf(sold, way) > 0 && quarters.includes(q))
    const hours = grid.hours[q] ?? 0
    if (of.length === 0 || hours === 0) continue
    const powers = loads.map((one) => powerRoom(grid, one, q, way))
    row(
      q,
      total(powers),
      of,
      requiredBy(of, (sold) => kwOf(sold, way) * hours),
      (sold) => (kwOf(sold, way) / soldKwOf(sold)) * hours,
    )
    const energy = requiredBy(of, (sold) => kwhOf(sold, way))
    if (energy.fixed <= 0 || loads.every(({ stored }) => stored === null)) continue
    const lastingHours = Math.max(...of.map(({ sold }) => kwhOf(sold, way) / kwOf(sold, way)))
    const lasting = loads.flatMap(({ stored }, i): Sum[] => {
      const { terms, fixed } = powers[i] ?? { terms: [], fixed: 0 }
      const by = lastingHours / hours
      return stored === null ? [{ terms: scaled(terms, by), fixed: fixed * by }] : []
    })
    for (const end of [q - 1, q])
      row(
        q,
        total([...loads.map((one) => storedRoom(one, end, way)), ...lasting]),
        of,
        energy,
        (sold) => kwhOf(sold, way) / soldKwOf(sold),
      )
  }
}

/** Slots have the same loads or disjoint ones; `dkk` is one DKK in objective units. */
const addSold = (
  program: Program,
  grid: Grid,
  loads: readonly LoadColumns[],
  sold: readonly SoldReserve[],
  dkk: number,
): SoldColumns[] => {
  const slots = sold.flatMap((slot): SoldColumns[] => {
    const quarters = [...grid.hours.keys()].filter(
      (q) => (grid.toMs[q] ?? 0) > slot.fromMs && (grid.fromMs[q] ?? 0) < slot.toMs,
    )
    if (quarters.length === 0) return []
    const limit = limitOf(program, { limit: 'sold-reserve', id: slot.id, unit: 'kW', now: soldKwOf(slot) })
    const cost = slot.leaving ? (Number(slot.leaving.lostDkk) + Number(slot.leaving.penaltyDkk)) * dkk : 0
    const skip = slot.leaving ? addColumn(program.model, { upper: 1, isInteger: true, cost }) : null
    return [{ sold: slot, limit, skip, quarters }]
  })
  const groups = Map.groupBy(slots, (slot) => slot.sold.loadIds.toSorted().join('\n'))
  for (const of of groups.values()) {
    const ids = of[0]?.sold.loadIds ?? []
    const groupLoads = loads.filter(({ load }) => ids.includes(load.id))
    for (const way of ['up', 'down'] as const) addRoom(program, grid, groupLoads, of, way)
  }
  return slots
}

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
    const kwhTerms = loads.flatMap((load) => load.kwhTerms[q] ?? [])
    const terms: Term[] = [[drawn, 1], [fed, -1], ...scaled(kwhTerms, -1)]
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
    const groupLoads = loads.filter(({ load }) => loadIds.includes(load.id))
    const discharges = groupLoads.some(({ directions }) => directions !== null)
    grid.hours.forEach((hours, q) => {
      const terms = groupLoads.flatMap(({ kwhTerms }) => kwhTerms[q] ?? [])
      if (terms.length === 0) return
      limitRow(program, { terms, sense: '<=', limit: limitKw * hours }, q, [limit, hours])
      if (discharges)
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
    limitRow(program, { terms: difference(drawn, column), sense: '<=', limit: most }, q, [limit, hours])
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
      const terms = difference(flows[q]?.drawn ?? 0, peak, hours)
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
  const months = site.capacity?.months ?? []
  const peaks = new Map(addPeaks(program, grid, months, flows, prices).map(({ q, peak }) => [q, peak]))
  const room: SiteColumns['room'] = (values, q) => {
    const peak = peaks.get(q)
    const peakKw = peak === undefined ? Infinity : (values[peak] ?? 0)
    const maxKw = Math.min(site.limitKw ?? Infinity, site.wishedPeakKw ?? Infinity, peakKw)
    return maxKw * (grid.hours[q] ?? 0) - (flows[q]?.otherKwh ?? 0)
  }
  const energy = flows.reduce(
    (sum, { otherKwh }, q) => sum + otherKwh * (otherKwh > 0 ? prices.drawn(q) : prices.fed(q)),
    0,
  )
  const reached = months.map(({ fromMs, toMs, reachedKw }) => {
    const kw = flows.flatMap(({ otherKwh }, q) => {
      const [at, hours] = [grid.fromMs[q] ?? 0, grid.hours[q] ?? 0]
      return at >= fromMs && at < toMs && hours > 0 ? otherKwh / hours : []
    })
    return kw.length > 0 ? Math.max(reachedKw, ...kw) * prices.peakKw : 0
  })
  return { sold, room, sunk: energy + reached.reduce((sum, one) => sum + one, 0) }
}
