import type { Span } from '@gridmast/contract/time.ts'
import { sql, type RawBuilder } from 'kysely'
import { dkkPerEurAt, exchangeColumns, exchangeOf } from '#exchange-rate.ts'
import { notFound } from '#platform/errors.ts'
import type { Tx } from '#platform/records.ts'
import { marketSourceOf, simulatedColumn } from '#published-source.ts'

export const findPriceSignals = (tx: Tx, customerId: string) =>
  tx.selectFrom('price_signal').selectAll().where('customer_id', '=', customerId).orderBy('position').execute()

/** The signal asked for, or the customer's first one, with what is to be known about prices of a date. */
export const getPriceSignal = async (tx: Tx, customerId: string, id: string | undefined, date: string) => {
  let query = tx
    .selectFrom('price_signal')
    .select([
      'price_signal_id',
      'name',
      'area',
      'tax_dkk_per_mwh',
      ...exchangeColumns(date),
      simulatedColumn('day-ahead'),
    ])
    .where('customer_id', '=', customerId)
    .orderBy('position')
    .limit(1)
  if (id) query = query.where('price_signal_id', '=', id)
  const signal = await query.executeTakeFirst()
  if (!signal) throw notFound()
  return { ...signal, exchange: exchangeOf(signal), source: marketSourceOf('day-ahead', signal) }
}

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

type Taxed = { area: string; tax_dkk_per_mwh: string }

const publishedPrices = ({ area }: Taxed, span: Span, rate: RawBuilder<unknown>) => sql`
  select p.starts_at, p.duration_s, p.fetched_at, p.price_dkk is null as derived,
    coalesce(p.price_dkk, round(p.price_eur * ${rate}, 6)) as price_dkk
  from market_price p
  where p.market = 'day-ahead' and p.area = ${area} and p.product = '' and p.auction = ''
    and p.starts_at >= ${new Date(span.fromMs)} and p.starts_at < ${new Date(span.toMs)}`

/**
 * Day-ahead prices of an area in DKK/MWh, in order, without and with the signal's tax. A price published in EUR only takes the rate of
 * its day: `dkkPerEur` where the span is one day, else the last one known on each. `hour` makes hourly means; an hour that is not
 * complete is left out.
 */
export const findDayAheadPrices = async (
  tx: Tx,
  signal: Taxed,
  span: Span,
  resolution: 'quarter' | 'hour',
  page: { dkkPerEur?: string; rows?: number } = {},
): Promise<DayAheadPrice[]> => {
  const rate = page.dkkPerEur ? sql`${page.dkkPerEur}::numeric` : dkkPerEurAt(sql`p.starts_at`)
  const published = publishedPrices(signal, span, rate)
  const prices =
    resolution === 'quarter'
      ? published
      : sql`
          select date_bin('1 hour', starts_at, 'epoch') as starts_at, 3600 as duration_s, max(fetched_at) as fetched_at,
            bool_or(derived) as derived, round(sum(price_dkk * duration_s) / 3600, 6) as price_dkk
          from (${published}) q where price_dkk is not null group by 1 having sum(duration_s) = 3600`
  const { rows } = await sql<DayAheadPrice>`
    select q.*, price_dkk + ${signal.tax_dkk_per_mwh}::numeric as price_tax_included
    from (${prices}) q where price_dkk is not null order by starts_at limit ${page.rows ?? null}`.execute(tx)
  return rows
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
