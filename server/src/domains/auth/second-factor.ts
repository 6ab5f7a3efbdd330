import { loginSecondFactor } from '@gridmast/contract/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { type Bucket, forgetTries, takeTry } from '#access/attempts.ts'
import { knownDevice, rememberDevice } from '#access/device.ts'
import { recoveryHmac } from '#access/recovery-codes.ts'
import { matchingStep } from '#access/second-factor.ts'
import { writeAudit } from '#platform/audit.ts'
import { Refusal } from '#platform/errors.ts'
import { queueMail } from '#platform/mail.ts'
import type { Tx } from '#platform/records.ts'
import { type App, route } from '#context.ts'
import { takeCodeTry, useCode, useOwnCode } from './codes.ts'
import { enter, logRefused } from './enter.ts'
import { mails } from './mails.ts'
import { getPerson, maySignIn, type Person, stillStands, useTotpStep } from './queries.ts'
import { said } from './said.ts'

const expired = () => new Refusal(401, m.codeExpired)

/** Uses up the code and says what it was, or null. Two racing uses of one code: the UPDATE lets one through. */
const proofOf = async (tx: Tx, app: App, person: Person, code: string, nowMs: number) => {
  if (!person.totp_sealed) return null
  const step = matchingStep(app.secret.unseal(person.totp_sealed), code, nowMs, person.totp_last_step)
  if (step !== null) return (await useTotpStep(tx, person, step)) ? 'authenticator' : null
  const recovered = await useOwnCode(tx, person, 'recovery', recoveryHmac(app.secret, person.user_id, code), nowMs)
  return recovered ? 'recovery code' : null
}

export const secondFactor = [
  route(loginSecondFactor, async ({ app, nowMs, body, request, reply, requestId }) => {
    const { person, bucket } = await app.records.system(async (tx) => {
      const owner = await takeCodeTry(tx, app.secret, 'challenge', body.challenge, nowMs)
      const person = owner && (await getPerson(tx, owner.customer_id, owner.user_id))
      if (!person || !maySignIn(person)) throw expired()
      // Each new challenge brings five tries, so the tries of all of them are counted together.
      const counted = knownDevice(request, app.secret, person.user_id, nowMs) ?? person.user_id
      const bucket: Bucket = { kind: 'second-factor', key: app.secret.hmac('second-factor', counted) }
      await takeTry(tx, bucket, nowMs)
      return { person, bucket }
    })
    const entered = await app.records.tenant(person.customer_id, async (tx) => {
      const by = await proofOf(tx, app, person, body.code, nowMs)
      if (!by) {
        const refused = said(person, 'auth.login', 'refused', { requestId, after: { by: 'second factor' } })
        await writeAudit(tx, person.customer_id, nowMs, refused)
        return null
      }
      if (!(await stillStands(tx, person)) || !(await useCode(tx, app.secret, 'challenge', body.challenge, nowMs)))
        throw expired()
      if (by === 'recovery code') await queueMail(tx, person.customer_id, mails.recoveryCodeUsed(person))
      return enter(tx, { app, request, requestId }, person, { by, remembered: body.remember ?? false, nowMs })
    })
    if (!entered) {
      logRefused({ app, request, requestId }, person, 'second factor')
      throw new Refusal(401, m.codeWrong, { errors: { code: m.codeWrong } })
    }
    await app.records.system((tx) => forgetTries(tx, bucket))
    if ('token' in entered) rememberDevice(reply, app, person.user_id, nowMs)
    return entered
  }),
]
