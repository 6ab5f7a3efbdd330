import { sql } from 'kysely'

/** Wh of a transaction `s`; one that runs has what its register says by now. */
export const soFar = sql<string | null>`coalesce(s.consumption_wh, case when s.state in ('starting', 'active') then (
  select greatest(0, r.wh - s.meter_start_wh) from charger_register r
  where r.customer_id = s.customer_id and r.charger_id = s.charger_id and r.evse_no = s.evse_no and r.at >= s.started_at
  order by r.at desc limit 1) end)`
