import { type RawBuilder, sql } from 'kysely'

/** Whether a user has muted notifications of an instance, or of all, at a time. */
export const isMuted = (
  customer: RawBuilder<unknown>,
  user: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
  instance: RawBuilder<unknown>,
) => {
  const localTime = sql`to_char(${at} at time zone 'Europe/Berlin', 'HH24:MI')`
  return sql<boolean>`exists (
    select from alert_mute m
    where m.customer_id = ${customer} and m.user_id = ${user} and (m.instance_id is null or m.instance_id = ${instance})
      and case when m.start_time <= m.end_time then ${localTime} between m.start_time and m.end_time
        else ${localTime} >= m.start_time or ${localTime} <= m.end_time end)`
}
