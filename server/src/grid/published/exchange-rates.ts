import { sql, type RawBuilder } from 'kysely'

/** DKK per EUR without a rate: the central rate of the krone in ERM II (domain notes, section 3). */
export const centralDkkPerEur = '7.46038'

export type Exchange = { dkkPerEur: string; day: string | null }

/** At Easter and Christmas up to five days have no rate: an older one does not apply to the day. */
const longestDays = 7

const lastRate = (day: RawBuilder<unknown>) =>
  sql`from exchange_rate r where r.currency = 'EUR' and r.day <= ${day} and r.day > ${day} - ${longestDays}::int
    order by r.day desc limit 1`

/** The last rate up to a local day and its date, as one row to join; the central rate without a date if there is none. */
export const exchangeOn = (date: string) => sql`(
  select coalesce(r.dkk_per_unit, ${centralDkkPerEur}::numeric) as dkk_per_eur, r.day::text as rate_day
  from (select) one left join (select r.dkk_per_unit, r.day ${lastRate(sql`${date}::date`)}) r on true)`

export type ExchangeRow = { dkk_per_eur: string; rate_day: string | null }

export const exchangeOf = (row: ExchangeRow): Exchange => ({ dkkPerEur: row.dkk_per_eur, day: row.rate_day })

export const dkkPerEurOf = (day: RawBuilder<unknown>) => sql<string | null>`(select r.dkk_per_unit ${lastRate(day)})`

export const localDay = (instant: RawBuilder<unknown>) => sql<string>`(${instant} at time zone 'Europe/Berlin')::date`

export const dkkPerEurAt = (instant: RawBuilder<unknown>) =>
  sql<string>`coalesce(${dkkPerEurOf(localDay(instant))}, ${centralDkkPerEur}::numeric)`
