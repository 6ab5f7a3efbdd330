import { randomBytes, randomInt } from 'node:crypto'
import { limits } from '@gridmast/contract/limits.ts'
import type { WallShow } from '@gridmast/contract/people/wall.ts'
import { sql } from 'kysely'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { deleteRows, insertRow, selectRows, updateRows } from '#platform/records/rows.ts'
import type { Secret } from '#platform/security/secret.ts'
import type { Owner } from './viewer.ts'

/** One-time codes and links, stored as HMACs; the UPDATE decides between two concurrent uses. */
type Purpose = 'reset' | 'login-link' | 'challenge' | 'recovery' | 'handoff' | 'email' | 'email-undo' | 'file' | 'wall'

type NewCode = { purpose: Purpose; nowMs: number; lifeMs: number; detail?: string; wallShow?: WallShow | undefined }

/** Eight digits to type; they are not unique, so the HMAC includes the user. */
export const newOtp = () => String(randomInt(10 ** limits.otpDigits)).padStart(limits.otpDigits, '0')
export const otpHmac = (secret: Secret, purpose: Purpose, userId: string, otp: string): Buffer =>
  secret.hmac(purpose, `${userId}:${otp}`)
export const otpHmacs = (secret: Secret, purpose: Purpose, userId: string, otp: string): Buffer[] =>
  secret.hmacs(purpose, `${userId}:${otp}`)

export const saveCode = async (tx: Tx, owner: Owner, code: NewCode & { hmac: Buffer }): Promise<void> => {
  await insertRow(tx, owner.customer_id, 'one_time_code', {
    code_id: newId(code.nowMs),
    user_id: owner.user_id,
    purpose: code.purpose,
    hmac: code.hmac,
    detail: code.detail ?? null,
    wall_show: code.wallShow ? JSON.stringify(code.wallShow) : null,
    created_at: new Date(code.nowMs),
    expires_at: new Date(code.nowMs + code.lifeMs),
  }).execute()
}

export const addCode = async (tx: Tx, secret: Secret, owner: Owner, code: NewCode): Promise<string> => {
  const text = randomBytes(32).toString('base64url')
  await saveCode(tx, owner, { ...code, hmac: secret.hmac(code.purpose, text) })
  return text
}

const isValid = (nowMs: number) =>
  sql<boolean>`used_at is null and (expires_at is null or expires_at > ${new Date(nowMs)})`

export const getCodeOwner = (tx: Tx, secret: Secret, purpose: Purpose, code: string, nowMs: number) =>
  tx
    .selectFrom('one_time_code')
    .select(['customer_id', 'user_id'])
    .where('purpose', '=', purpose)
    .where('hmac', 'in', secret.hmacs(purpose, code))
    .where(isValid(nowMs))
    .executeTakeFirst()

/** Counts a try of a code in advance; undefined when the code has expired, was used or has no try left. */
export const countCodeTry = (tx: Tx, secret: Secret, purpose: Purpose, code: string, nowMs: number) =>
  tx
    .updateTable('one_time_code')
    .set((set) => ({ tries: set('tries', '+', 1) }))
    .where('purpose', '=', purpose)
    .where('hmac', 'in', secret.hmacs(purpose, code))
    .where('tries', '<', limits.otpTries)
    .where(isValid(nowMs))
    .returning(['customer_id', 'user_id'])
    .executeTakeFirst()

export const useCode = (tx: Tx, secret: Secret, purpose: Purpose, code: string, nowMs: number) =>
  tx
    .updateTable('one_time_code')
    .set({ used_at: new Date(nowMs) })
    .where('purpose', '=', purpose)
    .where('hmac', 'in', secret.hmacs(purpose, code))
    .where(isValid(nowMs))
    .returning(['customer_id', 'user_id', 'detail', 'wall_show', 'created_at'])
    .executeTakeFirst()

/** A code that is unique per user only, valid or not; the newest of equal ones. */
export const findCode = (tx: Tx, owner: Owner, purpose: Purpose, hmacs: Buffer[]) =>
  selectRows(tx, owner.customer_id, 'one_time_code', { user_id: owner.user_id, purpose, hmac: hmacs })
    .select('used_at')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Uses a code that is unique per user only; undefined when it is not valid. */
export const useUserCode = (tx: Tx, owner: Owner, purpose: Purpose, hmacs: Buffer[], nowMs: number) =>
  updateRows(tx, owner.customer_id, 'one_time_code', { user_id: owner.user_id, purpose, hmac: hmacs })
    .set({ used_at: new Date(nowMs) })
    .where(isValid(nowMs))
    .returning('detail')
    .executeTakeFirst()

/** Ends codes of these purposes, or those with this `detail`, after a renewal or an account recovery. */
export const endCodes = async (
  tx: Tx,
  owner: Owner,
  purposes: Purpose[],
  nowMs: number,
  { detail }: { detail?: string } = {},
): Promise<void> => {
  const codes = updateRows(tx, owner.customer_id, 'one_time_code', {
    user_id: owner.user_id,
    purpose: purposes,
    used_at: null,
  }).set({ used_at: new Date(nowMs) })
  await (detail === undefined ? codes : codes.where('detail', '=', detail)).execute()
}

/** Without characters that are easily confused: 0 O, 1 I L, U V. */
const alphabet = 'ABCDEFGHJKMNPQRSTWXYZ23456789'

const four = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')

const recoveryText = (userId: string, code: string) => `${userId}:${code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`

/** Stored form of a recovery code; case, hyphens and spaces are ignored. */
export const recoveryHmac = (secret: Secret, userId: string, code: string): Buffer =>
  secret.hmac('recovery', recoveryText(userId, code))
export const recoveryHmacs = (secret: Secret, userId: string, code: string): Buffer[] =>
  secret.hmacs('recovery', recoveryText(userId, code))

export const removeRecoveryCodes = async (tx: Tx, owner: Owner): Promise<void> => {
  await deleteRows(tx, owner.customer_id, 'one_time_code', { user_id: owner.user_id, purpose: 'recovery' }).execute()
}

/** Ten codes such as `K7QF-3MZP`, 38 random bits each, without expiry; replaces the previous ones. */
export const renewRecoveryCodes = async (tx: Tx, secret: Secret, owner: Owner, nowMs: number): Promise<string[]> => {
  const codes = Array.from({ length: limits.recoveryCodes }, () => `${four()}-${four()}`)
  await removeRecoveryCodes(tx, owner)
  await tx
    .insertInto('one_time_code')
    .values(
      codes.map((code) => ({
        customer_id: owner.customer_id,
        code_id: newId(nowMs),
        user_id: owner.user_id,
        purpose: 'recovery',
        hmac: recoveryHmac(secret, owner.user_id, code),
        created_at: new Date(nowMs),
      })),
    )
    .execute()
  return codes
}
