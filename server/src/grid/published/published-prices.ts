import type { PriceSignal } from '@gridmast/contract/grid/price-signals.ts'
import { dayBounds, type Span } from '@gridmast/contract/time.ts'
import { sql, type RawBuilder } from 'kysely'
import { quartersFromMs } from '#connectors/energi-data-service/datasets.ts'
import type { Tx } from '#platform/records/records.ts'
import { dkkPerEurAt, exchangeOf, exchangeOn, type ExchangeRow } from './exchange-rates.ts'
import { type PriceOrigin, sourceOfPrices } from './sources.ts'
import { sqlRows } from '#platform/records/rows.ts'

/** Names of an auction's published results, by precedence; the second name of two auctions was used before June 2023. */
export const publishedAs = sql`
  (values ('D-1 early', 'D-1 early', 1), ('D-1 early', 'D-2', 2), ('D-1 late', 'D-1 late', 1), ('D-1 late', 'D-1', 2),
    ('', 'Total', 1), ('', '', 2)) as a(auction, published, place)`

/** FFR is bought only at low inertia: in other hours 0 MW are published at 0 EUR, and no bid has won (domain notes, section 1.5). */
export const nothingBought = sql`(p.volume_mw is not distinct from 0 and p.price_eur = 0)`

type PublishedPrice = {
  starts_at: Date
  duration_s: number
  price_dkk: string
  dkk_per_eur: string | null
  fetched_at: Date
  source: string
  simulated: boolean
}

const inDkk = (rate: RawBuilder<unknown>) => sql`coalesce(p.price_dkk, round(p.price_eur * ${rate}, 6))`
const rateUsed = (rate: RawBuilder<unknown>) => sql`case when p.price_dkk is null then ${rate} end`

type InJson<Row> = { [Key in keyof Row]: Row[Key] extends Date ? string : Row[Key] }
type PriceDay<Row> = ExchangeRow & {
  prices: (InJson<Row> & Pick<PublishedPrice, 'source' | 'simulated'>)[]
  newest_at: Date | null
}

/**
 * A day of prices and their source as one row, joined to `from`: a chart is one statement. `prices` may use `r`, the rate of the day; its decimals
 * must be cast to text, because JSON would make them floats.
 */
const selectDay = (date: string, prices: RawBuilder<unknown>, from?: RawBuilder<unknown>) => sql`
  select ${from ? sql`s.*, ` : sql``}r.dkk_per_eur, r.rate_day, coalesce(p.prices, '[]') as prices, p.newest_at
  from ${from ? sql`${from} s cross join ` : sql``}${exchangeOn(date)} r
  cross join lateral (select json_agg(one) as prices, max(one.fetched_at) as newest_at from (${prices}) one) p`

const dayOf = <Row extends PublishedPrice>(market: string, area: string, date: string, row: PriceDay<Row>) => {
  const rows = row.prices.map((one) => ({ ...one, starts_at: new Date(one.starts_at) }))
  return {
    exchange: exchangeOf(row),
    source: sourceOfPrices(market, area, rows, dayBounds(date).fromMs),
    rows,
    lastReported: row.newest_at?.toISOString() ?? null,
  }
}

export type DayAheadPrice = PublishedPrice & { price_tax_included: string }

export type Resolution = 'quarter' | 'hour'

type PriceInputs = Record<'area' | 'tax' | 'rate', RawBuilder<unknown>>

const publishedPrices = ({ area, rate }: PriceInputs, span: Span) => sql`
  select p.starts_at, p.duration_s, p.fetched_at, p.source, p.simulated, ${rateUsed(rate)} as dkk_per_eur, ${inDkk(rate)} as price_dkk
  from market_price p
  where p.market = 'day-ahead' and p.area = ${area} and p.product = '' and p.auction = ''
    and p.starts_at >= ${new Date(span.fromMs)} and p.starts_at < ${new Date(span.toMs)}`

