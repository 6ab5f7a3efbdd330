import { login, loginLink } from '@gridmast/contract/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addressPrefix } from '#access/address.ts'
import { type Bucket, forgetTries, giveBackTry, takeTry } from '#access/attempts.ts'
import { knownDevice, rememberDevice } from '#access/device.ts'
import type { App } from '#app.ts'
import { writeAudit } from '#platform/audit.ts'
import { Refusal } from '#platform/errors.ts'
import { noOnesHash, verifyPassword } from '#platform/password.ts'
import type { Tx } from '#platform/records.ts'
import { route } from '#route.ts'
import { getCodeOwner, useCode } from './codes.ts'
import { enter } from './enter.ts'
import { getLogin, getPerson, maySignIn, stillStands } from './queries.ts'
import { said } from './said.ts'
import { forThemOrNoOne } from './stand-in.ts'

const noOne = '00000000-0000-0000-0000-000000000000'

/** What a try is counted against: the known browser by itself, anyone else by account and address prefix, and by prefix alone. */
const bucketsOf = (app: App, email: string, device: string | null, address: string): Bucket[] => {
  const of = (kind: Bucket['kind'], text: string): Bucket => ({ kind, key: app.secret.hmac(kind, text) })
  if (device) return [of('login-device', device)]
  const prefix = addressPrefix(address)
  return [of('login-account', `${email.toLowerCase()} ${prefix}`), of('login-address', prefix)]
}

const afterSuccess = async (tx: Tx, buckets: Bucket[]) => {
  for (const bucket of buckets) await (bucket.kind === 'login-address' ? giveBackTry : forgetTries)(tx, bucket)
}

export const signIn = [
  route(login, async ({ app, body, request, reply, requestId }) => {
    const nowMs = app.clock.now()
    const { email, password } = body.user
    const { person, device, buckets } = await app.records.system(async (tx) => {
      const person = await getLogin(tx, email)
      const device = knownDevice(request, app.secret, person?.user_id ?? noOne, nowMs)
      const buckets = bucketsOf(app, email, device, request.ip)
      for (const bucket of buckets) await takeTry(tx, bucket, nowMs)
      return { person, device, buckets }
    })
    const backIn = (give: typeof afterSuccess) => app.records.system((tx) => give(tx, buckets))
    const matches = await verifyPassword(password, person?.password_hash ?? noOnesHash, {
      first: device !== null,
    }).catch(async (error: unknown) => {
      await backIn(async (tx) => {
        for (const bucket of buckets) await giveBackTry(tx, bucket)
      })
      throw error
    })
    // One message and the same work for unknown e-mail, wrong password and disabled account (security rule S3).
    if (!person || !matches || !maySignIn(person)) {
      await app.records.system((tx) =>
        forThemOrNoOne(tx, person, (whom) =>
          writeAudit(tx, whom.customer_id, nowMs, said(whom, 'auth.login', 'refused', { requestId, subject: email })),
        ),
      )
      throw new Refusal(401, m.wrongCredentials)
    }
    const entered = await app.records.tenant(person.customer_id, async (tx) => {
      if (!(await stillStands(tx, person))) throw new Refusal(401, m.wrongCredentials)
      const how = { by: 'password' as const, remembered: body.remember ?? false, nowMs, typedEmail: email }
      return enter(tx, { app, request, requestId }, person, how)
    })
    await backIn(afterSuccess)
    if ('token' in entered) rememberDevice(reply, app, person.user_id, nowMs)
    return entered
  }),

  route(loginLink, async ({ app, body, request, reply, requestId }) => {
    const nowMs = app.clock.now()
    const expired = new Refusal(401, m.linkExpired)
    const owner = await app.records.system((tx) => getCodeOwner(tx, app.secret, 'login-link', body.id, nowMs))
    if (!owner) throw expired
    const { person, entered } = await app.records.tenant(owner.customer_id, async (tx) => {
      const person = await getPerson(tx, owner.customer_id, owner.user_id)
      if (!person || !maySignIn(person) || !(await stillStands(tx, person))) throw expired
      if (!(await useCode(tx, app.secret, 'login-link', body.id, nowMs))) throw expired
      const how = { by: 'link' as const, remembered: false, nowMs }
      return { person, entered: await enter(tx, { app, request, requestId }, person, how) }
    })
    if ('token' in entered) rememberDevice(reply, app, person.user_id, nowMs)
    return entered
  }),
]
