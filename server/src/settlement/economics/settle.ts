import {
  addDecimals,
  compareDecimals,
  divideDecimal,
  multiplyDecimals,
  negateDecimal,
  roundDecimal,
  sumDecimals,
} from '@gridmast/contract/numbers.ts'
import { hourMs, type LocalDate, type Span } from '@gridmast/contract/time.ts'
import type { RowOf } from '#platform/records/rows.ts'
import type { Availability, Reason } from './availability.ts'
import { type ActivatedEnergy, type Energy, type EnergyState, energySumOf } from './energy.ts'

/** Revenue of a day of an instance on one product, and its shares. Exact decimal text: EUR, MW, percent. Rules and worked examples: settlement.md. */

export type SettledBid = Span & {
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
  capacityEur: string | null
  hours: number
  missedHours: number
  penaltyEur: string | null
}
export type BidResult = Omit<SettledBid, 'capacityEur' | 'hours' | 'missedHours' | 'penaltyEur'>

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

export type ValidContract = Contract & { validFrom: LocalDate }

export type Inputs = {
  bids: SettledBid[]
  availability:
    | (Pick<Availability, 'isJudged' | 'missingShare'> & { notAvailable: { at: string; reason: Reason }[] })
    | null
  energy: ActivatedEnergy[]
  contract: ValidContract | null
  unmeasuredQuarters?: number
}

type StoredSettlement = RowOf<'settlement'>

/** Totals of the published results, each rounded to cents once; null without any. Shares are null without a contract. */
export type Amounts = Pick<
  StoredSettlement,
  'capacity_eur' | 'penalty_eur' | 'gross_eur' | 'customer_eur' | 'partner_eur' | 'sc_eur'
> & { enablers: Record<string, string> | null }

export type SettlementRow = Omit<StoredSettlement, 'energy_state' | 'enablers' | 'inputs' | 'slot_sums'> & {
  energy_state: EnergyState
  enablers: Amounts['enablers']
  inputs: Inputs
}

/** Energy is not part of the gross and not shared (decision 30); null where none is paid, or a part is unknown. */
export type Settled = Amounts &
  Pick<StoredSettlement, 'is_result_fetched' | 'won_mw' | 'energy_eur'> & { bids: SettledBid[] }

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

type Shares = Pick<Amounts, 'customer_eur' | 'partner_eur' | 'sc_eur' | 'enablers'>
const noShares: Shares = { customer_eur: null, partner_eur: null, sc_eur: null, enablers: null }

const split = (contract: Contract, capacityEur: string, penaltyEur: string, grossEur: string): Shares => {
  const isScLiable = contract.penaltyTo === 'sc'
  const shared = isScLiable ? capacityEur : grossEur
  const partner_eur = percentOf(shared, contract.partner)
  const sc_eur = roundDecimal(addDecimals(percentOf(shared, contract.sc), isScLiable ? penaltyEur : '0'), 2)
  const enablers = Object.fromEntries(
    Object.entries(contract.enablers).map(([name, percent]) => [name, percentOf(shared, percent)]),
  )
  // The customer receives the rounding difference.
  const customer = addDecimals(grossEur, ...[partner_eur, sc_eur, ...Object.values(enablers)].map(negateDecimal))
  return { customer_eur: roundDecimal(customer, 2), partner_eur, sc_eur, enablers }
}

/** Several auctions may have sold parts of the same period. */
const maxWonMw = (bids: readonly BidResult[]): string => {
  const ofPeriods = Map.groupBy(
    bids.filter(({ won }) => won),
    ({ fromMs }) => fromMs,
  )
  const sums = [...ofPeriods.values()].map((of) => sumDecimals(of.map(({ wonMw, capacityMw }) => wonMw ?? capacityMw)))
  return [...new Set(sums)].reduce((most, mw) => (compareDecimals(mw, most) > 0 ? mw : most), '0')
}

export const settle = ({ bids, notAvailable, energy, contract }: SettlementInput): Settled => {
  const counted = bids
    .toSorted((a, b) => a.fromMs - b.fromMs || a.auction.localeCompare(b.auction))
    .map((bid) => {
      const hours = hoursOf(bid)
      return { bid, hours: hours.length, missedHours: hours.filter((atMs) => notAvailable.has(atMs)).length }
    })
  const parts = counted.reduce((all, { hours }) => lcm(all, hours), 1)
  const lines = counted.map((one) => ({ ...one, exact: exactOf(one.bid, one.missedHours, one.hours, parts) }))
  const published = lines.flatMap(({ exact }) => exact ?? [])
  const isPublished = published.length > 0
  const capacity_eur = isPublished ? roundDecimal(sumDecimals(published.map((line) => line.capacityEur)), 2) : null
  const penalties = published.map((line) => line.penaltyParts).filter((part) => part !== owesNothing)
  const penalty_eur = isPublished ? divideDecimal(sumDecimals(penalties), parts, 2) : null
  // Sum of the rounded amounts, so that the displayed figures add up.
  const gross_eur = capacity_eur && penalty_eur && roundDecimal(addDecimals(capacity_eur, penalty_eur), 2)
  const shares =
    contract && capacity_eur && penalty_eur && gross_eur && split(contract, capacity_eur, penalty_eur, gross_eur)
  return {
    bids: lines.map(({ bid, hours, missedHours, exact }) => ({
      ...bid,
      hours,
      missedHours,
      capacityEur: exact && exact.capacityEur,
      penaltyEur:
        exact && (exact.penaltyParts === owesNothing ? noPenaltyEur : divideDecimal(exact.penaltyParts, parts, 9)),
    })),
    is_result_fetched: lines.every(({ exact }) => exact !== null),
    won_mw: maxWonMw(bids),
    capacity_eur,
    penalty_eur,
    gross_eur,
    energy_eur: roundedEnergy(energy),
    ...(shares || noShares),
  }
}
