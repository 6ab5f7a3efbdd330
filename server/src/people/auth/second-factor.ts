import { loginSecondFactor } from '@gridmast/contract/people/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { type Bucket, forgetTries, takeTry } from '#access/attempts.ts'
import { knownDevice } from '#access/device.ts'
import { recoveryHmac, takeCodeTry, useCode, useOwnCode } from '#access/one-time-codes.ts'
import { matchingStep } from '#access/second-factor.ts'
import { route } from '#context.ts'
import { Refusal } from '#platform/http/errors.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import type { Tx } from '#platform/records/records.ts'
import { type Ask, auditPerson, enter, entered, logRefused, type Proof } from './enter.ts'
import * as mails from './mails.ts'
import { readerOf, getPerson, maySignIn, type Person, stillStands, useTotpStep } from './queries.ts'

const expired = () => new Refusal(401, m.codeExpired)

/** Uses up the code and returns its kind, or null; of two concurrent uses of one code the UPDATE accepts one. */
const proofOf = async (tx: Tx, { app, nowMs }: Ask, person: Person, code: string): Promise<Proof | null> => {
  if (!person.totp_sealed) return null
  const step = matchingStep(app.secret.unseal(person.totp_sealed), code, nowMs, person.totp_last_step)
  if (step !== null) return (await useTotpStep(tx, person, step)) ? 'authenticator' : null
  const recovered = await useOwnCode(tx, person, 'recovery', recoveryHmac(app.secret, person.user_id, code), nowMs)
  return recovered ? 'recovery code' : null
}

export const secondFactor = route(loginSecondFactor, async (ask) => {
  const { app, body, nowMs, request } = ask
  const { person, bucket } = await app.records.system(async (tx) => {
    const owner = await takeCodeTry(tx, app.secret, 'challenge', body.challenge, nowMs)
    const person = owner && (await getPerson(tx, owner.customer_id, owner.user_id))
    if (!person || !maySignIn(person)) throw expired()
    // Each new challenge brings five tries, so the tries of all challenges are counted together.
    const counted = knownDevice(request, app.secret, person.user_id, nowMs) ?? person.user_id
    const bucket: Bucket = { kind: 'second-factor', key: app.secret.hmac('second-factor', counted) }
    await takeTry(tx, bucket, nowMs)
    return { person, bucket }
  })
  const done = await app.records.tenant(person.customer_id, async (tx) => {
    const by = await proofOf(tx, ask, person, body.code)
    if (!by) {
      await auditPerson(tx, ask, person, 'auth.login', { result: 'refused', after: { by: 'second factor' } })
      return null
    }
    if (!(await stillStands(tx, person)) || !(await useCode(tx, app.secret, 'challenge', body.challenge, nowMs)))
      throw expired()
    if (by === 'recovery code') await queueMail(tx, readerOf(person), mails.recoveryCodeUsed(person.name))
    return { by, answer: await enter(tx, ask, person, { by, remembered: body.remember ?? false }) }
  })
  if (!done) {
    logRefused(ask, person, 'second factor')
    throw new Refusal(401, m.codeWrong, { errors: { code: m.codeWrong } })
  }
  await app.records.system((tx) => forgetTries(tx, bucket))
  return entered(ask, person, done.by, done.answer)
})
