import { roundDecimal } from '@gridmast/contract/numbers.ts'
import { baselineOf, scaledTo, scheduled } from './baseline.ts'
import { scheduleOf, differenceOf } from './bill.ts'
import { findBinding, findRelaxations } from './limits.ts'
import { solveWhole, wishCost } from './dive.ts'
import { slotsToSkip } from './violations.ts'
import { formulate, type Formulation } from './formulate.ts'
import type { Model, Solution, Solve, SolveOptions, Term } from './model.ts'
import type { LoadSchedule, MissedWish, PlanProblem, SoldReserve, Solved } from './plan.ts'
import type { PlanAnswer } from '@gridmast/contract/planning/load-plan-answer.ts'
import { isWhole } from './quarters.ts'

type PlanOptions = SolveOptions & { searchS?: number; now?: () => Instant }

type Instant = { wallMs: number; cpuMs: number }
const threadNow = (): Instant => {
  const { user, system } = process.threadCpuUsage()
  return { wallMs: performance.now(), cpuMs: (user + system) / 1000 }
}

/** On a starved CPU a plan runs for at most this many times its limit, which is CPU time. */
export const maxStretch = 4
const measuredMs = 50
const minTimeS = 0.2

/** CPU time remaining of a limit, and the corresponding wall time for the solver's clock. */
const timeLeft = (limitS: number, now: () => Instant) => {
  const start = now()
  const used = () => {
    const { wallMs, cpuMs } = now()
    return { wallS: (wallMs - start.wallMs) / 1000, cpuS: (cpuMs - start.cpuMs) / 1000 }
  }
  return {
    cpuS: () => limitS - used().cpuS,
    solverS: () => {
      const { wallS, cpuS } = used()
      const isMeasured = wallS * 1000 >= measuredMs && cpuS > 0
      const stretch = isMeasured ? Math.min(maxStretch, Math.max(1, wallS / cpuS)) : 1
      return Math.max(minTimeS, Math.min((limitS - cpuS) * stretch, limitS * maxStretch - wallS))
    },
  }
}

/** Solver residue below a Wh or a W counts as 0. */
const residue = 5e-4

export const schedules = ({ loads, grid }: Formulation, { values }: Solution): LoadSchedule[] => {
  const kwhOf = (terms: readonly Term[]) =>
    terms.reduce((sum, [column, factor]) => sum + factor * (values[column] ?? 0), 0)
  return loads.map(({ load, kwhTerms }) => scheduled(grid, load, kwhTerms.map(kwhOf)))
}

const chargesWhileDischarging = ({ loads }: Formulation, { values }: Solution): boolean =>
  loads.some(({ directions }) =>
    directions?.some(({ charge, discharge }) => Math.min(values[charge] ?? 0, values[discharge] ?? 0) > residue),
  )

const skippedIn = ({ site }: Formulation, { values }: Solution): SoldReserve[] =>
  site.sold.flatMap(({ sold, skip }) => (skip !== null && (values[skip] ?? 0) > 0.5 ? [sold] : []))

const missedIn = (problem: PlanProblem, { wishes, grid }: Formulation, { values }: Solution): MissedWish[] =>
  wishes.flatMap(({ places, ...wish }) => {
    const missed = places
      .map(({ column, perUnit, quarter }) => ({ by: (values[column] ?? 0) / perUnit, quarter }))
      .filter(({ by }) => by > residue)
    const [first, last] = [missed[0], missed.at(-1)]
    if (!first || !last) return []
    const load = problem.loads.find(({ id }) => id === wish.loadId)
    const window = wish.wish === 'need' && load && load.kind !== 'storage' ? load : null
    return {
      ...wish,
      fromMs: window ? window.fromMs : (problem.quarters[first.quarter]?.atMs ?? 0),
      toMs: window ? window.deadlineMs : (grid.toMs[last.quarter] ?? 0),
      by: Math.round(Math.max(...missed.map(({ by }) => by)) * 1000) / 1000,
    }
  })

const roundedUp = (problem: PlanProblem, loads: readonly LoadSchedule[]): Solved['roundedUp'] =>
  problem.loads.flatMap((load) => {
    if (load.kind !== 'on-off') return []
    const plannedWh = (loads.find(({ loadId }) => loadId === load.id)?.wh ?? []).reduce((sum, wh) => sum + wh, 0)
    const needWh = Math.round(load.needKwh * 1000)
    return plannedWh > needWh ? [{ loadId: load.id, needWh, plannedWh }] : []
  })

const withFixedIntegers = ({ model, semis }: Formulation, { values }: Solution): Model => {
  // A load that is on has at least its least power by its bounds, and a higher limit does not help a load that is off.
  const on = semis.filter(({ isOn }) => (values[isOn] ?? 0) > 0.5)
  const rows = [...model.rows]
  const leasts = new Map(on.map(({ column, least }) => [column, least]))
  for (const row of on.flatMap((semi) => semi.rows)) rows[row] = { terms: [], sense: '<=', limit: 0 }
  return {
    ...model,
    rows,
    columns: model.columns.map((column, at) => {
      const lower = leasts.get(at)
      if (lower !== undefined) return { ...column, lower: Math.min(lower, column.upper) }
      if (!column.isInteger) return column
      const value = Math.round(values[at] ?? 0)
      return { ...column, lower: value, upper: value, isInteger: false }
    }),
  }
}

