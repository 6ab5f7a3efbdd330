import { auctionsOfMarket, bidSlots } from '@gridmast/contract/bid-slots.ts'
import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { compareDecimals, subtractDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'
import { signalsOf } from '@gridmast/contract/grid/price-signals.ts'
import { hourMs, type LocalDate, type Span } from '@gridmast/contract/time.ts'
import { bidMwOf, type SlotsKw } from '#delivery/scoring/available.ts'
import type { RowOf } from '#platform/records/rows.ts'

/** Inputs of the bids of a request and a day, exact decimal text by slot; rules and a worked example: expansion.md. */
export type Offer = Pick<
  RowOf<'bid_request'>,
  'market' | 'custom_bidding' | 'capacity_mw' | 'price_eur' | 'regulation_price_eur'
> & {
  area: string | null
  contract: { auctions: readonly string[]; default_price_eur: string } | null
  forecastKw: SlotsKw
}

type BidRow = RowOf<'bid'>
export type Bid = Pick<
  BidRow,
  'product' | 'slot' | 'starts_at' | 'ends_at' | 'capacity_mw' | 'price_eur' | 'regulation_price_eur'
>
export type EarlierBid = Pick<BidRow, 'product' | 'starts_at' | 'won' | 'won_mw'>

/** Products of a market by the names of their published prices; the market itself where none are published. */
export const productsOf = (market: string, area: string | null): string[] => {
  const published = signalsOf(market, area === null ? undefined : [area]).map((signal) => signal.market)
  const direction = isMarket(market) ? markets[market].direction : 'both'
  const other = { up: '-DEC', down: '-INC', both: null }[direction]
  const products = [...new Set(published)].filter((product) => other === null || !product.endsWith(other))
  return products.length > 0 ? products : [market]
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
const unsoldMw = (capacityMw: string, earlier: readonly EarlierBid[]): string => {
  if (earlier.some(({ won }) => won === null)) return '0'
  const wonMw = sumDecimals(earlier.map(({ won_mw }) => won_mw ?? '0'))
  const unsold = subtractDecimals(capacityMw, wonMw)
  return compareDecimals(unsold, '0') > 0 ? unsold : '0'
}

export const bidsOf = (offer: Offer, auction: string, day: LocalDate, earlier: readonly EarlierBid[]): Bid[] => {
  const { market, contract, custom_bidding } = offer
  if (!auctionsOfMarket(market).includes(auction)) return []
  if (contract && auction !== '' && !contract.auctions.includes(auction)) return []
  return bidSlots(market, day).flatMap((slot) => {
    const slotMw = custom_bidding
      ? (offer.capacity_mw[slot.index] ?? '0')
      : bidMwOf(offer.forecastKw[slot.index] ?? null)
    const price_eur = custom_bidding ? offer.price_eur[slot.index] : contract?.default_price_eur
    if (price_eur === undefined) return []
    const regulation_price_eur = offer.regulation_price_eur?.[slot.index] ?? null
    return productsOf(market, offer.area).flatMap((product) =>
      periodsOf(market, slot).flatMap(({ fromMs, toMs }): Bid[] => {
        const before = earlier.filter((one) => one.product === product && one.starts_at.getTime() === fromMs)
        const capacity_mw = unsoldMw(slotMw, before)
        if (compareDecimals(capacity_mw, '0') <= 0) return []
        const period = { starts_at: new Date(fromMs), ends_at: new Date(toMs) }
        return [{ ...period, product, slot: slot.index, capacity_mw, price_eur, regulation_price_eur }]
      }),
    )
  })
}
