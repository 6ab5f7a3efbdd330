import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#platform/records.ts'

/** DKK for one EUR where no rate is known: the central rate of the krone in ERM II (domain notes, section 3). */
export const centralDkkPerEur = '7.46038'

export type Exchange = { dkkPerEur: string; day: string | null }

const known = (day: RawBuilder<unknown>) =>
  sql`from exchange_rate r where r.currency = 'EUR' and r.day <= ${day} order by r.day desc limit 1`

/** The last rate known on a local day, or the central rate with no day. */
export const getExchange = async (tx: Tx, date: string): Promise<Exchange> => {
  const { rows } = await sql<Exchange>`
    select r.dkk_per_unit as "dkkPerEur", r.day::text as day ${known(sql`${date}::date`)}`.execute(tx)
  return rows[0] ?? { dkkPerEur: centralDkkPerEur, day: null }
}

/** The same as SQL, for a date that stands in the row; null where none is known. */
export const knownDkkPerEur = (day: RawBuilder<unknown>) => sql<string | null>`(select r.dkk_per_unit ${known(day)})`

/** The local day of an instant. */
export const localDay = (instant: RawBuilder<unknown>) => sql<string>`(${instant} at time zone 'Europe/Berlin')::date`

/** What an EUR is worth in DKK on the day of a row that starts at `instant`. */
export const dkkPerEurAt = (instant: RawBuilder<unknown>) =>
  sql<string>`coalesce(${knownDkkPerEur(localDay(instant))}, ${centralDkkPerEur}::numeric)`
