import type { Formulation } from './formulate.ts'
import type { LoadColumns } from './load-rows.ts'
import type { Model, Session, Solution, Solve } from './model.ts'
import { chooseRuns } from './run-choice.ts'

/**
 * Integer plan from the linear relaxation, whose objective is a lower bound. On/off loads choose their runs one by one by the duals' price of each
 * quarter, a load with a least power is on or off by its energy, and the rest is solved again from the last basis. A result close enough to the bound
 * is optimal and needs no search.
 */

type Program = Pick<Formulation, 'model' | 'loads' | 'grid' | 'semis' | 'wishes' | 'wish' | 'site' | 'shared'>

/** A plan this close to the best counts as optimal: a thousandth of its cost, or half an øre at 1000 units per DKK. */
export const nearEnough = { relative: 1e-3, units: 5 }

export const wishCost = ({ model, wishes }: Pick<Program, 'model' | 'wishes'>, values: readonly number[]): number =>
  wishes.reduce(
    (all, { places }) =>
      places.reduce((sum, { column }) => sum + (model.columns[column]?.cost ?? 0) * (values[column] ?? 0), all),
    0,
  )

const isNear = (program: Program, plan: Solution, bound: Solution): boolean => {
  const planUnits = Math.abs(plan.objective - program.model.sunk - wishCost(program, plan.values))
  return plan.objective - bound.objective <= Math.max(nearEnough.units, nearEnough.relative * planUnits)
}

const tolerance = 1e-6

const pricesOf = ({ model }: Program, { columnDuals, rowDuals }: Solution, { isOn, rows }: OnOffColumns): number[] => {
  const prices = new Map(isOn.map((column) => [column, columnDuals[column] ?? 0]))
  for (let row = rows.from; row < rows.to; row++)
    for (const [column, factor] of model.rows[row]?.terms ?? []) {
      const price = prices.get(column)
      if (price !== undefined) prices.set(column, price + factor * (rowDuals[row] ?? 0))
    }
  return isOn.map((column) => prices.get(column) ?? 0)
}

type OnOffColumns = NonNullable<LoadColumns['onOff']>

const isWhole = (value: number) => Math.abs(value - Math.round(value)) < tolerance

type Semi = Program['semis'][number]

/** Golden-ratio order: equal loads take turns across quarters. */
const golden = (Math.sqrt(5) - 1) / 2

/** Without the integers of least powers their rows do not bind: the program is half as large. Indices stay. */
const withoutSemis = ({ model, semis }: Program): Model => {
  const idle = new Set(semis.flatMap(({ rows }) => rows))
  const columns = [...model.columns]
  for (const { column, least } of semis) {
    const bounds = columns[column]
    if (bounds && bounds.upper < least) columns[column] = { ...bounds, upper: 0 }
  }
  return {
    ...model,
    columns,
    rows: model.rows.map((row, at) => (idle.has(at) ? { terms: [], sense: '<=', limit: 0 } : row)),
  }
}

const switchSemi = ({ model }: Program, session: Session, { column, least }: Semi, isOn: boolean) =>
  session.bound(column, isOn ? least : 0, isOn ? (model.columns[column]?.upper ?? least) : 0)

const withSemis = ({ semis }: Program, plan: Solution): Solution => {
  const values = [...plan.values]
  for (const { isOn, column } of semis) values[isOn] = (values[column] ?? 0) > tolerance ? 1 : 0
  return { ...plan, values }
}

const roomsOf = ({ loads, grid, semis, site, shared }: Program, { values }: Solution, q: number) => {
  const takenBy = ({ kwhTerms }: LoadColumns) =>
    (kwhTerms[q] ?? []).reduce((sum, [column, factor]) => sum + factor * (values[column] ?? 0), 0)
  const semiLoads = new Set(semis.map(({ loadId }) => loadId))
  const others = loads.filter(({ load }) => !semiLoads.has(load.id))
  const all = site.room(values, q) - others.reduce((sum, load) => sum + takenBy(load), 0)
  return [
    { kwh: all, has: () => true },
    ...shared.map(({ loadIds, limitKw }) => ({
      kwh: limitKw * (grid.hours[q] ?? 0),
      has: (id: string) => loadIds.includes(id),
    })),
  ]
}

