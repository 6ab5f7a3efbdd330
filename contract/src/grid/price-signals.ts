import { z } from 'zod'
import { m } from '#messages.ts'

/**
 * Published reserve prices by the portal's names. A signal is one market in one price area, `FCR-D-INC:DK2`; it is public, so it has a readable
 * name and no id. Sources: domain notes, sections 0 and 1.5.
 */

const nordic = ['DK2', 'SE1', 'SE2', 'SE3', 'SE4'] as const
const danish = ['DK1', 'DK2'] as const

type PricedMarket = {
  areas: readonly string[]
  /** Sold in two auctions, D-1 early (formerly D-2) and D-1 late (formerly D-1), with a volume-weighted total. */
  auctions: boolean
  /** Unit of one price: a MW for an hour, or a MW for a block of 4 hours. */
  slotHours: 1 | 4
}

export const pricedMarkets = {
  FCR: { areas: ['DK1'], auctions: false, slotHours: 4 },
  'FCR-N': { areas: nordic, auctions: true, slotHours: 1 },
  'FCR-D-INC': { areas: nordic, auctions: true, slotHours: 1 },
  'FCR-D-DEC': { areas: nordic, auctions: true, slotHours: 1 },
  'aFRR-INC': { areas: danish, auctions: false, slotHours: 1 },
  'aFRR-DEC': { areas: danish, auctions: false, slotHours: 1 },
  'mFRR-INC': { areas: danish, auctions: false, slotHours: 1 },
  'mFRR-DEC': { areas: danish, auctions: false, slotHours: 1 },
  FFR: { areas: ['DK2'], auctions: false, slotHours: 1 },
} as const satisfies Record<string, PricedMarket>

export type PricedMarketId = keyof typeof pricedMarkets

/** A market of a customer's biddingMarkets -> its price series, and the only area where its name includes one. */
const soldAs = new Map<string, { markets: readonly PricedMarketId[]; area?: string }>(
  Object.entries({
    FCR: { markets: ['FCR'] },
    'FCR-N': { markets: ['FCR-N'] },
    'FCR-D-INC': { markets: ['FCR-D-INC'] },
    'FCR-D-DEC': { markets: ['FCR-D-DEC'] },
    FFR: { markets: ['FFR'] },
    aFRR: { markets: ['aFRR-INC', 'aFRR-DEC'] },
    'aFRR-DK1-INC': { markets: ['aFRR-INC'], area: 'DK1' },
    'aFRR-DK1-DEC': { markets: ['aFRR-DEC'], area: 'DK1' },
    'aFRR-DK2-INC': { markets: ['aFRR-INC'], area: 'DK2' },
    'aFRR-DK2-DEC': { markets: ['aFRR-DEC'], area: 'DK2' },
    mFRR: { markets: ['mFRR-INC', 'mFRR-DEC'] },
  }),
)

export const slotHoursOf = (market: string): 1 | 4 =>
  Object.entries(pricedMarkets).find(([name]) => name === market)?.[1].slotHours ?? 1

export const priceTypes = ['Total', 'D-1', 'D-2'] as const
export type PriceType = (typeof priceTypes)[number]

/** Auctions in the published rows; the first was called D-2 until 2023-06-01 (domain notes, section 0, fact 1). */
export const auctionsOf: Record<PriceType, readonly string[]> = {
  Total: ['Total', ''],
  'D-1': ['D-1 late', 'D-1'],
  'D-2': ['D-1 early', 'D-2'],
}

export type PriceSignal = { _id: string; name: string; market: PricedMarketId; area: string; priceTypes: PriceType[] }

export const signalIdOf = (market: string, area: string): string => `${market}:${area}`

export const signalsOf = (biddingMarket: string, areas?: readonly string[]): PriceSignal[] => {
  const sold = soldAs.get(biddingMarket)
  if (!sold) return []
  return sold.markets.flatMap((market) =>
    pricedMarkets[market].areas
      .filter((area) => (!sold.area || area === sold.area) && (areas?.includes(area) ?? true))
      .map((area) => ({
        _id: signalIdOf(market, area),
        name: `${market} ${area}`,
        market,
        area,
        priceTypes: pricedMarkets[market].auctions ? [...priceTypes] : ['Total' as const],
      })),
  )
}

export const priceSignalPattern = /^[A-Za-z-]{1,12}:[A-Z]{2}\d?$/
export const priceSignalId = z.string().regex(priceSignalPattern, m.priceSignal)
