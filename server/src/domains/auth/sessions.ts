import { logout, logoutAll, revokeSession, sessions as sessionsCall, verify } from '@gridmast/contract/auth.ts'
import { getProfile } from '#access/profile.ts'
import { forgetViewers } from '#access/viewer.ts'
import { writeAudit } from '#platform/audit.ts'
import { notFound } from '#platform/errors.ts'
import { isToken, tokenSha256 } from '#platform/token.ts'
import { route } from '#context.ts'
import { endOwnSession, endSession, endSessionsByToken, findSessions } from './session-queries.ts'

export const sessions = [
  route(verify, async ({ viewer, own }) => ({
    user: await own((tx, customerId) => getProfile(tx, customerId, viewer.userId)),
    due: viewer.due,
  })),

  route(logout, async ({ viewer, own, audit, nowMs }) => {
    await own(async (tx, customerId) => {
      await endSession(tx, customerId, viewer.sessionId, nowMs)
      await audit(tx, 'auth.logout', viewer.email)
    })
    forgetViewers()
    return undefined
  }),

  // Holding a token is the proof, whosever session it is: a device ends all that it keeps.
  route(logoutAll, async ({ app, viewer, nowMs, requestId, body }) => {
    const { customerId, userId, email } = viewer
    const given = [...new Set(body.tokens)].filter(isToken).map(tokenSha256)
    await app.records.system(async (tx) => {
      await endSession(tx, customerId, viewer.sessionId, nowMs)
      const ended = await endSessionsByToken(tx, given, nowMs)
      const entries = [
        { customerId, userId, who: email, action: 'auth.logout-all' },
        ...ended.map((session) => ({
          customerId: session.customer_id,
          userId: session.user_id,
          who: session.email,
          action: 'auth.logout',
        })),
      ]
      // In one order everywhere: two devices that end the same customers' sessions do not wait for one another in a circle.
      for (const { customerId, ...entry } of entries.toSorted((a, b) => a.customerId.localeCompare(b.customerId)))
        await writeAudit(tx, customerId, nowMs, { ...entry, subject: entry.who, result: 'ok', requestId })
    })
    forgetViewers()
    return undefined
  }),

  route(sessionsCall, async ({ viewer, own, nowMs }) => {
    const rows = await own((tx, customerId) => findSessions(tx, customerId, viewer.userId, nowMs))
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

  route(revokeSession, async ({ viewer, own, audit, nowMs, params }) => {
    await own(async (tx, customerId) => {
      if (!(await endOwnSession(tx, customerId, viewer.userId, params.sessionId, nowMs))) throw notFound()
      await audit(tx, 'auth.revoke-session', params.sessionId)
    })
    forgetViewers()
    return undefined
  }),
]