/** Loads with the least energy in a quarter without room for all least powers; otherwise each would move from one such quarter to the next. */
const withoutRoom = (program: Program, solution: Solution, isOff: (semi: Semi) => boolean): Semi[] => {
  const takenBy = ({ column }: Semi) => solution.values[column] ?? 0
  return [...Map.groupBy(program.semis, ({ quarter }) => quarter)].flatMap(([q, semis]) => {
    if (semis.every((semi) => takenBy(semi) < tolerance)) return []
    const rooms = roomsOf(program, solution, q)
    return semis
      .toSorted((a, b) => takenBy(b) - takenBy(a))
      .filter((semi, at) => {
        const limits = rooms.filter(({ has }) => has(semi.loadId))
        const isOut = at > 0 && limits.some(({ kwh }) => semi.least > kwh + tolerance)
        if (!isOut) for (const limit of limits) limit.kwh -= semi.least
        return isOut && !isOff(semi)
      })
  })
}

/**
 * A load above 0 but below its least power gets the least power: the largest share first, half of the close ones at a time. Where that costs more, as
 * under a charged peak, those with the smallest share are set to 0: half of them at a time, and fewer where needs would be missed.
 */
const fixSemis = (program: Program, first: Solution, run: () => Solution, session: Session): Solution | null => {
  const { semis, wish } = program
  let solution = first
  let half = Infinity
  const off = new Set<number>()
  let isCrowded = true
  const shareOf = ({ column, least }: Semi) => (solution.values[column] ?? 0) / least
  const turn = (those: readonly Semi[], isOn: boolean) => {
    for (const semi of those) switchSemi(program, session, semi, isOn)
  }
  for (let round = 0; round <= 2 * semis.length; round++) {
    const open = semis
      .map((semi, at) => ({ ...semi, share: shareOf(semi), turn: (at * golden) % 1 }))
      .filter(({ share }) => share > 1e-5 && share < 1 - 1e-5)
      .toSorted((a, b) => Math.round(1000 * b.share) - Math.round(1000 * a.share) || a.turn - b.turn)
    if (open.length === 0) {
      for (const semi of semis) switchSemi(program, session, semi, shareOf(semi) > 0.5)
      return solution
    }
    const out = isCrowded ? withoutRoom(program, solution, ({ column }) => off.has(column)) : []
    if (out.length > 0) {
      turn(out, false)
      const fewer = run()
      isCrowded = fewer.status === 'optimal' && fewer.objective < solution.objective + wish / 100
      if (isCrowded) {
        for (const { column } of out) off.add(column)
        solution = fewer
        continue
      }
      for (const { column } of out) session.free(column)
    }
    const tried = open.slice(0, Math.max(1, open.filter(({ share }) => share > 0.5).length >> 1))
    turn(tried, true)
    const next = run()
    if (next.status === 'optimal' && next.objective < solution.objective + wish / 100) {
      solution = next
      continue
    }
    half = Math.max(1, Math.min(half, open.length >> 1))
    const dropped = open.slice(-half)
    for (const { column } of tried) session.free(column)
    turn(dropped, false)
    const without = run()
    if (without.status === 'optimal' && !(next.status === 'optimal' && next.objective < without.objective)) {
      solution = without
      continue
    }
    for (const { column } of dropped) session.free(column)
    if (half > 1) half >>= 1
    else if (next.status === 'optimal') {
      turn(tried, true)
      solution = next
    } else return null
  }
  return null
}

type Choice = { one: LoadColumns; of: OnOffColumns }

const choose = (program: Program, solution: Solution, { one: { load }, of }: Choice) => {
  if (load.kind !== 'on-off') return null
  const prices = pricesOf(program, solution, of)
  const chosen = chooseRuns({ grid: program.grid, load, prices, missedPrice: load.isFirm ? null : program.wish })
  return chosen && { ...chosen, prices }
}

const fixRuns = (program: Program, solution: Solution, session: Session, choice: Choice): boolean => {
  const chosen = choose(program, solution, choice)
  choice.of.isOn.forEach((column, q) => chosen && session.fix(column, chosen.isOn[q] ? 1 : 0))
  return chosen !== null
}

/** Rise of the bound when a load's own rules are integers: its best runs cost that much more than the relaxed ones (Lagrange). */
const boundRise = (program: Program, bound: Solution, choice: Choice): number => {
  const chosen = choose(program, bound, choice)
  if (!chosen) return 0
  const { isOn, rows } = choice.of
  const { model } = program
  const others = new Set(model.rows.slice(rows.from, rows.to).flatMap(({ terms }) => terms.map(([column]) => column)))
  for (const column of isOn) others.delete(column)
  const valueOf = (column: number, price = 0) => price * (bound.values[column] ?? 0)
  const used = isOn.reduce((sum, column, q) => sum + valueOf(column, chosen.prices[q]), 0)
  const missed = [...others].reduce((sum, column) => sum + valueOf(column, model.columns[column]?.cost), 0)
  return Math.max(0, chosen.cost - used - missed)
}

