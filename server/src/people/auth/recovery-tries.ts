import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { hourMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { countOne, findAttempt, forgetTries, giveBackTry, refuseUntil, takeOfDay } from '#access/attempts.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Secret } from '#platform/security/secret.ts'

/**
 * `from` is a browser with an earlier sign-in to the account, or the network prefix of an address. Countdown, tries and the five codes of a day
 * belong to the pair of typed e-mail and `from`, so that no stranger uses up the owner's; limits shared by all strangers of one e-mail bound the
 * guesses from many networks. Answers are the same for unknown e-mails.
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

/** Throws 429 until the countdown is over and once the day's codes are used up; otherwise restarts it with five tries. */
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

/** Counts a try before the check; false when no code was sent to this e-mail, it has expired, or too many tries came from here. */
export const takeResetTry = async (tx: Tx, secret: Secret, asking: Asking, nowMs: number): Promise<boolean> => {
  const lastMs = await sentMs(tx, bucketOf(secret, 'reset-sent', ofAll(asking)))
  if (lastMs === undefined || nowMs - lastMs >= limits.otpLifeMs) return false
  const ofAllStrangers = { ...bucketOf(secret, 'reset-tries-all', ofAll(asking)), most: strangersTriesPerDay }
  if (!asking.known && (await takeOfDay(tx, ofAllStrangers, nowMs)) > 0) return false
  const may = sql`a.count < ${limits.otpTries}`
  return (await countOne(tx, bucketOf(secret, 'reset-try', asking), new Date(nowMs), { may })) !== null
}

/** A correct code costs no try, because the new password may be refused. */
export const giveBackResetTry = (tx: Tx, secret: Secret, asking: Asking): Promise<void> =>
  giveBackTry(tx, bucketOf(secret, 'reset-try', asking))

export const endResetTries = (tx: Tx, secret: Secret, asking: Asking): Promise<void> =>
  forgetTries(tx, bucketOf(secret, 'reset-try', asking))
