import type { contradictions, ResultColumns, ResultField, ResultRow } from '@gridmast/contract/trading/bid-files.ts'
import { auctionsOfMarket } from '@gridmast/contract/bid-slots.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import {
  absoluteDecimal,
  compareDecimals,
  numberReader,
  subtractDecimals,
  unclearNumber,
} from '@gridmast/contract/numbers.ts'
import { localDate } from '@gridmast/contract/time.ts'
import { columnIndexes, dateOf, startsOf } from '#platform/files/import-table.ts'
import type { Table } from '#platform/files/read-table.ts'
import type { RowOf } from '#platform/records/rows.ts'
import type { Marginals } from '#trading/requests/earnings.ts'

/** Rows of the grid operator's result file, the bid that each of them decides, and the resulting changes (rules: result-file.md). */

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
type CellMistake = { field: ResultField; found: string; expected: string }

const wonWords = ['won', 'vundet', 'accepted', 'accepteret', 'awarded', 'yes', 'ja', 'true', '1']
const lostWords = ['lost', 'tabt', 'rejected', 'afvist', 'not accepted', 'no', 'nej', 'false', '0']

const outcomeOf = (
  mw: string,
  result: string,
  readMw: ReturnType<typeof numberReader>,
): string | true | CellMistake => {
  const word = result.toLowerCase()
  const isLostWord = lostWords.includes(word)
  const isWonWord = wonWords.includes(word)
  if (result !== '' && !isWonWord && !isLostWord) return { field: 'won', found: result, expected: m.wonWord }
  if (mw === '' && isWonWord) return true
  if (mw === '') return isLostWord ? '0' : { field: 'wonMw', found: '', expected: m.required }
  const decimal = readMw(mw)
  if (decimal === unclearNumber) return { field: 'wonMw', found: mw, expected: m.numberUnclear }
  if (decimal === null) return { field: 'wonMw', found: mw, expected: m.number }
  if (compareDecimals(decimal, '0') < 0) return { field: 'wonMw', found: mw, expected: m.atLeast(0) }
  const isWon = compareDecimals(decimal, '0') > 0
  const isContradicted = isWon ? isLostWord : isWonWord
  return isContradicted ? { field: 'won', found: result, expected: m.wonAgainstMw } : decimal
}

const auctionOf = (text: string, product: string | null): string => {
  const lower = text.toLowerCase()
  const auctions = product === null ? [] : auctionsOfMarket(product)
  return auctions.find((auction) => auction !== '' && auction.toLowerCase().endsWith(lower)) ?? text
}

export type ReadLine = { line: number; texts: ResultLine['texts'] } & (
  | { read: ResultLine; mistake: null }
  | { read: null; mistake: CellMistake }
)

const isPrice = (price: string | null): price is string =>
  price !== null && (price.split('.')[1]?.length ?? 0) <= 6 && price.length <= 16

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
    const texts = { instance: text('instance'), product: text('product'), auction: text('auction') }
    const line = i + 2
    const refuse = (field: ResultField, expected: string): ReadLine[] => [
      { line, read: null, mistake: { field, found: text(field), expected }, texts },
    ]
    const starts = columns.start === undefined ? [] : startsOf(text('start'), isUtc)
    if (columns.start !== undefined && starts.length === 0) return refuse('start', m.resultStart)
    const day = columns.day === undefined ? null : dateOf(text('day'))
    if (columns.start === undefined && !localDate.safeParse(day).success) return refuse('day', m.date)
    if (columns.start === undefined && !/^\d{1,2}$/.test(text('slot'))) return refuse('slot', m.wholeNumber)
    const won = outcomeOf(text('wonMw'), text('won'), readMw)
    if (typeof won === 'object') return [{ line, read: null, mistake: won, texts }]
    const price = text('marginalPrice') === '' ? null : readPrice(text('marginalPrice'))
    if (price === unclearNumber) return refuse('marginalPrice', m.numberUnclear)
    if (text('marginalPrice') !== '' && !isPrice(price)) return refuse('marginalPrice', m.number)
    if (price !== null && compareDecimals(absoluteDecimal(price), String(limits.bidEurMax)) > 0)
      return refuse('marginalPrice', m.atMost(limits.bidEurMax))
    const product = texts.product || null
    const read: ResultLine = {
      line,
      texts,
      request: text('request') || null,
      instance: texts.instance || null,
      product,
      starts,
      won,
      auction: texts.auction === '' ? null : auctionOf(texts.auction, product),
      daySlot: starts.length === 0 && day !== null ? { day, slot: Number(text('slot')) } : null,
      marginalPrice: price,
    }
    return [{ line, read, mistake: null, texts }]
  })
}

export type BidOfInstance = Omit<RowOf<'bid'>, 'customer_id' | 'regulation_price_eur' | 'sent_at' | 'decided_at'> & {
  instance_name: string
  area: string | null
}

