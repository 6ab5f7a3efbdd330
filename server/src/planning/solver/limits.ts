import { type Formulation, formulate } from './formulate.ts'
import type { Solution, LimitKey, LimitRows, Solve, SolveOptions } from './model.ts'
import type { Binding, PlanProblem, Load, PlanQuarter, Relaxation } from './plan.ts'
import { quarterMs } from '@gridmast/contract/time.ts'

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

/**
 * Without a plan: the contradicting limits, and for each the nearest value with a plan. All limits are relaxed as little as possible, relative to
 * their values; each relaxed one is then tried alone, and the others without it.
 */

const rounds = 4

const isSame = (a: LimitKey, b: LimitKey) => a.limit === b.limit && a.id === b.id && a.raises === b.raises

/** A limit is raised, a need and a sold slot is lowered, by at least the required amount. */
const valueOf = ({ limit, now, raises }: LimitRows, gives: number): number => {
  const lowers =
    (limit === 'need' && !raises) || limit === 'target' || limit === 'sold-reserve' || limit === 'stored-lowest'
  const by = Math.ceil(gives * 1000 - 1e-3) / 1000
  return Math.round((lowers ? Math.max(0, now - by) : now + by) * 1000) / 1000
}

type Given = { limit: LimitRows; gives: number }

const giveWay = (
  problem: PlanProblem,
  solve: Solve,
  options: SolveOptions,
  may: (key: LimitKey) => boolean,
): Given[] | null => {
  const made = formulate(problem, { giveWay: may })
  const found = solve(made.model, options)
  if (found.status === 'infeasible' || found.status === 'timed-out') return null
  return [...made.limits.values()].flatMap((limit) => {
    const gives = limit.slack === null ? 0 : (found.values[limit.slack] ?? 0)
    return gives > 1e-6 ? [{ limit, gives }] : []
  })
}

const canPlan = (problem: PlanProblem, solve: Solve, options: SolveOptions): boolean =>
  giveWay(problem, solve, options, () => false) !== null

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
  const found: Relaxation[] = []
  if (deadlineMs !== null)
    found.push({ limit: 'deadline', id, unit: 'ms', now: load.deadlineMs, works: deadlineMs, isEnough: true })
  if (load.kind === 'on-off' && load.minRunQuarters > 1) {
    const shorter = Array.from({ length: load.minRunQuarters - 1 }, (_, i) => load.minRunQuarters - 1 - i)
    const runs = firstThatWorks(shorter, (minRunQuarters) =>
      canPlan(withLoad(problem, { ...load, minRunQuarters }), solve, options()),
    )
    if (runs !== null)
      found.push({ limit: 'min-run', id, unit: 'quarters', now: load.minRunQuarters, works: runs, isEnough: true })
  }
  return found
}

export const findRelaxations = (problem: PlanProblem, solve: Solve, options: () => SolveOptions): Relaxation[] => {
  const tried: LimitKey[] = []
  const alone: Relaxation[] = []
  let together: Relaxation[] = []
  const relaxation = ({ limit, gives }: Given, isEnough: boolean): Relaxation => ({
    limit: limit.limit,
    id: limit.id,
    unit: limit.unit,
    now: limit.now,
    works: valueOf(limit, gives),
    isEnough,
  })
  for (let round = 0; round < rounds; round++) {
    const given = giveWay(problem, solve, options(), (key) => !tried.some((one) => isSame(one, key)))
    if (!given || given.length === 0) break
    if (together.length === 0 && given.length > 1) together = given.map((one) => relaxation(one, false))
    for (const { limit } of given) {
      const [only] = giveWay(problem, solve, options(), (key) => isSame(key, limit)) ?? []
      if (only) alone.push(relaxation(only, true))
    }
    tried.push(...given.map(({ limit }) => limit))
  }
  const needs = problem.loads.filter(({ id }) =>
    [...alone, ...together].some((one) => one.limit === 'need' && one.id === id && one.works < one.now),
  )
  alone.push(...needs.flatMap((load) => ofLoad(problem, solve, options, load)))
  if (alone.length === 0) return together
  return [...alone, ...together.filter((one) => one.limit === 'sold-reserve' && !alone.some(({ id }) => id === one.id))]
}
