import type { reasons } from '@gridmast/contract/settlement/month-comparison.ts'
import { roundDecimal, subtractDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'

/** Difference of a customer's revenue between two spans, in parts that add up to the cent; rules and a worked example: why-less.md. */

/** Exact decimals as integer multiples of 10^-15: the slots of two months take 0.35 s of CPU, as text 2.6 s. MW have 3 decimals, EUR at most 15. */

const places = 15

/** Throws a RangeError for more than 15 decimals, a SyntaxError for text that is no decimal. */
export const fromText = (text: string): bigint => {
  const dot = text.indexOf('.')
  const decimals = dot < 0 ? 0 : text.length - dot - 1
  if (decimals > places) throw new RangeError(`more than ${places} decimals: ${text}`)
  const digits = dot < 0 ? text : text.slice(0, dot) + text.slice(dot + 1)
  return BigInt(digits + '0'.repeat(places - decimals))
}

/** To an integer, halves away from zero; `by` is not 0. */
const divide = (a: bigint, by: bigint): bigint => {
  const [size, divisor] = [a < 0n ? -a : a, by < 0n ? -by : by]
  const whole = (2n * size + divisor) / (2n * divisor)
  return a < 0n === by < 0n ? whole : -whole
}

/** `value` is a multiple of 10^-`of`; the text has `decimals` places, or as many as needed. */
export const toText = (value: bigint, decimals?: number, of = places): string => {
  const digitsAfter = decimals ?? of
  const rounded = divide(value, 10n ** BigInt(of - digitsAfter))
  const digits = String(rounded < 0n ? -rounded : rounded).padStart(digitsAfter + 1, '0')
  const fraction = digits.slice(digits.length - digitsAfter)
  const trimmed = decimals === undefined ? fraction.replace(/0+$/, '') : fraction
  return `${rounded < 0n ? '-' : ''}${digits.slice(0, digits.length - digitsAfter)}${trimmed && `.${trimmed}`}`
}

type Reason = (typeof reasons)[number]
export type Parts = Record<Reason, string>
/** Exact: multiples of 10^-25 EUR. */
type SlotParts = Record<Exclude<Reason, 'rounding'>, bigint>

/** Sums of one product of an instance in one slot of the day over a span; MW and EUR, exact (fixed-point.ts). */
export type SlotSum = {
  offeredMwHours: bigint
  wonMwHours: bigint
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
  offeredMwHours: 0n,
  wonMwHours: 0n,
  capacityEur: 0n,
  sizeEur: 0n,
  sharedSizeEur: 0n,
  penaltyEur: 0n,
  hours: 0,
  missedHours: 0,
}

const carried = 10
const unit = 10n ** BigInt(carried)
const unitsBehind = 10n ** BigInt(places - carried)
const partPlaces = places + carried

const ratio = (a: bigint, b: bigint, by: bigint) => (by === 0n ? 0n : divide(a * b, by * unitsBehind) * unitsBehind)

/** The customer's mean share of the capacity, 0 … 1 in multiples of 10^-10; null without capacity. */
const shareOf = ({ sizeEur, sharedSizeEur }: SlotSum) => (sizeEur === 0n ? null : divide(sharedSizeEur * unit, sizeEur))

export const sharePercentOf = (sum: SlotSum): string | null => {
  const share = shareOf(sum)
  return share === null ? null : toText(share * 100n, 2, carried)
}

/** Factors change one after the other in this order: each part uses the new values of the earlier factors and the old values of the later ones. */
export const explainSlot = (before: SlotSum, after: SlotSum): SlotParts => {
  const share = shareOf(before) ?? shareOf(after) ?? 0n
  // Without a bid there is no win rate and without a won bid no price; the values of the other month are used.
  const wonAtOldRate =
    before.offeredMwHours === 0n
      ? after.wonMwHours
      : ratio(after.offeredMwHours, before.wonMwHours, before.offeredMwHours)
  const priced = before.wonMwHours === 0n ? after : before
  const atOldPrice = (mw: bigint) => ratio(mw, priced.capacityEur, priced.wonMwHours)
  const [expectedEur, wonEur] = [atOldPrice(wonAtOldRate), atOldPrice(after.wonMwHours)]
  return {
    volume: (expectedEur - before.capacityEur) * share,
    winRate: (wonEur - expectedEur) * share,
    price: (after.capacityEur - wonEur) * share,
    availability: (after.penaltyEur - before.penaltyEur) * unit,
    shares: after.capacityEur * ((shareOf(after) ?? share) - share),
  }
}

const partNames = ['volume', 'winRate', 'price', 'availability', 'shares'] as const

const addParts = (all: readonly SlotParts[]): SlotParts => {
  const sum = { volume: 0n, winRate: 0n, price: 0n, availability: 0n, shares: 0n }
  for (const parts of all) for (const name of partNames) sum[name] += parts[name]
  return sum
}

export const differenceOf = (parts: SlotParts): bigint => partNames.reduce((sum, name) => sum + parts[name], 0n)

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
  const parts = roundParts(addParts(all))
  const explainedEur = sumDecimals(Object.values(parts))
  return { ...parts, rounding: roundDecimal(subtractDecimals(differenceEur, explainedEur), 2) }
}
