import { auctionsOfMarket, requestSlots } from '@gridmast/contract/bid-slots.ts'
import type { Data } from '@gridmast/contract/call.ts'
import type { BidState, Settlement, settlementFormula } from '@gridmast/contract/settlement/economics.ts'
import { compareDecimals, divideDecimal, multiplyDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'
import { energyEurOf } from './energy.ts'
import type { PriceSources } from './price-sources.ts'
import type { SettlementOfInstance, SettlementVersion } from './queries.ts'
import type { SettledBid } from './settle.ts'

const greatest = (all: readonly string[]) => all.reduce((most, mw) => (compareDecimals(mw, most) > 0 ? mw : most), '0')

const meanPrice = (bids: readonly SettledBid[], priceOf: (bid: SettledBid) => string | null): string | null => {
  const priced = bids.flatMap((bid) => {
    const eur = priceOf(bid)
    return eur === null ? [] : [{ mw: bid.capacityMw, eur }]
  })
  const [first] = priced
  if (!first || priced.length !== bids.length) return null
  if (priced.every(({ eur }) => eur === first.eur)) return first.eur
  // Integer kW, because a mean needs an integer divisor.
  const kw = priced.map(({ mw }) => multiplyDecimals(mw, '1000'))
  const sum = sumDecimals(priced.map(({ eur }, i) => multiplyDecimals(eur, kw[i] ?? '0')))
  return divideDecimal(sum, Number(sumDecimals(kw)), 6)
}

const bySlot = (market: string, bids: readonly SettledBid[]) => {
  const of = Map.groupBy(bids, ({ slot }) => slot)
  return Array.from({ length: requestSlots(market) ?? 1 }, (_, slot) => of.get(slot) ?? [])
}

/** Largest MW of the periods of a slot: the second auction sells the rest of the first one. */
const slotMw = (bids: readonly SettledBid[]): string | null =>
  bids.length === 0
    ? null
    : greatest(
        [...Map.groupBy(bids, ({ fromMs }) => fromMs).values()].map((of) => greatest(of.map((bid) => bid.capacityMw))),
      )

const stateOf = (bids: readonly SettledBid[]): BidState => ({
  status: bids.length > 0 ? 'active' : 'inactive',
  result: bids.length > 0 && bids.every(({ won }) => won !== null),
  won: bids.some(({ won }) => won === true),
})

/** Energy prices are part of the capacity request, and the operator publishes no result per bid: a bid that was activated and settled counts as won. */
const energyBidOf = ({ inputs: { bids, energy }, energy_state }: SettlementVersion): BidState => {
  const isSettled = energy_state === 'known' && energy.length > 0
  const isBid = bids.some(({ regulationPriceEur }) => regulationPriceEur !== null)
  return { status: isBid ? 'active' : 'inactive', result: isSettled, won: isSettled }
}

const sharesOf = ({ customer_eur, partner_eur, sc_eur, enablers }: SettlementVersion) => ({
  customer: customer_eur,
  partner: partner_eur,
  sc: sc_eur,
  enablers,
})

export const toSettlement = (row: SettlementOfInstance): Settlement => {
  const { bids } = row.inputs
  const slots = bySlot(row.market, bids)
  const isWon = row.is_result_fetched || compareDecimals(row.won_mw, '0') > 0
  const prices = (auction: string) =>
    slots.map(
      (of) => of.find((bid) => bid.auction === auction && bid.marginalPriceEur !== null)?.marginalPriceEur ?? null,
    )
  return {
    date: row.day,
    instanceId: row.instance_id,
    instanceIdName: row.instance_name,
    type: row.product,
    market: row.market,
    source: bids.some(({ decidedBy }) => decidedBy === 'result-file') ? 'result-file' : 'computed',
    capacity: isWon ? row.won_mw : greatest(bids.map(({ capacityMw }) => capacityMw)),
    ...sharesOf(row),
    energyPrice: row.energy_eur,
    energyState: row.energy_state,
    gross: row.gross_eur,
    penalty: row.penalty_eur,
    isResultFetched: row.is_result_fetched,
    isClosed: row.is_closed,
    version: row.version,
    status: { CM: stateOf(bids), EAM: energyBidOf(row) },
    modalData: {
      capacity: slots.map(slotMw),
      price: slots.map((of) => meanPrice(of, ({ priceEur }) => priceEur)),
      regulationPrice: slots.map((of) => meanPrice(of, ({ regulationPriceEur }) => regulationPriceEur)),
      panicHours: slots.flatMap((of, slot) => (of.some(({ missedHours }) => missedHours > 0) ? [slot] : [])),
      bidStatus: auctionsOfMarket(row.market).map((productName) => ({ productName, price: prices(productName) })),
      energyStatus: energyBidOf(row),
    },
    simulated: row.simulated,
  }
}

const iso = (atMs: number) => new Date(atMs).toISOString()

export const toFormula = (
  row: SettlementVersion,
  versions: readonly SettlementVersion[],
  sources: PriceSources,
): Data<typeof settlementFormula> => ({
  version: row.version,
  madeAt: row.made_at.toISOString(),
  isNewest: row.version === versions[0]?.version,
  lines: row.inputs.bids.map((bid) => ({
    start: iso(bid.fromMs),
    end: iso(bid.toMs),
    slot: bid.slot,
    auction: bid.auction,
    bidMw: bid.capacityMw,
    bidEur: bid.priceEur,
    won: bid.won,
    decidedBy: bid.decidedBy,
    wonMw: bid.won ? (bid.wonMw ?? bid.capacityMw) : null,
    marginalEur: bid.marginalPriceEur,
    priceSource: sources.ofBid(bid),
    capacityEur: bid.capacityEur,
    hours: bid.hours,
    missedHours: bid.missedHours,
    penaltyEur: bid.penaltyEur,
  })),
  availability: row.inputs.availability,
  contract: row.inputs.contract,
  capacityEur: row.capacity_eur,
  penaltyEur: row.penalty_eur,
  grossEur: row.gross_eur,
  energyEur: row.energy_eur,
  energy: {
    state: row.energy_state,
    quarters: row.inputs.energy.map((quarter) => ({
      start: iso(quarter.fromMs),
      end: iso(quarter.toMs),
      upMwh: quarter.upMwh,
      downMwh: quarter.downMwh,
      upEur: quarter.upPriceEur,
      downEur: quarter.downPriceEur,
      eur: energyEurOf(quarter),
      upSource: sources.ofEnergy(quarter, 'up'),
      downSource: sources.ofEnergy(quarter, 'down'),
    })),
    unmeasuredQuarters: row.inputs.unmeasuredQuarters ?? 0,
  },
  ...sharesOf(row),
  versions: versions.map((one) => ({
    version: one.version,
    madeAt: one.made_at.toISOString(),
    grossEur: one.gross_eur,
    customerEur: one.customer_eur,
  })),
})
