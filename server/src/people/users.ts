import { type Role, isAdminRole, roles } from '@gridmast/contract/roles.ts'
import { type Updateable, sql } from 'kysely'
import { removeRecoveryCodes } from '#access/one-time-codes.ts'
import type { Owner } from '#access/viewer.ts'
import type { Reader } from '#platform/messaging/mail.ts'
import type { AppUser } from '#platform/records/db-types.ts'
import type { Tx } from '#platform/records/records.ts'
import { findRow, type RowOf, selectRows, updateRows } from '#platform/records/rows.ts'

const columns = [
  'customer_id',
  'user_id',
  'email',
  'name',
  'language',
  'role',
  'password_hash',
  'password_updated_at',
  'enabled',
  'totp_sealed',
  'totp_confirmed_at',
  'totp_last_step',
] as const

export type UserRow = RowOf<'app_user', (typeof columns)[number]>

const users = (tx: Tx) => tx.selectFrom('app_user').select(columns)
const ofEmail = (email: string) => sql<boolean>`lower(email) = ${email.toLowerCase()}`
const updateUser = (tx: Tx, { customer_id, user_id }: Owner) => updateRows(tx, customer_id, 'app_user', { user_id })

export const findUserByEmail = (tx: Tx, email: string) => users(tx).where(ofEmail(email)).executeTakeFirst()

export const findUser = (tx: Tx, { customer_id, user_id }: Owner): Promise<UserRow | undefined> =>
  users(tx).where('customer_id', '=', customer_id).where('user_id', '=', user_id).executeTakeFirst()

/** Not `for update`: an entry of the audit trail refers to its user, and would wait for this lock while it holds that of the trail. */
export const lockUser = (tx: Tx, customerId: string, userId: string) =>
  selectRows(tx, customerId, 'app_user', { user_id: userId }).selectAll().forNoKeyUpdate().executeTakeFirstOrThrow()

/**
 * Does the same work for an unknown e-mail as for an existing one, on some account, and rolls it back: the store gets the same queries, so
 * response times reveal nothing (security rules S3, S4).
 */
export const withDecoyAccount = async (
  tx: Tx,
  user: UserRow | undefined,
  work: (account: UserRow) => Promise<void>,
): Promise<void> => {
  const decoy = await users(tx).orderBy('customer_id').orderBy('user_id').limit(1).executeTakeFirst()
  const account = user ?? decoy
  if (!account) return
  await sql`savepoint decoy`.execute(tx)
  await work(account)
  await (user ? sql`release savepoint decoy` : sql`rollback to savepoint decoy`).execute(tx)
}

export const readerOf = ({ customer_id, email, language }: UserRow): Reader => ({
  customerId: customer_id,
  to: email,
  language,
})

const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text)

export const maySignIn = ({ enabled, role }: UserRow): boolean => enabled && isRole(role)
export const isAdmin = ({ role }: UserRow): boolean => isRole(role) && isAdminRole(role)
export const hasSecondFactor = ({ totp_confirmed_at, totp_sealed }: UserRow): boolean =>
  totp_confirmed_at !== null && totp_sealed !== null

/**
 * Whether the checked credentials are still valid, with the row locked until this transaction ends: a concurrent password change waits, and then
 * ends the session that is opened here.
 */
export const isStillValid = async (tx: Tx, { customer_id, user_id, password_hash, role }: UserRow) => {
  const key = { user_id, password_hash, role, enabled: true }
  const row = await selectRows(tx, customer_id, 'app_user', key).select('user_id').forShare().executeTakeFirst()
  return row !== undefined
}

export const isEmailUsed = async (tx: Tx, email: string): Promise<boolean> => {
  const user = await tx.selectFrom('app_user').select('user_id').where(ofEmail(email)).executeTakeFirst()
  return user !== undefined
}

export const saveUser = async (tx: Tx, customerId: string, userId: string, changed: Updateable<AppUser>) => {
  await updateUser(tx, { customer_id: customerId, user_id: userId }).set(changed).execute()
}

/** False when the stored hash is no longer `previousHash`. */
export const savePassword = async (tx: Tx, user: Owner, hash: string, nowMs: number, previousHash?: string) => {
  const update = updateUser(tx, user).set({ password_hash: hash, password_updated_at: new Date(nowMs) })
  const saved = previousHash === undefined ? update : update.where('password_hash', '=', previousHash)
  return (await saved.executeTakeFirst()).numUpdatedRows === 1n
}

export const isRemembered = async (tx: Tx, customerId: string, sessionId: string): Promise<boolean> => {
  const session = await findRow(tx, customerId, 'user_session', { session_id: sessionId }, ['remembered'])
  return session?.remembered ?? false
}

/** Moves the last used step forward; false when a concurrent use of the same code was first. */
export const useTotpStep = async (tx: Tx, user: UserRow, step: number): Promise<boolean> => {
  const moved = await updateUser(tx, user)
    .set({ totp_last_step: step })
    .where((where) => where.or([where('totp_last_step', 'is', null), where('totp_last_step', '<', step)]))
    .executeTakeFirst()
  return moved.numUpdatedRows > 0n
}

const noSecondFactor = { totp_sealed: null, totp_pending_sealed: null, totp_confirmed_at: null, totp_last_step: null }

export const removeSecondFactor = async (tx: Tx, user: Owner): Promise<void> => {
  await updateUser(tx, user).set(noSecondFactor).execute()
  await removeRecoveryCodes(tx, user)
}

/** False when the user has no second factor or the company requires one. */
export const removeOptionalSecondFactor = async (tx: Tx, user: Owner): Promise<boolean> => {
  const removed = await updateUser(tx, user)
    .set(noSecondFactor)
    .where('totp_confirmed_at', 'is not', null)
    .where(
      sql<boolean>`not exists (select from customer c where c.customer_id = app_user.customer_id and c.second_factor_required)`,
    )
    .executeTakeFirst()
  if (removed.numUpdatedRows === 0n) return false
  await removeRecoveryCodes(tx, user)
  return true
}
