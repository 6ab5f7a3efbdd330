import { setImmediate as nextTurn } from 'node:timers/promises'
import { auctionsOfMarket } from '@gridmast/contract/bid-slots.ts'
import { m } from '@gridmast/contract/messages.ts'
import {
  absoluteDecimal,
  compareDecimals,
  multiplyDecimals,
  numberReader,
  roundDecimal,
  unclearNumber,
} from '@gridmast/contract/numbers.ts'
import {
  type StatementColumns,
  type StatementField,
  statementFields,
} from '@gridmast/contract/settlement/reconciliation.ts'
import type { Mistake } from '@gridmast/contract/table-mistake.ts'
import { localDate, localDateOf } from '@gridmast/contract/time.ts'
import { columnIndexes, dateOf, mistakeAt, startsOf } from '#platform/files/import-table.ts'
import type { Merged, Table } from '#platform/files/read-table.ts'
import type { StatementRow, StatementFacts } from './compare.ts'

/** Rows of the operator's statement (rules: compare.md). */

export const headings: Record<StatementField, readonly string[]> = {
  instance: ['instance', 'anlæg', 'unit', 'resource', 'enhed'],
  product: ['product', 'produkt', 'type', 'market', 'marked', 'reserve'],
  auction: ['auction', 'auktion'],
  start: [
    'from (utc)',
    'start (utc)',
    'start utc',
    'fra (utc)',
    'hourutc',
    'timeutc',
    'from (europe/berlin)',
    'start (europe/berlin)',
    'from',
    'start',
    'fra',
    'starttid',
    'start time',
    'hourdk',
  ],
  day: ['day', 'dag', 'date', 'dato', 'delivery date', 'driftsdøgn'],
  slot: ['slot', 'tidsrum'],
  mw: [
    'accepted (mw)',
    'won (mw)',
    'sold (mw)',
    'capacity (mw)',
    'volume (mw)',
    'mw',
    'accepteret (mw)',
    'vundet (mw)',
    'solgt (mw)',
    'kapacitet (mw)',
    'mængde (mw)',
    'volume',
    'mængde',
  ],
  price: [
    'price (eur/mw)',
    'marginal price (eur/mw)',
    'pris (eur/mw)',
    'marginalpris (eur/mw)',
    'clearing price (eur/mw)',
    'price',
    'pris',
    'marginal price',
    'marginalpris',
  ],
  availability: ['availability (%)', 'rådighed (%)', 'availability', 'rådighed', 'available (%)'],
  gross: [
    'gross (eur)',
    'amount (eur)',
    'brutto (eur)',
    'beløb (eur)',
    'gross (€)',
    'gross',
    'brutto',
    'amount',
    'beløb',
    'gross (dkk)',
    'amount (dkk)',
    'beløb (dkk)',
    'brutto (dkk)',
  ],
  share: ['share (%)', 'customer share (%)', 'andel (%)', 'kundens andel (%)', 'share', 'andel'],
  customer: [
    'customer (eur)',
    'customer revenue (eur)',
    'customer revenue (€)',
    'kunde (eur)',
    'to be paid (eur)',
    'til udbetaling (eur)',
    'udbetaling (eur)',
    'payout (eur)',
    'customer',
    'kunde',
    'udbetaling',
    'payout (dkk)',
  ],
  currency: ['currency', 'valuta'],
}
const allHeadings = new Set(Object.values(headings).flat())

const searchedRows = 20
const headOf = (rows: readonly string[][], selected: StatementColumns | undefined): number => {
  const selectedNames = selected && new Set(Object.values(selected))
  const score = (row: readonly string[]) =>
    row.filter((text) => (selectedNames ? selectedNames.has(text) : allHeadings.has(text.toLowerCase()))).length
  const scores = rows.slice(0, searchedRows).map(score)
  const best = Math.max(...scores, 0)
  return best < 2 ? 0 : scores.indexOf(best)
}

type Head = { top: number; names: string[]; rows: string[][]; merged: Merged[]; delimiter: Table['delimiter'] }
export const findHead = ({ rows, merged, delimiter }: Table, selected: StatementColumns | undefined): Head => {
  const top = headOf(rows, selected)
  return { top, names: rows[top] ?? [], rows: rows.slice(top + 1), merged, delimiter }
}

const filledDown: readonly StatementField[] = ['instance', 'product', 'auction', 'start', 'day', 'currency']
const currencies = /\b(DKK|SEK|NOK|USD|GBP|kr)\b/i

