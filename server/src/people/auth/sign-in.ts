import { login, loginLink, loginSecondFactor } from '@gridmast/contract/people/auth.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addressPrefix } from '#platform/http/address.ts'
import { type Bucket, clearTries, returnTry, countTry } from '#access/attempts.ts'
import { deviceIdOf } from '#access/device.ts'
import { addCode, getCodeOwner, recoveryHmacs, countCodeTry, useCode, useUserCode } from '#access/one-time-codes.ts'
import { route } from '#context.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { Refusal } from '#platform/http/errors.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import { unknownUserHash, verifyPassword } from '#platform/security/password.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import type { Secret } from '#platform/security/secret.ts'
import {
  type UserRow,
  findUserByEmail,
  findUser,
  hasSecondFactor,
  maySignIn,
  readerOf,
  removeSecondFactor,
  isStillValid,
  useTotpStep,
  withDecoyAccount,
} from '#people/users.ts'
import { matchingStep } from '#access/second-factor.ts'
import {
  type PublicRequest,
  type Proof,
  auditUser,
  completeSignIn,
  rememberSignIn,
  logRefused,
} from './sign-in-answer.ts'
import * as mails from './mails.ts'

const unknownUserId = '00000000-0000-0000-0000-000000000000'

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
const countLoginTry = async (tx: Tx, { app, request, nowMs }: PublicRequest, email: string, userId = unknownUserId) => {
  const device = deviceIdOf(request, app.secret, userId, nowMs)
  const buckets = bucketsOf(app.secret, email, device, request.ip)
  let tries = 0
  for (const bucket of buckets) tries = Math.max(tries, await countTry(tx, bucket, nowMs))
  const each = (act: (tx: Tx, bucket: Bucket) => Promise<void>) =>
    app.records.system(async (tx) => {
      for (const bucket of buckets) await act(tx, bucket)
    })
  const isShared = ({ kind }: Bucket) => kind === 'login-address' || kind === 'login-network'
  return {
    isKnownDevice: device !== null,
    tries,
    succeeded: () => each((tx, bucket) => (isShared(bucket) ? returnTry(tx, bucket) : clearTries(tx, bucket))),
    returnTries: () => each(returnTry),
  }
}

export const signIn = [
  route(login, async (context) => {
    const { app, body } = context
    const { email, password } = body.user
    const { user, tried } = await app.records.system(async (tx) => {
      const user = await findUserByEmail(tx, email)
      return { user, tried: await countLoginTry(tx, context, email, user?.user_id) }
    })
    const hash = user?.password_hash ?? unknownUserHash
    const matches = await verifyPassword(password, hash, { first: tried.isKnownDevice, tries: tried.tries }).catch(
      async (error: unknown) => {
        await tried.returnTries()
        throw error
      },
    )
    // One message and the same work for unknown e-mail, wrong password and disabled account (security rule S3).
    if (!user || !matches || !maySignIn(user)) {
      const refused = { subject: email, result: 'refused' }
      await app.records.system((tx) =>
        withDecoyAccount(tx, user, (account) => auditUser(tx, context, account, 'auth.login', refused)),
      )
      logRefused(context, user, 'password')
      throw new Refusal(401, m.wrongCredentials)
    }
    const answer = await app.records.tenant(user.customer_id, async (tx) => {
      if (!(await isStillValid(tx, user))) throw new Refusal(401, m.wrongCredentials)
      return completeSignIn(tx, context, user, {
        by: 'password',
        remembered: body.remember ?? false,
        typedEmail: email,
      })
    })
    await tried.succeeded()
    return rememberSignIn(context, user, 'password', answer)
  }),

  route(loginLink, async (context) => {
    const { app, body, nowMs } = context
    const expired = new Refusal(401, m.linkExpired)
    const owner = await app.records.system((tx) => getCodeOwner(tx, app.secret, 'login-link', body.id, nowMs))
    if (!owner) throw expired
    const { user, answer } = await app.records.tenant(owner.customer_id, async (tx) => {
      const user = await findUser(tx, owner)
      if (!user || !maySignIn(user) || !(await isStillValid(tx, user))) throw expired
      if (!(await useCode(tx, app.secret, 'login-link', body.id, nowMs))) throw expired
      return { user, answer: await completeSignIn(tx, context, user, { by: 'link', remembered: false }) }
    })
    return rememberSignIn(context, user, 'link', answer)
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
    const user = await findUserByEmail(tx, email)
    if (!user || !maySignIn(user)) throw new Error(`${email}: no account that may sign in`)
    const audit = (action: 'second-factor.off' | 'auth.login-link') =>
      writeAudit(tx, user.customer_id, nowMs, { who: 'operator', action, subject: user.email })
    if (withoutSecondFactor && hasSecondFactor(user)) {
      await removeSecondFactor(tx, user)
      await queueMail(tx, readerOf(user), mails.secondFactorRemoved(user.name))
      await audit('second-factor.off')
    }
    await audit('auth.login-link')
    return addCode(tx, secret, user, { purpose: 'login-link', nowMs, lifeMs: limits.linkLifeMs })
  })

const expired = () => new Refusal(401, m.codeExpired)

/** Uses up the code and returns its kind, or null; of two concurrent uses of one code the UPDATE accepts one. */
const proofOf = async (tx: Tx, { app, nowMs }: PublicRequest, user: UserRow, code: string): Promise<Proof | null> => {
  if (!user.totp_sealed) return null
  const step = matchingStep(app.secret.unseal(user.totp_sealed), code, nowMs, user.totp_last_step)
  if (step !== null) return (await useTotpStep(tx, user, step)) ? 'authenticator' : null
  const recovered = await useUserCode(tx, user, 'recovery', recoveryHmacs(app.secret, user.user_id, code), nowMs)
  return recovered ? 'recovery code' : null
}

export const secondFactor = route(loginSecondFactor, async (context) => {
  const { app, body, nowMs, request } = context
  const { user, bucket } = await app.records.system(async (tx) => {
    const owner = await countCodeTry(tx, app.secret, 'challenge', body.challenge, nowMs)
    const user = owner && (await findUser(tx, owner))
    if (!user || !maySignIn(user)) throw expired()
    // Each new challenge brings five tries, so the tries of all challenges are counted together.
    const counted = deviceIdOf(request, app.secret, user.user_id, nowMs) ?? user.user_id
    const bucket: Bucket = { kind: 'second-factor', key: app.secret.hmac('second-factor', counted) }
    await countTry(tx, bucket, nowMs)
    return { user, bucket }
  })
  const done = await app.records.tenant(user.customer_id, async (tx) => {
    const by = await proofOf(tx, context, user, body.code)
    if (!by) {
      await auditUser(tx, context, user, 'auth.login', { result: 'refused', after: { by: 'second factor' } })
      return null
    }
    if (!(await isStillValid(tx, user)) || !(await useCode(tx, app.secret, 'challenge', body.challenge, nowMs)))
      throw expired()
    if (by === 'recovery code') await queueMail(tx, readerOf(user), mails.recoveryCodeUsed(user.name))
    return { by, answer: await completeSignIn(tx, context, user, { by, remembered: body.remember ?? false }) }
  })
  if (!done) {
    logRefused(context, user, 'second factor')
    throw new Refusal(401, m.codeWrong, { errors: { code: m.codeWrong } })
  }
  await app.records.system((tx) => clearTries(tx, bucket))
  return rememberSignIn(context, user, done.by, done.answer)
})
