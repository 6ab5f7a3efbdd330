import { auctionsOfMarket, bidSlots } from '@gridmast/contract/bid-slots.ts'
import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { compareDecimals, subtractDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'
import { signalsOf } from '@gridmast/contract/grid/price-signals.ts'
import { hourMs, type LocalDate, type Span } from '@gridmast/contract/time.ts'
import { bidMwOf, type SlotsKw } from '#delivery/scoring/available.ts'

/** Inputs of the bids of a request and a day; rules and a worked example: expansion.md. */
export type Offer = {
  market: string
  area: string | null
  customBidding: boolean
  /** MW and EUR per MW of each slot, exact decimal text. */
  capacity: readonly string[]
  price: readonly string[]
  regulationPrice: readonly string[] | null
  contract: { auctions: readonly string[]; priceEur: string } | null
  forecastKw: SlotsKw
}

export type Earlier = { product: string; startMs: number; won: boolean | null; wonMw: string | null }

export type Bid = Span & {
  product: string
  slot: number
  capacityMw: string
  priceEur: string
  regulationPriceEur: string | null
}

/** Products of a market by the names of their published prices; the market itself where none are published. */
export const productsOf = (market: string, area: string | null): string[] => {
  const found = signalsOf(market, area === null ? undefined : [area]).map((signal) => signal.market)
  const ways = isMarket(market) ? markets[market].direction : 'both'
  const other = { up: '-DEC', down: '-INC', both: null }[ways]
  const sold = [...new Set(found)].filter((product) => other === null || !product.endsWith(other))
  return sold.length > 0 ? sold : [market]
}

/** Periods of the published results of a slot: real hours, but blocks and days as a whole. */
export const periodsOf = (market: string, { fromMs, toMs }: Span): Span[] => {
  if (!isMarket(market) || markets[market].slots === 6) return toMs > fromMs ? [{ fromMs, toMs }] : []
  return Array.from({ length: (toMs - fromMs) / hourMs }, (_, i) => ({
    fromMs: fromMs + i * hourMs,
    toMs: fromMs + (i + 1) * hourMs,
  }))
}

/** Unsold capacity of a period: '0' until earlier auctions are decided, so that nothing is sold twice. */
const restOf = (capacityMw: string, earlier: readonly Earlier[]): string => {
  if (earlier.some(({ won }) => won === null)) return '0'
  const won = sumDecimals(earlier.map(({ wonMw }) => wonMw ?? '0'))
  const rest = subtractDecimals(capacityMw, won)
  return compareDecimals(rest, '0') > 0 ? rest : '0'
}

export const bidsOf = (offer: Offer, auction: string, day: LocalDate, earlier: readonly Earlier[]): Bid[] => {
  const { market, contract, customBidding } = offer
  if (!auctionsOfMarket(market).includes(auction)) return []
  if (contract && auction !== '' && !contract.auctions.includes(auction)) return []
  return bidSlots(market, day).flatMap((slot) => {
    const capacity = customBidding ? (offer.capacity[slot.index] ?? '0') : bidMwOf(offer.forecastKw[slot.index] ?? null)
    const priceEur = customBidding ? offer.price[slot.index] : contract?.priceEur
    if (priceEur === undefined) return []
    const regulationPriceEur = offer.regulationPrice?.[slot.index] ?? null
    return productsOf(market, offer.area).flatMap((product) =>
      periodsOf(market, slot).flatMap((span): Bid[] => {
        const before = earlier.filter((one) => one.product === product && one.startMs === span.fromMs)
        const capacityMw = restOf(capacity, before)
        if (compareDecimals(capacityMw, '0') <= 0) return []
        return [{ ...span, product, slot: slot.index, capacityMw, priceEur, regulationPriceEur }]
      }),
    )
  })
}
