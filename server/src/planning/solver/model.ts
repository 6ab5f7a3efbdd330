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
