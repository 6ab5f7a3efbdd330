import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { User } from '@gridmast/contract/user.ts'
import type { FastifyRequest } from 'fastify'
import { getProfile } from '#access/profile.ts'
import { addSession } from '#access/sessions.ts'
import type { App } from '#context.ts'
import { writeAudit } from '#platform/audit.ts'
import { boundedLines } from '#platform/log.ts'
import type { Tx } from '#platform/records.ts'
import type { Said } from '#platform/route.ts'
import { addCode } from './codes.ts'
import { hasSecondFactor, isAdmin, type Person } from './queries.ts'
import { said } from './said.ts'

export type Proof = 'password' | 'link' | 'authenticator' | 'recovery code'
type Ask = { app: App; request: FastifyRequest; requestId: string }
type Entered =
  | { token: string; user: User }
  | Said<{ token: string | null; user: null; challenge?: string; redirect?: string | null }>

/** Whose account, from where; never what was typed, which may be a password in the wrong field (security rule L5). */
const lineOf = ({ ip }: FastifyRequest, reqId: string, person: Person | undefined) => ({
  reqId,
  customer: person?.customer_id ?? null,
  user: person?.user_id ?? null,
  address: ip,
})

const refusedLine = boundedLines(60)

export const logRefused = ({ app, request, requestId }: Ask, person: Person | undefined, by: Proof | 'second factor') =>
  refusedLine(app.log, app.clock.now(), { ...lineOf(request, requestId, person), by }, 'sign-in refused')

/**
 * What someone gets who has proved who they are: a session; first a question for the second factor; or, for an admin-type role,
 * a code for the admin portal and never a session (security rule S6). In the caller's transaction.
 */
export const enter = async (
  tx: Tx,
  { app, request, requestId }: Ask,
  person: Person,
  how: { by: Proof; remembered: boolean; nowMs: number; typedEmail?: string },
): Promise<Entered> => {
  const { nowMs } = how
  const note = (action: string) =>
    writeAudit(
      tx,
      person.customer_id,
      nowMs,
      said(person, action, 'ok', { requestId, subject: how.typedEmail, after: { by: how.by } }),
    )
  const asked = how.by === 'password' || how.by === 'link'
  if (asked && hasSecondFactor(person)) {
    await note('auth.challenge')
    const lifeMs = limits.challengeLifeMs
    const challenge = await addCode(tx, app.secret, person, { purpose: 'challenge', nowMs, lifeMs })
    return { message: m.secondFactorAsked, data: { token: null, user: null, challenge } }
  }
  if (isAdmin(person)) {
    await note('auth.handoff')
    const token = await addCode(tx, app.secret, person, { purpose: 'handoff', nowMs, lifeMs: limits.handoffLifeMs })
    const portal = app.config.ADMIN_PORTAL_URL?.replace(/\/$/, '')
    const redirect = portal ? `${portal}/auth/login/${token}` : null
    return { message: m.redirecting, data: { token, user: null, redirect } }
  }
  const token = await addSession(tx, {
    customerId: person.customer_id,
    userId: person.user_id,
    remembered: how.remembered,
    nowMs,
    userAgent: request.headers['user-agent'],
    address: request.ip,
  })
  await note('auth.login')
  app.log.info({ ...lineOf(request, requestId, person), by: how.by }, 'signed in')
  return { token, user: await getProfile(tx, person.customer_id, person.user_id) }
}
