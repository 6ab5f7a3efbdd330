import type { PriceSignal } from '@gridmast/contract/price-signals.ts'
import { dayBounds, type Span } from '@gridmast/contract/time.ts'
import { sql, type RawBuilder } from 'kysely'
import { dkkPerEurAt } from '#exchange-rate.ts'
import type { Tx } from '#platform/records.ts'
import { dayOf, selectDay, type PriceDay } from './price-day.ts'

export type ReservePrice = {
  starts_at: Date
  duration_s: number
  price_dkk: string
  price_eur: string | null
  volume_mw: string | null
  auction: string
  derived: boolean
  fetched_at: Date
}

type Market = { market: string; area: string }

const reservePrices = (
  { market, area }: Market,
  auctions: readonly string[],
  span: Span,
  rate: RawBuilder<unknown>,
) => sql<ReservePrice>`
  select distinct on (p.starts_at) p.starts_at, p.duration_s, p.auction, p.fetched_at, p.price_dkk is null as derived,
    trim_scale(p.price_eur)::text as price_eur, trim_scale(p.volume_mw)::text as volume_mw,
    trim_scale(coalesce(p.price_dkk, round(p.price_eur * ${rate}, 6)))::text as price_dkk
  from market_price p
  where p.market = ${market} and p.area = ${area} and p.product = '' and p.auction = any(${auctions}::text[])
    and (p.price_dkk is not null or p.price_eur is not null)
    and p.starts_at >= ${new Date(span.fromMs)} and p.starts_at < ${new Date(span.toMs)}
  order by p.starts_at, array_position(${auctions}::text[], p.auction)`

/**
 * Up to so many published prices of one market and area, in order, in DKK. One auction may stand under several names: where two of them
 * priced the same start, the first of `auctions` counts. A price in EUR only takes the rate of its own day.
 */
export const findReservePrices = async (
  tx: Tx,
  market: Market,
  auctions: readonly string[],
  span: Span,
  rows: number,
): Promise<ReservePrice[]> => {
  const prices = reservePrices(market, auctions, span, dkkPerEurAt(sql`p.starts_at`))
  return (await sql<ReservePrice>`${prices} limit ${rows}`.execute(tx)).rows
}

/** The same of one local day, with the rate that those in EUR take and where they come from. */
export const getReserveDay = async (tx: Tx, signal: Market, auctions: readonly string[], date: string) => {
  const prices = reservePrices(signal, auctions, dayBounds(date), sql`r.dkk_per_eur`)
  const [row] = (await sql<PriceDay<ReservePrice>>`${selectDay(signal.market, date, prices)}`.execute(tx)).rows
  if (!row) throw new Error('The rate of a day is always one row')
  return dayOf(signal.market, row)
}

export type NewestPrice = { id: string; starts_at: Date; price_dkk: string; fetched_at: Date }

/** The newest price of each signal; a signal without any is absent. */
export const findNewestPrices = async (
  tx: Tx,
  signals: readonly PriceSignal[],
  auctions: readonly string[],
): Promise<NewestPrice[]> => {
  const column = (key: '_id' | 'market' | 'area') => signals.map((signal) => signal[key])
  const { rows } = await sql<NewestPrice>`
    select s.id, p.starts_at, p.price_dkk, p.fetched_at
    from unnest(${column('_id')}::text[], ${column('market')}::text[], ${column('area')}::text[]) with ordinality
      as s(id, market, area, place)
    cross join lateral (
      select p.starts_at, p.fetched_at, coalesce(p.price_dkk, round(p.price_eur * ${dkkPerEurAt(sql`p.starts_at`)}, 6)) as price_dkk
      from unnest(${auctions}::text[]) a(auction)
      cross join lateral (
        select * from market_price p
        where p.market = s.market and p.area = s.area and p.product = '' and p.auction = a.auction
          and (p.price_dkk is not null or p.price_eur is not null)
        order by p.starts_at desc limit 1) p
      order by p.starts_at desc limit 1) p
    order by s.place`.execute(tx)
  return rows
}
