import type { Binding, MissedWish } from './plan.ts'
import type { LimitName } from '@gridmast/contract/planning/load-plan-answer.ts'

/** A linear program, with integer columns where needed. */
export type Model = {
  columns: Column[]
  rows: Row[]
  /** Constant part of the objective, excluded from the relative gap. */
  sunk: number
}

type Column = { cost: number; lower: number; upper: number; isInteger: boolean }

export type Term = readonly [column: number, factor: number]

type Row = { terms: readonly Term[]; sense: '<=' | '>=' | '='; limit: number }

export const newModel = (): Model => ({ columns: [], rows: [], sunk: 0 })

export const addColumn = (model: Model, column: Partial<Column> = {}): number =>
  model.columns.push({ cost: 0, lower: 0, upper: Infinity, isInteger: false, ...column }) - 1

/** `a - factor * b` */
export const difference = (a: number, b: number, factor = 1): Term[] => {
  const term: Term = [a, 1]
  return [term, [b, -factor]]
}

export const addRow = (model: Model, row: Row): number => model.rows.push(row) - 1

export type Prices = {
  /** Cost of a missed kWh of a wish, far above any energy cost; in objective units. */
  wish: number
  /** Per kWh of a load, so that among equal plans the earlier one is chosen. */
  tie: (no: number, quarter: number) => number
}

export type SolveOptions = { timeLimitS: number }

export type Solution = {
  /** `feasible`: the time limit was reached; `gap` bounds the distance to the optimum. */
  status: 'optimal' | 'feasible' | 'infeasible' | 'timed-out'
  objective: number
  /** The largest possible distance to the optimum, in units of the objective; null where unknown. */
  gap: number | null
  values: readonly number[]
  /** Objective change per unit of the right-hand side, by row and by column; empty with integer columns. */
  rowDuals: readonly number[]
  columnDuals: readonly number[]
}

/** A linear program solved repeatedly, each time from its last basis, while columns are fixed and freed. */
export type Session = {
  fix: (column: number, value: number) => void
  bound: (column: number, lower: number, upper: number) => void
  free: (column: number) => void
  run: (options: SolveOptions) => Solution
  close: () => void
}

export type Solve = ((model: Model, options: SolveOptions & { start?: readonly number[] }) => Solution) & {
  open?: (model: Model) => Session
}

/** Rows of limits that a user can change: the dual is the value of one more unit, and without a plan the limit is relaxed as little as possible. */

/** A need may be relaxed downwards, and upwards (`raises`) where sold slots require more. */
export type LimitKey = { limit: LimitName; id: string | null; raises?: true }

export type LimitRows = LimitKey & {
  unit: Binding['unit'] | 'starts'
  now: number
  /** A row, or a column at its upper bound, and the change per unit of the limit. */
  places: { row: number | null; column: number | null; perUnit: number; quarter: number }[]
  slack: number | null
}

type Wish = Pick<MissedWish, 'wish' | 'loadId' | 'wished' | 'unit'> & {
  places: { column: number; perUnit: number; quarter: number }[]
}

export type Program = {
  model: Model
  limits: Map<string, LimitRows>
  wishes: Wish[]
  /** Columns that are 0 or at least `least`, each with its integer column and the two rows that link them. */
  semis: {
    loadId: string
    quarter: number
    isOn: number
    column: number
    least: number
    rows: readonly [number, number]
  }[]
  canRelax: ((key: LimitKey) => boolean) | null
}

const keyOf = ({ limit, id, raises }: LimitKey) => `${limit} ${id ?? ''} ${raises ?? ''}`

export const limitOf = (program: Program, limit: LimitKey & Pick<LimitRows, 'unit' | 'now'>): LimitRows => {
  const existing = program.limits.get(keyOf(limit))
  if (existing) return existing
  // Relaxations are relative to the current value: a kW of a charger is more than one of a harbour.
  const slack = program.canRelax?.(limit)
    ? addColumn(program.model, { cost: 1 / Math.max(1, Math.abs(limit.now)) })
    : null
  const created: LimitRows = { ...limit, places: [], slack }
  program.limits.set(keyOf(limit), created)
  return created
}

/** One more unit of a limit lets the row grow by `perUnit`, or lowers its minimum where it is no upper limit. */
export const limitRow = (
  { model }: Program,
  row: Row,
  quarter: number,
  ...limits: readonly (readonly [limit: LimitRows, perUnit: number])[]
): void => {
  const slackTerms = limits.flatMap(([{ slack }, perUnit]) =>
    slack === null ? [] : [[slack, row.sense === '<=' ? -perUnit : perUnit] as const],
  )
  const at = addRow(model, { ...row, terms: [...row.terms, ...slackTerms] })
  for (const [limit, perUnit] of limits) limit.places.push({ row: at, column: null, perUnit, quarter })
}

export const limitColumn = (program: Program, column: number, quarter: number, limit: LimitRows, perUnit: number) => {
  const created = program.model.columns[column]
  if (!created || limit.slack === null) return void limit.places.push({ row: null, column, perUnit, quarter })
  const { upper } = created
  created.upper = Infinity
  limitRow(program, { terms: [[column, 1]], sense: '<=', limit: upper }, quarter, [limit, perUnit])
}
