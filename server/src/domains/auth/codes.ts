import { randomBytes } from 'node:crypto'
import { limits } from '@gridmast/contract/limits.ts'
import { newId } from '#platform/ids.ts'
import type { Tx } from '#platform/records.ts'
import type { Secret } from '#platform/secret.ts'

/** One-time codes and links: kept as HMACs, each works once; the UPDATE decides which of two racing uses is first. */
type Purpose = 'reset' | 'login-link' | 'challenge' | 'recovery' | 'handoff'
type Owner = { customer_id: string; user_id: string }

/** 256 random bits, for codes that no one types. */
const newCode = () => randomBytes(32).toString('base64url')

export const saveCode = async (
  tx: Tx,
  owner: Owner,
  code: { purpose: Purpose; hmac: Buffer; nowMs: number; lifeMs: number },
): Promise<void> => {
  await tx
    .insertInto('one_time_code')
    .values({
      customer_id: owner.customer_id,
      code_id: newId(code.nowMs),
      user_id: owner.user_id,
      purpose: code.purpose,
      hmac: code.hmac,
      created_at: new Date(code.nowMs),
      expires_at: new Date(code.nowMs + code.lifeMs),
    })
    .execute()
}

export const addCode = async (
  tx: Tx,
  secret: Secret,
  owner: Owner,
  what: { purpose: Purpose; nowMs: number; lifeMs: number },
): Promise<string> => {
  const code = newCode()
  await saveCode(tx, owner, { ...what, hmac: secret.hmac(what.purpose, code) })
  return code
}

/** Whose code of 256 bits this is; null when it does not work, or no longer. */
export const getCodeOwner = (tx: Tx, secret: Secret, purpose: Purpose, code: string, nowMs: number) =>
  tx
    .selectFrom('one_time_code')
    .select(['customer_id', 'user_id'])
    .where('purpose', '=', purpose)
    .where('hmac', '=', secret.hmac(purpose, code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date(nowMs))
    .executeTakeFirst()

/** Counts a try against a code before it is made; null when the code has expired, was used or has no try left. */
export const takeCodeTry = (tx: Tx, secret: Secret, purpose: Purpose, code: string, nowMs: number) =>
  tx
    .updateTable('one_time_code')
    .set((set) => ({ tries: set('tries', '+', 1) }))
    .where('purpose', '=', purpose)
    .where('hmac', '=', secret.hmac(purpose, code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date(nowMs))
    .where('tries', '<', limits.otpTries)
    .returning(['customer_id', 'user_id'])
    .executeTakeFirst()

/** Uses up a code of 256 bits; null when there is none that still works. */
export const useCode = (tx: Tx, secret: Secret, purpose: Purpose, code: string, nowMs: number) => {
  const now = new Date(nowMs)
  return tx
    .updateTable('one_time_code')
    .set({ used_at: now })
    .where('purpose', '=', purpose)
    .where('hmac', '=', secret.hmac(purpose, code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['customer_id', 'user_id'])
    .executeTakeFirst()
}

/** A code that only its owner's id makes unique, whether it still works or not; the newest when two are alike. */
export const findCode = (tx: Tx, owner: Owner, purpose: Purpose, hmac: Buffer) =>
  tx
    .selectFrom('one_time_code')
    .select('used_at')
    .where('customer_id', '=', owner.customer_id)
    .where('user_id', '=', owner.user_id)
    .where('purpose', '=', purpose)
    .where('hmac', '=', hmac)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Uses up a code that only its owner's id makes unique. */
export const useOwnCode = async (
  tx: Tx,
  owner: Owner,
  purpose: Purpose,
  hmac: Buffer,
  nowMs: number,
): Promise<boolean> => {
  const now = new Date(nowMs)
  const used = await tx
    .updateTable('one_time_code')
    .set({ used_at: now })
    .where('customer_id', '=', owner.customer_id)
    .where('user_id', '=', owner.user_id)
    .where('purpose', '=', purpose)
    .where('hmac', '=', hmac)
    .where('used_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirst()
  return used.numUpdatedRows > 0n
}

/** Codes of these purposes stop working: newer ones take their place, or the account was recovered. */
export const endCodes = async (tx: Tx, owner: Owner, purposes: Purpose[], nowMs: number): Promise<void> => {
  await tx
    .updateTable('one_time_code')
    .set({ used_at: new Date(nowMs) })
    .where('customer_id', '=', owner.customer_id)
    .where('user_id', '=', owner.user_id)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .execute()
}
