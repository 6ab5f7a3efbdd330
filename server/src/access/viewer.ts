import { limits } from '@gridmast/contract/limits.ts'
import { roles, type Role, type Subject, wallScopes } from '@gridmast/contract/roles.ts'
import { minuteMs, hourMs, dayMs } from '@gridmast/contract/time.ts'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Bus } from '#platform/messaging/bus.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import { updateRows } from '#platform/records/rows.ts'
import { isApiKey, tokenSha256 } from '#platform/security/token.ts'

/** The caller. Its customer comes from the session or the API key only (security rule T1). */
export type Viewer = Subject & {
  customerId: string
  userId: string
  /** The session, or the API key in its place. */
  sessionId: string
  email: string
  userRole: Role
  areas: readonly string[]
  /** A step that the user must complete before anything else works. */
  due: Due
  /** Name of the wall screen whose session this is. */
  wall?: string
}
export type Due = 'password' | 'second-factor' | null

export type Owner = { customer_id: string; user_id: string }

/** Cache time of a session, so an end takes effect within a second on every process (S1). */
const cacheMs = 900
const touchAfterMs = minuteMs

export const sessionLifetimes = {
  remembered: { idleMs: 7 * dayMs, absoluteMs: 30 * dayMs },
  plain: { idleMs: hourMs, absoluteMs: 12 * hourMs },
  wall: { idleMs: limits.wallIdleDays * dayMs, absoluteMs: limits.wallDays * dayMs },
}

/** Stored before the read ends, so that the calls of one screen share a read and a change also discards reads in progress. */
type CachedViewer = { readAtMs: number; read: Promise<Viewer | null>; viewer: Viewer | null }
const cache = new Map<string, CachedViewer>()

/** All columns for the permission check, in one query with the session or key. */
const subjectColumns = sql`
  u.email, u.role, u.allowed, u.password_updated_at, u.totp_confirmed_at is not null as has_second_factor,
  c.true_green, c.areas, c.bidding_markets, c.second_factor_required,
  coalesce((select array_agg(l.type order by l.type) from licence l where l.customer_id = u.customer_id and l.enabled), '{}') as licences,
  exists (select from licence l where l.customer_id = u.customer_id and l.enabled and l.settings ->> 'mobilepay' = 'true') as mobilepay`

const subjectRow = z.object({
  customer_id: z.string(),
  user_id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  allowed: z.record(z.string(), z.boolean()),
  password_updated_at: z.date(),
  has_second_factor: z.boolean(),
  true_green: z.boolean(),
  areas: z.array(z.string()),
  bidding_markets: z.array(z.string()),
  second_factor_required: z.boolean(),
  licences: z.array(z.string()),
  mobilepay: z.boolean(),
})
const sessionRow = subjectRow.extend({
  session_id: z.string(),
  remembered: z.boolean(),
  wall_name: z.string().nullable(),
  last_used_at: z.date(),
})
const keyRow = subjectRow.extend({ key_id: z.string(), scopes: z.array(z.string()), last_used_at: z.date().nullable() })

const subjectOf = (row: z.infer<typeof subjectRow>) => ({
  customerId: row.customer_id,
  userId: row.user_id,
  email: row.email,
  userRole: row.role,
  allowed: row.allowed,
  licences: row.licences,
  mobilepay: row.mobilepay,
  trueGreen: row.true_green,
  areas: row.areas,
  biddingMarkets: row.bidding_markets,
})

const dueOf = (row: z.infer<typeof subjectRow>, nowMs: number): Due => {
  if (nowMs - row.password_updated_at.getTime() > limits.passwordExpiryS * 1000) return 'password'
  return row.second_factor_required && !row.has_second_factor ? 'second-factor' : null
}

const first = async <S extends z.ZodType>(
  tx: Tx,
  shape: S,
  query: RawBuilder<unknown>,
): Promise<z.output<S> | null> => {
  const { rows } = await query.execute(tx)
  return rows[0] ? shape.parse(rows[0]) : null
}

const kindOf = ({ remembered, wall_name }: { remembered: boolean; wall_name: string | null }) => {
  if (wall_name !== null) return 'wall'
  return remembered ? 'remembered' : 'plain'
}

const bySession = async (tx: Tx, isSession: RawBuilder<unknown>, nowMs: number): Promise<Viewer | null> => {
  const now = new Date(nowMs)
  const row = await first(
    tx,
    sessionRow,
    sql`
      select s.customer_id, s.user_id, s.session_id, s.remembered, s.wall_name, s.last_used_at, ${subjectColumns}
      from user_session s
      join app_user u on u.customer_id = s.customer_id and u.user_id = s.user_id
      join customer c on c.customer_id = s.customer_id
      where ${isSession} and s.ended_at is null and s.idle_until > ${now} and s.absolute_until > ${now} and u.enabled`,
  )
  if (!row) return null
  const { idleMs } = sessionLifetimes[kindOf(row)]
  if (nowMs - row.last_used_at.getTime() > touchAfterMs)
    await updateRows(tx, row.customer_id, 'user_session', { session_id: row.session_id })
      .set({ last_used_at: now, idle_until: new Date(nowMs + idleMs) })
      .execute()
  const viewer = { ...subjectOf(row), sessionId: row.session_id }
  if (row.wall_name === null) return { ...viewer, due: dueOf(row, nowMs) }
  return { ...viewer, due: null, scopes: wallScopes, wall: row.wall_name }
}