const kwOf = ({ one: { load } }: Choice) => (load.kind === 'on-off' ? load.kw : 0)

type DiveResult = { bound: Solution; plan: Solution | null }

const dive = (program: Program, session: Session, leftS: () => number): DiveResult | null => {
  const { model, loads, semis } = program
  const limit = () => ({ timeLimitS: Math.max(0.05, leftS()) })
  const linear = session.run(limit())
  if (linear.status !== 'optimal') return null
  const choices = loads
    .flatMap((one) => (one.onOff ? [{ one, of: one.onOff }] : []))
    .toSorted((a, b) => kwOf(b) - kwOf(a))
  const handled = new Set([...semis.map(({ isOn }) => isOn), ...choices.flatMap(({ of }) => of.isOn)])
  const rise = choices.reduce((sum, choice) => sum + boundRise(program, linear, choice), 0)
  const bound = { ...linear, objective: linear.objective + rise }
  let solution = linear
  const solved = (): boolean => {
    const next = session.run(limit())
    if (next.status !== 'optimal') return false
    solution = next
    return true
  }
  const others = model.columns.flatMap((column, at) => (column.isInteger && !handled.has(at) ? [at] : []))
  if (others.length > 0) {
    for (const at of others) session.fix(at, Math.round(solution.values[at] ?? 0))
    if (!solved()) return { bound, plan: null }
  }
  const isOpen = ({ of }: Choice) => of.isOn.some((column) => !isWhole(solution.values[column] ?? 0))
  for (const choice of choices.filter(isOpen)) {
    if (!fixRuns(program, solution, session, choice) || !solved()) return { bound, plan: null }
  }
  for (const choice of choices) {
    if (isOpen(choice) && (!fixRuns(program, solution, session, choice) || !solved())) return { bound, plan: null }
    for (const column of choice.of.isOn) session.fix(column, Math.round(solution.values[column] ?? 0))
  }
  if (semis.length > 0) {
    const next = fixSemis(program, solution, () => session.run(limit()), session)
    if (!next) return { bound, plan: null }
    solution = next
  }
  for (let round = 0; round < 2 && choices.length > 1 && !isNear(program, solution, bound); round++) {
    const before = solution
    for (const choice of choices) {
      if (leftS() < 0.2) break
      const kept = solution
      for (const column of choice.of.isOn) session.free(column)
      const chosen =
        solved() && fixRuns(program, solution, session, choice) && solved() && solution.objective < kept.objective
      if (chosen) continue
      solution = kept
      for (const column of choice.of.isOn) session.fix(column, Math.round(kept.values[column] ?? 0))
    }
    if (solution.objective > before.objective - tolerance) break
  }
  return { bound, plan: solution }
}

const minSearchS = 0.05

/** The best plan in time, with its largest distance to the optimum; `searchS` limits only the search for a better one. */
export const solveWhole = (program: Program, solve: Solve, leftS: () => number, searchS = Infinity): Solution => {
  const { model } = program
  if (!solve.open || model.columns.every(({ isInteger }) => !isInteger)) return solve(model, { timeLimitS: leftS() })
  const session = solve.open(withoutSemis(program))
  const dived = dive(program, session, leftS)
  session.close()
  const plan = dived?.plan && withSemis(program, dived.plan)
  if (!dived || !plan) return solve(model, { timeLimitS: leftS() })
  const above = ({ objective }: Solution) => Math.max(0, objective - dived.bound.objective)
  if (isNear(program, plan, dived.bound)) return { ...plan, gap: above(plan) }
  if (searchS < minSearchS) return { ...plan, status: 'feasible', gap: above(plan) }
  const searched = solve(model, { timeLimitS: Math.min(searchS, leftS()), start: plan.values })
  if (searched.status === 'optimal') return searched
  const isBetter = searched.status === 'feasible' && searched.objective < plan.objective
  const best = isBetter ? searched : plan
  const gap = Math.min(above(best), isBetter ? (searched.gap ?? Infinity) : Infinity)
  return { ...best, status: 'feasible', gap }
}
