import { dayBounds, type Span } from '@gridmast/contract/time.ts'
import { sql, type RawBuilder } from 'kysely'
import { dkkPerEurAt } from '#exchange-rate.ts'
import { notFound } from '#platform/errors.ts'
import type { Tx } from '#platform/records.ts'
import { dayOf, selectDay, type PriceDay } from './price-day.ts'

export const findPriceSignals = (tx: Tx, customerId: string) =>
  tx.selectFrom('price_signal').selectAll().where('customer_id', '=', customerId).orderBy('position').execute()

/** The signal asked for, or the customer's first one. */
const ownSignal = (tx: Tx, customerId: string, id: string | undefined) => {
  const own = tx
    .selectFrom('price_signal')
    .select(['price_signal_id', 'name', 'area', 'tax_dkk_per_mwh'])
    .where('customer_id', '=', customerId)
    .orderBy('position')
    .limit(1)
  return id ? own.where('price_signal_id', '=', id) : own
}

export const getPriceSignal = async (tx: Tx, customerId: string, id: string | undefined) => {
  const signal = await ownSignal(tx, customerId, id).executeTakeFirst()
  if (!signal) throw notFound()
  return signal
}
type OwnSignal = Awaited<ReturnType<typeof getPriceSignal>>

/** The own signals, held until the transaction ends. */
export const lockPriceSignals = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('price_signal')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('position')
    .forUpdate()
    .execute()

export const saveTax = (tx: Tx, customerId: string, id: string, dkkPerMwh: string) =>
  tx
    .updateTable('price_signal')
    .set({ tax_dkk_per_mwh: dkkPerMwh })
    .where('customer_id', '=', customerId)
    .where('price_signal_id', '=', id)
    .execute()

export type DayAheadPrice = {
  starts_at: Date
  duration_s: number
  price_dkk: string
  price_tax_included: string
  derived: boolean
  fetched_at: Date
}

type Resolution = 'quarter' | 'hour'

/**
 * Day-ahead prices of an area in DKK/MWh, in order, without and with a tax. A price published in EUR only takes `rate`. `hour` makes
 * hourly means; an hour that is not complete is left out.
 */
const dayAheadPrices = (
  { area, tax, rate }: Record<'area' | 'tax' | 'rate', RawBuilder<unknown>>,
  span: Span,
  resolution: Resolution,
) => {
  const published = sql`
    select p.starts_at, p.duration_s, p.fetched_at, p.price_dkk is null as derived,
      coalesce(p.price_dkk, round(p.price_eur * ${rate}, 6)) as price_dkk
    from market_price p
    where p.market = 'day-ahead' and p.area = ${area} and p.product = '' and p.auction = ''
      and p.starts_at >= ${new Date(span.fromMs)} and p.starts_at < ${new Date(span.toMs)}`
  const prices =
    resolution === 'quarter'
      ? published
      : sql`
          select date_bin('1 hour', starts_at, 'epoch') as starts_at, 3600 as duration_s, max(fetched_at) as fetched_at,
            bool_or(derived) as derived, round(sum(price_dkk * duration_s) / 3600, 6) as price_dkk
          from (${published}) q where price_dkk is not null group by 1 having sum(duration_s) = 3600`
  return sql<DayAheadPrice>`
    select starts_at, duration_s, fetched_at, derived, trim_scale(price_dkk)::text as price_dkk,
      trim_scale(price_dkk + ${tax})::text as price_tax_included
    from (${prices}) q where price_dkk is not null order by starts_at`
}

/** Prices of a span, at most `rows`, each one in EUR at the rate of its own day. */
export const findDayAheadPrices = async (
  tx: Tx,
  signal: Pick<OwnSignal, 'area' | 'tax_dkk_per_mwh'>,
  span: Span,
  resolution: Resolution,
  rows?: number,
): Promise<DayAheadPrice[]> => {
  const of = {
    area: sql`${signal.area}`,
    tax: sql`${signal.tax_dkk_per_mwh}::numeric`,
    rate: dkkPerEurAt(sql`p.starts_at`),
  }
  return (await sql<DayAheadPrice>`${dayAheadPrices(of, span, resolution)} limit ${rows ?? null}`.execute(tx)).rows
}

/** One local day of a signal, with the rate that prices in EUR take and where they come from. */
export const getDayAhead = async (
  tx: Tx,
  customerId: string,
  id: string | undefined,
  date: string,
  resolution: Resolution,
) => {
  const of = { area: sql`s.area`, tax: sql`s.tax_dkk_per_mwh`, rate: sql`r.dkk_per_eur` }
  const prices = dayAheadPrices(of, dayBounds(date), resolution)
  const signal = sql`${ownSignal(tx, customerId, id)}`
  const [row] = (
    await sql<OwnSignal & PriceDay<DayAheadPrice>>`${selectDay('day-ahead', date, prices, signal)}`.execute(tx)
  ).rows
  if (!row) throw notFound()
  return { signal: row, ...dayOf('day-ahead', row) }
}

/** The price of this moment in each area that has one. */
export const findPricesAt = async (tx: Tx, areas: readonly string[], nowMs: number) => {
  const now = new Date(nowMs)
  const { rows } = await sql<{ area: string; starts_at: Date; price_dkk: string }>`
    select a.area, p.starts_at, p.price_dkk from unnest(${areas}::text[]) a(area)
    cross join lateral (
      select p.starts_at, p.duration_s, coalesce(p.price_dkk, round(p.price_eur * ${dkkPerEurAt(sql`p.starts_at`)}, 6)) as price_dkk
      from market_price p
      where p.market = 'day-ahead' and p.area = a.area and p.product = '' and p.auction = '' and p.starts_at <= ${now}
      order by p.starts_at desc limit 1) p
    where p.price_dkk is not null and p.starts_at + make_interval(secs => p.duration_s) > ${now}`.execute(tx)
  return rows
}