const byApiKey = async (tx: Tx, sha256: Buffer, nowMs: number): Promise<Viewer | null> => {
  const now = new Date(nowMs)
  const row = await first(
    tx,
    keyRow,
    sql`
      select k.customer_id, k.user_id, k.key_id, k.scopes, k.last_used_at, ${subjectColumns}
      from api_key k
      join app_user u on u.customer_id = k.customer_id and u.user_id = k.user_id
      join customer c on c.customer_id = k.customer_id
      where k.token_sha256 = ${sha256} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}) and u.enabled`,
  )
  if (!row) return null
  if (nowMs - (row.last_used_at?.getTime() ?? 0) > touchAfterMs)
    await updateRows(tx, row.customer_id, 'api_key', { key_id: row.key_id }).set({ last_used_at: now }).execute()
  return { ...subjectOf(row), sessionId: row.key_id, due: null, scopes: row.scopes }
}

/** An enabled user with the present rights, for work in its name without a session; null for one that is disabled or gone. */
export const findUser = async (tx: Tx, customerId: string, userId: string): Promise<Viewer | null> => {
  const row = await first(
    tx,
    subjectRow,
    sql`
      select u.customer_id, u.user_id, ${subjectColumns}
      from app_user u join customer c on c.customer_id = u.customer_id
      where u.customer_id = ${customerId} and u.user_id = ${userId} and u.enabled`,
  )
  return row && { ...subjectOf(row), sessionId: '', due: null }
}

const openRow = subjectRow.extend({ id: z.string(), scopes: z.array(z.string()).nullable() })

const rightsOf = ({ userRole, allowed, licences, mobilepay, trueGreen, areas, biddingMarkets, due, scopes }: Viewer) =>
  JSON.stringify([userRole, allowed, licences, mobilepay, trueGreen, areas, biddingMarkets, due, scopes ?? null])

/** The viewers with an ended session or key, a disabled user, or changed rights. */
export const findRevoked = async (records: Records, viewers: readonly Viewer[], nowMs: number): Promise<Viewer[]> => {
  const ids = [...new Set(viewers.map(({ sessionId }) => sessionId))]
  const now = new Date(nowMs)
  const { rows } = await records.system((tx) =>
    sql`
      select s.id, s.scopes, u.customer_id, u.user_id, ${subjectColumns} from (
        select customer_id, user_id, session_id as id, case when wall_name is not null then ${[...wallScopes]}::text[] end as scopes
        from user_session
        where session_id = any(${ids}) and ended_at is null and idle_until > ${now} and absolute_until > ${now}
        union all
        select customer_id, user_id, key_id, scopes from api_key
        where key_id = any(${ids}) and revoked_at is null and (expires_at is null or expires_at > ${now})
      ) s
      join app_user u on u.customer_id = s.customer_id and u.user_id = s.user_id and u.enabled
      join customer c on c.customer_id = s.customer_id`.execute(tx),
  )
  const rights = new Map(
    rows.map((raw) => {
      const { id, scopes, ...row } = openRow.parse(raw)
      const viewer = { ...subjectOf(row), sessionId: id, due: scopes ? null : dueOf(row, nowMs) }
      return [id, rightsOf(scopes ? { ...viewer, scopes } : viewer)]
    }),
  )
  return viewers.filter((viewer) => rights.get(viewer.sessionId) !== rightsOf(viewer))
}

/** The users of sessions that were not ended, by session; sessions that have only expired are included. */
export const findUnended = async (tx: Tx, sessionIds: readonly string[]): Promise<Map<string, Subject>> => {
  const { rows } = await sql`
    select s.session_id as id, null as scopes, s.customer_id, s.user_id, ${subjectColumns} from user_session s
    join app_user u on u.customer_id = s.customer_id and u.user_id = s.user_id and u.enabled
    join customer c on c.customer_id = s.customer_id
    where s.session_id = any(${sessionIds}) and s.ended_at is null`.execute(tx)
  return new Map(rows.map((row) => openRow.parse(row)).map((row) => [row.id, subjectOf(row)]))
}

export const findSession = (tx: Tx, customerId: string, sessionId: string, nowMs: number): Promise<Viewer | null> =>
  bySession(tx, sql`s.customer_id = ${customerId} and s.session_id = ${sessionId}`, nowMs)

/** Null for an ended session or key. */
export const findViewer = (records: Records, token: string, nowMs: number): Promise<Viewer | null> => {
  const cached = cache.get(token)
  if (cached && nowMs >= cached.readAtMs && nowMs - cached.readAtMs < cacheMs) return cached.read
  const sha256 = tokenSha256(token)
  const read = records.system((tx) =>
    isApiKey(token) ? byApiKey(tx, sha256, nowMs) : bySession(tx, sql`s.token_sha256 = ${sha256}`, nowMs),
  )
  const entry: CachedViewer = { readAtMs: nowMs, read, viewer: null }
  if (cache.size >= 10_000) cache.clear()
  cache.set(token, entry)
  const settle = (viewer: Viewer | null) => {
    entry.viewer = viewer
    if (!viewer && cache.get(token) === entry) cache.delete(token)
  }
  read.then(settle, () => settle(null))
  return read
}

/** Clears the cache after each call other than GET. */
export const forgetViewers = () => cache.clear()

/** Clears cached viewers after changes in other processes or directly in the store. */
export const forgetByBus = (bus: Bus) => {
  const forget = (which: (viewer: Viewer) => boolean) => {
    for (const [token, { viewer }] of cache) if (!viewer || which(viewer)) cache.delete(token)
  }
  bus.listen('session', (id) => forget(({ sessionId }) => sessionId === id))
  bus.listen('customer', (id) => forget(({ customerId }) => customerId === id))
  bus.listen('resync', forgetViewers)
}
