import { logout, logoutAll, revokeSession, sessions as sessionsCall, verify } from '@gridmast/contract/people/auth.ts'
import { wallShow } from '@gridmast/contract/people/wall.ts'
import { sql } from 'kysely'
import { endCodes } from '#access/one-time-codes.ts'
import { getProfile, withoutPerson } from '#access/profile.ts'
import type { Viewer } from '#access/viewer.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { getRow, selectRows, updateRows } from '#platform/records/rows.ts'
import { isToken, tokenSha256 } from '#platform/security/token.ts'
import { route } from '#context.ts'

export const isValid = (nowMs: number) => {
  const now = new Date(nowMs)
  return sql<boolean>`ended_at is null and idle_until > ${now} and absolute_until > ${now}`
}

/** Null for the standard cards, and for cards of another release that are none here. */
export const showOf = (stored: unknown) => wallShow.nullable().catch(null).parse(stored)

const findSessions = (tx: Tx, customerId: string, userId: string, nowMs: number) =>
  selectRows(tx, customerId, 'user_session', { user_id: userId })
    .select([
      'session_id',
      'created_at',
      'last_used_at',
      'remembered',
      'wall_name',
      'wall_show',
      'user_agent',
      'address',
    ])
    .where(isValid(nowMs))
    .orderBy('last_used_at', 'desc')
    .orderBy('session_id', 'desc')
    .execute()

const endSession = async (tx: Tx, { customerId, userId }: Viewer, sessionId: string, nowMs: number) => {
  const ended = await updateRows(tx, customerId, 'user_session', { user_id: userId, session_id: sessionId })
    .set({ ended_at: new Date(nowMs) })
    .where(isValid(nowMs))
    .executeTakeFirst()
  const isEnded = ended.numUpdatedRows > 0n
  if (isEnded) rowChanged(tx, 'session', sessionId)
  return isEnded
}

const endSessionsByToken = async (tx: Tx, sha256s: Buffer[], nowMs: number) => {
  if (sha256s.length === 0) return []
  const ended = await tx
    .updateTable('user_session')
    .from('app_user')
    .set({ ended_at: new Date(nowMs) })
    .where('token_sha256', 'in', sha256s)
    .where('ended_at', 'is', null)
    .whereRef('app_user.customer_id', '=', 'user_session.customer_id')
    .whereRef('app_user.user_id', '=', 'user_session.user_id')
    .returning(['user_session.customer_id', 'user_session.user_id', 'user_session.session_id', 'app_user.email'])
    .execute()
  for (const { session_id } of ended) rowChanged(tx, 'session', session_id)
  return ended
}

export const sessions = [
  route(verify, async ({ viewer, own }) => {
    const { due, wall } = viewer
    return own(async (tx, customerId) => {
      const user = await getProfile(tx, customerId, viewer.userId)
      if (wall === undefined) return { user, due }
      const { wall_show } = await getRow(tx, customerId, 'user_session', { session_id: viewer.sessionId }, [
        'wall_show',
      ])
      return { user: withoutPerson(user, wall), due, wall, wallShow: showOf(wall_show) }
    })
  }),

  route(logout, async ({ viewer, own, audit, nowMs }) => {
    await own(async (tx) => {
      await endSession(tx, viewer, viewer.sessionId, nowMs)
      await audit(tx, 'auth.logout', viewer.email)
    })
  }),

  // A token is the proof, whatever its user: a device ends all sessions that it stores.
  route(logoutAll, async ({ app, viewer, nowMs, requestId, body }) => {
    const { customerId, userId, email } = viewer
    const sha256s = [...new Set(body.tokens)].filter(isToken).map(tokenSha256)
    await app.records.system(async (tx) => {
      await endSession(tx, viewer, viewer.sessionId, nowMs)
      const ended = await endSessionsByToken(tx, sha256s, nowMs)
      const entries = [
        { customerId, userId, who: email, action: 'auth.logout-all' as const },
        ...ended.map((session) => ({
          customerId: session.customer_id,
          userId: session.user_id,
          who: session.email,
          action: 'auth.logout' as const,
        })),
      ]
      // The same order everywhere prevents a deadlock of two devices that end sessions of the same customers.
      for (const { customerId, ...entry } of entries.toSorted((a, b) => a.customerId.localeCompare(b.customerId)))
        await writeAudit(tx, customerId, nowMs, { ...entry, subject: entry.who, requestId })
    })
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
        wall: row.wall_name,
        wallShow: showOf(row.wall_show),
        userAgent: row.user_agent,
        address: row.address,
      })),
    }
  }),

  route(revokeSession, async ({ viewer, own, audit, nowMs, params }) => {
    await own(async (tx) => {
      if (!(await endSession(tx, viewer, params.sessionId, nowMs))) throw notFound()
      // Links that the session may have created.
      await endCodes(tx, { customer_id: viewer.customerId, user_id: viewer.userId }, ['wall'], nowMs)
      await audit(tx, 'auth.revoke-session', params.sessionId)
    })
  }),
]
