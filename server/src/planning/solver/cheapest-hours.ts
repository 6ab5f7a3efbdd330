import { scheduled } from './baseline.ts'
import type { LoadSchedule, PlanProblem, Storage } from './plan.ts'
import { gridOf, mostKw, usableHours, type Consumer, type Grid } from './quarters.ts'

/** The rule that plans are compared with: each load alone uses the cheapest quarters, regardless of peaks, sold slots and runs. */

const pricesOf = ({ quarters }: PlanProblem) =>
  quarters.map((one) => Number(one.spotDkkPerMwh) + Number(one.tariffDkkPerMwh) + Number(one.taxDkkPerMwh))

const consumes = (grid: Grid, load: Consumer, prices: readonly number[]): number[] => {
  const usable = usableHours(grid, load)
  const kwh = usable.map(() => 0)
  let open = load.needKwh
  for (const q of [...usable.keys()].toSorted((a, b) => (prices[a] ?? 0) - (prices[b] ?? 0))) {
    const most = mostKw(load) * (usable[q] ?? 0)
    const taken = load.kind === 'on-off' && open > 1e-9 ? most : Math.min(open, most)
    kwh[q] = Math.max(0, taken)
    open -= taken
  }
  return kwh
}

const stores = (grid: Grid, load: Storage, prices: readonly number[]): number[] => {
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

export const cheapestHours = (problem: PlanProblem): LoadSchedule[] => {
  const grid = gridOf(problem)
  const prices = pricesOf(problem)
  return problem.loads.map((load) =>
    scheduled(grid, load, load.kind === 'storage' ? stores(grid, load, prices) : consumes(grid, load, prices)),
  )
}
