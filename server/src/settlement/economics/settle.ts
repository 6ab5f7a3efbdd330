import {
  addDecimals,
  compareDecimals,
  divideDecimal,
  multiplyDecimals,
  negateDecimal,
  roundDecimal,
  sumDecimals,
} from '@gridmast/contract/numbers.ts'
import { hourMs, type Span } from '@gridmast/contract/time.ts'
import { type Energy, energySumOf } from './energy.ts'

/** Revenue of a day of an instance on one product, and its shares. Exact decimal text: EUR, MW, percent. Rules and worked examples: settlement.md. */

export type BidResult = Span & {
  slot: number
  auction: string
  capacityMw: string
  priceEur: string
  /** EUR/MWh of the bid for activated energy; null where the market has none. */
  regulationPriceEur: string | null
  won: boolean | null
  wonMw: string | null
  marginalPriceEur: string | null
  decidedBy: 'price' | 'result-file' | null
}

/** Shares of the gross revenue in percent, total 100. */
export type Contract = {
  customer: string
  partner: string
  sc: string
  enablers: Readonly<Record<string, string>>
  penaltyTo: 'shares' | 'sc'
}

export type SettlementInput = {
  bids: readonly BidResult[]
  notAvailable: ReadonlySet<number>
  energy: Energy | null
  contract: Contract | null
}

export type SettledBid = BidResult & {
  capacityEur: string | null
  hours: number
  missedHours: number
  penaltyEur: string | null
}

type Shares = { customer: string; partner: string; sc: string; enablers: Record<string, string> }

export type Settlement = {
  bids: SettledBid[]
  isResultFetched: boolean
  wonMw: string
  /** Totals of the published results, each rounded to cents once; null without any. */
  capacityEur: string | null
  penaltyEur: string | null
  grossEur: string | null
  /** Energy is not part of the gross and not shared (decision 30); null where none is paid, or a part is unknown. */
  energyEur: string | null
  shares: Shares | null
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
const lcm = (a: number, b: number): number => (a / gcd(a, b)) * b

const hoursOf = ({ fromMs, toMs }: Span): number[] =>
  Array.from({ length: Math.max(1, Math.ceil((toMs - fromMs) / hourMs)) }, (_, i) => fromMs + i * hourMs)

/** Constant for most of a month's thousands of bids. */
const owesNothing = '0'
const noPenaltyEur = divideDecimal(owesNothing, 1, 9)

/** A third of a block is no exact decimal, so penalties are added in parts of an hour's share and divided once. */
type Exact = { capacityEur: string; penaltyParts: string }

const exactOf = (bid: BidResult, missedHours: number, hours: number, parts: number): Exact | null => {
  if (bid.won === null) return null
  if (!bid.won) return { capacityEur: '0', penaltyParts: owesNothing }
  if (bid.marginalPriceEur === null) return null
  const capacityEur = multiplyDecimals(bid.wonMw ?? bid.capacityMw, bid.marginalPriceEur)
  // A negative price has no penalty.
  if (missedHours === 0 || compareDecimals(capacityEur, '0') <= 0) return { capacityEur, penaltyParts: owesNothing }
  return {
    capacityEur,
    penaltyParts: negateDecimal(multiplyDecimals(capacityEur, String((missedHours * parts) / hours))),
  }
}

const roundedEnergy = (energy: Energy | null): string | null => {
  const eur = energy && energySumOf(energy)
  return eur && roundDecimal(eur, 2)
}

const percentOf = (eur: string, percent: string): string =>
  roundDecimal(multiplyDecimals(multiplyDecimals(eur, percent), '0.01'), 2)

const split = (contract: Contract, capacityEur: string, penaltyEur: string, grossEur: string): Shares => {
  const isScLiable = contract.penaltyTo === 'sc'
  const shared = isScLiable ? capacityEur : grossEur
  const partner = percentOf(shared, contract.partner)
  const sc = roundDecimal(addDecimals(percentOf(shared, contract.sc), isScLiable ? penaltyEur : '0'), 2)
  const enablers = Object.fromEntries(
    Object.entries(contract.enablers).map(([name, percent]) => [name, percentOf(shared, percent)]),
  )
  // The customer receives the rounding difference.
  const customer = addDecimals(grossEur, ...[partner, sc, ...Object.values(enablers)].map(negateDecimal))
  return { customer: roundDecimal(customer, 2), partner, sc, enablers }
}

/** Several auctions may have sold parts of the same period. */
const mostWon = (bids: readonly BidResult[]): string => {
  const ofPeriods = Map.groupBy(
    bids.filter(({ won }) => won),
    ({ fromMs }) => fromMs,
  )
  const sums = [...ofPeriods.values()].map((of) => sumDecimals(of.map(({ wonMw, capacityMw }) => wonMw ?? capacityMw)))
  return [...new Set(sums)].reduce((most, mw) => (compareDecimals(mw, most) > 0 ? mw : most), '0')
}

export const settle = ({ bids, notAvailable, energy, contract }: SettlementInput): Settlement => {
  const counted = bids
    .toSorted((a, b) => a.fromMs - b.fromMs || a.auction.localeCompare(b.auction))
    .map((bid) => {
      const hours = hoursOf(bid)
      return { bid, hours: hours.length, missedHours: hours.filter((atMs) => notAvailable.has(atMs)).length }
    })
  const parts = counted.reduce((all, { hours }) => lcm(all, hours), 1)
  const lines = counted.map((one) => ({ ...one, exact: exactOf(one.bid, one.missedHours, one.hours, parts) }))
  const known = lines.flatMap(({ exact }) => exact ?? [])
  const isKnown = known.length > 0
  const capacityEur = isKnown ? roundDecimal(sumDecimals(known.map((line) => line.capacityEur)), 2) : null
  const penaltyEur = isKnown
    ? divideDecimal(
        sumDecimals(known.map((line) => line.penaltyParts).filter((part) => part !== owesNothing)),
        parts,
        2,
      )
    : null
  // Sum of the rounded amounts, so that the shown figures add up.
  const grossEur = capacityEur && penaltyEur && roundDecimal(addDecimals(capacityEur, penaltyEur), 2)
  return {
    bids: lines.map(({ bid, hours, missedHours, exact }) => ({
      ...bid,
      hours,
      missedHours,
      capacityEur: exact && exact.capacityEur,
      penaltyEur:
        exact && (exact.penaltyParts === owesNothing ? noPenaltyEur : divideDecimal(exact.penaltyParts, parts, 9)),
    })),
    isResultFetched: lines.every(({ exact }) => exact !== null),
    wonMw: mostWon(bids),
    capacityEur,
    penaltyEur,
    grossEur,
    energyEur: roundedEnergy(energy),
    shares:
      contract && capacityEur && penaltyEur && grossEur ? split(contract, capacityEur, penaltyEur, grossEur) : null,
  }
}
