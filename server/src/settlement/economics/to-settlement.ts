import { auctionsOfMarket, requestSlots } from '@gridmast/contract/bid-slots.ts'
import type { BidState, Settlement } from '@gridmast/contract/settlement/economics.ts'
import { compareDecimals, divideDecimal, multiplyDecimals, sumDecimals } from '@gridmast/contract/numbers.ts'
import { energyEurOf, type ActivatedEnergy, priceSeries, type Way } from './energy.ts'
import type { SettlementOfInstance, SettlementVersion } from './queries.ts'
import type { SettledBid } from './settle.ts'
import { publishedAs } from '#grid/published/published-prices.ts'
import { sourceOfPrices } from '#grid/published/sources.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'

/** Sources of a settlement's prices, matched by the price itself, so that an earlier version has its own source. */

type PriceSource = { name: string; dataset: string; readAt: string; isFile: boolean; simulated: boolean }
type PriceSources = {
  ofBid: (bid: SettledBid) => PriceSource | null
  ofEnergy: (quarter: ActivatedEnergy, way: Way) => PriceSource | null
}

type Price = { series: string; auction: string; at: number; eur: string; file: boolean }
type SourceRow = { n: number; area: string | null; name: string; read_at: Date; is_file: boolean; simulated: boolean }

const keyOf = ({ series, auction, at, eur }: Omit<Price, 'file'>) => `${series} ${auction} ${at} ${eur}`

const isSome = (mwh: string) => compareDecimals(mwh, '0') > 0

const pricesOf = ({ product, inputs }: SettlementVersion): Price[] => [
  ...inputs.bids.flatMap(({ auction, fromMs, marginalPriceEur, decidedBy }) =>
    marginalPriceEur === null
      ? []
      : [{ series: product, auction, at: fromMs, eur: marginalPriceEur, file: decidedBy === 'result-file' }],
  ),
  ...inputs.energy.flatMap(({ fromMs, upMwh, downMwh, upPriceEur, downPriceEur }) =>
    ([['up', isSome(upMwh), upPriceEur] as const, ['down', isSome(downMwh), downPriceEur] as const] as const).flatMap(
      ([way, isRequired, eur]) =>
        isRequired && eur !== null
          ? [{ series: priceSeries(product, way), auction: '', at: fromMs, eur, file: false }]
          : [],
    ),
  ),
]

const toSource = ({ series, at }: Price, { area, name, read_at, is_file, simulated }: SourceRow): PriceSource => {
  const published = sourceOfPrices(series, area ?? '', [{ source: name, simulated, starts_at: new Date(at) }])
  return {
    ...(is_file ? { name, dataset: '' } : { name: published.name, dataset: published.dataset }),
    readAt: read_at.toISOString(),
    isFile: is_file,
    simulated,
  }
}

export const readPriceSources = async (tx: Tx, customerId: string, row: SettlementVersion): Promise<PriceSources> => {
  const prices = pricesOf(row)
  const numbered = prices.map(({ at, ...price }, n) => ({ n, ...price, at: new Date(at) }))
  const rows = await sqlRows<SourceRow>(tx)`
    with price as (
      select * from jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb)
        as q(n int, series text, auction text, at timestamptz, eur numeric, file boolean))
    select q.n, i.area, s.name, s.read_at, false as is_file, s.simulated
    from price q join instance i on i.customer_id = ${customerId} and i.instance_id = ${row.instance_id}
    cross join lateral (
      select p.source as name, p.simulated, coalesce(r.fetched_at, p.fetched_at) as read_at
      from ${publishedAs}
      join market_price p on p.market = q.series and p.area = i.area and p.product = '' and p.auction = a.published and p.starts_at = q.at
      left join market_price_revision r on p.price_eur <> q.eur and r.price_eur = q.eur
        and (r.market, r.area, r.product, r.auction, r.starts_at) = (p.market, p.area, p.product, p.auction, p.starts_at)
      where a.auction = q.auction and (p.price_eur = q.eur or r.price_eur = q.eur)
      order by a.place, r.replaced_at desc limit 1) s
    where not q.file
    union all
    select q.n, null, f.name, f.taken_at, true, false
    from price q cross join lateral (
      select f.name, f.taken_at from bid_result r join bid_result_file f using (customer_id, file_id)
      where r.customer_id = ${customerId} and r.instance_id = ${row.instance_id} and r.product = q.series and r.auction = q.auction
        and r.starts_at = q.at and r.marginal_price_eur = q.eur
      order by f.taken_at desc limit 1) f
    where q.file`
  const sources = new Map(
    rows.flatMap((source) => {
      const price = prices[source.n]
      return price ? [[keyOf(price), toSource(price, source)] as const] : []
    }),
  )
  const find = (series: string, auction: string, at: number, eur: string | null) =>
    (eur !== null && sources.get(keyOf({ series, auction, at, eur }))) || null
  return {
    ofBid: ({ auction, fromMs, marginalPriceEur }) => find(row.product, auction, fromMs, marginalPriceEur),
    ofEnergy: ({ fromMs, upPriceEur, downPriceEur }, way) =>
      find(priceSeries(row.product, way), '', fromMs, way === 'up' ? upPriceEur : downPriceEur),
  }
}

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

export const toFormula = (row: SettlementVersion, versions: readonly SettlementVersion[], sources: PriceSources) => ({
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