export const missingOf = ({ names, rows }: Head, columns: StatementColumns): string | null => {
  if (columns.instance === undefined || columns.product === undefined) return m.statementNoInstance
  if (columns.start === undefined && columns.day === undefined) return m.statementNoPeriod
  if (columns.gross === undefined && columns.customer === undefined) return m.statementNoAmount
  const named = [columns.gross, columns.customer, columns.price].map((name) => currencies.exec(name ?? '')?.[1])
  const at = names.indexOf(columns.currency ?? '\u0000')
  const currenciesInColumn = new Set(at < 0 ? [] : rows.map((cells) => cells[at] ?? '').filter((text) => text !== ''))
  const [only] = currenciesInColumn
  const other =
    named.find((one) => one !== undefined) ??
    (currenciesInColumn.size === 1 && only && !isEuro(only) ? only : undefined)
  return other === undefined ? null : m.statementCurrency(other.slice(0, 10))
}
const isEuro = (text: string) => /^(eur|euro|€)$/i.test(text)

type Wrong = { field: StatementField; expected: string }
export type ReadRow = StatementRow & { instance: string; product: string; day: string }
type ReadStatement = { rows: ReadRow[]; mistakes: Mistake[] }

const largest = '1000000000'
const longestNumber = 40
const bare = (text: string) => (text.length > longestNumber ? '' : text.replace(/(EUR|€|%|MW)$/i, '').trimEnd())
type Readers = Record<Numbers, ReturnType<typeof numberReader>>
const readersOf = ({ rows, delimiter }: Head, at: Places): Readers => {
  const cells = (fields: readonly Numbers[]) =>
    fields.flatMap((field) => (at[field] < 0 ? [] : rows.map((row) => bare(row[at[field]] ?? ''))))
  const all = cells(numbers)
  return Object.fromEntries(numbers.map((field) => [field, numberReader(cells([field]), all, delimiter)])) as Readers // the keys are the fields
}
const decimalOf = (decimal: string | null, [least, most]: [string, string], refused: string) => {
  if (decimal === unclearNumber) return { expected: m.numberUnclear }
  if (decimal === null) return { expected: m.number }
  return compareDecimals(decimal, least) < 0 || compareDecimals(decimal, most) > 0 ? { expected: refused } : decimal
}

type Numbers = 'mw' | 'price' | 'availability' | 'gross' | 'share' | 'customer'
const bounds: Record<Numbers, { within: [string, string]; refused: string; decimals: number }> = {
  mw: { within: ['0', '1000000'], refused: m.atLeast(0), decimals: 3 },
  price: { within: [`-${largest}`, largest], refused: m.number, decimals: 6 },
  availability: { within: ['0', '100'], refused: m.percent, decimals: 6 },
  share: { within: ['0', '100'], refused: m.percent, decimals: 6 },
  gross: { within: [`-${largest}`, largest], refused: m.number, decimals: 6 },
  customer: { within: [`-${largest}`, largest], refused: m.number, decimals: 6 },
}
const numbers: readonly Numbers[] = ['mw', 'price', 'availability', 'gross', 'share', 'customer']

const auctionOf = (text: string, product: string): string | null => {
  const auctions = auctionsOfMarket(product.toUpperCase()).filter((one) => one !== '')
  if (text === '' || auctions.length === 0) return null
  return auctions.find((one) => one.toLowerCase().endsWith(text.toLowerCase())) ?? text
}

type Places = Record<StatementField, number>

/** Percent columns with fractions of one, the way Excel stores a cell that it shows in percent. */
const partsOfOne = ({ rows }: Head, at: Places, readers: Readers): ReadonlySet<Numbers> =>
  new Set(
    (['availability', 'share'] as const).filter((field) => {
      const read = rows.map((cells) => readers[field](bare(cells[at[field]] ?? '')))
      const decimals = read.flatMap((decimal) => (decimal === null || decimal === unclearNumber ? [] : [decimal]))
      return decimals.length > 0 && !decimals.some((decimal) => compareDecimals(decimal, '1') > 0)
    }),
  )

const mergedRows = ({ top, rows, merged }: Head, at: Places) => {
  const last = top + rows.length
  const columns = new Map<number, Map<number, number>>()
  for (const column of Object.values(at)) if (column >= 0) columns.set(column, new Map())
  // Sorted by row, each row is written once per column, however many merged cells overlap.
  for (const { fromRow, toRow, fromColumn, toColumn } of merged.toSorted((a, b) => a.fromRow - b.fromRow)) {
    if (toRow <= fromRow || toRow <= top) continue
    for (const [column, firstOf] of columns) {
      if (column < fromColumn || column > toColumn || firstOf.has(fromRow)) continue
      for (let row = fromRow; row <= Math.min(toRow, last); row++) firstOf.set(row, fromRow)
    }
  }
  return (row: number, column: number): number | undefined => columns.get(column)?.get(row)
}

