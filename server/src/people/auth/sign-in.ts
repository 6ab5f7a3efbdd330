import { login, loginLink } from '@gridmast/contract/people/auth.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addressPrefix } from '#platform/http/address.ts'
import { type Bucket, forgetTries, giveBackTry, takeTry } from '#access/attempts.ts'
import { knownDevice } from '#access/device.ts'
import { addCode, getCodeOwner, useCode } from '#access/one-time-codes.ts'
import { route } from '#context.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { Refusal } from '#platform/http/errors.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import { unknownUserHash, verifyPassword } from '#platform/security/password.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import type { Secret } from '#platform/security/secret.ts'
import { type Ask, auditPerson, enter, entered, logRefused } from './enter.ts'
import * as mails from './mails.ts'
import {
  readerOf,
  getLogin,
  getPerson,
  hasSecondFactor,
  maySignIn,
  removeSecondFactor,
  stillStands,
  withDecoyAccount,
} from './queries.ts'

const noOne = '00000000-0000-0000-0000-000000000000'

/** A browser with an earlier sign-in has its own count; others are counted by account and address prefix, by prefix alone, and by network. */
const bucketsOf = (secret: Secret, email: string, device: string | null, address: string): Bucket[] => {
  const of = (kind: Bucket['kind'], text: string): Bucket => ({ kind, key: secret.hmac(kind, text) })
  if (device) return [of('login-device', device)]
  const prefix = addressPrefix(address)
  const network = addressPrefix(address, { ipv6: 48 })
  return [
    of('login-account', `${email.toLowerCase()} ${prefix}`),
    of('login-address', prefix),
    ...(network === prefix ? [] : [of('login-network', network)]),
  ]
}

/** Counts a try before the password is checked; throws 429 during a wait (security rule S3, attempts.md). */
const takeLoginTry = async (tx: Tx, { app, request, nowMs }: Ask, email: string, userId = noOne) => {
  const device = knownDevice(request, app.secret, userId, nowMs)
  const buckets = bucketsOf(app.secret, email, device, request.ip)
  let tries = 0
  for (const bucket of buckets) tries = Math.max(tries, await takeTry(tx, bucket, nowMs))
  const each = (act: (tx: Tx, bucket: Bucket) => Promise<void>) =>
    app.records.system(async (tx) => {
      for (const bucket of buckets) await act(tx, bucket)
    })
  const isShared = ({ kind }: Bucket) => kind === 'login-address' || kind === 'login-network'
  return {
    known: device !== null,
    tries,
    /** After a correct password the account's count restarts, and shared counts get this one try back. */
    succeeded: () => each((tx, bucket) => (isShared(bucket) ? giveBackTry(tx, bucket) : forgetTries(tx, bucket))),
    giveBack: () => each(giveBackTry),
  }
}

export const signIn = [
  route(login, async (ask) => {
    const { app, body } = ask
    const { email, password } = body.user
    const { person, tried } = await app.records.system(async (tx) => {
      const person = await getLogin(tx, email)
      return { person, tried: await takeLoginTry(tx, ask, email, person?.user_id) }
    })
    const hash = person?.password_hash ?? unknownUserHash
    const matches = await verifyPassword(password, hash, { first: tried.known, tries: tried.tries }).catch(
      async (error: unknown) => {
        await tried.giveBack()
        throw error
      },
    )
    // One message and the same work for unknown e-mail, wrong password and disabled account (security rule S3).
    if (!person || !matches || !maySignIn(person)) {
      const refused = { subject: email, result: 'refused' }
      await app.records.system((tx) =>
        withDecoyAccount(tx, person, (whom) => auditPerson(tx, ask, whom, 'auth.login', refused)),
      )
      logRefused(ask, person, 'password')
      throw new Refusal(401, m.wrongCredentials)
    }
    const answer = await app.records.tenant(person.customer_id, async (tx) => {
      if (!(await stillStands(tx, person))) throw new Refusal(401, m.wrongCredentials)
      return enter(tx, ask, person, { by: 'password', remembered: body.remember ?? false, typedEmail: email })
    })
    await tried.succeeded()
    return entered(ask, person, 'password', answer)
  }),

  route(loginLink, async (ask) => {
    const { app, body, nowMs } = ask
    const expired = new Refusal(401, m.linkExpired)
    const owner = await app.records.system((tx) => getCodeOwner(tx, app.secret, 'login-link', body.id, nowMs))
    if (!owner) throw expired
    const { person, answer } = await app.records.tenant(owner.customer_id, async (tx) => {
      const person = await getPerson(tx, owner.customer_id, owner.user_id)
      if (!person || !maySignIn(person) || !(await stillStands(tx, person))) throw expired
      if (!(await useCode(tx, app.secret, 'login-link', body.id, nowMs))) throw expired
      return { person, answer: await enter(tx, ask, person, { by: 'link', remembered: false }) }
    })
    return entered(ask, person, 'link', answer)
  }),
]

/**
 * Id of a sign-in link from the operator: one use, 10 minutes (security rule S5). `withoutSecondFactor`, for a user who has lost phone and
 * recovery codes, removes the second factor and notifies its owner.
 */
export const makeLoginLink = (
  records: Records,
  secret: Secret,
  email: string,
  nowMs: number,
  { withoutSecondFactor = false } = {},
): Promise<string> =>
  records.system(async (tx) => {
    const person = await getLogin(tx, email)
    if (!person || !maySignIn(person)) throw new Error(`${email}: no account that may sign in`)
    const audit = (action: 'second-factor.off' | 'auth.login-link') =>
      writeAudit(tx, person.customer_id, nowMs, { who: 'operator', action, subject: person.email })
    if (withoutSecondFactor && hasSecondFactor(person)) {
      await removeSecondFactor(tx, person)
      await queueMail(tx, readerOf(person), mails.secondFactorRemoved(person.name))
      await audit('second-factor.off')
    }
    await audit('auth.login-link')
    return addCode(tx, secret, person, { purpose: 'login-link', nowMs, lifeMs: limits.linkLifeMs })
  })
