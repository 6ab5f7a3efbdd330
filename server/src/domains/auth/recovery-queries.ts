import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { refuseUntil, takeOfDay } from '#access/attempts.ts'
import type { Tx } from '#platform/records.ts'
import type { Secret } from '#platform/secret.ts'

/** Countdown, daily number and tries belong to the e-mail as it was typed, known or not, so nothing they answer tells which. */
const keyOf = (secret: Secret, email: string) => secret.hmac('reset-email', email.toLowerCase())

const hourMs = 3_600_000

/** Throws 429 before the countdown has reached 0 and once the day's codes are used up; otherwise it begins again, with five tries. */
export const takeSend = async (tx: Tx, secret: Secret, email: string, nowMs: number): Promise<void> => {
  const key = keyOf(secret, email)
  const now = new Date(nowMs)
  const begun = await tx
    .insertInto('attempt')
    .values({ kind: 'reset-code', key, count: 0, first_at: now, last_at: now, blocked_until: null })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key'])
        .doUpdateSet({ count: 0, first_at: now, last_at: now, blocked_until: null })
        .where('attempt.first_at', '<=', new Date(nowMs - limits.otpResendS * 1000)),
    )
    .returning('count')
    .executeTakeFirst()
  if (!begun) {
    const last = await tx
      .selectFrom('attempt')
      .select('first_at')
      .where('kind', '=', 'reset-code')
      .where('key', '=', key)
      .executeTakeFirst()
    const sentMs = last?.first_at.getTime() ?? nowMs
    throw refuseUntil(sentMs + limits.otpResendS * 1000, nowMs, m.resendTooEarly)
  }
  const fullUntilMs = await takeOfDay(tx, { kind: 'reset-day', key, most: limits.otpPerDay }, nowMs)
  if (fullUntilMs > 0)
    throw refuseUntil(fullUntilMs, nowMs, (seconds) => m.codesOfDay(Math.ceil((seconds * 1000) / hourMs)))
}

/** Counts a try before it is made; false when no code was sent to this e-mail, it has expired, was used or tried too often. */
export const takeResetTry = async (tx: Tx, secret: Secret, email: string, nowMs: number): Promise<boolean> => {
  const taken = await tx
    .updateTable('attempt')
    .set((set) => ({ count: set('count', '+', 1), last_at: new Date(nowMs) }))
    .where('kind', '=', 'reset-code')
    .where('key', '=', keyOf(secret, email))
    .where('first_at', '>', new Date(nowMs - limits.otpLifeMs))
    .where('count', '<', limits.otpTries)
    .returning('count')
    .executeTakeFirst()
  return taken !== undefined
}

/** A right code costs no try: what stops it may be the choice of the new password. */
export const giveBackResetTry = async (tx: Tx, secret: Secret, email: string): Promise<void> => {
  await tx
    .updateTable('attempt')
    .set((set) => ({ count: set('count', '-', 1) }))
    .where('kind', '=', 'reset-code')
    .where('key', '=', keyOf(secret, email))
    .where('count', '>', 0)
    .execute()
}

/** After a reset nothing is left to try; the day's number stays. */
export const endResetTries = async (tx: Tx, secret: Secret, email: string): Promise<void> => {
  await tx.deleteFrom('attempt').where('kind', '=', 'reset-code').where('key', '=', keyOf(secret, email)).execute()
}
