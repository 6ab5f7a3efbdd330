import { newId } from '#platform/ids.ts'
import type { Tx } from '#platform/records.ts'
import { newToken, tokenSha256 } from '#platform/token.ts'
import { sessionLifetimes } from './viewer.ts'

export type NewSession = {
  customerId: string
  userId: string
  remembered: boolean
  nowMs: number
  userAgent: string | undefined
  address: string
}

/** Opens a session and answers its token, which is nowhere kept. */
export const addSession = async (tx: Tx, session: NewSession): Promise<string> => {
  const token = newToken('session')
  const now = new Date(session.nowMs)
  const { idleMs, absoluteMs } = session.remembered ? sessionLifetimes.remembered : sessionLifetimes.plain
  await tx
    .insertInto('user_session')
    .values({
      customer_id: session.customerId,
      user_id: session.userId,
      session_id: newId(session.nowMs),
      token_sha256: tokenSha256(token),
      remembered: session.remembered,
      created_at: now,
      last_used_at: now,
      idle_until: new Date(session.nowMs + idleMs),
      absolute_until: new Date(session.nowMs + absoluteMs),
      user_agent: session.userAgent?.slice(0, 200) ?? null,
      address: session.address,
    })
    .execute()
  return token
}

/**
 * Ends every session of a user (security rule S1), and every sign-in that is half way: questions for the second factor and sign-in
 * links. The caller forgets viewers once it has committed. Answers how many sessions ended.
 */
export const endSessionsOf = async (tx: Tx, customerId: string, userId: string, nowMs: number): Promise<number> => {
  await tx
    .updateTable('one_time_code')
    .set({ used_at: new Date(nowMs) })
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .where('purpose', 'in', ['challenge', 'login-link'])
    .where('used_at', 'is', null)
    .execute()
  const ended = await tx
    .updateTable('user_session')
    .set({ ended_at: new Date(nowMs) })
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return Number(ended.numUpdatedRows)
}
