import { logout, logoutAll, revokeSession, sessions as sessionsCall, verify } from '@gridmast/contract/auth.ts'
import { getProfile } from '#access/profile.ts'
import { forgetViewers, type Viewer } from '#access/viewer.ts'
import { type AuditEntry, writeAudit } from '#platform/audit.ts'
import { notFound } from '#platform/errors.ts'
import { isToken, tokenSha256 } from '#platform/token.ts'
import { route } from '#route.ts'
import { endOwnSession, endSession, endSessionsByToken, findSessions } from './session-queries.ts'

const by = (viewer: Viewer, requestId: string, action: string, subject = viewer.email): AuditEntry => ({
  userId: viewer.userId,
  who: viewer.email,
  action,
  subject,
  result: 'ok',
  requestId,
})

export const sessions = [
  route(verify, async ({ app, viewer }) => ({
    user: await app.records.tenant(viewer.customerId, (tx) => getProfile(tx, viewer.customerId, viewer.userId)),
    due: viewer.due,
  })),

  route(logout, async ({ app, viewer, requestId }) => {
    const nowMs = app.clock.now()
    await app.records.tenant(viewer.customerId, async (tx) => {
      await endSession(tx, viewer.customerId, viewer.sessionId, nowMs)
      await writeAudit(tx, viewer.customerId, nowMs, by(viewer, requestId, 'auth.logout'))
    })
    forgetViewers()
    return undefined
  }),

  // Holding a token is the proof, whosever session it is: a device ends all that it keeps.
  route(logoutAll, async ({ app, viewer, body, requestId }) => {
    const nowMs = app.clock.now()
    const given = [...new Set(body.tokens)].filter(isToken).map(tokenSha256)
    await app.records.system(async (tx) => {
      await endSession(tx, viewer.customerId, viewer.sessionId, nowMs)
      const ended = await endSessionsByToken(tx, given, nowMs)
      const entries = [
        { customerId: viewer.customerId, entry: by(viewer, requestId, 'auth.logout-all') },
        ...ended.map((session) => ({
          customerId: session.customer_id,
          entry: {
            ...by(viewer, requestId, 'auth.logout', session.email),
            userId: session.user_id,
            who: session.email,
          },
        })),
      ]
      // In one order everywhere: two devices that end the same customers' sessions do not wait for one another in a circle.
      for (const { customerId, entry } of entries.toSorted((a, b) => a.customerId.localeCompare(b.customerId)))
        await writeAudit(tx, customerId, nowMs, entry)
    })
    forgetViewers()
    return undefined
  }),

  route(sessionsCall, async ({ app, viewer }) => {
    const rows = await app.records.tenant(viewer.customerId, (tx) =>
      findSessions(tx, viewer.customerId, viewer.userId, app.clock.now()),
    )
    return {
      sessions: rows.map((row) => ({
        _id: row.session_id,
        current: row.session_id === viewer.sessionId,
        createdAt: row.created_at.toISOString(),
        lastUsedAt: row.last_used_at.toISOString(),
        remembered: row.remembered,
        userAgent: row.user_agent,
        address: row.address,
      })),
    }
  }),

  route(revokeSession, async ({ app, viewer, params, requestId }) => {
    const nowMs = app.clock.now()
    await app.records.tenant(viewer.customerId, async (tx) => {
      if (!(await endOwnSession(tx, viewer.customerId, viewer.userId, params.sessionId, nowMs))) throw notFound()
      await writeAudit(tx, viewer.customerId, nowMs, by(viewer, requestId, 'auth.revoke-session', params.sessionId))
    })
    forgetViewers()
    return undefined
  }),
]
