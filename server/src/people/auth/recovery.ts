import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { hourMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { resendOtp, resetPassword, resetWithOtp } from '@gridmast/contract/people/auth.ts'
import { countOne, findAttempt, clearTries, returnTry, refuseUntil, countOfDay, countTry } from '#access/attempts.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Secret } from '#platform/security/secret.ts'
import { addressPrefix } from '#platform/http/address.ts'
import { deviceIdOf, rememberDevice } from '#access/device.ts'
import { passwordProblem } from '#access/passwords.ts'
import { endCodes, findCode, newOtp, otpHmac, otpHmacs, saveCode, useUserCode } from '#access/one-time-codes.ts'
import { endSessionsOf } from '#access/sessions.ts'
import { route } from '#context.ts'
import { invalid } from '#platform/http/errors.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import { hashPassword, verifyPassword } from '#platform/security/password.ts'
import {
  type UserRow,
  findUserByEmail,
  isAdmin,
  maySignIn,
  readerOf,
  savePassword,
  withDecoyAccount,
} from '#people/users.ts'
import { type PublicRequest, auditUser } from './sign-in-answer.ts'
import * as mails from './mails.ts'

/**
 * `from` is a browser with an earlier sign-in to the account, or the network prefix of an address. Countdown, tries and the five codes of a day
 * belong to the pair of typed e-mail and `from`, so that no stranger uses up the owner's; limits shared by all strangers of one e-mail bound the
 * guesses from many networks. Answers are the same for unknown e-mails.
 */
type Requester = { email: string; from: string; isKnownDevice: boolean }

const strangersCodesPerDay = 25
const strangersTriesPerDay = 100

const bucketOf = (secret: Secret, kind: string, { email, from }: Pick<Requester, 'email'> & { from?: string }) => ({
  kind,
  key: secret.hmac(kind, `${email.toLowerCase()} ${from ?? ''}`),
})
const ofAll = ({ email }: Requester) => ({ email })

const sentMs = async (tx: Tx, { kind, key }: ReturnType<typeof bucketOf>): Promise<number | undefined> =>
  (await findAttempt(tx, kind, key))?.first_at.getTime()

/** Throws 429 until the countdown is over and once the day's codes are used up; otherwise restarts it with five tries. */
const countSend = async (tx: Tx, secret: Secret, requester: Requester, nowMs: number): Promise<void> => {
  const at = new Date(nowMs)
  const countdown = bucketOf(secret, 'reset-code', requester)
  const isOver = sql`a.first_at <= ${new Date(nowMs - limits.otpResendS * 1000)}`
  if ((await countOne(tx, countdown, at, { isOver, may: isOver })) === null) {
    const lastMs = (await sentMs(tx, countdown)) ?? nowMs
    throw refuseUntil(lastMs + limits.otpResendS * 1000, nowMs, m.resendTooEarly)
  }
  const days = [
    { ...bucketOf(secret, 'reset-day', requester), most: limits.otpPerDay },
    ...(requester.isKnownDevice
      ? []
      : [{ ...bucketOf(secret, 'reset-day-all', ofAll(requester)), most: strangersCodesPerDay }]),
  ]
  for (const day of days) {
    const fullUntilMs = await countOfDay(tx, day, nowMs)
    if (fullUntilMs > 0)
      throw refuseUntil(fullUntilMs, nowMs, (seconds) => m.codesOfDay(Math.ceil((seconds * 1000) / hourMs)))
  }
  await countOne(tx, bucketOf(secret, 'reset-sent', ofAll(requester)), at, { isOver: sql`true`, may: sql`true` })
  await clearResetTries(tx, secret, requester)
}

/** Counts a try before the check; false when no code was sent to this e-mail, it has expired, or too many tries came from here. */
const countResetTry = async (tx: Tx, secret: Secret, requester: Requester, nowMs: number): Promise<boolean> => {
  const lastMs = await sentMs(tx, bucketOf(secret, 'reset-sent', ofAll(requester)))
  if (lastMs === undefined || nowMs - lastMs >= limits.otpLifeMs) return false
  const ofAllStrangers = { ...bucketOf(secret, 'reset-tries-all', ofAll(requester)), most: strangersTriesPerDay }
  if (!requester.isKnownDevice && (await countOfDay(tx, ofAllStrangers, nowMs)) > 0) return false
  const may = sql`a.count < ${limits.otpTries}`
  return (await countOne(tx, bucketOf(secret, 'reset-try', requester), new Date(nowMs), { may })) !== null
}

/** A correct code costs no try, because the new password may be refused. */
const returnResetTry = (tx: Tx, secret: Secret, requester: Requester): Promise<void> =>
  returnTry(tx, bucketOf(secret, 'reset-try', requester))

const clearResetTries = (tx: Tx, secret: Secret, requester: Requester): Promise<void> =>
  clearTries(tx, bucketOf(secret, 'reset-try', requester))

/** Disabled accounts and admin-type roles get no code, and the answer does not reveal it. */
const mayRecover = (user: UserRow | undefined): user is UserRow =>
  user !== undefined && maySignIn(user) && !isAdmin(user)

/**
 * A browser with an earlier sign-in to this account has limits of its own, any other shares those of its network prefix: strangers use up
 * nothing of the owner's.
 */
const requesterOf = ({ app, request, nowMs }: PublicRequest, email: string, user: UserRow | undefined): Requester => {
  const device = user ? deviceIdOf(request, app.secret, user.user_id, nowMs) : null
  const from = device ?? addressPrefix(request.ip)
  return { email, from: app.secret.hmac('reset-from', from).toString('base64url'), isKnownDevice: device !== null }
}

/** The same work for every e-mail, up to a mail that only its owner sees (security rule S4). */
const sendCode = async (context: PublicRequest & { body: { email: string } }) => {
  const { app, nowMs, body } = context
  const otp = newOtp()
  await app.records.system(async (tx) => {
    const stored = await findUserByEmail(tx, body.email)
    const requester = requesterOf(context, body.email, stored)
    await countSend(tx, app.secret, requester, nowMs)
    const kind = 'reset-address'
    await countTry(tx, { kind, key: app.secret.hmac(kind, addressPrefix(context.request.ip)) }, nowMs)
    await withDecoyAccount(tx, mayRecover(stored) ? stored : undefined, async (account) => {
      const code = { purpose: 'reset' as const, nowMs, lifeMs: limits.otpLifeMs, detail: requester.from }
      await endCodes(tx, account, ['reset'], nowMs, { detail: requester.from })
      await saveCode(tx, account, { ...code, hmac: otpHmac(app.secret, 'reset', account.user_id, otp) })
      await queueMail(tx, readerOf(account), mails.code(account.name, otp))
      await auditUser(tx, context, account, 'auth.reset-code')
    })
  })
  return { resendInS: limits.otpResendS }
}

const reset = route(resetWithOtp, async (context) => {
  const { app, body, reply, nowMs } = context
  const problem = passwordProblem(body.newPassword)
  if (problem) throw invalid({ newPassword: problem })
  // The try is committed before its outcome is answered: concurrent guesses share the five.
  const tried = await app.records.system(async (tx) => {
    const stored = await findUserByEmail(tx, body.email)
    const requester = requesterOf(context, body.email, stored)
    if (!(await countResetTry(tx, app.secret, requester, nowMs))) return { wrong: m.codeExpired }
    const user = mayRecover(stored) ? stored : undefined
    let code: Awaited<ReturnType<typeof findCode>>
    await withDecoyAccount(tx, user, async (account) => {
      code = await findCode(tx, account, 'reset', otpHmacs(app.secret, 'reset', account.user_id, body.otp))
    })
    if (!user || !code) return { wrong: m.codeWrong }
    if (code.used_at) return { wrong: m.codeExpired } // replaced by a newer code, or used
    await returnResetTry(tx, app.secret, requester)
    return { user, requester }
  })
  if (!tried.user) throw invalid({ otp: tried.wrong })
  const { user, requester } = tried
  if (await verifyPassword(body.newPassword, user.password_hash)) throw invalid({ newPassword: m.samePassword })
  const passwordHash = await hashPassword(body.newPassword)
  await app.records.system(async (tx) => {
    const hmacs = otpHmacs(app.secret, 'reset', user.user_id, body.otp)
    if (!(await useUserCode(tx, user, 'reset', hmacs, nowMs))) throw invalid({ otp: m.codeExpired })
    await savePassword(tx, user, passwordHash, nowMs)
    const ended = await endSessionsOf(tx, user, nowMs, { apiKeys: true })
    await endCodes(tx, user, ['reset', 'email'], nowMs)
    await clearResetTries(tx, app.secret, requester)
    await queueMail(tx, readerOf(user), mails.passwordChanged(user.name, ended.apiKeys))
    await auditUser(tx, context, user, 'auth.reset-password', { after: ended })
  })
  // The reader of the account's mail is its owner: guesses from the same network do not delay this browser.
  rememberDevice(reply, app, user.user_id, nowMs)
})

export const recovery = [route(resetPassword, sendCode), route(resendOtp, sendCode), reset]
