import type { Records } from '#platform/records.ts'

/** Of these sessions, the ones that have ended, run out, or belong to a disabled user. */
export const findEndedSessions = async (records: Records, sessionIds: string[], nowMs: number): Promise<string[]> => {
  const now = new Date(nowMs)
  const alive = await records.system((tx) =>
    tx
      .selectFrom('user_session')
      .innerJoin('app_user', (join) =>
        join
          .onRef('app_user.customer_id', '=', 'user_session.customer_id')
          .onRef('app_user.user_id', '=', 'user_session.user_id'),
      )
      .select('session_id')
      .where('session_id', 'in', sessionIds)
      .where('ended_at', 'is', null)
      .where('idle_until', '>', now)
      .where('absolute_until', '>', now)
      .where('app_user.enabled', '=', true)
      .execute(),
  )
  const living = new Set(alive.map((row) => row.session_id))
  return sessionIds.filter((id) => !living.has(id))
}
