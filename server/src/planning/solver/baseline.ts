import type { Load, LoadSchedule, PlanProblem, Scaled, Storage } from './plan.ts'
import {
  gridOf,
  isWhole,
  minPowerKw,
  maxPowerKw,
  runsOf,
  storageHours,
  usableHours,
  type Consumer,
  type Grid,
  weekdayMean,
  type QuarterWh,
} from './quarters.ts'
import { endedBy } from './load-rows.ts'

const cleaned = (kwh: number) => (Math.abs(kwh) < 1e-6 ? 0 : kwh)

/** Whole Wh per quarter that add up to the rounded sum. The rest of a started quarter is rounded down, because a Wh is much power there. */
const wholeWh = (kwh: readonly number[], hasBegun = false): number[] => {
  let [sum, assigned] = [0, 0]
  return kwh.map((of, q) => {
    sum += cleaned(of) * 1000
    const wh = (hasBegun && q === 0 ? Math.trunc(sum + Math.sign(sum) * 1e-6) : Math.round(sum)) - assigned
    assigned += wh
    return wh
  })
}

export const scheduled = (grid: Grid, load: Load, exact: readonly number[]): LoadSchedule => {
  const kwh = exact.map(cleaned)
  const wh = wholeWh(kwh, !isWhole(grid, 0))
  return { loadId: load.id, wh, kwh, storedWh: load.kind === 'storage' ? storedAfter(load, wh) : null }
}

const roomOf = (
  { site, quarters }: PlanProblem,
  grid: Grid,
  usedKwh: ReadonlyMap<string, number[]>,
  loadId: string,
  q: number,
) => {
  const hours = grid.hours[q] ?? 0
  const usedBy = (ids: Iterable<string>) => [...ids].reduce((sum, id) => sum + (usedKwh.get(id)?.[q] ?? 0), 0)
  const rooms = site.shared
    .filter(({ loadIds }) => loadIds.includes(loadId))
    .map(({ loadIds, limitKw }) => limitKw * hours - usedBy(loadIds))
  if (site.limitKw !== null) rooms.push((site.limitKw - (quarters[q]?.otherKw ?? 0)) * hours - usedBy(usedKwh.keys()))
  return Math.max(0, Math.min(Infinity, ...rooms))
}

const immediateConsumer = (grid: Grid, load: Consumer, roomAt: (q: number) => number): number[] => {
  const usable = usableHours(grid, load)
  if (load.kind !== 'on-off') {
    let open = load.needKwh
    return usable.map((hours, q) => {
      const most = Math.min(open, maxPowerKw(load) * hours, roomAt(q))
      const kwh = most < minPowerKw(load) * hours - 1e-9 && most < open - 1e-9 ? 0 : most
      open -= kwh
      return kwh
    })
  }
  // The need rounded up to whole quarters, even where the first one is partly over.
  const { forcedOff, most } = runsOf(grid, load)
  let open = most * load.kw * 0.25
  return usable.map((hours, q) => {
    const kwh = Math.min(open, load.kw * hours)
    if (q < forcedOff || kwh > roomAt(q) + 1e-9) return 0
    open -= kwh
    return kwh
  })
}

const immediateStorage = (grid: Grid, load: Storage, roomAt: (q: number) => number): number[] => {
  let open = load.target
    ? Math.max(0, (Math.min(load.target.kwh, load.capacityKwh) - load.nowKwh) / load.chargeEfficiency)
    : 0
  const last = load.target ? endedBy(grid, load.target.atMs) : -1
  return storageHours(grid, load).map((hours, q) => {
    const kwh = q > last ? 0 : Math.min(open, load.chargeKw * hours, roomAt(q))
    open -= kwh
    return kwh
  })
}

export const storedAfter = (load: Storage, wh: readonly number[]): number[] => {
  let kwh = load.nowKwh
  return wh.map((of) => {
    kwh += (of > 0 ? of * load.chargeEfficiency : of / load.dischargeEfficiency) / 1000
    return Math.round(kwh * 1000)
  })
}

export const immediate = (problem: PlanProblem): LoadSchedule[] => {
  const grid = gridOf(problem)
  const usedKwh = new Map<string, number[]>()
  const arrivalOf = (load: PlanProblem['loads'][number]) => (load.kind === 'storage' ? -Infinity : load.fromMs)
  for (const load of problem.loads.toSorted((a, b) => arrivalOf(a) - arrivalOf(b))) {
    const roomAt = (q: number) => roomOf(problem, grid, usedKwh, load.id, q)
    const kwh = load.kind === 'storage' ? immediateStorage(grid, load, roomAt) : immediateConsumer(grid, load, roomAt)
    usedKwh.set(load.id, kwh)
  }
  return problem.loads.map((load) => scheduled(grid, load, usedKwh.get(load.id) ?? []))
}

