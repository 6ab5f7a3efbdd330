import { sql, type RawBuilder } from 'kysely'
import { exchangeOf, exchangeOn, type ExchangeRow } from '#exchange-rate.ts'
import { marketSourceOf, simulatedColumn } from '#published-source.ts'

type InJson<Row> = { [Key in keyof Row]: Row[Key] extends Date ? string : Row[Key] }

export type PriceDay<Row> = ExchangeRow & { simulated: boolean | null; prices: InJson<Row>[]; newest_at: Date | null }

/**
 * A day of a market's prices and what is said about them, as one row beside `from`: a chart is one statement. `prices` may use `r`, the
 * rate of the day. A decimal among them must be cast to text: JSON would make a float of it.
 */
export const selectDay = (market: string, date: string, prices: RawBuilder<unknown>, from?: RawBuilder<unknown>) => sql`
  select ${from ? sql`s.*, ` : sql``}r.dkk_per_eur, r.rate_day, ${simulatedColumn(market)}, coalesce(p.prices, '[]') as prices, p.newest_at
  from ${from ? sql`${from} s cross join ` : sql``}${exchangeOn(date)} r
  cross join lateral (select json_agg(one) as prices, max(one.fetched_at) as newest_at from (${prices}) one) p`

/** What that row says. */
export const dayOf = <Row extends { starts_at: Date }>(market: string, row: PriceDay<Row>) => ({
  exchange: exchangeOf(row),
  source: marketSourceOf(market, row),
  rows: row.prices.map((one) => ({ ...one, starts_at: new Date(one.starts_at) })),
  lastReported: row.newest_at?.toISOString() ?? null,
})
