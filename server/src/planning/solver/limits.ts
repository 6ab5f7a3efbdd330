import { addColumn, addRow, type Model, type Row } from './model.ts'
import type { Binding, Limit, MissedWish } from './plan.ts'

/*
 * Each row of the program that a person could change belongs to a limit: its dual says what one unit more is worth, and where there is no
 * plan, the limit gives way by as little as can be.
 */

/** A need gives way to less, and where slots that are sold ask for it (`raises`) to more. */
export type LimitKey = { limit: Limit; id: string | null; raises?: true }

export type LimitRows = LimitKey & {
  unit: Binding['unit'] | 'starts'
  /** Its current value, in its unit. */
  now: number
  /** A row, or a column that is at its upper bound, and by how much one unit of the limit moves it. */
  places: { row: number | null; column: number | null; perUnit: number; quarter: number }[]
  /** How far it gives way, in its unit; null where it may not. */
  slack: number | null
}

/** A wish and the columns that say by how much it is missed. */
type Wish = Pick<MissedWish, 'wish' | 'loadId' | 'wished' | 'unit'> & {
  places: { column: number; perUnit: number; quarter: number }[]
}

export type Program = {
  model: Model
  limits: Map<string, LimitRows>
  wishes: Wish[]
  /** Columns that are nothing or at least so much, each with the one that says which, and the two rows that hold them together. */
  semis: {
    loadId: string
    quarter: number
    isOn: number
    takes: number
    least: number
    rows: readonly [number, number]
  }[]
  /** Limits that give way; null where none does and the bill counts. */
  giveWay: ((key: LimitKey) => boolean) | null
}

const keyOf = ({ limit, id, raises }: LimitKey) => `${limit} ${id ?? ''} ${raises ?? ''}`

export const limitOf = (program: Program, limit: LimitKey & Pick<LimitRows, 'unit' | 'now'>): LimitRows => {
  const known = program.limits.get(keyOf(limit))
  if (known) return known
  // The least change in proportion to what it is now: a kW of a charger is more than one of a harbour.
  const slack = program.giveWay?.(limit)
    ? addColumn(program.model, { cost: 1 / Math.max(1, Math.abs(limit.now)) })
    : null
  const made: LimitRows = { ...limit, places: [], slack }
  program.limits.set(keyOf(limit), made)
  return made
}

/** One unit of a limit more lets the row take `perUnit` more, or asks for so much less where it is no upper limit. */
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

/** The same of a column's upper bound; only where it gives way does it become a row. */
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
