import { sql } from 'kysely'
import { plausibleWhOf } from './plausible.ts'

/** Start of the next session on the outlet of a transaction `s`, which ends `s` even without a stop: chargers replay their newest messages first. */
export const nextStart = sql<Date | null>`(
  select min(n.started_at) from charger_transaction n
  where n.customer_id = s.customer_id and n.charger_id = s.charger_id and n.evse_no = s.evse_no and n.started_at > s.started_at and not n.refused)`

const lastRegister = (more = sql``) => sql`charger_register r
  where r.customer_id = s.customer_id and r.charger_id = s.charger_id and r.evse_no = s.evse_no and r.at >= s.started_at
    and r.at < coalesce(${nextStart}, 'infinity') and r.context <> 'Transaction.Begin' ${more}
  order by r.at desc limit 1`

export const soFar = sql<string | null>`coalesce(s.consumption_wh, case when s.state in ('starting', 'active') then (
  select greatest(0, r.wh - s.meter_start_wh) from ${lastRegister(sql`and r.wh - s.meter_start_wh <= ${plausibleWhOf(sql`r.at`)}`)}) end)`

/** Time until which a transaction `s` occupied its outlet: without an end it runs now, or if it was reported late, until its last reading. */
export const busyUntil = (now: Date) => sql<Date>`least(${now}, coalesce(s.ended_at, case
  when s.told_late then coalesce((select r.at from ${lastRegister()}), s.started_at)
  else ${nextStart} end, ${now}))`
