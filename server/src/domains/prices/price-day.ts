import { sql, type RawBuilder } from 'kysely'
import { exchangeOf, type ExchangeRow } from '#exchange-rate.ts'
import { marketSourceOf, simulatedColumn } from '#published-source.ts'

type InJson<Row> = { [Key in keyof Row]: Row[Key] extends Date ? string : Row[Key] }

export type DayColumns<Row> = ExchangeRow & { simulated: boolean | null; prices: InJson<Row>[] }

/**
 * A day of a market's prices and what is said about them, as columns beside `r`, the rate of the day: a chart is one statement, for each
 * costs the embedded store half a millisecond. A decimal among the prices must be cast to text: JSON would make a float of it.
 */
export const dayColumns = (market: string, prices: RawBuilder<unknown>) => sql`
  r.dkk_per_eur, r.rate_day, ${simulatedColumn(market)}, coalesce((select json_agg(one) from (${prices}) one), '[]') as prices`

/** What those columns say. */
export const dayOf = <Row extends { starts_at: Date; fetched_at: Date }>(market: string, row: DayColumns<Row>) => ({
  exchange: exchangeOf(row),
  source: marketSourceOf(market, row),
  rows: row.prices.map((one) => ({ ...one, starts_at: new Date(one.starts_at), fetched_at: new Date(one.fetched_at) })),
})
