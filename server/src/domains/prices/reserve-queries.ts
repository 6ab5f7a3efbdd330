import type { PriceSignal } from '@gridmast/contract/price-signals.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { dkkPerEurAt, exchangeColumns, exchangeOf } from '#exchange-rate.ts'
import type { Tx } from '#platform/records.ts'
import { marketSourceOf, simulatedColumn } from '#published-source.ts'

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

/** The customer's areas, with what is to be known about prices of a market on a date. */
export const getPricingFacts = async (tx: Tx, customerId: string, market: string, date: string) => {
  const found = await tx
    .selectFrom('customer')
    .select(['areas', ...exchangeColumns(date), simulatedColumn(market)])
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  return { areas: found.areas, exchange: exchangeOf(found), source: marketSourceOf(market, found) }
}

export const findAreas = async (tx: Tx, customerId: string): Promise<string[]> => {
  const found = await tx
    .selectFrom('customer')
    .select('areas')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  return found.areas
}

type Market = { market: string; area: string }

/**
 * Published prices of one market and area, in order, in DKK. One auction may stand under several names: where two of them priced the
 * same start, the first of `auctions` counts. A price in EUR only takes `dkkPerEur`, or the rate of its own day.
 */
export const findReservePrices = async (
  tx: Tx,
  { market, area }: Market,
  auctions: readonly string[],
  span: Span,
  page: { dkkPerEur?: string; rows?: number } = {},
): Promise<ReservePrice[]> => {
  const rate = page.dkkPerEur ? sql`${page.dkkPerEur}::numeric` : dkkPerEurAt(sql`p.starts_at`)
  const { rows } = await sql<ReservePrice>`
    select distinct on (p.starts_at) p.starts_at, p.duration_s, p.auction, p.price_eur, p.volume_mw, p.fetched_at,
      p.price_dkk is null as derived, coalesce(p.price_dkk, round(p.price_eur * ${rate}, 6)) as price_dkk
    from market_price p
    where p.market = ${market} and p.area = ${area} and p.product = '' and p.auction = any(${auctions}::text[])
      and (p.price_dkk is not null or p.price_eur is not null)
      and p.starts_at >= ${new Date(span.fromMs)} and p.starts_at < ${new Date(span.toMs)}
    order by p.starts_at, array_position(${auctions}::text[], p.auction) limit ${page.rows ?? null}`.execute(tx)
  return rows
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
