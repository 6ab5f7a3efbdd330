import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { findAttempt, refuseUntil, takeOfDay } from '#access/attempts.ts'
import type { Tx } from '#platform/records.ts'
import type { Secret } from '#platform/secret.ts'

/**
 * Who asks for a code or tries one: `from` names a browser that the account knows, or the neighbourhood of an address. Countdown, tries and
 * the five codes of a day belong to the pair of e-mail, as it was typed, and `from`, so that no stranger uses up the owner's; what all
 * strangers share of one e-mail bounds the guesses of many networks. Known or not, the answers tell nothing.
 */
export type Asking = { email: string; from: string; known: boolean }

const strangersCodesPerDay = 25
const strangersTriesPerDay = 100
const hourMs = 3_600_000

const keyOf = (secret: Secret, kind: string, { email, from }: Pick<Asking, 'email'> & { from?: string }) =>
  secret.hmac(kind, `${email.toLowerCase()} ${from ?? ''}`)
const ofAll = ({ email }: Asking) => ({ email })

/** Throws 429 before the countdown has reached 0 and once the day's codes are used up; otherwise it begins again, with five tries. */
export const takeSend = async (tx: Tx, secret: Secret, asking: Asking, nowMs: number): Promise<void> => {
  const key = keyOf(secret, 'reset-code', asking)
  const at = new Date(nowMs)
  const begins = { count: 0, first_at: at, last_at: at, blocked_until: null }
  const begun = await tx
    .insertInto('attempt')
    .values({ kind: 'reset-code', key, ...begins })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key'])
        .doUpdateSet(begins)
        .where('attempt.first_at', '<=', new Date(nowMs - limits.otpResendS * 1000)),
    )
    .returning('count')
    .executeTakeFirst()
  if (!begun) {
    const sentMs = (await lastSent(tx, 'reset-code', key)) ?? nowMs
    throw refuseUntil(sentMs + limits.otpResendS * 1000, nowMs, m.resendTooEarly)
  }
  const days = [
    { kind: 'reset-day', key: keyOf(secret, 'reset-day', asking), most: limits.otpPerDay },
    ...(asking.known
      ? []
      : [{ kind: 'reset-day-all', key: keyOf(secret, 'reset-day-all', ofAll(asking)), most: strangersCodesPerDay }]),
  ]
  for (const day of days) {
    const fullUntilMs = await takeOfDay(tx, day, nowMs)
    if (fullUntilMs > 0)
      throw refuseUntil(fullUntilMs, nowMs, (seconds) => m.codesOfDay(Math.ceil((seconds * 1000) / hourMs)))
  }
  await tx
    .insertInto('attempt')
    .values({ kind: 'reset-sent', key: keyOf(secret, 'reset-sent', ofAll(asking)), ...begins })
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doUpdateSet(begins))
    .execute()
  await endResetTries(tx, secret, asking)
}

const lastSent = async (tx: Tx, kind: string, key: Buffer): Promise<number | undefined> =>
  (await findAttempt(tx, kind, key))?.first_at.getTime()

/** Counts a try before it is made; false when no code was sent to this e-mail, it has expired, or it was tried too often from here. */
export const takeResetTry = async (tx: Tx, secret: Secret, asking: Asking, nowMs: number): Promise<boolean> => {
  const sentMs = await lastSent(tx, 'reset-sent', keyOf(secret, 'reset-sent', ofAll(asking)))
  if (sentMs === undefined || nowMs - sentMs >= limits.otpLifeMs) return false
  const ofAllStrangers = { kind: 'reset-tries-all', key: keyOf(secret, 'reset-tries-all', ofAll(asking)) }
  if (!asking.known && (await takeOfDay(tx, { ...ofAllStrangers, most: strangersTriesPerDay }, nowMs)) > 0) return false
  const at = new Date(nowMs)
  const taken = await tx
    .insertInto('attempt')
    .values({
      kind: 'reset-try',
      key: keyOf(secret, 'reset-try', asking),
      count: 1,
      first_at: at,
      last_at: at,
      blocked_until: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key'])
        .doUpdateSet((set) => ({ count: set('attempt.count', '+', 1), last_at: at }))
        .where('attempt.count', '<', limits.otpTries),
    )
    .returning('count')
    .executeTakeFirst()
  return taken !== undefined
}

/** A right code costs no try: what stops it may be the choice of the new password. */
export const giveBackResetTry = async (tx: Tx, secret: Secret, asking: Asking): Promise<void> => {
  await tx
    .updateTable('attempt')
    .set((set) => ({ count: set('count', '-', 1) }))
    .where('kind', '=', 'reset-try')
    .where('key', '=', keyOf(secret, 'reset-try', asking))
    .where('count', '>', 0)
    .execute()
}

/** With a new code, and after a reset, the tries from here begin anew; the day's number stays. */
export const endResetTries = async (tx: Tx, secret: Secret, asking: Asking): Promise<void> => {
  await tx
    .deleteFrom('attempt')
    .where('kind', '=', 'reset-try')
    .where('key', '=', keyOf(secret, 'reset-try', asking))
    .execute()
}
