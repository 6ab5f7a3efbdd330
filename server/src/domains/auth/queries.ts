import type { Tx } from '#platform/records.ts'

export const getLogin = (tx: Tx, email: string) =>
  tx
    .selectFrom('app_user')
    .select(['customer_id', 'user_id', 'email', 'role', 'password_hash', 'enabled'])
    .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()

export type NewSession = {
  customerId: string
  userId: string
  sessionId: string
  tokenSha256: Buffer
  remembered: boolean
  nowMs: number
  idleMs: number
  absoluteMs: number
  userAgent: string | null
}

export const addSession = async (tx: Tx, session: NewSession) => {
  const now = new Date(session.nowMs)
  await tx
    .insertInto('user_session')
    .values({
      customer_id: session.customerId,
      user_id: session.userId,
      session_id: session.sessionId,
      token_sha256: session.tokenSha256,
      remembered: session.remembered,
      created_at: now,
      last_used_at: now,
      idle_until: new Date(session.nowMs + session.idleMs),
      absolute_until: new Date(session.nowMs + session.absoluteMs),
      user_agent: session.userAgent,
    })
    .execute()
}

export const endSession = async (tx: Tx, customerId: string, sessionId: string, nowMs: number) => {
  await tx
    .updateTable('user_session')
    .set({ ended_at: new Date(nowMs) })
    .where('customer_id', '=', customerId)
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()
}
