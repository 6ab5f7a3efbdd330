/** A linear program, with integer columns where needed. */
export type Model = {
  columns: Column[]
  rows: Row[]
  /** Constant part of the objective, excluded from the relative gap. */
  sunk: number
}

export type Column = { cost: number; lower: number; upper: number; isInteger: boolean }

export type Term = readonly [column: number, factor: number]

export type Row = { terms: readonly Term[]; sense: '<=' | '>=' | '='; limit: number }

export const newModel = (): Model => ({ columns: [], rows: [], sunk: 0 })

export const addColumn = (model: Model, column: Partial<Column> = {}): number =>
  model.columns.push({ cost: 0, lower: 0, upper: Infinity, isInteger: false, ...column }) - 1

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
