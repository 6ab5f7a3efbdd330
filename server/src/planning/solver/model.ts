/** A linear program with whole-number columns where needed. */
export type Model = {
  columns: Column[]
  rows: Row[]
  /** Of the objective, what no plan can change: how near is near enough is measured without it. */
  sunk: number
}

export type Column = { cost: number; lower: number; upper: number; isInteger: boolean }

/** A column, by its place, and its factor. */
export type Term = readonly [column: number, factor: number]

export type Row = { terms: readonly Term[]; sense: '<=' | '>=' | '='; limit: number }

export const newModel = (): Model => ({ columns: [], rows: [], sunk: 0 })

/** Not below 0 and without an upper bound where nothing else is said. */
export const addColumn = (model: Model, column: Partial<Column> = {}): number =>
  model.columns.push({ cost: 0, lower: 0, upper: Infinity, isInteger: false, ...column }) - 1

export const addRow = (model: Model, row: Row): number => model.rows.push(row) - 1

export type Prices = {
  /** Of a kWh of a wish, far above any energy; in units of the objective as all of them. */
  wish: number
  /** On each kWh of a load, so that of equal plans the earlier is taken. */
  tie: (no: number, quarter: number) => number
}

export type SolveOptions = { timeLimitS: number }

export type Solution = {
  /** `feasible`: the time limit was reached; `gap` bounds what is left. */
  status: 'optimal' | 'feasible' | 'infeasible' | 'timed-out'
  objective: number
  /** The largest possible distance to the optimum, in units of the objective; null where unknown. */
  gap: number | null
  /** By column. */
  values: readonly number[]
  /** By row and by column; what one unit more on the right side adds to the objective. Empty where columns are whole numbers. */
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
  /** Without whole numbers. */
  open?: (model: Model) => Session
}
