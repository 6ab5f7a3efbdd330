import { sql, type RawBuilder } from 'kysely'

/** DKK for one EUR where no rate is known: the central rate of the krone in ERM II (domain notes, section 3). */
export const centralDkkPerEur = '7.46038'

export type Exchange = { dkkPerEur: string; day: string | null }

const known = (day: RawBuilder<unknown>) =>
  sql`from exchange_rate r where r.currency = 'EUR' and r.day <= ${day} order by r.day desc limit 1`

/** The last rate known on a local day and that day, to be selected beside something else: one way to the store instead of two. */
export const exchangeColumns = (date: string) => {
  const onDate = known(sql`${date}::date`)
  return [
    sql<string | null>`(select r.dkk_per_unit ${onDate})`.as('dkk_per_eur'),
    sql<string | null>`(select r.day::text ${onDate})`.as('rate_day'),
  ] as const
}

/** What those columns say; the central rate with no day where none is known. */
export const exchangeOf = (row: { dkk_per_eur: string | null; rate_day: string | null }): Exchange =>
  row.dkk_per_eur === null
    ? { dkkPerEur: centralDkkPerEur, day: null }
    : { dkkPerEur: row.dkk_per_eur, day: row.rate_day }

/** The last rate known on a date that stands in the row; null where none is. */
export const knownDkkPerEur = (day: RawBuilder<unknown>) => sql<string | null>`(select r.dkk_per_unit ${known(day)})`

/** The local day of an instant. */
export const localDay = (instant: RawBuilder<unknown>) => sql<string>`(${instant} at time zone 'Europe/Berlin')::date`

/** What an EUR is worth in DKK on the day of a row that starts at `instant`. */
export const dkkPerEurAt = (instant: RawBuilder<unknown>) =>
  sql<string>`coalesce(${knownDkkPerEur(localDay(instant))}, ${centralDkkPerEur}::numeric)`
