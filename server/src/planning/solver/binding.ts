import type { Formulation } from './formulate.ts'
import type { Solution } from './model.ts'
import type { Binding, PlanProblem } from './plan.ts'

const leastDkk = 0.001

/**
 * Limits that hold a plan back and the value of one unit, by the duals of the linear program: per limit the sum over its rows. Limits of integers,
 * such as starts, have no dual.
 */
export const findBinding = (
  problem: PlanProblem,
  made: Formulation,
  { rowDuals, columnDuals }: Solution,
): Binding[] => {
  const found = [...made.limits.values()].flatMap(({ limit, id, unit, places }) => {
    if (unit === 'starts') return []
    const worths = places.map(({ row, column, perUnit, quarter }) => {
      const dual = (row === null ? columnDuals[column ?? -1] : rowDuals[row]) ?? 0
      const sense = row === null ? '<=' : made.model.rows[row]?.sense
      return { quarter, units: (sense === '<=' ? -dual : dual) * perUnit }
    })
    const of = worths.filter(({ units }) => Math.abs(units) > (leastDkk * made.dkk) / 100)
    const [first, last] = [of[0]?.quarter, of.at(-1)?.quarter]
    const units = of.reduce((sum, worth) => sum + worth.units, 0)
    if (first === undefined || last === undefined || units < leastDkk * made.dkk) return []
    // The price of a missed wish is not money.
    const isForWish = of.some((worth) => worth.units > made.wish / 16)
    if (isForWish && (limit === 'need' || limit === 'target')) return []
    const binding: Binding = {
      limit,
      id,
      unit,
      quarters: of.length,
      dkkPerUnit: isForWish ? null : (units / made.dkk).toFixed(4),
      fromMs: problem.quarters[first]?.atMs ?? 0,
      toMs: made.grid.toMs[last] ?? 0,
    }
    return [{ binding, units }]
  })
  return found.toSorted((a, b) => b.units - a.units).map(({ binding }) => binding)
}
