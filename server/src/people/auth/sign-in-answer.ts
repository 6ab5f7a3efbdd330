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
import { findUser, hasSecondFactor, isAdmin, maySignIn, type UserRow } from '#people/users.ts'

export type PublicRequest = { app: App; nowMs: number; requestId: string; request: FastifyRequest; reply: FastifyReply }

export const auditUser = (
  tx: Tx,
  { nowMs, requestId }: Pick<PublicRequest, 'nowMs' | 'requestId'>,
  user: UserRow,
  action: AuditAction,
  more: Partial<Pick<AuditEntry, 'subject' | 'result' | 'after'>> = {},
) => {
  const { customer_id: customerId, user_id: userId, email } = user
  return writeAudit(tx, customerId, nowMs, { userId, who: email, action, subject: email, requestId, ...more })
}

export type Proof = 'password' | 'link' | 'authenticator' | 'recovery code'
type SignInAnswer =
  | { token: string; user: User }
  | WithMessage<{ token: string | null; user: null; challenge?: string; redirect?: string | null }>

/** Account and address of a sign-in; never the typed text, which may be a password in the wrong field (security rule L5). */
const lineOf = ({ request, requestId }: PublicRequest, user: UserRow | undefined, by: Proof | 'second factor') => ({
  reqId: requestId,
  customer: user?.customer_id ?? null,
  user: user?.user_id ?? null,
  address: request.ip,
  by,
})

const refusedLines = lineLimiter(60, Date.now)

export const logRefused = (context: PublicRequest, user: UserRow | undefined, by: Proof | 'second factor') =>
  refusedLines('sign-in', (leftOut) =>
    context.app.log.info({ ...lineOf(context, user, by), ...leftOut }, 'sign-in refused'),
  )

/**
 * Result of a proven identity: a session; before it a second-factor challenge; for an admin-type role a code for the admin portal and never a
 * session (security rule S6). Runs in the caller's transaction.
 */
export const completeSignIn = async (
  tx: Tx,
  context: PublicRequest,
  user: UserRow,
  { by, remembered, typedEmail }: { by: Proof; remembered: boolean; typedEmail?: string },
): Promise<SignInAnswer> => {
  const { app, nowMs, request } = context
  const audit = (action: AuditAction) =>
    auditUser(tx, context, user, action, { after: { by }, ...(typedEmail ? { subject: typedEmail } : {}) })
  if ((by === 'password' || by === 'link') && hasSecondFactor(user)) {
    await audit('auth.challenge')
    const lifeMs = limits.challengeLifeMs
    const challenge = await addCode(tx, app.secret, user, { purpose: 'challenge', nowMs, lifeMs })
    return { message: m.secondFactorAsked, data: { token: null, user: null, challenge } }
  }
  if (isAdmin(user)) {
    await audit('auth.handoff')
    const token = await addCode(tx, app.secret, user, { purpose: 'handoff', nowMs, lifeMs: limits.handoffLifeMs })
    const portal = app.config.ADMIN_PORTAL_URL?.replace(/\/$/, '')
    const redirect = portal ? `${portal}/auth/login/${token}` : null
    return { message: m.redirecting, data: { token, user: null, redirect } }
  }
  const token = await addSession(tx, {
    customerId: user.customer_id,
    userId: user.user_id,
    remembered,
    nowMs,
    userAgent: request.headers['user-agent'],
    address: request.ip,
  })
  await audit('auth.login')
  return { token, user: await getProfile(tx, user.customer_id, user.user_id) }
}

export const rememberSignIn = (context: PublicRequest, user: UserRow, by: Proof, answer: SignInAnswer) => {
  if ('token' in answer) {
    context.app.log.info(lineOf(context, user, by), 'signed in')
    rememberDevice(context.reply, context.app, user.user_id, context.nowMs)
  }
  return answer
}

export const handoff = route(handoffCall, async (context) => {
  const { app, body, nowMs } = context
  const expired = new Refusal(401, m.codeExpired)
  const owner = await app.records.system((tx) => getCodeOwner(tx, app.secret, 'handoff', body.code, nowMs))
  if (!owner) throw expired
  return app.records.tenant(owner.customer_id, async (tx) => {
    const user = await findUser(tx, owner)
    if (!user || !maySignIn(user) || !isAdmin(user)) throw expired
    if (!(await useCode(tx, app.secret, 'handoff', body.code, nowMs))) throw expired
    await auditUser(tx, context, user, 'auth.handoff-taken')
    return { email: user.email, name: user.name, userRole: user.role, customerId: user.customer_id }
  })
})
