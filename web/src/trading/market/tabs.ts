import { withWords } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'

/** Requested with the page, by the tab of the address. */
export const marketTabs = {
  market: part(async () => (await withWords(import('./MarketTab.tsx'), 'grid')).MarketTab),
  signal: part(async () => (await withWords(import('./SignalTab.tsx'), 'grid')).SignalTab),
  requestBid: part(async () => (await import('#trading/bid-requests/RequestBidTab.tsx')).RequestBidTab),
  soldCapacity: part(async () => (await import('#trading/bid-requests/SoldCapacityTab.tsx')).SoldCapacityTab),
}
