import type { Role, Subject } from '@gridmast/contract/roles.ts'
import { roles } from '@gridmast/contract/roles.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Records } from '#platform/records.ts'
import { tokenSha256 } from '#platform/token.ts'

/** Who asks. The customer comes from the session and nowhere else (security rule T1). */
export type Viewer = Subject & {
  customerId: string
  userId: string
  sessionId: string
  email: string
  userRole: Role
}

/** A found session is believed this long before it is read again, so an end is felt within a second on every process (S1). */
const believedMs = 900
const rememberedIdleMs = 7 * 86_400_000
const plainIdleMs = 60 * 60_000
const touchAfterMs = 60_000

type Found = { viewer: Viewer; readAt: number }
const believed = new Map<string, Found>()

const row = z.object({
  customer_id: z.string(),
  user_id: z.string(),
  session_id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  allowed: z.record(z.string(), z.boolean()),
  true_green: z.boolean(),
  licences: z.array(z.string()),
  remembered: z.boolean(),
  last_used_at: z.date(),
})

/** The viewer behind a token, or null when no live session has it. */
export const findViewer = async (records: Records, token: string, nowMs: number): Promise<Viewer | null> => {
  const key = tokenSha256(token)
  const cacheKey = key.toString('base64')
  const known = believed.get(cacheKey)
  if (known && nowMs >= known.readAt && nowMs - known.readAt < believedMs) return known.viewer
  const viewer = await records.system(async (tx) => {
    const now = new Date(nowMs)
    const found = await sql`
      select s.customer_id, s.user_id, s.session_id, s.remembered, s.last_used_at, u.email, u.role, u.allowed, c.true_green,
        coalesce((select array_agg(l.type) from licence l where l.customer_id = s.customer_id and l.enabled), '{}') as licences
      from user_session s
      join app_user u on u.customer_id = s.customer_id and u.user_id = s.user_id
      join customer c on c.customer_id = s.customer_id
      where s.token_sha256 = ${key} and s.ended_at is null and s.idle_until > ${now} and s.absolute_until > ${now} and u.enabled`.execute(
      tx,
    )
    if (!found.rows[0]) return null
    const session = row.parse(found.rows[0])
    if (nowMs - session.last_used_at.getTime() > touchAfterMs)
      await tx
        .updateTable('user_session')
        .set({ last_used_at: now, idle_until: new Date(nowMs + (session.remembered ? rememberedIdleMs : plainIdleMs)) })
        .where('customer_id', '=', session.customer_id)
        .where('session_id', '=', session.session_id)
        .execute()
    return {
      customerId: session.customer_id,
      userId: session.user_id,
      sessionId: session.session_id,
      email: session.email,
      userRole: session.role,
      allowed: session.allowed,
      licences: session.licences,
      trueGreen: session.true_green,
    }
  })
  if (believed.size > 10_000) believed.clear()
  if (viewer) believed.set(cacheKey, { viewer, readAt: nowMs })
  else believed.delete(cacheKey)
  return viewer
}

/** This process forgets what it believed: after a logout, a password or role change. */
export const forgetViewers = () => believed.clear()

export const sessionLifetimes = {
  remembered: { idleMs: rememberedIdleMs, absoluteMs: 30 * 86_400_000 },
  plain: { idleMs: plainIdleMs, absoluteMs: 12 * 3_600_000 },
}
