import { m } from '@gridmast/contract/messages.ts'
import { auctionsOf, type PriceSignal, type PriceType } from '@gridmast/contract/price-signals.ts'
import type { App } from '#context.ts'
import { invalid } from '#platform/errors.ts'

/** The names that an auction of this market may stand under. */
export const auctionsFor = (signal: PriceSignal, priceType: PriceType = 'Total'): readonly string[] => {
  if (!signal.priceTypes.includes(priceType)) throw invalid({ priceType: m.noSuchAuction })
  return auctionsOf[priceType]
}

/** The published figure stands as it is; the unit says what it pays for. */
export const unitOf = (app: App, signal: Pick<PriceSignal, 'market'>): string =>
  signal.market === 'FCR' && app.config.FCR_DK1_BASIS === 'block' ? 'DKK/MW per block of 4 h' : 'DKK/MW'
