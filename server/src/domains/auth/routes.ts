import { login, logout, verify } from '@gridmast/contract/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { isAdminRole, roles, type Role } from '@gridmast/contract/roles.ts'
import { getProfile } from '#access/profile.ts'
import { addSession } from '#access/sessions.ts'
import { forgetViewers } from '#access/viewer.ts'
import { writeAudit } from '#platform/audit.ts'
import { Refusal } from '#platform/errors.ts'
import { noOnesHash, verifyPassword } from '#platform/password.ts'
import { route } from '#route.ts'
import { endSession, getLogin } from './queries.ts'

const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text)

export const auth = [
  route(login, async ({ app, body, request, requestId }) => {
    const nowMs = app.clock.now()
    const found = await app.records.system((tx) => getLogin(tx, body.user.email))
    // One message and the same work for unknown e-mail, wrong password and disabled account (security rule S3).
    const matches = await verifyPassword(body.user.password, found?.password_hash ?? noOnesHash)
    const said = {
      userId: found?.user_id ?? null,
      who: body.user.email,
      action: 'auth.login',
      subject: body.user.email,
      requestId,
    }
    if (!found || !matches || !found.enabled || !isRole(found.role)) {
      if (found)
        await app.records.system((tx) => writeAudit(tx, found.customer_id, nowMs, { ...said, result: 'refused' }))
      throw new Refusal(401, m.wrongCredentials)
    }
    // Admin-type roles never get a portal session (security rule S6).
    if (isAdminRole(found.role)) return { message: m.redirecting, data: { token: null, user: null } }

    return app.records.tenant(found.customer_id, async (tx) => {
      const token = await addSession(tx, {
        customerId: found.customer_id,
        userId: found.user_id,
        remembered: body.remember ?? false,
        nowMs,
        userAgent: request.headers['user-agent'],
        address: request.ip,
      })
      await writeAudit(tx, found.customer_id, nowMs, { ...said, result: 'ok' })
      return { token, user: await getProfile(tx, found.customer_id, found.user_id) }
    })
  }),

  route(verify, async ({ app, viewer }) => ({
    user: await app.records.tenant(viewer.customerId, (tx) => getProfile(tx, viewer.customerId, viewer.userId)),
    due: viewer.due,
  })),

  route(logout, async ({ app, viewer, requestId }) => {
    const nowMs = app.clock.now()
    await app.records.tenant(viewer.customerId, async (tx) => {
      await endSession(tx, viewer.customerId, viewer.sessionId, nowMs)
      await writeAudit(tx, viewer.customerId, nowMs, {
        userId: viewer.userId,
        who: viewer.email,
        action: 'auth.logout',
        subject: viewer.email,
        result: 'ok',
        requestId,
      })
    })
    forgetViewers()
    return undefined
  }),
]
