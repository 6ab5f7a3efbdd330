import type { reasons } from '@gridmast/contract/settlement/month-comparison.ts'
import { roundDecimal, subtractDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'
import { divide, places, toText } from './fixed-point.ts'

/** Difference of a customer's revenue between two spans, in parts that add up to the cent; rules and a worked example: why-less.md. */

type Reason = (typeof reasons)[number]
export type Parts = Record<Reason, string>
/** Exact: multiples of 10^-25 EUR. */
type SlotParts = Record<Exclude<Reason, 'rounding'>, bigint>

/** Sums of one product of an instance in one slot of the day over a span; MW and EUR, exact (fixed-point.ts). */
export type SlotSum = {
  offeredMw: bigint
  wonMw: bigint
  /** Revenue before penalties, including negative amounts. */
  capacityEur: bigint
  /** Absolute revenue, and the customer's percent of it: the quotient is the mean percent. */
  sizeEur: bigint
  sharedSizeEur: bigint
  penaltyEur: bigint
  hours: number
  missedHours: number
}

export const nothing: SlotSum = {
  offeredMw: 0n,
  wonMw: 0n,
  capacityEur: 0n,
  sizeEur: 0n,
  sharedSizeEur: 0n,
  penaltyEur: 0n,
  hours: 0,
  missedHours: 0,
}

/** Decimals of a ratio until all parts are added up. */
const carried = 10
const unit = 10n ** BigInt(carried)
const unitsBehind = 10n ** BigInt(places - carried)
const partPlaces = places + carried

const ratio = (a: bigint, b: bigint, by: bigint): bigint =>
  by === 0n ? 0n : divide(a * b, by * unitsBehind) * unitsBehind

/** The customer's mean share of the capacity, 0 … 1 in multiples of 10^-10; null without capacity. */
const shareOf = ({ sizeEur, sharedSizeEur }: SlotSum): bigint | null =>
  sizeEur === 0n ? null : divide(sharedSizeEur * unit, sizeEur)

export const sharePercentOf = (sum: SlotSum): string | null => {
  const share = shareOf(sum)
  return share === null ? null : toText(share * 100n, 2, carried)
}

/** Factors change one after the other in this order: each part uses the new values of the earlier factors and the old values of the later ones. */
export const explainSlot = (before: SlotSum, after: SlotSum): SlotParts => {
  const share = shareOf(before) ?? shareOf(after) ?? 0n
  // Without a bid there is no win rate and without a won bid no price; the values of the other month are used.
  const wonAtOldRate = before.offeredMw === 0n ? after.wonMw : ratio(after.offeredMw, before.wonMw, before.offeredMw)
  const priced = before.wonMw === 0n ? after : before
  const atOldPrice = (mw: bigint) => ratio(mw, priced.capacityEur, priced.wonMw)
  const [expectedEur, wonEur] = [atOldPrice(wonAtOldRate), atOldPrice(after.wonMw)]
  return {
    volume: (expectedEur - before.capacityEur) * share,
    winRate: (wonEur - expectedEur) * share,
    price: (after.capacityEur - wonEur) * share,
    availability: (after.penaltyEur - before.penaltyEur) * unit,
    shares: after.capacityEur * ((shareOf(after) ?? share) - share),
  }
}

const addParts = (all: readonly SlotParts[]): SlotParts => {
  const sum = { volume: 0n, winRate: 0n, price: 0n, availability: 0n, shares: 0n }
  for (const parts of all) {
    sum.volume += parts.volume
    sum.winRate += parts.winRate
    sum.price += parts.price
    sum.availability += parts.availability
    sum.shares += parts.shares
  }
  return sum
}

export const differenceOf = ({ volume, winRate, price, availability, shares }: SlotParts): bigint =>
  volume + winRate + price + availability + shares

export const roundPart = (part: bigint): string => toText(part, 2, partPlaces)

export const roundParts = (parts: SlotParts): Omit<Parts, 'rounding'> => ({
  volume: roundPart(parts.volume),
  winRate: roundPart(parts.winRate),
  price: roundPart(parts.price),
  availability: roundPart(parts.availability),
  shares: roundPart(parts.shares),
})

/** Rounded once for all slots; the rest of the difference is the daily rounding to cents. */
export const addUp = (all: readonly SlotParts[], differenceEur: string): Parts => {
  const known = roundParts(addParts(all))
  const knownEur = sumDecimals(Object.values(known))
  return { ...known, rounding: roundDecimal(subtractDecimals(differenceEur, knownEur), 2) }
}