const atOnce = 1000

export const readStatement = async (head: Head, columns: StatementColumns): Promise<ReadStatement> => {
  const { top, names, rows } = head
  const at = columnIndexes(statementFields, names, columns)
  const readers = readersOf(head, at)
  const partsOf = partsOfOne(head, at, readers)
  const mergedFrom = mergedRows(head, at)
  const seen = new Map<string, number>()
  const read: ReadStatement = { rows: [], mistakes: [] }
  for (const [i, cells] of rows.entries()) {
    if (i % atOnce === 0) await nextTurn()
    if (cells.every((cell) => cell === '')) continue
    const place = top + 1 + i
    const text = (field: StatementField): string => {
      const from = filledDown.includes(field) ? mergedFrom(place, at[field]) : undefined
      return (from === undefined || from <= top ? cells : rows[from - top - 1])?.[at[field]] ?? ''
    }
    const refuse = (field: StatementField, expected: string) =>
      read.mistakes.push(mistakeAt(names, place + 1, at[field], { found: text(field), expected }))
    const mergedNumber = numbers.find((field) => mergedFrom(place, at[field]) !== undefined)
    const row = mergedNumber
      ? { field: mergedNumber, expected: m.mergedCell }
      : readRow(text, columns, readers, partsOf)
    if ('expected' in row) {
      refuse(row.field, row.expected)
      continue
    }
    const { instance, product, auction, period, day } = row
    const key = JSON.stringify([instance.toLowerCase(), product.toLowerCase(), auction, period, day])
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    // The repeated hour in October may appear twice.
    if (times > Math.max(1, period.starts.length)) refuse(columns.start ? 'start' : 'day', m.statementTwice)
    else read.rows.push({ ...row, row: place + 1 })
  }
  return read
}

const readRow = (
  text: (field: StatementField) => string,
  columns: StatementColumns,
  readers: Readers,
  partsOf: ReadonlySet<Numbers>,
): Omit<ReadRow, 'row'> | Wrong => {
  const refuse = (field: StatementField, expected: string): Wrong => ({ field, expected })
  const [instance, product] = [text('instance'), text('product')]
  if (instance === '') return refuse('instance', m.required)
  if (product === '') return refuse('product', m.required)
  if (text('currency') !== '' && !isEuro(text('currency'))) return refuse('currency', m.onlyEuro)
  const starts = columns.start === undefined ? [] : startsOf(text('start'), /utc/i.test(columns.start))
  if (columns.start !== undefined && starts.length === 0) return refuse('start', m.resultStart)
  const [start] = starts
  const day = start === undefined ? dateOf(text('day')) : localDateOf(start)
  if (!localDate.safeParse(day).success) return refuse('day', m.date)
  const slot = start === undefined && text('slot') !== '' ? text('slot') : null
  if (slot !== null && !/^\d{1,2}$/.test(slot)) return refuse('slot', m.wholeNumber)
  const values: Partial<Record<Numbers, string>> = {}
  for (const field of numbers) {
    if (text(field) === '') continue
    const { within, refused, decimals } = bounds[field]
    const value = decimalOf(readers[field](bare(text(field))), within, refused)
    if (typeof value === 'object') return refuse(field, value.expected)
    const isPercent = field === 'availability' || field === 'share'
    values[field] = roundDecimal(
      isPercent && !partsOf.has(field) ? multiplyDecimals(value, '0.01') : value,
      isPercent ? 8 : decimals,
    )
  }
  if (compareDecimals(absoluteDecimal(multiplyDecimals(values.mw ?? '0', values.price ?? '0')), largest) > 0)
    return refuse('price', m.number)
  if (columns.customer !== undefined && values.customer === undefined) return refuse('customer', m.required)
  if (columns.customer === undefined && values.gross === undefined) return refuse('gross', m.required)
  const theirs: StatementFacts = {
    mw: values.mw ?? null,
    priceEur: values.price ?? null,
    availability: values.availability ?? null,
    share: values.share ?? null,
    grossEur: values.gross ?? null,
    customerEur: values.customer ?? null,
  }
  return {
    instance,
    product,
    day,
    theirs,
    auction: auctionOf(text('auction'), product),
    period: { starts, slot: slot === null ? null : Number(slot) },
  }
}
