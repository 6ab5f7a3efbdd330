import type { Tx } from '#platform/records.ts'

export const getLogin = (tx: Tx, email: string) =>
  tx
    .selectFrom('app_user')
    .select(['customer_id', 'user_id', 'email', 'role', 'password_hash', 'enabled'])
    .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()

export const endSession = async (tx: Tx, customerId: string, sessionId: string, nowMs: number) => {
  await tx
    .updateTable('user_session')
    .set({ ended_at: new Date(nowMs) })
    .where('customer_id', '=', customerId)
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()
}
