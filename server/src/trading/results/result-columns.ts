import type { ResultColumns, ResultField } from '@gridmast/contract/trading/bid-files.ts'
import { auctionsOfMarket } from '@gridmast/contract/bid-slots.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { absoluteDecimal, compareDecimals, numberReader, unclearNumber } from '@gridmast/contract/numbers.ts'
import { localDate } from '@gridmast/contract/time.ts'
import { columnIndexes, dateOf, startsOf } from '#platform/files/import-table.ts'
import type { Table } from '#platform/files/read-table.ts'

/** Rows of the grid operator's result file (rules: result-file.md). */

/** The preferred name first: of two columns with a start the one in UTC. */
export const headings: Record<ResultField, readonly string[]> = {
  request: ['request', 'request id', 'anmodning', 'anmodnings-id'],
  instance: ['instance', 'anlæg', 'unit', 'resource', 'enhed'],
  product: ['product', 'produkt', 'market', 'marked'],
  auction: ['auction', 'auktion'],
  start: [
    'from (utc)',
    'start (utc)',
    'start utc',
    'fra (utc)',
    'hourutc',
    'timeutc',
    'from (europe/berlin)',
    'from',
    'start',
    'fra',
    'starttid',
    'start time',
    'hourdk',
    'timedk',
  ],
  day: ['day', 'dag', 'date', 'dato', 'delivery date'],
  slot: ['slot', 'tidsrum'],
  wonMw: [
    'accepted (mw)',
    'won (mw)',
    'awarded (mw)',
    'vundet (mw)',
    'accepteret (mw)',
    'tildelt (mw)',
    'accepted mw',
    'won mw',
    'awarded mw',
    'accepted',
    'awarded',
  ],
  won: ['result', 'resultat', 'won', 'vundet', 'outcome'],
  marginalPrice: [
    'marginal price (eur/mw)',
    'marginal price',
    'marginalpris (eur/mw)',
    'marginalpris',
    'clearing price (eur/mw)',
    'clearing price',
    'published (eur/mw)',
  ],
}

const fields = Object.keys(headings) as ResultField[] // the keys of `headings`

export const missingOf = (columns: ResultColumns): string | null => {
  if (columns.start === undefined && (columns.day === undefined || columns.slot === undefined)) return m.resultNoStart
  return columns.wonMw === undefined && columns.won === undefined ? m.resultNoOutcome : null
}

/** null: the file does not state it. `starts` has both hours where the local one is repeated. */
export type ResultLine = {
  line: number
  texts: { instance: string; product: string; auction: string }
  request: string | null
  instance: string | null
  product: string | null
  auction: string | null
  starts: number[]
  daySlot: { day: string; slot: number } | null
  won: string | true
  marginalPrice: string | null
}
type Wrong = { field: ResultField; found: string; expected: string }

const wonWords = ['won', 'vundet', 'accepted', 'accepteret', 'awarded', 'yes', 'ja', 'true', '1']
const lostWords = ['lost', 'tabt', 'rejected', 'afvist', 'not accepted', 'no', 'nej', 'false', '0']

const outcomeOf = (mw: string, result: string, readMw: ReturnType<typeof numberReader>): string | true | Wrong => {
  const word = result.toLowerCase()
  const said = wonWords.includes(word) ? true : lostWords.includes(word) ? false : null
  if (result !== '' && said === null) return { field: 'won', found: result, expected: m.wonWord }
  if (mw === '') return said === null ? { field: 'wonMw', found: '', expected: m.required } : said || '0'
  const decimal = readMw(mw)
  if (decimal === unclearNumber) return { field: 'wonMw', found: mw, expected: m.numberUnclear }
  if (decimal === null) return { field: 'wonMw', found: mw, expected: m.number }
  if (compareDecimals(decimal, '0') < 0) return { field: 'wonMw', found: mw, expected: m.atLeast(0) }
  const isWon = compareDecimals(decimal, '0') > 0
  return said !== null && said !== isWon ? { field: 'won', found: result, expected: m.wonAgainstMw } : decimal
}

const auctionOf = (text: string, product: string | null): string => {
  const lower = text.toLowerCase()
  const own = product === null ? [] : auctionsOfMarket(product)
  return own.find((auction) => auction !== '' && auction.toLowerCase().endsWith(lower)) ?? text
}

type ReadLine = { line: number; read: ResultLine | null; wrong: Wrong | null; texts: ResultLine['texts'] }

export const readLines = (
  [names = [], ...table]: string[][],
  columns: ResultColumns,
  delimiter: Table['delimiter'],
): ReadLine[] => {
  const at = columnIndexes(fields, names, columns)
  const isUtc = /utc/i.test(columns.start ?? '')
  const cellsOf = (field: ResultField) => (at[field] < 0 ? [] : table.map((cells) => cells[at[field]] ?? ''))
  const [mws, prices] = [cellsOf('wonMw'), cellsOf('marginalPrice')]
  const [readMw, readPrice] = [numberReader(mws, prices, delimiter), numberReader(prices, mws, delimiter)]
  return table.flatMap((cells, i): ReadLine[] => {
    if (cells.every((cell) => cell === '')) return []
    const text = (field: ResultField) => cells[at[field]] ?? ''
    const said = (field: ResultField) => text(field) || null
    const texts = { instance: text('instance'), product: text('product'), auction: text('auction') }
    const line = i + 2
    const refused = (wrong: Wrong) => [{ line, read: null, wrong, texts }]
    const starts = columns.start === undefined ? [] : startsOf(text('start'), isUtc)
    if (columns.start !== undefined && starts.length === 0)
      return refused({ field: 'start', found: text('start'), expected: m.resultStart })
    const day = columns.day === undefined ? null : dateOf(text('day'))
    if (columns.start === undefined && !localDate.safeParse(day).success)
      return refused({ field: 'day', found: text('day'), expected: m.date })
    const isSlot = /^\d{1,2}$/.test(text('slot'))
    if (columns.start === undefined && !isSlot)
      return refused({ field: 'slot', found: text('slot'), expected: m.wholeNumber })
    const won = outcomeOf(text('wonMw'), text('won'), readMw)
    if (typeof won === 'object') return refused(won)
    const price = text('marginalPrice') === '' ? null : readPrice(text('marginalPrice'))
    if (price === unclearNumber)
      return refused({ field: 'marginalPrice', found: text('marginalPrice'), expected: m.numberUnclear })
    if (text('marginalPrice') !== '' && (price === null || (price.split('.')[1]?.length ?? 0) > 6 || price.length > 16))
      return refused({ field: 'marginalPrice', found: text('marginalPrice'), expected: m.number })
    if (price !== null && compareDecimals(absoluteDecimal(price), String(limits.bidEurMax)) > 0)
      return refused({ field: 'marginalPrice', found: text('marginalPrice'), expected: m.atMost(limits.bidEurMax) })
    const product = said('product')
    const read: ResultLine = {
      line,
      texts,
      request: said('request'),
      instance: said('instance'),
      product,
      starts,
      won,
      auction: said('auction') === null ? null : auctionOf(text('auction'), product),
      daySlot: starts.length === 0 && day !== null ? { day, slot: Number(text('slot')) } : null,
      marginalPrice: price,
    }
    return [{ line, read, wrong: null, texts }]
  })
}
