import { sql } from 'kysely'

/** Energy above this multiple of the connector's maximum power is not plausible (domain notes on OCPP, section 2.7). */
export const plausibleTimes = 3

/** A register that counts whole kWh rises by one at an instant. */
const registerStepWh = 1000

export const plausibleWh = (maxKw: number, ms: number): number =>
  Math.max(registerStepWh, (plausibleTimes * maxKw * ms) / 3600)

export const plausibleWhOf = (until: ReturnType<typeof sql>) => sql`(
  select greatest(${registerStepWh}::int, ${plausibleTimes}::int * m.max_kw * extract(epoch from ${until} - s.started_at) / 3.6)
  from charger m where m.customer_id = s.customer_id and m.charger_id = s.charger_id)`

export const isDoubted = sql<boolean>`(s.doubted_wh is not null and s.energy_reviewed_at is null)`