/** DKK/MWh in order, without and with tax; `rate` converts prices published in EUR only, and `hour` omits incomplete hours. */
const dayAheadPrices = (of: PriceInputs, span: Span, resolution: Resolution) => {
  const published = publishedPrices(of, span)
  const prices =
    resolution === 'quarter'
      ? published
      : sql`
          select date_bin('1 hour', starts_at, 'epoch') as starts_at, 3600 as duration_s, max(fetched_at) as fetched_at,
            max(source) as source, bool_or(simulated) as simulated, max(dkk_per_eur) as dkk_per_eur,
            round(sum(price_dkk * duration_s) / 3600, 6) as price_dkk
          from (${published}) q where price_dkk is not null group by 1 having sum(duration_s) = 3600`
  return sql<DayAheadPrice>`
    select starts_at, duration_s, fetched_at, source, simulated, trim_scale(dkk_per_eur)::text as dkk_per_eur,
      trim_scale(price_dkk)::text as price_dkk, trim_scale(price_dkk + ${of.tax})::text as price_tax_included
    from (${prices}) q where price_dkk is not null order by starts_at`
}

type TaxedArea = { area: string; tax_dkk_per_mwh: string }

export const findDayAheadPrices = async (
  tx: Tx,
  signal: TaxedArea,
  span: Span,
  resolution: Resolution,
  rows?: number,
): Promise<DayAheadPrice[]> => {
  const of = {
    area: sql`${signal.area}`,
    tax: sql`${signal.tax_dkk_per_mwh}::numeric`,
    rate: dkkPerEurAt(sql`p.starts_at`),
  }
  return await sqlRows<DayAheadPrice>(tx)`${dayAheadPrices(of, span, resolution)} limit ${rows ?? null}`
}

export type PriceRun = PriceOrigin & { duration_s: number; starts_s: number[]; prices_dkk: string[] }

/** Prices of a span for calculations: the 35,040 of a year arrive as a few rows (PGlite: a meter's year in 82 ms instead of 147). */
export const findPriceRuns = async (tx: Tx, area: string, span: Span): Promise<PriceRun[]> => {
  const of = { area: sql`${area}`, tax: sql`0`, rate: dkkPerEurAt(sql`p.starts_at`) }
  const rows = await sqlRows<Omit<PriceRun, 'starts_s' | 'prices_dkk'> & Record<'starts_s' | 'prices_dkk', string>>(tx)`
    select source, simulated, duration_s, min(starts_at) as starts_at,
      string_agg(extract(epoch from starts_at)::int8::text, ',' order by starts_at) as starts_s,
      string_agg(price_dkk::text, ',' order by starts_at) as prices_dkk
    from (${publishedPrices(of, span)}) q where price_dkk is not null
    group by source, simulated, duration_s, starts_at < ${new Date(quartersFromMs)} order by 4`
  return rows.map((row) => ({
    ...row,
    starts_s: row.starts_s.split(',').map(Number),
    prices_dkk: row.prices_dkk.split(','),
  }))
}

export const getDayAhead = async <Signal extends TaxedArea>(
  tx: Tx,
  signal: RawBuilder<Signal>,
  date: string,
  resolution: Resolution,
) => {
  const of = { area: sql`s.area`, tax: sql`s.tax_dkk_per_mwh`, rate: sql`r.dkk_per_eur` }
  const prices = dayAheadPrices(of, dayBounds(date), resolution)
  const rows = await sqlRows<Signal & PriceDay<DayAheadPrice>>(tx)`${selectDay(date, prices, signal)}`
  const [row] = rows
  return row ? { signal: row, ...dayOf<DayAheadPrice>('day-ahead', row.area, date, row) } : null
}

