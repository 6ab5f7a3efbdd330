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
import { type Bid, bidsOf, periodsOf, type Earlier, type Offer } from './expansion.ts'

/** The published price of a product's auction at the start of a period, exact decimal text. Rules and a worked example: basis.md. */
export type Marginals = (product: string, auction: string, startMs: number) => string | null

/** `isBought`: false when the auction bought nothing, so that no bid was won at its price of 0. */
export type Published = { priceAt: Marginals; isBought: (...of: Parameters<Marginals>) => boolean }

/** `won` and `marginalPriceEur` are null without a published price. */
export type PricedBid = Bid & { auction: string; won: boolean | null; marginalPriceEur: string | null }

/** Bids of an offer and a day at published prices, in the order of the auctions: each offers what earlier ones have not won. */
export const pricedBids = (
  offer: Offer,
  day: LocalDate,
  { priceAt, isBought }: Published,
  auctions = auctionsOfMarket(offer.market),
): PricedBid[] => {
  const earlier: Earlier[] = []
  return auctions.flatMap((auction) =>
    bidsOf(offer, auction, day, earlier).map((bid): PricedBid => {
      const { product, fromMs, priceEur, capacityMw } = bid
      const marginalPriceEur = priceAt(product, auction, fromMs)
      const isWon = () => isBought(product, auction, fromMs) && compareDecimals(priceEur, marginalPriceEur ?? '0') <= 0
      const won = marginalPriceEur === null ? null : isWon()
      earlier.push({ product, startMs: fromMs, won, wonMw: won ? capacityMw : null })
      return { ...bid, auction, won, marginalPriceEur }
    }),
  )
}

export const earnedOn = (offer: Offer, day: LocalDate, published: Published): Earned[] =>
  [...Map.groupBy(pricedBids(offer, day, published), ({ product, auction }) => `${product}/${auction}`).values()].map(
    (bids): Earned => {
      const [{ product, auction } = { product: '', auction: '' }] = bids
      const sum: Earned = { product, auction, eur: null, won: 0, lost: 0, unpriced: 0 }
      for (const { won, capacityMw, marginalPriceEur } of bids) {
        if (marginalPriceEur === null) sum.unpriced++
        else {
          if (won) sum.won++
          else sum.lost++
          sum.eur = addDecimals(sum.eur ?? '0', won ? multiplyDecimals(capacityMw, marginalPriceEur) : '0')
        }
      }
      return sum
    },
  )

export const sumOf = (days: readonly { earned: readonly Earned[] }[]): Earned[] =>
  [
    ...Map.groupBy(
      days.flatMap(({ earned }) => earned),
      ({ product, auction }) => `${product}/${auction}`,
    ).values(),
  ].map((own) =>
    own.reduce((a, b) => ({
      ...a,
      eur: a.eur === null ? b.eur : addDecimals(a.eur, b.eur ?? '0'),
      won: a.won + b.won,
      lost: a.lost + b.lost,
      unpriced: a.unpriced + b.unpriced,
    })),
  )

const meanOf = (prices: readonly (string | null)[]): string | null => {
  const known = prices.filter((price) => price !== null)
  return known.length === 0 ? null : normalDecimal(divideDecimal(addDecimals(...known), known.length, 6))
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
