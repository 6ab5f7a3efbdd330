import { compareDecimals } from '@gridmast/contract/numbers.ts'
import { sql } from 'kysely'
import { publishedAs } from '#grid/published/published-prices.ts'
import { sourceOfPrices } from '#grid/published/sources.ts'
import type { Tx } from '#platform/records/records.ts'
import { type ActivatedEnergy, priceSeries, type Way } from './energy.ts'
import type { SettlementVersion } from './queries.ts'
import type { SettledBid } from './settle.ts'

/** Sources of a settlement's prices, matched by the price itself, so that an earlier version has its own source. */

type PriceSource = { name: string; dataset: string; readAt: string; isFile: boolean; simulated: boolean }
export type PriceSources = {
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

/** The source of a revised price is the revision with that price. */
export const readPriceSources = async (tx: Tx, customerId: string, row: SettlementVersion): Promise<PriceSources> => {
  const prices = pricesOf(row)
  const numbered = prices.map(({ at, ...price }, n) => ({ n, ...price, at: new Date(at) }))
  const { rows } = await sql<SourceRow>`
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
    where q.file`.execute(tx)
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
