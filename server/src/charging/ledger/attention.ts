import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import { isDoubted } from './plausible.ts'

const chargedRefused = sql<boolean>`(s.refused and s.consumption_wh > 0)`

export const needsAttention = (since: Date) =>
  sql<boolean>`(${isDoubted} or ${chargedRefused} and s.started_at >= ${since})`

export type Uncounted = { doubted: { sessions: number; kwh: number }; refused: { sessions: number; kwh: number } }

export const findUncounted = async (
  tx: Tx,
  customerId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  of = sql`true`,
): Promise<Uncounted> => {
  const { rows } = await sql<{ doubted: number; doubted_kwh: string; refused: number; refused_kwh: string }>`
    select count(*) filter (where ${isDoubted})::int as doubted,
      (coalesce(sum(s.doubted_wh) filter (where ${isDoubted}), 0) / 1000)::text as doubted_kwh,
      count(*) filter (where ${chargedRefused})::int as refused,
      (coalesce(sum(s.consumption_wh) filter (where ${chargedRefused}), 0) / 1000)::text as refused_kwh
    from charger_transaction s
      left join charger_tag t on t.customer_id = s.customer_id and t.tag_id = s.tag_id
    where s.customer_id = ${customerId} and s.started_at >= ${new Date(fromMs)} and s.started_at < ${new Date(toMs)} and ${of}`.execute(
    tx,
  )
  const [row] = rows
  return {
    doubted: { sessions: row?.doubted ?? 0, kwh: Number(row?.doubted_kwh) },
    refused: { sessions: row?.refused ?? 0, kwh: Number(row?.refused_kwh) },
  }
}
