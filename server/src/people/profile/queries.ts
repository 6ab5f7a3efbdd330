import type { Updateable } from 'kysely'
import type { AppUser } from '#platform/records/db-types.ts'
import type { Tx } from '#platform/records/records.ts'
import { findRow, selectRows, updateRows } from '#platform/records/rows.ts'

export const lockUser = (tx: Tx, customerId: string, userId: string) =>
  selectRows(tx, customerId, 'app_user', { user_id: userId }).selectAll().forUpdate().executeTakeFirstOrThrow()

export const saveUser = async (tx: Tx, customerId: string, userId: string, columns: Updateable<AppUser>) => {
  await updateRows(tx, customerId, 'app_user', { user_id: userId }).set(columns).execute()
}

export const isEmailTaken = async (tx: Tx, email: string): Promise<boolean> => {
  const holder = await tx
    .selectFrom('app_user')
    .select('user_id')
    .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()
  return holder !== undefined
}

export const savePassword = async (
  tx: Tx,
  customerId: string,
  userId: string,
  change: { from: string; to: string; at: Date },
): Promise<boolean> => {
  const saved = await updateRows(tx, customerId, 'app_user', { user_id: userId, password_hash: change.from })
    .set({ password_hash: change.to, password_updated_at: change.at })
    .executeTakeFirst()
  return saved.numUpdatedRows === 1n
}

export const isRemembered = async (tx: Tx, customerId: string, sessionId: string): Promise<boolean> => {
  const session = await findRow(tx, customerId, 'user_session', { session_id: sessionId }, ['remembered'])
  return session?.remembered ?? false
}

export const removeTotp = async (tx: Tx, customerId: string, userId: string): Promise<boolean> => {
  const removed = await updateRows(tx, customerId, 'app_user', { user_id: userId })
    .set({ totp_sealed: null, totp_pending_sealed: null, totp_confirmed_at: null, totp_last_step: null })
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
