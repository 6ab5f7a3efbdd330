import { pricedMarkets, type PricedMarketId } from '@gridmast/contract/price-signals.ts'
import type { CalculatorMarket } from '@gridmast/contract/revenue-calculator.ts'

export type FcrBasis = 'block' | 'hour'

/** What a choice of the calculator is sold as: the prices of one hour are added where one battery serves both sides (FCR-D (LER)). */
export type Sold = {
  markets: readonly [PricedMarketId, ...PricedMarketId[]]
  auction: 'Total' | ''
  /** One published price pays for a block of 4 hours and is repeated in each of its hours. */
  perBlock: boolean
}

const marketsOf: Record<CalculatorMarket, Sold['markets']> = {
  FCR: ['FCR'],
  'FCR-D-INC': ['FCR-D-INC'],
  'FCR-D-DEC': ['FCR-D-DEC'],
  'FCR-D (LER)': ['FCR-D-INC', 'FCR-D-DEC'],
  'AFRR-INC': ['aFRR-INC'],
  'AFRR-DEC': ['aFRR-DEC'],
}

export const soldAs = (signal: CalculatorMarket, fcrBasis: FcrBasis): Sold => {
  const markets = marketsOf[signal]
  const { auctions, slotHours } = pricedMarkets[markets[0]]
  return { markets, auction: auctions ? 'Total' : '', perBlock: slotHours === 4 && fcrBasis === 'block' }
}
