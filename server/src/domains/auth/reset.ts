import { resetWithOtp } from '@gridmast/contract/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { rememberDevice } from '#access/device.ts'
import { passwordProblem } from '#access/new-password.ts'
import { endSessionsOf } from '#access/sessions.ts'
import { forgetViewers } from '#access/viewer.ts'
import { writeAudit } from '#platform/audit.ts'
import { invalid } from '#platform/errors.ts'
import { queueMail } from '#platform/mail.ts'
import { hashPassword, verifyPassword } from '#platform/password.ts'
import { route } from '#context.ts'
import { endCodes, findCode, useOwnCode } from './codes.ts'
import { mails } from './mails.ts'
import { getLogin, savePassword } from './queries.ts'
import { mayRecover, otpHmac } from './recovery.ts'
import { endResetTries, giveBackResetTry, takeResetTry } from './recovery-queries.ts'
import { said } from './said.ts'
import { forThemOrNoOne } from './stand-in.ts'

export const reset = [
  route(resetWithOtp, async ({ app, nowMs, body, reply, requestId }) => {
    const problem = passwordProblem(body.newPassword)
    if (problem) throw invalid({ newPassword: problem })
    // The try is committed before its outcome is answered: racing guesses share the five.
    const tried = await app.records.system(async (tx) => {
      if (!(await takeResetTry(tx, app.secret, body.email, nowMs))) return { wrong: m.codeExpired }
      const found = await getLogin(tx, body.email)
      const person = mayRecover(found) ? found : undefined
      let code: Awaited<ReturnType<typeof findCode>>
      await forThemOrNoOne(tx, person, async (whom) => {
        code = await findCode(tx, whom, 'reset', otpHmac(app.secret, whom.user_id, body.otp))
      })
      if (!person || !code) return { wrong: m.codeWrong }
      if (code.used_at) return { wrong: m.codeExpired } // a newer one was sent, or it has done its work
      await giveBackResetTry(tx, app.secret, body.email)
      return { person }
    })
    if (!tried.person) throw invalid({ otp: tried.wrong })
    const { person } = tried
    if (await verifyPassword(body.newPassword, person.password_hash)) throw invalid({ newPassword: m.samePassword })
    const passwordHash = await hashPassword(body.newPassword)
    await app.records.system(async (tx) => {
      const used = await useOwnCode(tx, person, 'reset', otpHmac(app.secret, person.user_id, body.otp), nowMs)
      if (!used) throw invalid({ otp: m.codeExpired })
      await savePassword(tx, person, passwordHash, nowMs)
      await endSessionsOf(tx, person.customer_id, person.user_id, nowMs)
      await endCodes(tx, person, ['reset'], nowMs)
      await endResetTries(tx, app.secret, body.email)
      await queueMail(tx, person.customer_id, mails.passwordChanged(person))
      await writeAudit(tx, person.customer_id, nowMs, said(person, 'auth.reset-password', 'ok', { requestId }))
    })
    forgetViewers()
    // Who reads the account's mail is its owner: strangers' guesses from the same network do not keep this browser waiting.
    rememberDevice(reply, app, person.user_id, nowMs)
    return undefined
  }),
]
