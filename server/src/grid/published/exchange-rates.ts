import { sql, type RawBuilder } from 'kysely'

/** DKK for one EUR where no rate is known: the central rate of the krone in ERM II (domain notes, section 3). */
export const centralDkkPerEur = '7.46038'

export type Exchange = { dkkPerEur: string; day: string | null }

/** Days without a rate follow each other at Easter and Christmas, five at most: an older rate is none of the day. */
const longestDays = 7

const known = (day: RawBuilder<unknown>) =>
  sql`from exchange_rate r where r.currency = 'EUR' and r.day <= ${day} and r.day > ${day} - ${longestDays}::int
    order by r.day desc limit 1`

/** The last rate known on a local day and that day, one row to be joined to something else; the central rate with no day where none is known. */
export const exchangeOn = (date: string) => sql`(
  select coalesce(r.dkk_per_unit, ${centralDkkPerEur}::numeric) as dkk_per_eur, r.day::text as rate_day
  from (select) one left join (select r.dkk_per_unit, r.day ${known(sql`${date}::date`)}) r on true)`

export type ExchangeRow = { dkk_per_eur: string; rate_day: string | null }

export const exchangeOf = (row: ExchangeRow): Exchange => ({ dkkPerEur: row.dkk_per_eur, day: row.rate_day })

/** The last rate known on a date that stands in the row; null where none is. */
export const knownDkkPerEur = (day: RawBuilder<unknown>) => sql<string | null>`(select r.dkk_per_unit ${known(day)})`

/** The local day of an instant. */
export const localDay = (instant: RawBuilder<unknown>) => sql<string>`(${instant} at time zone 'Europe/Berlin')::date`

/** What an EUR is worth in DKK on the day of a row that starts at `instant`. */
export const dkkPerEurAt = (instant: RawBuilder<unknown>) =>
  sql<string>`coalesce(${knownDkkPerEur(localDay(instant))}, ${centralDkkPerEur}::numeric)`
