import { randomBytes, randomInt } from 'node:crypto'
import { limits } from '@gridmast/contract/limits.ts'
import { sql } from 'kysely'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { deleteRows, insertRow, selectRows, updateRows } from '#platform/records/rows.ts'
import type { Secret } from '#platform/security/secret.ts'
import type { Owner } from './viewer.ts'

/** One-time codes and links: kept as HMACs, each works once; the UPDATE decides which of two racing uses is first. */
type Purpose = 'reset' | 'login-link' | 'challenge' | 'recovery' | 'handoff' | 'email' | 'email-undo' | 'file'

type NewCode = { purpose: Purpose; nowMs: number; lifeMs: number; detail?: string }

/** Eight digits that a person types: not unique, so the HMAC binds them to their user. */
export const newOtp = () => String(randomInt(10 ** limits.otpDigits)).padStart(limits.otpDigits, '0')
export const otpHmac = (secret: Secret, purpose: Purpose, userId: string, otp: string): Buffer =>
  secret.hmac(purpose, `${userId}:${otp}`)

export const saveCode = async (tx: Tx, owner: Owner, code: NewCode & { hmac: Buffer }): Promise<void> => {
  await insertRow(tx, owner.customer_id, 'one_time_code', {
    code_id: newId(code.nowMs),
    user_id: owner.user_id,
    purpose: code.purpose,
    hmac: code.hmac,
    detail: code.detail ?? null,
    created_at: new Date(code.nowMs),
    expires_at: new Date(code.nowMs + code.lifeMs),
  }).execute()
}

/** A code of 256 random bits, which no one types. */
export const addCode = async (tx: Tx, secret: Secret, owner: Owner, code: NewCode): Promise<string> => {
  const text = randomBytes(32).toString('base64url')
  await saveCode(tx, owner, { ...code, hmac: secret.hmac(code.purpose, text) })
  return text
}

/** A code that still works: used by nobody, and not past its end where it has one. */
const lives = (nowMs: number) =>
  sql<boolean>`used_at is null and (expires_at is null or expires_at > ${new Date(nowMs)})`

/** Whose code of 256 bits this is; undefined when it does not work, or no longer. */
export const getCodeOwner = (tx: Tx, secret: Secret, purpose: Purpose, code: string, nowMs: number) =>
  tx
    .selectFrom('one_time_code')
    .select(['customer_id', 'user_id'])
    .where('purpose', '=', purpose)
    .where('hmac', '=', secret.hmac(purpose, code))
    .where(lives(nowMs))
    .executeTakeFirst()

/** Counts a try against a code before it is made; undefined when the code has expired, was used or has no try left. */
export const takeCodeTry = (tx: Tx, secret: Secret, purpose: Purpose, code: string, nowMs: number) =>
  tx
    .updateTable('one_time_code')
    .set((set) => ({ tries: set('tries', '+', 1) }))
    .where('purpose', '=', purpose)
    .where('hmac', '=', secret.hmac(purpose, code))
    .where('tries', '<', limits.otpTries)
    .where(lives(nowMs))
    .returning(['customer_id', 'user_id'])
    .executeTakeFirst()

/** Uses up a code of 256 bits; undefined when there is none that still works. */
export const useCode = (tx: Tx, secret: Secret, purpose: Purpose, code: string, nowMs: number) =>
  tx
    .updateTable('one_time_code')
    .set({ used_at: new Date(nowMs) })
    .where('purpose', '=', purpose)
    .where('hmac', '=', secret.hmac(purpose, code))
    .where(lives(nowMs))
    .returning(['customer_id', 'user_id', 'detail'])
    .executeTakeFirst()

/** A code that only its owner's id makes unique, whether it still works or not; the newest when two are alike. */
export const findCode = (tx: Tx, owner: Owner, purpose: Purpose, hmac: Buffer) =>
  selectRows(tx, owner.customer_id, 'one_time_code', { user_id: owner.user_id, purpose, hmac })
    .select('used_at')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Uses up a code that only its owner's id makes unique; undefined when there is none that still works. */
export const useOwnCode = (tx: Tx, owner: Owner, purpose: Purpose, hmac: Buffer, nowMs: number) =>
  updateRows(tx, owner.customer_id, 'one_time_code', { user_id: owner.user_id, purpose, hmac })
    .set({ used_at: new Date(nowMs) })
    .where(lives(nowMs))
    .returning('detail')
    .executeTakeFirst()

/** Codes of these purposes, or those about one `detail`, stop working: newer ones take their place, or the account was recovered. */
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

/** Without characters that are taken for one another: 0 O, 1 I L, U V. */
const alphabet = 'ABCDEFGHJKMNPQRSTWXYZ23456789'

const four = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** What is stored of a recovery code, and looked for when one is given: case, hyphens and spaces do not matter. */
export const recoveryHmac = (secret: Secret, userId: string, code: string): Buffer =>
  secret.hmac('recovery', `${userId}:${code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`)

export const removeRecoveryCodes = async (tx: Tx, owner: Owner): Promise<void> => {
  await deleteRows(tx, owner.customer_id, 'one_time_code', { user_id: owner.user_id, purpose: 'recovery' }).execute()
}

/** Ten codes such as `K7QF-3MZP`, each of 38 random bits and without an end, in place of those before. */
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
