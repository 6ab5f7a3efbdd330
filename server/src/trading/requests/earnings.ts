import type { Earned } from '@gridmast/contract/trading/bid-basis.ts'
import { auctionsOfMarket, bidSlots } from '@gridmast/contract/bid-slots.ts'
import {
  addDecimals,
  compareDecimals,
  divideDecimal,
  multiplyDecimals,
  normalDecimal,
} from '@gridmast/contract/numbers.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import type { RowOf } from '#platform/records/rows.ts'
import { type Bid, bidsOf, periodsOf, type EarlierBid, type Offer } from './expansion.ts'

/** The published price of a product's auction at the start of a period, exact decimal text. Rules and a worked example: slot-history.md. */
export type Marginals = (product: string, auction: string, startMs: number) => string | null

/** `isBought`: false when the auction bought nothing, so that no bid was won at its price of 0. */
export type Published = { priceAt: Marginals; isBought: (...of: Parameters<Marginals>) => boolean }

/** Bids with their results; `won` and `marginal_price_eur` are null without a published price. */
export type PricedBid = Bid & Pick<RowOf<'bid'>, 'auction' | 'won' | 'won_mw' | 'marginal_price_eur'>

/** Bids of an offer and a day at published prices, in the order of the auctions: each offers what earlier ones have not won. */
export const pricedBids = (
  offer: Offer,
  day: LocalDate,
  { priceAt, isBought }: Published,
  auctions = auctionsOfMarket(offer.market),
): PricedBid[] => {
  const earlier: EarlierBid[] = []
  return auctions.flatMap((auction) =>
    bidsOf(offer, auction, day, earlier).map((bid): PricedBid => {
      const { product, starts_at, price_eur, capacity_mw } = bid
      const period = [product, auction, starts_at.getTime()] as const
      const marginal_price_eur = priceAt(...period)
      const isWon = () => isBought(...period) && compareDecimals(price_eur, marginal_price_eur ?? '0') <= 0
      const won = marginal_price_eur === null ? null : isWon()
      const result = { won, won_mw: won ? capacity_mw : null }
      earlier.push({ product, starts_at, ...result })
      return { ...bid, auction, ...result, marginal_price_eur }
    }),
  )
}

export const earnedOn = (offer: Offer, day: LocalDate, published: Published): Earned[] => {
  const byAuction = Map.groupBy(pricedBids(offer, day, published), ({ product, auction }) => `${product}/${auction}`)
  return [...byAuction.values()].map((bids): Earned => {
    const [{ product, auction } = { product: '', auction: '' }] = bids
    const sum: Earned = { product, auction, eur: null, won: 0, lost: 0, unpriced: 0 }
    for (const { won, capacity_mw, marginal_price_eur: marginal } of bids) {
      if (marginal === null) sum.unpriced++
      else if (won) sum.won++
      else sum.lost++
      if (marginal !== null) sum.eur = addDecimals(sum.eur ?? '0', won ? multiplyDecimals(capacity_mw, marginal) : '0')
    }
    return sum
  })
}

export const sumOf = (days: readonly { earned: readonly Earned[] }[]): Earned[] => {
  const earned = days.flatMap((day) => day.earned)
  const byAuction = Map.groupBy(earned, ({ product, auction }) => `${product}/${auction}`)
  return [...byAuction.values()].map((some) =>
    some.reduce((a, b) => ({
      ...a,
      eur: a.eur === null ? b.eur : addDecimals(a.eur, b.eur ?? '0'),
      won: a.won + b.won,
      lost: a.lost + b.lost,
      unpriced: a.unpriced + b.unpriced,
    })),
  )
}

const meanOf = (prices: readonly (string | null)[]): string | null => {
  const published = prices.filter((price) => price !== null)
  return published.length === 0 ? null : normalDecimal(divideDecimal(addDecimals(...published), published.length, 6))
}

export const slotPrices = (
  market: string,
  { product, auction }: { product: string; auction: string },
  day: LocalDate,
  priceAt: Marginals,
): (string | null)[] =>
  bidSlots(market, day).map((slot) => {
    const prices = periodsOf(market, slot).map(({ fromMs }) => priceAt(product, auction, fromMs))
    return prices.includes(null) ? null : meanOf(prices)
  })

export const meanPrices = (days: readonly (string | null)[][]): (string | null)[] =>
  (days[0] ?? []).map((_, slot) => meanOf(days.map((prices) => prices[slot] ?? null)))
