import type { reasons } from '@gridmast/contract/month-comparison.ts'
import {
  addDecimals,
  compareDecimals,
  divideDecimal,
  multiplyDecimals,
  roundDecimal,
  sumDecimals,
} from '@gridmast/contract/numbers.ts'

/** Why a customer earned more or less in one span than in another: parts that make the difference to the cent. Rules and a worked example: why-less.md. */

type Reason = (typeof reasons)[number]
export type Parts = Record<Reason, string>

/** What one product of an instance came to in one slot of the day, over all days of a span. Exact decimals, MW and EUR. */
export type SlotSum = {
  /** MW offered and won, added up over the periods. */
  offeredMw: string
  wonMw: string
  /** What was won, before penalties; of amounts below zero too. */
  capacityEur: string
  /** The same, and the customer's percent of it, without signs: the mean percent. */
  sizeEur: string
  sharedSizeEur: string
  /** The customer's part of the penalties. */
  penaltyEur: string
  hours: string
  missedHours: string
}

export const nothing: SlotSum = {
  offeredMw: '0',
  wonMw: '0',
  capacityEur: '0',
  sizeEur: '0',
  sharedSizeEur: '0',
  penaltyEur: '0',
  hours: '0',
  missedHours: '0',
}

/** Digits behind the cent that a part is carried with until all are added up. */
const carried = 10

const zero = (text: string) => compareDecimals(text, '0') === 0
const minus = (a: string, b: string) => addDecimals(a, multiplyDecimals(b, '-1'))

/** `a × b / by`, where MW have three decimals: whole kW to divide by. Zero where there is nothing to divide by. */
const ratio = (a: string, b: string, byMw: string): string => {
  const kw = Number(multiplyDecimals(byMw, '1000'))
  return kw === 0 ? '0' : divideDecimal(multiplyDecimals(multiplyDecimals(a, b), '1000'), kw, carried)
}

/** The customer's mean share of the capacity, 0 … 1; null where there was none. Euro have at most nine decimals here. */
export const shareOf = ({ sizeEur, sharedSizeEur }: SlotSum): string | null => {
  const size = Math.round(Number(sizeEur) * 1e6)
  return size === 0 ? null : divideDecimal(multiplyDecimals(sharedSizeEur, '1000000'), size, carried)
}

/** One thing changes after the other, in this order: what one is worth is seen with those before it as they have become, and the others as they were. */
export const explainSlot = (before: SlotSum, after: SlotSum): Omit<Parts, 'rounding'> => {
  const share = shareOf(before) ?? shareOf(after) ?? '0'
  const own = (eur: string) => multiplyDecimals(eur, share)
  // Who offered nothing had no rate, and who won nothing no price: that of now stands for it.
  const wonAtOldRate = zero(before.offeredMw) ? after.wonMw : ratio(after.offeredMw, before.wonMw, before.offeredMw)
  const priced = zero(before.wonMw) ? after : before
  const atOldPrice = (mw: string) => ratio(mw, priced.capacityEur, priced.wonMw)
  return {
    volume: own(minus(atOldPrice(wonAtOldRate), before.capacityEur)),
    winRate: own(minus(atOldPrice(after.wonMw), atOldPrice(wonAtOldRate))),
    price: own(minus(after.capacityEur, atOldPrice(after.wonMw))),
    availability: minus(after.penaltyEur, before.penaltyEur),
    shares: minus(multiplyDecimals(after.capacityEur, shareOf(after) ?? share), own(after.capacityEur)),
  }
}

/** Rounded once for all of them; what is left of the difference is what each day's cents were rounded by. */
export const addUp = (all: readonly Omit<Parts, 'rounding'>[], differenceEur: string): Parts => {
  const sumOf = (reason: Exclude<Reason, 'rounding'>) => roundDecimal(sumDecimals(all.map((parts) => parts[reason])), 2)
  const known = {
    volume: sumOf('volume'),
    winRate: sumOf('winRate'),
    price: sumOf('price'),
    availability: sumOf('availability'),
    shares: sumOf('shares'),
  }
  return { ...known, rounding: roundDecimal(minus(differenceEur, addDecimals(...Object.values(known))), 2) }
}
