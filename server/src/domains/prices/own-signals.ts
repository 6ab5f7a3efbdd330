import { signalsOf, type PriceSignal } from '@gridmast/contract/price-signals.ts'
import type { Viewer } from '#access/viewer.ts'
import { notFound } from '#platform/errors.ts'
import type { Tx } from '#platform/records.ts'
import { findAreas } from './reserve-queries.ts'

/** The signals of the markets that the customer bids in, in its areas; each once, though two bidding markets may be sold as it. */
export const ownSignals = (viewer: Viewer, areas: readonly string[]): PriceSignal[] => {
  const all = viewer.biddingMarkets.flatMap((market) => signalsOf(market, areas))
  return [...new Map(all.map((signal) => [signal._id, signal])).values()]
}

export const findOwnSignals = async (tx: Tx, viewer: Viewer): Promise<PriceSignal[]> =>
  ownSignals(viewer, await findAreas(tx, viewer.customerId))

/** Not of the customer's markets and areas, or no signal at all: the same 404. */
export const ownSignal = (signals: readonly PriceSignal[], id: string): PriceSignal => {
  const signal = signals.find((one) => one._id === id)
  if (!signal) throw notFound()
  return signal
}

export const getOwnSignal = async (tx: Tx, viewer: Viewer, id: string): Promise<PriceSignal> =>
  ownSignal(await findOwnSignals(tx, viewer), id)
