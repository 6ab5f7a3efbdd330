import { sql } from 'kysely'
import type { Records, Tx } from '#platform/records.ts'

/** Of these sessions and API keys, the ones that have ended, run out, or belong to a disabled user. */
export const findEndedSessions = async (records: Records, ids: string[], nowMs: number): Promise<string[]> => {
  const now = new Date(nowMs)
  const { rows } = await records.system((tx) =>
    sql<{ id: string }>`
      select s.id from (
        select customer_id, user_id, session_id as id from user_session
        where session_id = any(${ids}) and ended_at is null and idle_until > ${now} and absolute_until > ${now}
        union all
        select customer_id, user_id, key_id from api_key
        where key_id = any(${ids}) and revoked_at is null and (expires_at is null or expires_at > ${now})
      ) s
      join app_user u on u.customer_id = s.customer_id and u.user_id = s.user_id and u.enabled`.execute(tx),
  )
  const living = new Set(rows.map((row) => row.id))
  return ids.filter((id) => !living.has(id))
}

/** Whether the customer has all of these instances. */
export const hasInstances = async (tx: Tx, customerId: string, instanceIds: string[]): Promise<boolean> => {
  const found = await tx
    .selectFrom('instance')
    .select('instance_id')
    .where('customer_id', '=', customerId)
    .where('instance_id', 'in', instanceIds)
    .execute()
  return found.length === new Set(instanceIds).size
}
