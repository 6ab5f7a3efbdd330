import type { SignalKind } from './live.ts'

/** INC = up-regulation (frequency low), DEC = down (section 0.1 of the domain notes). */
export type Market = {
  direction: 'up' | 'down' | 'both'
  /** Slots of a normal day: 6 blocks of 4 hours or 24 hours. */
  slots: 6 | 24
  /** Events of FCR and FFR markets are started by frequency, events of FRR markets by a set point. */
  group: 'fcr_based' | 'frr_based'
}

export const markets = {
  FCR: { direction: 'both', slots: 6, group: 'fcr_based' },
  'FCR-N': { direction: 'both', slots: 24, group: 'fcr_based' },
  'FCR-D-INC': { direction: 'up', slots: 24, group: 'fcr_based' },
  'FCR-D-DEC': { direction: 'down', slots: 24, group: 'fcr_based' },
  FFR: { direction: 'up', slots: 24, group: 'fcr_based' },
  aFRR: { direction: 'both', slots: 24, group: 'frr_based' },
  'aFRR-DK1-INC': { direction: 'up', slots: 24, group: 'frr_based' },
  'aFRR-DK1-DEC': { direction: 'down', slots: 24, group: 'frr_based' },
  'aFRR-DK2-INC': { direction: 'up', slots: 24, group: 'frr_based' },
  'aFRR-DK2-DEC': { direction: 'down', slots: 24, group: 'frr_based' },
  mFRR: { direction: 'up', slots: 24, group: 'frr_based' },
} as const satisfies Record<string, Market>

export type MarketId = keyof typeof markets

export const isMarket = (text: string): text is MarketId => Object.hasOwn(markets, text)

/** A market in both directions is represented by its upward side. */
export const capacityKind = (market: MarketId): SignalKind =>
  markets[market].direction === 'down' ? 'capacityDown' : 'capacityUp'

export const hasEvents = (own: readonly string[], eventType: Market['group']): boolean =>
  own.some((market) => isMarket(market) && markets[market].group === eventType)

export const eventTypes = ['fcr_based', 'frr_based'] as const
export type EventType = (typeof eventTypes)[number]