/** In DKK with the weights of cost and CO₂, and as a share of the plan's own cost. */
const gapOf = ({ dkk, model, wishes }: Formulation, { gap, objective, values }: Solution) => {
  if (gap === null || !Number.isFinite(gap)) return { gapPercent: null, gapDkk: null }
  const ownCost = Math.abs(objective - model.sunk - wishCost({ model, wishes }, values))
  const percent = ownCost > 0 ? (100 * gap) / ownCost : Infinity
  return { gapPercent: percent <= 100 ? percent : null, gapDkk: roundDecimal((gap / dkk).toFixed(9), 2) }
}

const leavingSaves = (
  problem: PlanProblem,
  { dkk }: Formulation,
  { objective }: Solution,
  solve: Solve,
  options: SolveOptions,
) => {
  const kept = { ...problem, sold: problem.sold.map((sold) => ({ ...sold, leaving: null })) }
  const solution = solveWhole(formulate(kept), solve, () => options.timeLimitS)
  return solution.status === 'optimal' ? roundDecimal(((solution.objective - objective) / dkk).toFixed(9), 2) : null
}

/** A brief plan has neither binding limits nor the saving of skipped slots: a backtest needs hundreds of plans. */
export const makePlan = (
  problem: PlanProblem,
  solveOnce: Solve,
  options: PlanOptions,
  { isBrief = false } = {},
): PlanAnswer => {
  const startedMs = performance.now()
  const { cpuS, solverS: leftS } = timeLeft(options.timeLimitS, options.now ?? threadNow)
  const limit = () => ({ timeLimitS: leftS() })
  const isCutShort = ({ status }: Solution) =>
    options.searchS === undefined && (status === 'feasible' || status === 'timed-out') && cpuS() > minTimeS
  /** Solves again, from the first solution, if other work took the CPU time of the limit. */
  const solve: Solve = Object.assign(
    (...[model, solveOptions]: Parameters<Solve>) => {
      const first = solveOnce(model, solveOptions)
      if (!isCutShort(first)) return first
      const start = first.status === 'feasible' ? first.values : solveOptions.start
      const second = solveOnce(model, { ...limit(), ...(start && { start }) })
      return second.status === 'timed-out' ? first : second
    },
    solveOnce.open ? { open: solveOnce.open } : {},
  )
  let formulation = formulate(problem)
  let solution = solveWhole(formulation, solve, leftS, options.searchS)
  const hasPlan = solution.status === 'optimal' || solution.status === 'feasible'
  if (hasPlan && chargesWhileDischarging(formulation, solution)) {
    formulation = formulate(problem, { isOneWay: true })
    solution = solveWhole(formulation, solve, leftS, options.searchS)
  }
  if (solution.status === 'timed-out') return { status: 'timed-out' }
  if (solution.status === 'infeasible')
    return { status: 'infeasible', relaxations: findRelaxations(problem, solve, limit) }
  const loads = schedules(formulation, solution)
  const skipped = skippedIn(formulation, solution)
  const hasWholes = formulation.model.columns.some(({ isInteger }) => isInteger)
  const linear = hasWholes && !isBrief ? solve(withFixedIntegers(formulation, solution), limit()) : solution
  const plan = scheduleOf(problem, loads, skipped)
  const { loads: compared, scaled } = scaledTo(baselineOf(problem), loads, !isWhole(formulation.grid, 0))
  const baseline = scheduleOf(problem, compared, slotsToSkip(problem, compared))
  const { savedDkk, savedKgCo2 } = differenceOf(baseline, plan)
  const solved: Solved = {
    plan,
    baseline,
    scaled,
    savedDkk,
    savedKgCo2,
    missed: missedIn(problem, formulation, solution),
    binding: linear.status === 'optimal' && !isBrief ? findBinding(problem, formulation, linear) : [],
    roundedUp: roundedUp(problem, loads),
    assumedMs: problem.quarters.flatMap(({ atMs, isAssumed }) => (isAssumed ? [atMs] : [])),
    left: skipped.flatMap(({ id, market, fromMs, toMs, leaving }) =>
      leaving ? [{ soldId: id, market, span: { fromMs, toMs }, ...leaving }] : [],
    ),
    leavingSavesDkk:
      skipped.length > 0 && !isBrief ? leavingSaves(problem, formulation, solution, solve, limit()) : null,
    solveMs: Math.round(performance.now() - startedMs),
  }
  return solution.status === 'optimal'
    ? { status: 'optimal', ...solved }
    : { status: 'best-found', ...gapOf(formulation, solution), ...solved }
}
