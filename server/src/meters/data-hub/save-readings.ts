import { dayBounds } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { MeterReadings } from '#connectors/eloverblik/parse.ts'
import type { Tx } from '#platform/records/records.ts'

type MeterKey = { customer_id: string; meter_id: string }

const lastReadOf = (days: MeterReadings['days']): Date | null => {
  const ends = days.flatMap(({ day, stepMs, wh }) => {
    const last = wh.findLastIndex((value) => value !== null)
    return last < 0 ? [] : [dayBounds(day).fromMs + (last + 1) * stepMs]
  })
  return ends.length > 0 ? new Date(Math.max(...ends)) : null
}

/**
 * Stores days of one meter and returns the number of new or changed ones. An unchanged day is not written, a changed one is kept as a revision, and a
 * day that the source omits keeps its readings.
 */
export const saveReadings = async (
  tx: Tx,
  { customer_id, meter_id }: MeterKey,
  days: MeterReadings['days'],
  nowMs: number,
): Promise<number> => {
  if (days.length === 0) return 0
  const now = new Date(nowMs)
  const given = sql`json_to_recordset(${JSON.stringify(
    days.map(({ day, stepMs, wh, quality }) => ({ day, step_s: stepMs / 1000, wh, quality })),
  )}::json) as g(day date, step_s int, wh int[], quality text)`
  const isOther = sql`(d.step_s, d.wh, d.quality) is distinct from (g.step_s, g.wh, g.quality)`
  await sql`
    insert into meter_day_revision (customer_id, meter_id, day, version, step_s, wh, quality, fetched_at, replaced_at, corrected)
    select d.customer_id, d.meter_id, d.day, d.version, d.step_s, d.wh, d.quality, d.fetched_at, ${now},
      d.step_s <> g.step_s or exists (select from unnest(d.wh, g.wh) as u(before, after) where before is not null and before is distinct from after)
    from ${given} join meter_day d on d.customer_id = ${customer_id} and d.meter_id = ${meter_id} and d.day = g.day
    where ${isOther}`.execute(tx)
  const saved = await sql`
    insert into meter_day as d (customer_id, meter_id, day, step_s, wh, quality, fetched_at)
    select ${customer_id}, ${meter_id}, g.day, g.step_s, g.wh, g.quality, ${now} from ${given}
    on conflict (customer_id, meter_id, day) do update
    set step_s = excluded.step_s, wh = excluded.wh, quality = excluded.quality, fetched_at = excluded.fetched_at, version = d.version + 1
    where (d.step_s, d.wh, d.quality) is distinct from (excluded.step_s, excluded.wh, excluded.quality)`.execute(tx)
  await sql`
    update meter set last_read_at = greatest(last_read_at, ${lastReadOf(days)}::timestamptz),
      step_s = (select d.step_s from meter_day d where d.customer_id = meter.customer_id and d.meter_id = meter.meter_id order by d.day desc limit 1)
    where customer_id = ${customer_id} and meter_id = ${meter_id}`.execute(tx)
  return Number(saved.numAffectedRows ?? 0)
}
