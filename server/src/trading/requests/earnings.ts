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
import { bidsOf, periodsOf, type EarlierBid, type Offer } from './expansion.ts'

/** The published price of a product's auction at the start of a period, exact decimal text. Rules and a worked example: slot-history.md. */
export type Marginals = (product: string, auction: string, startMs: number) => string | null

/** `isBought`: false when the auction bought nothing, so that no bid was won at its price of 0. */
export type Published = { priceAt: Marginals; isBought: (...of: Parameters<Marginals>) => boolean }

export const earnedOn = (offer: Offer, day: LocalDate, { priceAt, isBought }: Published): Earned[] => {
  const earlier: EarlierBid[] = []
  return auctionsOfMarket(offer.market).flatMap((auction) => {
    const byProduct = Map.groupBy(bidsOf(offer, auction, day, earlier), ({ product }) => product)
    return [...byProduct].map(([product, bids]): Earned => {
      const sum: Earned = { product, auction, eur: null, won: 0, lost: 0, unpriced: 0 }
      for (const { starts_at, price_eur, capacity_mw } of bids) {
        const startMs = starts_at.getTime()
        const marginal = priceAt(product, auction, startMs)
        const isWon = () => isBought(product, auction, startMs) && compareDecimals(price_eur, marginal ?? '0') <= 0
        const won = marginal === null ? null : isWon()
        earlier.push({ product, starts_at, won, won_mw: won ? capacity_mw : null })
        if (marginal === null) sum.unpriced++
        else if (won) sum.won++
        else sum.lost++
        if (marginal !== null)
          sum.eur = addDecimals(sum.eur ?? '0', won ? multiplyDecimals(capacity_mw, marginal) : '0')
      }
      return sum
    })
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
