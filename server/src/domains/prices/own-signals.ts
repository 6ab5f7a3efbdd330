import { signalsOf, type PriceSignal } from '@gridmast/contract/price-signals.ts'
import type { Viewer } from '#access/viewer.ts'
import { notFound } from '#platform/errors.ts'

/** The signals of the markets that the customer bids in, in its areas; each once, though two bidding markets may be sold as it. */
export const findOwnSignals = ({ biddingMarkets, areas }: Viewer): PriceSignal[] => {
  const all = biddingMarkets.flatMap((market) => signalsOf(market, areas))
  return [...new Map(all.map((signal) => [signal._id, signal])).values()]
}

/** Not of the customer's markets and areas, or no signal at all: the same 404. */
export const getOwnSignal = (viewer: Viewer, id: string): PriceSignal => {
  const signal = findOwnSignals(viewer).find((one) => one._id === id)
  if (!signal) throw notFound()
  return signal
}
