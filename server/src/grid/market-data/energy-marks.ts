import { type RawBuilder, sql } from 'kysely'
import { addMarks, type Marks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'

type EnergyDay = { reserve: string; area: string; day: string }
export type SavedPrices = { count: number; energy: EnergyDay[] }

export const savedPrices = async (
  tx: Tx,
  statement: RawBuilder<unknown>,
  before: RawBuilder<unknown> = sql``,
): Promise<SavedPrices> => {
  const { rows } = await sql<SavedPrices>`
    with ${before} saved as (${statement} returning p.market, p.area, p.starts_at)
    select count(*)::int as count, coalesce(jsonb_agg(distinct jsonb_build_object('reserve', split_part(market, '-', 1), 'area', area,
      'day', (starts_at at time zone 'Europe/Berlin')::date)) filter (where market like '%FRR-energy-%'), '[]') as energy
    from saved`.execute(tx)
  return rows[0] ?? { count: 0, energy: [] }
}

/** Flags settlements with an energy revenue from these prices for recalculation, also while a past day is being settled for the first time. */
export const markEnergyPrices = async (tx: Tx, saved: readonly SavedPrices[]): Promise<void> => {
  const days = saved.flatMap(({ energy }) => energy)
  if (days.length === 0) return
  const { rows } = await sql<Marks['settlement_due']>`
    select distinct s.customer_id, s.instance_id, s.day::text
    from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as c(reserve text, area text, day date)
    join instance i on i.area = c.area
    join settlement s on s.customer_id = i.customer_id and s.instance_id = i.instance_id and s.day = c.day
    where (s.is_closed or s.day < (now() at time zone 'Europe/Berlin')::date)
      and s.energy_state <> 'none' and s.product like c.reserve || '%'`.execute(tx)
  addMarks(tx, 'settlement_due', rows)
}