export type Decision = {
  bid: BidOfInstance
  wonMw: string
  marginalPriceEur: string | null
  publishedEur: string | null
  kind: 'first' | 'changed' | 'confirmed' | 'same'
  isOutcomeChanged: boolean
  contradiction: (typeof contradictions)[number] | null
}

type Bids = ReturnType<typeof indexBids>

const keyOf = (instanceId: string, period: number | string) => `${instanceId} ${period}`
const slotKey = (day: string, slot: number) => `${day}/${slot}`

export const indexBids = (bids: readonly BidOfInstance[]) => {
  const periods = (bid: BidOfInstance) => [bid.starts_at.getTime(), slotKey(bid.day, bid.slot)]
  const at = new Map<string, BidOfInstance[]>()
  for (const bid of bids)
    for (const period of periods(bid)) {
      const key = keyOf(bid.instance_id, period)
      at.set(key, [...(at.get(key) ?? []), bid])
    }
  const instances = new Map(bids.map((bid) => [bid.instance_id, bid.instance_name.trim().toLowerCase()]))
  return { at, instances, ofRequest: new Map(bids.map((bid) => [bid.request_id, bid.instance_id])) }
}

export const findBids = ({ at, instances, ofRequest }: Bids, line: ResultLine): BidOfInstance[] => {
  const instanceId = line.request === null ? undefined : ofRequest.get(line.request)
  if (line.request !== null && instanceId === undefined) return []
  const instanceName = line.instance?.toLowerCase()
  const candidates = instanceId === undefined ? [...instances.keys()] : [instanceId]
  const instanceIds = candidates.filter(
    (id) => instanceName === undefined || id === instanceName || instances.get(id) === instanceName,
  )
  const periods = line.daySlot ? [slotKey(line.daySlot.day, line.daySlot.slot)] : line.starts
  return instanceIds
    .flatMap((id) => periods.flatMap((period) => at.get(keyOf(id, period)) ?? []))
    .filter(
      (bid) =>
        (line.request === null || bid.request_id === line.request) &&
        (line.product === null || bid.product === line.product || bid.market === line.product) &&
        (line.auction === null || bid.auction === line.auction),
    )
}

/** Files are rounded to cents. */
const roundedEur = '0.005'
const isOtherPrice = (a: string, b: string) => {
  const difference = absoluteDecimal(subtractDecimals(a, b))
  return compareDecimals(difference, roundedEur) >= 0
}

const isSameDecimal = (a: string | null, b: string | null) =>
  a === null || b === null ? a === b : compareDecimals(a, b) === 0

export const decideBid = (bid: BidOfInstance, line: ResultLine, priceAt: Marginals): Decision | string => {
  const wonMw = line.won === true ? bid.capacity_mw : line.won
  if (compareDecimals(wonMw, bid.capacity_mw) > 0) return m.moreThanBid(bid.capacity_mw)
  if ((wonMw.split('.')[1]?.length ?? 0) > 3) return m.decimals(3)
  const isWon = compareDecimals(wonMw, '0') > 0
  const publishedEur = priceAt(bid.product, bid.auction, bid.starts_at.getTime())
  const marginalPriceEur = line.marginalPrice ?? publishedEur ?? bid.marginal_price_eur
  const isOutcomeChanged = bid.won !== null && (bid.won !== isWon || !isSameDecimal(bid.won_mw ?? '0', wonMw))
  const isChanged = isOutcomeChanged || !isSameDecimal(bid.marginal_price_eur, marginalPriceEur)
  const unchanged = bid.decided_by === 'result-file' ? 'same' : 'confirmed'
  const kind = bid.won === null ? 'first' : isChanged ? 'changed' : unchanged
  return {
    bid,
    wonMw,
    marginalPriceEur,
    publishedEur,
    kind,
    isOutcomeChanged,
    contradiction: publishedEur === null ? null : contradictionOf(bid, isWon, line.marginalPrice, publishedEur),
  }
}

const contradictionOf = (bid: BidOfInstance, isWon: boolean, lineEur: string | null, publishedEur: string) => {
  const above = compareDecimals(bid.price_eur, publishedEur)
  if (isWon && above > 0) return 'won-above'
  if (!isWon && above < 0) return 'lost-below'
  return lineEur !== null && isOtherPrice(lineEur, publishedEur) ? 'other-price' : null
}

export const toRow = (line: number, decision: Decision): ResultRow => {
  const { bid, wonMw, marginalPriceEur, publishedEur, kind, contradiction } = decision
  return {
    line,
    kind,
    mistake: null,
    instance: bid.instance_name,
    product: bid.product,
    auction: bid.auction,
    start: bid.starts_at.toISOString(),
    bid: { capacityMw: bid.capacity_mw, priceEur: bid.price_eur },
    wonMw,
    marginalPriceEur,
    publishedEur,
    contradiction,
    before: bid.won === null ? null : { wonMw: bid.won_mw ?? '0', marginalPriceEur: bid.marginal_price_eur },
  }
}
