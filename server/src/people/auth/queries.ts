import { isAdminRole, roles, type Role } from '@gridmast/contract/roles.ts'
import { sql } from 'kysely'
import { removeRecoveryCodes } from '#access/one-time-codes.ts'
import type { Reader } from '#platform/messaging/mail.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows, updateRows } from '#platform/records/rows.ts'

const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text)

export type Person = NonNullable<Awaited<ReturnType<typeof getLogin>>>

const people = (tx: Tx) =>
  tx
    .selectFrom('app_user')
    .select([
      'customer_id',
      'user_id',
      'email',
      'name',
      'language',
      'role',
      'password_hash',
      'enabled',
      'totp_sealed',
      'totp_confirmed_at',
      'totp_last_step',
    ])

export const getLogin = (tx: Tx, email: string) =>
  people(tx)
    .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()

export const getPerson = (tx: Tx, customerId: string, userId: string) =>
  people(tx).where('customer_id', '=', customerId).where('user_id', '=', userId).executeTakeFirst()

/**
 * Does the same work for an unknown e-mail as for an existing one, on some account, and rolls it back: the store gets the same queries, so
 * response times reveal nothing (security rules S3, S4).
 */
export const withDecoyAccount = async (
  tx: Tx,
  person: Person | undefined,
  work: (whom: Person) => Promise<void>,
): Promise<void> => {
  const decoy = await people(tx).orderBy('customer_id').orderBy('user_id').limit(1).executeTakeFirst()
  const whom = person ?? decoy
  if (!whom) return
  await sql`savepoint decoy`.execute(tx)
  await work(whom)
  await (person ? sql`release savepoint decoy` : sql`rollback to savepoint decoy`).execute(tx)
}

export const readerOf = ({ customer_id, email, language }: Person): Reader => ({
  customerId: customer_id,
  to: email,
  language,
})

export const maySignIn = (person: Person): boolean => person.enabled && isRole(person.role)
export const isAdmin = (person: Person): boolean => isRole(person.role) && isAdminRole(person.role)
export const hasSecondFactor = (person: Person): boolean =>
  person.totp_confirmed_at !== null && person.totp_sealed !== null

/**
 * Whether the checked credentials are still valid, with the row locked until this transaction ends: a concurrent password change waits, and then
 * ends the session that is opened here.
 */
export const stillStands = async (tx: Tx, person: Person): Promise<boolean> => {
  const row = await selectRows(tx, person.customer_id, 'app_user', {
    user_id: person.user_id,
    password_hash: person.password_hash,
    role: person.role,
    enabled: true,
  })
    .select('user_id')
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Moves the last used step forward; false when a concurrent use of the same code was first. */
export const useTotpStep = async (tx: Tx, person: Person, step: number): Promise<boolean> => {
  const moved = await updateRows(tx, person.customer_id, 'app_user', { user_id: person.user_id })
    .set({ totp_last_step: step })
    .where((where) => where.or([where('totp_last_step', 'is', null), where('totp_last_step', '<', step)]))
    .executeTakeFirst()
  return moved.numUpdatedRows > 0n
}

export const savePassword = async (tx: Tx, person: Person, passwordHash: string, nowMs: number): Promise<void> => {
  await updateRows(tx, person.customer_id, 'app_user', { user_id: person.user_id })
    .set({ password_hash: passwordHash, password_updated_at: new Date(nowMs) })
    .execute()
}

export const removeSecondFactor = async (tx: Tx, person: Person): Promise<void> => {
  await updateRows(tx, person.customer_id, 'app_user', { user_id: person.user_id })
    .set({ totp_sealed: null, totp_pending_sealed: null, totp_confirmed_at: null, totp_last_step: null })
    .execute()
  await removeRecoveryCodes(tx, person)
}
