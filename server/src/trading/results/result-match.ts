import type { contradictions, ResultRow } from '@gridmast/contract/trading/bid-files.ts'
import { m } from '@gridmast/contract/messages.ts'
import { absoluteDecimal, compareDecimals, subtractDecimals } from '@gridmast/contract/numbers.ts'
import type { Marginals } from '#trading/requests/earnings.ts'
import type { ResultLine } from './result-columns.ts'

/** The bid that a row of a result file decides, and the resulting changes (rules: result-file.md). */

export type DecidedBid = {
  instance_id: string
  instance_name: string
  area: string | null
  market: string
  product: string
  auction: string
  starts_at: Date
  day: string
  slot: number
  request_id: string
  capacity_mw: string
  price_eur: string
  won: boolean | null
  won_mw: string | null
  marginal_price_eur: string | null
  decided_by: string | null
}

export type Decision = {
  bid: DecidedBid
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

export const indexBids = (bids: readonly DecidedBid[]) => {
  const periods = (bid: DecidedBid) => [bid.starts_at.getTime(), slotKey(bid.day, bid.slot)]
  const at = new Map<string, DecidedBid[]>()
  for (const bid of bids)
    for (const period of periods(bid)) {
      const key = keyOf(bid.instance_id, period)
      at.set(key, [...(at.get(key) ?? []), bid])
    }
  const instances = new Map(bids.map((bid) => [bid.instance_id, bid.instance_name.trim().toLowerCase()]))
  return { at, instances, ofRequest: new Map(bids.map((bid) => [bid.request_id, bid.instance_id])) }
}

export const findBids = ({ at, instances, ofRequest }: Bids, line: ResultLine): DecidedBid[] => {
  const owner = line.request === null ? undefined : ofRequest.get(line.request)
  if (line.request !== null && owner === undefined) return []
  const named = line.instance?.toLowerCase()
  const candidates = owner === undefined ? [...instances.keys()] : [owner]
  const fitting = candidates.filter((id) => named === undefined || id === named || instances.get(id) === named)
  const periods = line.daySlot ? [slotKey(line.daySlot.day, line.daySlot.slot)] : line.starts
  return fitting
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

export const decideBid = (bid: DecidedBid, line: ResultLine, priceAt: Marginals): Decision | string => {
  const wonMw = line.won === true ? bid.capacity_mw : line.won
  if (compareDecimals(wonMw, bid.capacity_mw) > 0) return m.moreThanBid(bid.capacity_mw)
  if ((wonMw.split('.')[1]?.length ?? 0) > 3) return m.decimals(3)
  const isWon = compareDecimals(wonMw, '0') > 0
  const publishedEur = priceAt(bid.product, bid.auction, bid.starts_at.getTime())
  const marginalPriceEur = line.marginalPrice ?? publishedEur ?? bid.marginal_price_eur
  const isOutcomeChanged = bid.won !== null && (bid.won !== isWon || !isSameDecimal(bid.won_mw ?? '0', wonMw))
  const isChanged = isOutcomeChanged || !isSameDecimal(bid.marginal_price_eur, marginalPriceEur)
  const known = bid.decided_by === 'result-file' ? 'same' : 'confirmed'
  const kind = bid.won === null ? 'first' : isChanged ? 'changed' : known
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

const contradictionOf = (bid: DecidedBid, isWon: boolean, said: string | null, publishedEur: string) => {
  const above = compareDecimals(bid.price_eur, publishedEur)
  if (isWon && above > 0) return 'won-above'
  if (!isWon && above < 0) return 'lost-below'
  return said !== null && isOtherPrice(said, publishedEur) ? 'other-price' : null
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
