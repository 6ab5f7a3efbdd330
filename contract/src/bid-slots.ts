import { isMarket, markets } from './markets.ts'
import { slots, type Slot } from './slots.ts'
import { addDays, atLocalTime, hourMs, today, type LocalDate } from './time.ts'

/** Slots and gates of bids (domain notes, sections 4.1 and 4.6). Rules and a worked example: bid-slots.md. */

const notRequested: readonly string[] = ['DC-PLANNER', 'FCR-D (LER)']

/** Length of a request's arrays: 6 blocks of 4 hours, 24 hours, or 1 for the whole day; null for markets without requests. */
export const requestSlots = (market: string): 6 | 24 | 1 | null => {
  if (isMarket(market)) return markets[market].slots
  return notRequested.includes(market) ? null : 1
}

/** The market also pays for activated energy, so a request has a price for it. */
export const energyPriced = (market: string): boolean => market.startsWith('aFRR') || market.startsWith('mFRR')

/** Auctions of a market in order, by the names of their published results; most markets have one without a name. */
export const auctionsOfMarket = (market: string): readonly string[] =>
  market.startsWith('FCR-') ? ['D-1 early', 'D-1 late'] : ['']

/**
 * The slots of a local day as in a request. On the day in March hour 02 is empty (`fromMs === toMs`) and gets no bid; on the day in October it
 * is two hours long. The first block of FCR has 3 or 5 hours then.
 */
export const bidSlots = (market: string, date: LocalDate): Slot[] => {
  const count = requestSlots(market)
  if (count === null) return []
  if (count === 6) return slots('block', date)
  if (count === 24) return slots('bidHour', date)
  const hours = slots('bidHour', date)
  const [first, last] = [hours[0], hours.at(-1)]
  return first && last ? [{ index: 0, fromMs: first.fromMs, toMs: last.toMs, label: '00–24' }] : []
}

export type Gate = { market: string; auction: string; daysAhead: number; closesAt: string }

/** Time before the gate at which a request is sent and can no longer be changed. */
export const cutOffBeforeGateMs = 2 * hourMs

export const gateMs = ({ daysAhead, closesAt }: Gate, day: LocalDate): number =>
  atLocalTime(addDays(day, -daysAhead), closesAt)
export const cutOffMs = (gate: Gate, day: LocalDate): number => gateMs(gate, day) - cutOffBeforeGateMs

export const nextOpenDay = (gate: Gate, nowMs: number): LocalDate => {
  let day = today(nowMs)
  while (cutOffMs(gate, day) <= nowMs) day = addDays(day, 1)
  return day
}

/** The first day of a request: at least one of its auctions is still open. A market without a gate is open from tomorrow. */
export const firstOpenDay = (gates: readonly Gate[], nowMs: number): LocalDate =>
  gates.map((gate) => nextOpenDay(gate, nowMs)).toSorted()[0] ?? addDays(today(nowMs), 1)
