import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { hourMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { countOne, findAttempt, forgetTries, giveBackTry, refuseUntil, takeOfDay } from '#access/attempts.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Secret } from '#platform/security/secret.ts'

/**
 * Who asks for a code or tries one: `from` names a browser that the account knows, or the neighbourhood of an address. Countdown, tries and
 * the five codes of a day belong to the pair of e-mail, as it was typed, and `from`, so that no stranger uses up the owner's; what all
 * strangers share of one e-mail bounds the guesses of many networks. Known or not, the answers tell nothing.
 */
export type Asking = { email: string; from: string; known: boolean }

const strangersCodesPerDay = 25
const strangersTriesPerDay = 100

const bucketOf = (secret: Secret, kind: string, { email, from }: Pick<Asking, 'email'> & { from?: string }) => ({
  kind,
  key: secret.hmac(kind, `${email.toLowerCase()} ${from ?? ''}`),
})
const ofAll = ({ email }: Asking) => ({ email })

const sentMs = async (tx: Tx, { kind, key }: ReturnType<typeof bucketOf>): Promise<number | undefined> =>
  (await findAttempt(tx, kind, key))?.first_at.getTime()

/** Throws 429 before the countdown has reached 0 and once the day's codes are used up; otherwise it begins again, with five tries. */
export const takeSend = async (tx: Tx, secret: Secret, asking: Asking, nowMs: number): Promise<void> => {
  const at = new Date(nowMs)
  const countdown = bucketOf(secret, 'reset-code', asking)
  const isOver = sql`a.first_at <= ${new Date(nowMs - limits.otpResendS * 1000)}`
  if ((await countOne(tx, countdown, at, { isOver, may: isOver })) === null) {
    const lastMs = (await sentMs(tx, countdown)) ?? nowMs
    throw refuseUntil(lastMs + limits.otpResendS * 1000, nowMs, m.resendTooEarly)
  }
  const days = [
    { ...bucketOf(secret, 'reset-day', asking), most: limits.otpPerDay },
    ...(asking.known ? [] : [{ ...bucketOf(secret, 'reset-day-all', ofAll(asking)), most: strangersCodesPerDay }]),
  ]
  for (const day of days) {
    const fullUntilMs = await takeOfDay(tx, day, nowMs)
    if (fullUntilMs > 0)
      throw refuseUntil(fullUntilMs, nowMs, (seconds) => m.codesOfDay(Math.ceil((seconds * 1000) / hourMs)))
  }
  await countOne(tx, bucketOf(secret, 'reset-sent', ofAll(asking)), at, { isOver: sql`true`, may: sql`true` })
  await endResetTries(tx, secret, asking)
}

/** Counts a try before it is made; false when no code was sent to this e-mail, it has expired, or it was tried too often from here. */
export const takeResetTry = async (tx: Tx, secret: Secret, asking: Asking, nowMs: number): Promise<boolean> => {
  const lastMs = await sentMs(tx, bucketOf(secret, 'reset-sent', ofAll(asking)))
  if (lastMs === undefined || nowMs - lastMs >= limits.otpLifeMs) return false
  const ofAllStrangers = { ...bucketOf(secret, 'reset-tries-all', ofAll(asking)), most: strangersTriesPerDay }
  if (!asking.known && (await takeOfDay(tx, ofAllStrangers, nowMs)) > 0) return false
  const may = sql`a.count < ${limits.otpTries}`
  return (await countOne(tx, bucketOf(secret, 'reset-try', asking), new Date(nowMs), { may })) !== null
}

/** A right code costs no try: what stops it may be the choice of the new password. */
export const giveBackResetTry = (tx: Tx, secret: Secret, asking: Asking): Promise<void> =>
  giveBackTry(tx, bucketOf(secret, 'reset-try', asking))

/** With a new code, and after a reset, the tries from here begin anew; the day's number stays. */
export const endResetTries = (tx: Tx, secret: Secret, asking: Asking): Promise<void> =>
  forgetTries(tx, bucketOf(secret, 'reset-try', asking))
