import { type Formulation, formulate } from './formulate.ts'
import type { Solution, LimitKey, LimitRows, Solve, SolveOptions } from './model.ts'
import type { Binding, PlanProblem, Load, PlanQuarter, Relaxation } from './plan.ts'
import { quarterMs } from '@gridmast/contract/time.ts'

const minDkk = 0.001

/**
 * Limits that hold a plan back and the value of one unit, by the duals of the linear program: per limit the sum over its rows. Limits of integers,
 * such as starts, have no dual.
 */
export const findBinding = (problem: PlanProblem, formulation: Formulation, { rowDuals, columnDuals }: Solution) => {
  const solution = [...formulation.limits.values()].flatMap(({ limit, id, unit, places }) => {
    if (unit === 'starts') return []
    const worths = places.map(({ row, column, perUnit, quarter }) => {
      const dual = (row === null ? columnDuals[column ?? -1] : rowDuals[row]) ?? 0
      const sense = row === null ? '<=' : formulation.model.rows[row]?.sense
      return { quarter, units: (sense === '<=' ? -dual : dual) * perUnit }
    })
    const of = worths.filter(({ units }) => Math.abs(units) > (minDkk * formulation.dkk) / 100)
    const [first, last] = [of[0]?.quarter, of.at(-1)?.quarter]
    const units = of.reduce((sum, worth) => sum + worth.units, 0)
    if (first === undefined || last === undefined || units < minDkk * formulation.dkk) return []
    // The price of a missed wish is not money.
    const isForWish = of.some((worth) => worth.units > formulation.wish / 16)
    if (isForWish && (limit === 'need' || limit === 'target')) return []
    const binding: Binding = {
      limit,
      id,
      unit,
      quarters: of.length,
      dkkPerUnit: isForWish ? null : (units / formulation.dkk).toFixed(4),
      fromMs: problem.quarters[first]?.atMs ?? 0,
      toMs: formulation.grid.toMs[last] ?? 0,
    }
    return [{ binding, units }]
  })
  return solution.toSorted((a, b) => b.units - a.units).map(({ binding }) => binding)
}

/**
 * Without a plan: the contradicting limits, and for each the nearest value with a plan. All limits are relaxed as little as possible, relative to
 * their values; each relaxed one is then tried alone, and the others without it.
 */

const rounds = 4

const isSame = (a: LimitKey, b: LimitKey) => a.limit === b.limit && a.id === b.id && a.raises === b.raises

/** A limit is raised, a need and a sold slot is lowered, by at least the required amount. */
const valueOf = ({ limit, now, raises }: LimitRows, slack: number): number => {
  const lowers =
    (limit === 'need' && !raises) || limit === 'target' || limit === 'sold-reserve' || limit === 'stored-lowest'
  const by = Math.ceil(slack * 1000 - 1e-3) / 1000
  return Math.round((lowers ? Math.max(0, now - by) : now + by) * 1000) / 1000
}

type RelaxedLimit = { limit: LimitRows; by: number }

const relaxLimits = (problem: PlanProblem, solve: Solve, options: SolveOptions, may: (key: LimitKey) => boolean) => {
  const formulation = formulate(problem, { canRelax: may })
  const solution = solve(formulation.model, options)
  if (solution.status === 'infeasible' || solution.status === 'timed-out') return null
  return [...formulation.limits.values()].flatMap((limit) => {
    const by = limit.slack === null ? 0 : (solution.values[limit.slack] ?? 0)
    return by > 1e-6 ? [{ limit, by }] : []
  })
}

const canPlan = (problem: PlanProblem, solve: Solve, options: SolveOptions): boolean =>
  relaxLimits(problem, solve, options, () => false) !== null

const withLoad = (problem: PlanProblem, load: Load): PlanProblem => ({
  ...problem,
  loads: problem.loads.map((one) => (one.id === load.id ? load : one)),
})

/** The first value with a plan, by bisection: values are ordered by increasing relaxation. */
const firstThatWorks = <T>(values: readonly T[], works: (value: T) => boolean): T | null => {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const value = values[middle]
    if (value !== undefined && works(value)) high = middle
    else low = middle + 1
  }
  return values[low] ?? null
}

const until = (problem: PlanProblem, quarters: readonly PlanQuarter[], toMs: number): PlanProblem => {
  const endMs = Math.max(toMs, (problem.quarters.at(-1)?.atMs ?? 0) + quarterMs)
  return {
    ...problem,
    quarters: quarters.filter(({ atMs }) => atMs < endMs),
    sold: [...problem.sold, ...(problem.later?.sold.filter(({ fromMs }) => fromMs < endMs) ?? [])],
  }
}

const ofLoad = (problem: PlanProblem, solve: Solve, options: () => SolveOptions, load: Load): Relaxation[] => {
  if (load.kind === 'storage') return []
  const { id } = load
  const quarters = [...problem.quarters, ...(problem.later?.quarters ?? [])]
  const later = quarters.map(({ atMs }) => atMs + quarterMs).filter((ms) => ms > load.deadlineMs)
  const deadlineMs = firstThatWorks(later, (ms) =>
    canPlan(withLoad(until(problem, quarters, ms), { ...load, deadlineMs: ms }), solve, options()),
  )
  const solution: Relaxation[] = []
  if (deadlineMs !== null)
    solution.push({ limit: 'deadline', id, unit: 'ms', now: load.deadlineMs, works: deadlineMs, isEnough: true })
  if (load.kind === 'on-off' && load.minRunQuarters > 1) {
    const shorter = Array.from({ length: load.minRunQuarters - 1 }, (_, i) => load.minRunQuarters - 1 - i)
    const runs = firstThatWorks(shorter, (minRunQuarters) =>
      canPlan(withLoad(problem, { ...load, minRunQuarters }), solve, options()),
    )
    if (runs !== null)
      solution.push({ limit: 'min-run', id, unit: 'quarters', now: load.minRunQuarters, works: runs, isEnough: true })
  }
  return solution
}

export const findRelaxations = (problem: PlanProblem, solve: Solve, options: () => SolveOptions): Relaxation[] => {
  const tried: LimitKey[] = []
  const single: Relaxation[] = []
  let combined: Relaxation[] = []
  const relaxation = ({ limit, by }: RelaxedLimit, isEnough: boolean): Relaxation => ({
    limit: limit.limit,
    id: limit.id,
    unit: limit.unit,
    now: limit.now,
    works: valueOf(limit, by),
    isEnough,
  })
  for (let round = 0; round < rounds; round++) {
    const relaxed = relaxLimits(problem, solve, options(), (key) => !tried.some((one) => isSame(one, key)))
    if (!relaxed || relaxed.length === 0) break
    if (combined.length === 0 && relaxed.length > 1) combined = relaxed.map((one) => relaxation(one, false))
    for (const { limit } of relaxed) {
      const [only] = relaxLimits(problem, solve, options(), (key) => isSame(key, limit)) ?? []
      if (only) single.push(relaxation(only, true))
    }
    tried.push(...relaxed.map(({ limit }) => limit))
  }
  const needs = problem.loads.filter(({ id }) =>
    [...single, ...combined].some((one) => one.limit === 'need' && one.id === id && one.works < one.now),
  )
  single.push(...needs.flatMap((load) => ofLoad(problem, solve, options, load)))
  if (single.length === 0) return combined
  return [
    ...single,
    ...combined.filter((one) => one.limit === 'sold-reserve' && !single.some(({ id }) => id === one.id)),
  ]
}
