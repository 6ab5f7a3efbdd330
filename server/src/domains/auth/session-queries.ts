import type { Tx } from '#platform/records.ts'

export const endSession = async (tx: Tx, customerId: string, sessionId: string, nowMs: number): Promise<void> => {
  await tx
    .updateTable('user_session')
    .set({ ended_at: new Date(nowMs) })
    .where('customer_id', '=', customerId)
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Sessions that still live, the last used first. */
export const findSessions = (tx: Tx, customerId: string, userId: string, nowMs: number) => {
  const now = new Date(nowMs)
  return tx
    .selectFrom('user_session')
    .select(['session_id', 'created_at', 'last_used_at', 'remembered', 'user_agent', 'address'])
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('idle_until', '>', now)
    .where('absolute_until', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('session_id', 'desc')
    .execute()
}

/** False when this user has no such living session: unknown, ended, or another person's. */
export const endOwnSession = async (
  tx: Tx,
  customerId: string,
  userId: string,
  sessionId: string,
  nowMs: number,
): Promise<boolean> => {
  const now = new Date(nowMs)
  const ended = await tx
    .updateTable('user_session')
    .set({ ended_at: now })
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .where('idle_until', '>', now)
    .where('absolute_until', '>', now)
    .executeTakeFirst()
  return ended.numUpdatedRows > 0n
}

/** Ends the sessions behind these tokens, of whichever customer; answers whose they were. */
export const endSessionsByToken = async (tx: Tx, sha256s: Buffer[], nowMs: number) =>
  sha256s.length === 0
    ? []
    : tx
        .updateTable('user_session')
        .from('app_user')
        .set({ ended_at: new Date(nowMs) })
        .where('token_sha256', 'in', sha256s)
        .where('ended_at', 'is', null)
        .whereRef('app_user.customer_id', '=', 'user_session.customer_id')
        .whereRef('app_user.user_id', '=', 'user_session.user_id')
        .returning(['user_session.customer_id', 'user_session.user_id', 'app_user.email'])
        .execute()
