import { resendOtp, resetPassword, resetWithOtp } from '@gridmast/contract/people/auth.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addressPrefix } from '#platform/http/address.ts'
import { takeTry } from '#access/attempts.ts'
import { knownDevice, rememberDevice } from '#access/device.ts'
import { passwordProblem } from '#access/passwords.ts'
import { endCodes, findCode, newOtp, otpHmac, saveCode, useOwnCode } from '#access/one-time-codes.ts'
import { endSessionsOf } from '#access/sessions.ts'
import { route } from '#context.ts'
import { invalid } from '#platform/http/errors.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import { hashPassword, verifyPassword } from '#platform/security/password.ts'
import { type Ask, auditPerson } from './enter.ts'
import * as mails from './mails.ts'
import { readerOf, getLogin, isAdmin, maySignIn, type Person, savePassword, withDecoyAccount } from './queries.ts'
import { type Asking, endResetTries, giveBackResetTry, takeResetTry, takeSend } from './recovery-tries.ts'

/** Disabled accounts and admin-type roles get no code, and the answer does not reveal it. */
const mayRecover = (person: Person | undefined): person is Person =>
  person !== undefined && maySignIn(person) && !isAdmin(person)

/**
 * A browser with an earlier sign-in to this account has limits of its own, any other shares those of its network prefix: strangers use up
 * nothing of the owner's.
 */
const askingOf = ({ app, request, nowMs }: Ask, email: string, person: Person | undefined): Asking => {
  const device = person ? knownDevice(request, app.secret, person.user_id, nowMs) : null
  const from = device ?? addressPrefix(request.ip)
  return { email, from: app.secret.hmac('reset-from', from).toString('base64url'), known: device !== null }
}

/** The same work for every e-mail, up to a mail that only its owner sees (security rule S4). */
const sendCode = async (ask: Ask & { body: { email: string } }) => {
  const { app, nowMs, body } = ask
  const otp = newOtp()
  await app.records.system(async (tx) => {
    const found = await getLogin(tx, body.email)
    const asking = askingOf(ask, body.email, found)
    await takeSend(tx, app.secret, asking, nowMs)
    const kind = 'reset-address'
    await takeTry(tx, { kind, key: app.secret.hmac(kind, addressPrefix(ask.request.ip)) }, nowMs)
    await withDecoyAccount(tx, mayRecover(found) ? found : undefined, async (whom) => {
      const code = { purpose: 'reset' as const, nowMs, lifeMs: limits.otpLifeMs, detail: asking.from }
      await endCodes(tx, whom, ['reset'], nowMs, { detail: asking.from })
      await saveCode(tx, whom, { ...code, hmac: otpHmac(app.secret, 'reset', whom.user_id, otp) })
      await queueMail(tx, readerOf(whom), mails.code(whom.name, otp))
      await auditPerson(tx, ask, whom, 'auth.reset-code')
    })
  })
  return { resendInS: limits.otpResendS }
}

const reset = route(resetWithOtp, async (ask) => {
  const { app, body, reply, nowMs } = ask
  const problem = passwordProblem(body.newPassword)
  if (problem) throw invalid({ newPassword: problem })
  // The try is committed before its outcome is answered: concurrent guesses share the five.
  const tried = await app.records.system(async (tx) => {
    const found = await getLogin(tx, body.email)
    const asking = askingOf(ask, body.email, found)
    if (!(await takeResetTry(tx, app.secret, asking, nowMs))) return { wrong: m.codeExpired }
    const person = mayRecover(found) ? found : undefined
    let code: Awaited<ReturnType<typeof findCode>>
    await withDecoyAccount(tx, person, async (whom) => {
      code = await findCode(tx, whom, 'reset', otpHmac(app.secret, 'reset', whom.user_id, body.otp))
    })
    if (!person || !code) return { wrong: m.codeWrong }
    if (code.used_at) return { wrong: m.codeExpired } // replaced by a newer code, or used
    await giveBackResetTry(tx, app.secret, asking)
    return { person, asking }
  })
  if (!tried.person) throw invalid({ otp: tried.wrong })
  const { person, asking } = tried
  if (await verifyPassword(body.newPassword, person.password_hash)) throw invalid({ newPassword: m.samePassword })
  const passwordHash = await hashPassword(body.newPassword)
  await app.records.system(async (tx) => {
    const hmac = otpHmac(app.secret, 'reset', person.user_id, body.otp)
    if (!(await useOwnCode(tx, person, 'reset', hmac, nowMs))) throw invalid({ otp: m.codeExpired })
    await savePassword(tx, person, passwordHash, nowMs)
    const ended = await endSessionsOf(tx, person, nowMs, { apiKeys: true })
    await endCodes(tx, person, ['reset', 'email'], nowMs)
    await endResetTries(tx, app.secret, asking)
    await queueMail(tx, readerOf(person), mails.passwordChanged(person.name, ended.apiKeys))
    await auditPerson(tx, ask, person, 'auth.reset-password', { after: ended })
  })
  // The reader of the account's mail is its owner: guesses from the same network do not delay this browser.
  rememberDevice(reply, app, person.user_id, nowMs)
})

export const recovery = [route(resetPassword, sendCode), route(resendOtp, sendCode), reset]
