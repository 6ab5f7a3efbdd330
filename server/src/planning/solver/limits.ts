import { addColumn, addRow, type Model, type Row } from './model.ts'
import type { Binding, Limit, MissedWish } from './plan.ts'

/** Rows of limits that a user can change: the dual is the value of one more unit, and without a plan the limit is relaxed as little as possible. */

/** A need may be relaxed downwards, and upwards (`raises`) where sold slots require more. */
export type LimitKey = { limit: Limit; id: string | null; raises?: true }

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
    takes: number
    least: number
    rows: readonly [number, number]
  }[]
  giveWay: ((key: LimitKey) => boolean) | null
}

const keyOf = ({ limit, id, raises }: LimitKey) => `${limit} ${id ?? ''} ${raises ?? ''}`

export const limitOf = (program: Program, limit: LimitKey & Pick<LimitRows, 'unit' | 'now'>): LimitRows => {
  const known = program.limits.get(keyOf(limit))
  if (known) return known
  // Relaxations are relative to the current value: a kW of a charger is more than one of a harbour.
  const slack = program.giveWay?.(limit)
    ? addColumn(program.model, { cost: 1 / Math.max(1, Math.abs(limit.now)) })
    : null
  const made: LimitRows = { ...limit, places: [], slack }
  program.limits.set(keyOf(limit), made)
  return made
}

/** One more unit of a limit lets the row grow by `perUnit`, or lowers its minimum where it is no upper limit. */
export const limitRow = (
  { model }: Program,
  row: Row,
  quarter: number,
  ...limits: readonly (readonly [limit: LimitRows, perUnit: number])[]
): void => {
  const gives = limits.flatMap(([{ slack }, perUnit]) =>
    slack === null ? [] : [[slack, row.sense === '<=' ? -perUnit : perUnit] as const],
  )
  const at = addRow(model, { ...row, terms: [...row.terms, ...gives] })
  for (const [limit, perUnit] of limits) limit.places.push({ row: at, column: null, perUnit, quarter })
}

export const limitColumn = (
  program: Program,
  column: number,
  quarter: number,
  limit: LimitRows,
  perUnit: number,
): void => {
  const made = program.model.columns[column]
  if (!made || limit.slack === null) return void limit.places.push({ row: null, column, perUnit, quarter })
  const { upper } = made
  made.upper = Infinity
  limitRow(program, { terms: [[column, 1]], sense: '<=', limit: upper }, quarter, [limit, perUnit])
}