export const weekdayProfile = (
  measured: readonly QuarterWh[],
  quarters: readonly { atMs: number }[],
  nowMs: number,
): number[] | null => {
  const values = measured.map(({ atMs, wh }) => ({ atMs, value: wh }))
  const mean = weekdayMean(values, nowMs)
  const means = quarters.map(({ atMs }) => mean(atMs))
  return means.every((wh) => wh === null) ? null : wholeWh(means.map((wh) => (wh ?? 0) / 1000))
}

const sum = (wh: readonly number[]) => wh.reduce((all, of) => all + of, 0)

/** By the problem's method, before scaling; a profile has whole quarters, and a partly elapsed one counts in proportion. */
export const baselineOf = (problem: PlanProblem): LoadSchedule[] => {
  const { baseline } = problem
  const grid = gridOf(problem)
  const atOnce = immediate(problem)
  if (baseline.method === 'immediate') return atOnce
  return problem.loads.map((load, i) => {
    const wh = baseline.wh[load.id]
    if (!wh || (load.kind !== 'storage' && sum(wh) <= 0)) return atOnce[i] ?? scheduled(grid, load, [])
    const kwh = wh.map((of, q) => (of * (grid.hours[q] ?? 0)) / 250)
    return scheduled(grid, load, kwh)
  })
}

/**
 * A baseline with the energy of the other schedule, because less energy is no saving; a storage keeps its own, since the bill includes its content.
 */
export const scaledTo = (baseline: readonly LoadSchedule[], other: readonly LoadSchedule[], hasBegun = false) => {
  const scaled: Scaled[] = []
  const loads = baseline.map((one) => {
    const [fromWh, toWh] = [sum(one.wh), sum(other.find(({ loadId }) => loadId === one.loadId)?.wh ?? [])]
    if (one.storedWh || fromWh === toWh || fromWh === 0) return one
    scaled.push({ loadId: one.loadId, fromWh, toWh })
    const kwh = (one.kwh ?? one.wh.map((wh) => wh / 1000)).map((of) => (of * toWh) / fromWh)
    return { ...one, wh: wholeWh(kwh, hasBegun), kwh }
  })
  return { loads, scaled }
}

const pricesOf = ({ quarters }: PlanProblem) =>
  quarters.map((one) => Number(one.spotDkkPerMwh) + Number(one.tariffDkkPerMwh) + Number(one.taxDkkPerMwh))

const cheapestOfConsumer = (grid: Grid, load: Consumer, prices: readonly number[]): number[] => {
  const usable = usableHours(grid, load)
  const kwh = usable.map(() => 0)
  let open = load.needKwh
  for (const q of [...usable.keys()].toSorted((a, b) => (prices[a] ?? 0) - (prices[b] ?? 0))) {
    const most = maxPowerKw(load) * (usable[q] ?? 0)
    const usedKwh = load.kind === 'on-off' && open > 1e-9 ? most : Math.min(open, most)
    kwh[q] = Math.max(0, usedKwh)
    open -= usedKwh
  }
  return kwh
}

const cheapestOfStorage = (grid: Grid, load: Storage, prices: readonly number[]): number[] => {
  const byPrice = [...prices.keys()].toSorted((a, b) => (prices[a] ?? 0) - (prices[b] ?? 0))
  const room = load.capacityKwh - load.lowestKwh
  const fills = byPrice.slice(0, Math.ceil(room / (load.chargeKw * load.chargeEfficiency * 0.25)))
  const empties = byPrice
    .toReversed()
    .slice(0, Math.ceil((room * load.dischargeEfficiency) / (load.dischargeKw * 0.25)))
  const mean = (of: readonly number[]) => of.reduce((sum, q) => sum + (prices[q] ?? 0), 0) / Math.max(1, of.length)
  const pays = mean(empties) * load.chargeEfficiency * load.dischargeEfficiency > mean(fills)
  let stored = load.nowKwh
  return grid.hours.map((hours, q) => {
    if (!pays) return 0
    const into = fills.includes(q)
      ? Math.min(load.chargeKw * hours, (load.capacityKwh - stored) / load.chargeEfficiency)
      : 0
    const back = empties.includes(q)
      ? Math.min(load.dischargeKw * hours, (stored - load.lowestKwh) * load.dischargeEfficiency)
      : 0
    const kwh = Math.max(0, into) - Math.max(0, back)
    stored += kwh > 0 ? kwh * load.chargeEfficiency : kwh / load.dischargeEfficiency
    return kwh
  })
}

/** The rule that plans are compared with: each load alone uses the cheapest quarters, regardless of peaks, sold slots and runs. */
export const cheapestHours = (problem: PlanProblem): LoadSchedule[] => {
  const grid = gridOf(problem)
  const prices = pricesOf(problem)
  return problem.loads.map((load) =>
    scheduled(
      grid,
      load,
      load.kind === 'storage' ? cheapestOfStorage(grid, load, prices) : cheapestOfConsumer(grid, load, prices),
    ),
  )
}
