import type { Data } from '@gridmast/contract/call.ts'
import type { meterGraph } from '@gridmast/contract/meters/data-hub.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { startsOf } from './span.ts'
import { kwhOf, qualityAt, type DayReadings } from './sums.ts'

type Said = DayReadings & { version: number; fetched_at: string; corrected: boolean | null }
type Day = Said & { earlier: Said[] | null }
type Version = NonNullable<Data<typeof meterGraph>['versions']>[number]

const mostTold = 51
const mostNamed = 10

export const dayWithVersions = (day: LocalDate) => sql<Day | null>`(
  select row_to_json(one) from (
    select day, step_s, wh, quality, version, fetched_at, null as corrected, (
      select json_agg(r) from (
        select day, step_s, wh, quality, version, fetched_at, corrected from meter_day_revision r
        where r.customer_id = d.customer_id and r.meter_id = d.meter_id and r.day = d.day order by version desc limit ${mostTold}
      ) r) as earlier
    from meter_day d where d.customer_id = m.customer_id and d.meter_id = m.meter_id and d.day = ${day}::date
  ) one)`

const sumOf = (wh: readonly (number | null)[]): string | null => {
  const known = wh.filter((value) => value !== null)
  return known.length > 0 ? kwhOf(known.reduce((sum, value) => sum + value, 0)) : null
}

const readingAt = (said: Said, i: number) => {
  const wh = said.wh[i] ?? null
  return { kwh: wh === null ? null : kwhOf(wh), quality: qualityAt(said, i) }
}

/** Changed values sort before changes of quality only: a value changes the cost. */
const changesOf = (is: Said, was: Said | undefined): Version['changes'] => {
  if (!was || was.step_s !== is.step_s) return null
  const changed = startsOf(is.day, is.step_s)
    .map((fromMs, i) => ({ fromMs, before: readingAt(was, i), after: readingAt(is, i) }))
    .filter(({ before, after }) => before.kwh !== after.kwh || before.quality !== after.quality)
  const isOther = ({ before, after }: (typeof changed)[number]) => before.kwh !== after.kwh
  const named = [...changed.filter(isOther), ...changed.filter((one) => !isOther(one))].slice(0, mostNamed)
  return {
    count: changed.length,
    first: named.map(({ fromMs, ...change }) => ({
      from: new Date(fromMs).toISOString(),
      to: new Date(fromMs + is.step_s * 1000).toISOString(),
      ...change,
    })),
  }
}

export const versionsOf = (row: Day | null): Version[] => {
  const all = row ? [row, ...(row.earlier ?? [])] : []
  return all.slice(0, mostTold).map((said, i) => {
    const before = all[i + 1]
    return {
      version: said.version,
      fetchedAt: new Date(said.fetched_at).toISOString(),
      change: before === undefined ? 'first' : before.corrected ? 'corrected' : 'added',
      kwh: sumOf(said.wh),
      changes: changesOf(said, before),
    }
  })
}