export const findPricesAt = async (tx: Tx, areas: readonly string[], nowMs: number) => {
  const now = new Date(nowMs)
  return sqlRows<{ area: string; starts_at: Date; price_dkk: string }>(tx)`
    select a.area, p.starts_at, p.price_dkk from unnest(${areas}::text[]) a(area)
    cross join lateral (
      select p.starts_at, p.duration_s, ${inDkk(dkkPerEurAt(sql`p.starts_at`))} as price_dkk
      from market_price p
      where p.market = 'day-ahead' and p.area = a.area and p.product = '' and p.auction = '' and p.starts_at <= ${now}
      order by p.starts_at desc limit 1) p
    where p.price_dkk is not null and p.starts_at + make_interval(secs => p.duration_s) > ${now}`
}

type ReservePrice = PublishedPrice & { price_eur: string | null; volume_mw: string | null; auction: string }

type Market = { market: string; area: string }

const reservePrices = (
  { market, area }: Market,
  auctions: readonly string[],
  span: Span,
  rate: RawBuilder<unknown>,
) => sql<ReservePrice>`
  select distinct on (p.starts_at) p.starts_at, p.duration_s, p.auction, p.fetched_at, p.source, p.simulated,
    trim_scale(${rateUsed(rate)})::text as dkk_per_eur,
    trim_scale(p.price_eur)::text as price_eur, trim_scale(p.volume_mw)::text as volume_mw,
    trim_scale(${inDkk(rate)})::text as price_dkk
  from market_price p
  where p.market = ${market} and p.area = ${area} and p.product = '' and p.auction = any(${auctions}::text[])
    and (p.price_dkk is not null or p.price_eur is not null)
    and p.starts_at >= ${new Date(span.fromMs)} and p.starts_at < ${new Date(span.toMs)}
  order by p.starts_at, array_position(${auctions}::text[], p.auction)`

/**
 * Published prices of one market and area, in order, in DKK. Where an auction's two names have the same start, the first of `auctions` counts; prices
 * in EUR only are converted at the rate of their own day.
 */
export const findReservePrices = async (
  tx: Tx,
  market: Market,
  auctions: readonly string[],
  span: Span,
  rows: number,
): Promise<ReservePrice[]> => {
  const prices = reservePrices(market, auctions, span, dkkPerEurAt(sql`p.starts_at`))
  return await sqlRows<ReservePrice>(tx)`${prices} limit ${rows}`
}

/** Of the local days from `date` to `last`; the rate of the answer is of `date`. */
export const getReserveDays = async (
  tx: Tx,
  signal: Market,
  auctions: readonly string[],
  date: string,
  last: string,
) => {
  const span = { fromMs: dayBounds(date).fromMs, toMs: dayBounds(last).toMs }
  const rate = date === last ? sql`r.dkk_per_eur` : dkkPerEurAt(sql`p.starts_at`)
  const prices = reservePrices(signal, auctions, span, rate)
  const [row] = await sqlRows<PriceDay<ReservePrice>>(tx)`${selectDay(date, prices)}`
  if (!row) throw new Error('The rate of a day is always one row')
  return dayOf<ReservePrice>(signal.market, signal.area, date, row)
}

export const findNewestPrices = async (tx: Tx, signals: readonly PriceSignal[], auctions: readonly string[]) => {
  const column = (key: '_id' | 'market' | 'area') => signals.map((signal) => signal[key])
  return sqlRows<{ id: string; starts_at: Date; price_dkk: string; fetched_at: Date }>(tx)`
    select s.id, p.starts_at, p.price_dkk, p.fetched_at
    from unnest(${column('_id')}::text[], ${column('market')}::text[], ${column('area')}::text[]) with ordinality
      as s(id, market, area, place)
    cross join lateral (
      select p.starts_at, p.fetched_at, ${inDkk(dkkPerEurAt(sql`p.starts_at`))} as price_dkk
      from unnest(${auctions}::text[]) a(auction)
      cross join lateral (
        select * from market_price p
        where p.market = s.market and p.area = s.area and p.product = '' and p.auction = a.auction
          and (p.price_dkk is not null or p.price_eur is not null)
        order by p.starts_at desc limit 1) p
      order by p.starts_at desc limit 1) p
    order by s.place`
}
