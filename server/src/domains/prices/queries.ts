import type { Span } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { notFound } from '#platform/errors.ts'
import type { Tx } from '#platform/records.ts'

export const getPriceSignal = async (tx: Tx, customerId: string, id: string | undefined) => {
  const signals = await tx
    .selectFrom('price_signal')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('position')
    .execute()
  const signal = id ? signals.find((one) => one.price_signal_id === id) : signals[0]
  if (!signal) throw notFound()
  return signal
}

export type DayAheadPrice = {
  starts_at: Date
  duration_s: number
  price_dkk: string
  price_tax_included: string
  derived: boolean
}

/**
 * Day-ahead prices of an area in DKK/MWh, in order. A price published in EUR only takes the rate of its day, the last known before it.
 * `hourMs` makes hourly means of them; an hour that is not complete is left out.
 */
export const findDayAheadPrices = async (
  tx: Tx,
  signal: { area: string; tax_dkk_per_mwh: string },
  span: Span,
  resolution: 'quarter' | 'hour',
): Promise<DayAheadPrice[]> => {
  const tax = sql`${signal.tax_dkk_per_mwh}::numeric`
  const published = sql<DayAheadPrice>`
    select p.starts_at, p.duration_s, p.price_dkk is null as derived,
      coalesce(p.price_dkk, round(p.price_eur * (
        select r.dkk_per_unit from exchange_rate r
        where r.currency = 'EUR' and r.day <= (p.starts_at at time zone 'Europe/Berlin')::date order by r.day desc limit 1), 6)) as price_dkk
    from market_price p
    where p.market = 'day-ahead' and p.area = ${signal.area} and p.starts_at >= ${new Date(span.fromMs)} and p.starts_at < ${new Date(span.toMs)}`
  const rows =
    resolution === 'quarter'
      ? await sql<DayAheadPrice>`select q.*, price_dkk + ${tax} as price_tax_included from (${published}) q where price_dkk is not null order by starts_at`.execute(
          tx,
        )
      : await sql<DayAheadPrice>`
          select date_bin('1 hour', starts_at, 'epoch') as starts_at, 3600 as duration_s,
            round(sum(price_dkk * duration_s) / 3600, 6) as price_dkk,
            round(sum(price_dkk * duration_s) / 3600, 6) + ${tax} as price_tax_included, bool_or(derived) as derived
          from (${published}) q where price_dkk is not null
          group by 1 having sum(duration_s) = 3600 order by 1`.execute(tx)
  return rows.rows
}

export const findSource = (tx: Tx, source: string) =>
  tx.selectFrom('connector_state').selectAll().where('source', '=', source).execute()
