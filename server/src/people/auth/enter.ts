import { handoff as handoffCall } from '@gridmast/contract/people/auth.ts'
import type { AuditAction } from '@gridmast/contract/people/audit.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { rememberDevice } from '#access/device.ts'
import { addCode, getCodeOwner, useCode } from '#access/one-time-codes.ts'
import { getProfile } from '#access/profile.ts'
import { addSession } from '#access/sessions.ts'
import { type App, route } from '#context.ts'
import { type AuditEntry, writeAudit } from '#platform/records/audit.ts'
import { Refusal } from '#platform/http/errors.ts'
import { lineLimiter } from '#platform/http/limits.ts'
import type { Tx } from '#platform/records/records.ts'
import type { WithMessage } from '#platform/http/route.ts'
import { getPerson, hasSecondFactor, isAdmin, maySignIn, type Person } from './queries.ts'

export type Ask = { app: App; nowMs: number; requestId: string; request: FastifyRequest; reply: FastifyReply }

export const auditPerson = (
  tx: Tx,
  { nowMs, requestId }: Pick<Ask, 'nowMs' | 'requestId'>,
  person: Person,
  action: AuditAction,
  more: Partial<Pick<AuditEntry, 'subject' | 'result' | 'after'>> = {},
) => {
  const { customer_id: customerId, user_id: userId, email } = person
  return writeAudit(tx, customerId, nowMs, { userId, who: email, action, subject: email, requestId, ...more })
}

export type Proof = 'password' | 'link' | 'authenticator' | 'recovery code'
type Entered =
  | { token: string; user: User }
  | WithMessage<{ token: string | null; user: null; challenge?: string; redirect?: string | null }>

/** Account and address of a sign-in; never the typed text, which may be a password in the wrong field (security rule L5). */
const lineOf = ({ request, requestId }: Ask, person: Person | undefined, by: Proof | 'second factor') => ({
  reqId: requestId,
  customer: person?.customer_id ?? null,
  user: person?.user_id ?? null,
  address: request.ip,
  by,
})

const refusedLines = lineLimiter(60, Date.now)

export const logRefused = (ask: Ask, person: Person | undefined, by: Proof | 'second factor') =>
  refusedLines('sign-in', (leftOut) => ask.app.log.info({ ...lineOf(ask, person, by), ...leftOut }, 'sign-in refused'))

/**
 * Result of a proven identity: a session; before it a second-factor challenge; for an admin-type role a code for the admin portal and never a
 * session (security rule S6). Runs in the caller's transaction.
 */
export const enter = async (
  tx: Tx,
  ask: Ask,
  person: Person,
  { by, remembered, typedEmail }: { by: Proof; remembered: boolean; typedEmail?: string },
): Promise<Entered> => {
  const { app, nowMs, request } = ask
  const audit = (action: AuditAction) =>
    auditPerson(tx, ask, person, action, { after: { by }, ...(typedEmail ? { subject: typedEmail } : {}) })
  if ((by === 'password' || by === 'link') && hasSecondFactor(person)) {
    await audit('auth.challenge')
    const lifeMs = limits.challengeLifeMs
    const challenge = await addCode(tx, app.secret, person, { purpose: 'challenge', nowMs, lifeMs })
    return { message: m.secondFactorAsked, data: { token: null, user: null, challenge } }
  }
  if (isAdmin(person)) {
    await audit('auth.handoff')
    const token = await addCode(tx, app.secret, person, { purpose: 'handoff', nowMs, lifeMs: limits.handoffLifeMs })
    const portal = app.config.ADMIN_PORTAL_URL?.replace(/\/$/, '')
    const redirect = portal ? `${portal}/auth/login/${token}` : null
    return { message: m.redirecting, data: { token, user: null, redirect } }
  }
  const token = await addSession(tx, {
    customerId: person.customer_id,
    userId: person.user_id,
    remembered,
    nowMs,
    userAgent: request.headers['user-agent'],
    address: request.ip,
  })
  await audit('auth.login')
  return { token, user: await getProfile(tx, person.customer_id, person.user_id) }
}

export const entered = (ask: Ask, person: Person, by: Proof, answer: Entered): Entered => {
  if ('token' in answer) {
    ask.app.log.info(lineOf(ask, person, by), 'signed in')
    rememberDevice(ask.reply, ask.app, person.user_id, ask.nowMs)
  }
  return answer
}

export const handoff = route(handoffCall, async (ask) => {
  const { app, body, nowMs } = ask
  const expired = new Refusal(401, m.codeExpired)
  const owner = await app.records.system((tx) => getCodeOwner(tx, app.secret, 'handoff', body.code, nowMs))
  if (!owner) throw expired
  return app.records.tenant(owner.customer_id, async (tx) => {
    const person = await getPerson(tx, owner.customer_id, owner.user_id)
    if (!person || !maySignIn(person) || !isAdmin(person)) throw expired
    if (!(await useCode(tx, app.secret, 'handoff', body.code, nowMs))) throw expired
    await auditPerson(tx, ask, person, 'auth.handoff-taken')
    return { email: person.email, name: person.name, userRole: person.role, customerId: person.customer_id }
  })
})
