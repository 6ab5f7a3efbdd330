import { login, loginLink } from '@gridmast/contract/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { rememberDevice } from '#access/device.ts'
import { writeAudit } from '#platform/audit.ts'
import { Refusal } from '#platform/errors.ts'
import { noOnesHash, verifyPassword } from '#platform/password.ts'
import { route } from '#context.ts'
import { getCodeOwner, useCode } from './codes.ts'
import { enter, logRefused } from './enter.ts'
import { takeLoginTry } from './login-try.ts'
import { getLogin, getPerson, maySignIn, stillStands } from './queries.ts'
import { said } from './said.ts'
import { forThemOrNoOne } from './stand-in.ts'

export const signIn = [
  route(login, async ({ app, nowMs, body, request, reply, requestId }) => {
    const { email, password } = body.user
    const { person, tried } = await app.records.system(async (tx) => {
      const person = await getLogin(tx, email)
      return { person, tried: await takeLoginTry(tx, app, request, { email, userId: person?.user_id, nowMs }) }
    })
    const hash = person?.password_hash ?? noOnesHash
    const matches = await verifyPassword(password, hash, { first: tried.known }).catch(async (error: unknown) => {
      await tried.giveBack()
      throw error
    })
    // One message and the same work for unknown e-mail, wrong password and disabled account (security rule S3).
    if (!person || !matches || !maySignIn(person)) {
      await app.records.system((tx) =>
        forThemOrNoOne(tx, person, (whom) =>
          writeAudit(tx, whom.customer_id, nowMs, said(whom, 'auth.login', 'refused', { requestId, subject: email })),
        ),
      )
      logRefused({ app, request, requestId }, person, 'password')
      throw new Refusal(401, m.wrongCredentials)
    }
    const entered = await app.records.tenant(person.customer_id, async (tx) => {
      if (!(await stillStands(tx, person))) throw new Refusal(401, m.wrongCredentials)
      const how = { by: 'password' as const, remembered: body.remember ?? false, nowMs, typedEmail: email }
      return enter(tx, { app, request, requestId }, person, how)
    })
    await tried.succeeded()
    if ('token' in entered) rememberDevice(reply, app, person.user_id, nowMs)
    return entered
  }),

  route(loginLink, async ({ app, nowMs, body, request, reply, requestId }) => {
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
