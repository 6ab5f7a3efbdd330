import type { Updateable } from 'kysely'
import { ofUser } from '#access/viewer.ts'
import type { AppUser } from '#platform/records/db-types.ts'
import type { Tx } from '#platform/records/records.ts'
import { findRow } from '#platform/records/rows.ts'

/** The own row, held until the transaction ends. */
export const lockUser = (tx: Tx, customerId: string, userId: string) =>
  tx
    .selectFrom('app_user')
    .selectAll()
    .where(ofUser({ customer_id: customerId, user_id: userId }))
    .forUpdate()
    .executeTakeFirstOrThrow()

export const saveUser = async (tx: Tx, customerId: string, userId: string, columns: Updateable<AppUser>) => {
  await tx
    .updateTable('app_user')
    .set(columns)
    .where(ofUser({ customer_id: customerId, user_id: userId }))
    .execute()
}

export const isEmailTaken = async (tx: Tx, email: string): Promise<boolean> => {
  const holder = await tx
    .selectFrom('app_user')
    .select('user_id')
    .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()
  return holder !== undefined
}

/** False when the password is no longer the one that was checked. */
export const savePassword = async (
  tx: Tx,
  customerId: string,
  userId: string,
  change: { from: string; to: string; at: Date },
): Promise<boolean> => {
  const saved = await tx
    .updateTable('app_user')
    .set({ password_hash: change.to, password_updated_at: change.at })
    .where(ofUser({ customer_id: customerId, user_id: userId }))
    .where('password_hash', '=', change.from)
    .executeTakeFirst()
  return saved.numUpdatedRows === 1n
}

export const isRemembered = async (tx: Tx, customerId: string, sessionId: string): Promise<boolean> => {
  const session = await findRow(tx, customerId, 'user_session', { session_id: sessionId }, ['remembered'])
  return session?.remembered ?? false
}

/** False when there is none, or when the customer requires one. */
export const removeTotp = async (tx: Tx, customerId: string, userId: string): Promise<boolean> => {
  const removed = await tx
    .updateTable('app_user')
    .set({ totp_sealed: null, totp_pending_sealed: null, totp_confirmed_at: null, totp_last_step: null })
    .where(ofUser({ customer_id: customerId, user_id: userId }))
    .where('totp_confirmed_at', 'is not', null)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('customer')
            .select('customer.customer_id')
            .whereRef('customer.customer_id', '=', 'app_user.customer_id')
            .where('second_factor_required', '=', true),
        ),
      ),
    )
    .executeTakeFirst()
  return removed.numUpdatedRows === 1n
}
