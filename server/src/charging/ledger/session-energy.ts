import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'

/** Energy above this multiple of the connector's maximum power is not plausible (domain notes on OCPP, section 2.7). */
export const plausibleTimes = 3

/** A register that counts whole kWh rises by one at an instant. */
const registerStepWh = 1000

export const plausibleWh = (maxKw: number, ms: number): number =>
  Math.max(registerStepWh, (plausibleTimes * maxKw * ms) / 3600)

const plausibleWhOf = (until: ReturnType<typeof sql>) => sql`(
  select greatest(${registerStepWh}::int, ${plausibleTimes}::int * m.max_kw * extract(epoch from ${until} - s.started_at) / 3.6)
  from charger m where m.customer_id = s.customer_id and m.charger_id = s.charger_id)`

export const isDoubted = sql<boolean>`(s.doubted_wh is not null and s.energy_reviewed_at is null)`

/** Start of the next session on the connector of a transaction `s`, which ends `s` even without a stop: chargers replay their newest messages first. */
export const nextStart = sql<Date | null>`(
  select min(n.started_at) from charger_transaction n
  where n.customer_id = s.customer_id and n.charger_id = s.charger_id and n.evse_no = s.evse_no and n.started_at > s.started_at and not n.refused)`

const lastRegister = (more = sql``) => sql`charger_register r
  where r.customer_id = s.customer_id and r.charger_id = s.charger_id and r.evse_no = s.evse_no and r.at >= s.started_at
    and r.at < coalesce(${nextStart}, 'infinity') and r.context <> 'Transaction.Begin' ${more}
  order by r.at desc limit 1`

export const sessionWh = sql<
  string | null
>`coalesce(s.consumption_wh, case when s.state in ('starting', 'active') then (
  select greatest(0, r.wh - s.meter_start_wh) from ${lastRegister(sql`and r.wh - s.meter_start_wh <= ${plausibleWhOf(sql`r.at`)}`)}) end)`

/** Time until which a transaction `s` occupied its connector: without an end it runs now, or if it was reported late, until its last reading. */
export const busyUntil = (now: Date) => sql<Date>`least(${now}, coalesce(s.ended_at, case
  when s.told_late then coalesce((select r.at from ${lastRegister()}), s.started_at)
  else ${nextStart} end, ${now}))`

const chargedRefused = sql<boolean>`(s.refused and s.consumption_wh > 0)`

export const needsAttention = (since: Date) =>
  sql<boolean>`(${isDoubted} or ${chargedRefused} and s.started_at >= ${since})`

export type Uncounted = { doubted: { sessions: number; kwh: number }; refused: { sessions: number; kwh: number } }

export const findUncounted = async (
  tx: Tx,
  customerId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  condition = sql`true`,
): Promise<Uncounted> => {
  const [row] = await sqlRows<{ doubted: number; doubted_kwh: string; refused: number; refused_kwh: string }>(tx)`
    select count(*) filter (where ${isDoubted})::int as doubted,
      (coalesce(sum(s.doubted_wh) filter (where ${isDoubted}), 0) / 1000)::text as doubted_kwh,
      count(*) filter (where ${chargedRefused})::int as refused,
      (coalesce(sum(s.consumption_wh) filter (where ${chargedRefused}), 0) / 1000)::text as refused_kwh
    from charger_transaction s
      left join charger_tag t on t.customer_id = s.customer_id and t.tag_id = s.tag_id
    where s.customer_id = ${customerId} and s.started_at >= ${new Date(fromMs)} and s.started_at < ${new Date(toMs)} and ${condition}`
  return {
    doubted: { sessions: row?.doubted ?? 0, kwh: Number(row?.doubted_kwh) },
    refused: { sessions: row?.refused ?? 0, kwh: Number(row?.refused_kwh) },
  }
}
