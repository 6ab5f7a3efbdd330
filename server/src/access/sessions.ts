import type { WallShow } from '@gridmast/contract/people/wall.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { insertRow, updateRows } from '#platform/records/rows.ts'
import { newToken, tokenSha256 } from '#platform/security/token.ts'
import { endCodes } from './one-time-codes.ts'
import { type Owner, sessionLifetimes } from './viewer.ts'

type NewSession = {
  customerId: string
  userId: string
  remembered: boolean
  /** Of a wall screen. */
  wallName?: string
  wallShow?: WallShow | null
  nowMs: number
  userAgent: string | undefined
  address: string
}

/** Answers the token, which is not stored. */
export const addSession = async (tx: Tx, session: NewSession): Promise<string> => {
  const { wallName, wallShow = null } = session
  const token = newToken(wallName === undefined ? 'session' : 'wall')
  const now = new Date(session.nowMs)
  const ordinary = session.remembered ? 'remembered' : 'plain'
  const { idleMs, absoluteMs } = sessionLifetimes[wallName === undefined ? ordinary : 'wall']
  await insertRow(tx, session.customerId, 'user_session', {
    user_id: session.userId,
    session_id: newId(session.nowMs),
    token_sha256: tokenSha256(token),
    remembered: session.remembered,
    wall_name: wallName ?? null,
    wall_show: wallShow && JSON.stringify(wallShow),
    created_at: now,
    last_used_at: now,
    idle_until: new Date(session.nowMs + idleMs),
    absolute_until: new Date(session.nowMs + absoluteMs),
    user_agent: session.userAgent?.slice(0, 200) ?? null,
    address: session.address,
  }).execute()
  return token
}

type Ended = { sessions: number; apiKeys: number }

/**
 * Ends all sessions of a user but `except` (security rule S1), all unfinished sign-ins (second factor, links), and with `apiKeys` the
 * user's keys.
 */
export const endSessionsOf = async (
  tx: Tx,
  owner: Owner,
  nowMs: number,
  { except, apiKeys = false }: { except?: string; apiKeys?: boolean } = {},
): Promise<Ended> => {
  await endCodes(tx, owner, ['challenge', 'login-link', 'wall'], nowMs)
  const now = new Date(nowMs)
  const sessions = updateRows(tx, owner.customer_id, 'user_session', { user_id: owner.user_id, ended_at: null }).set({
    ended_at: now,
  })
  const ended = await (except ? sessions.where('session_id', '<>', except) : sessions).returning('session_id').execute()
  for (const { session_id } of ended) rowChanged(tx, 'session', session_id)
  if (!apiKeys) return { sessions: ended.length, apiKeys: 0 }
  const revoked = await updateRows(tx, owner.customer_id, 'api_key', { user_id: owner.user_id, revoked_at: null })
    .set({ revoked_at: now })
    .returning('key_id')
    .execute()
  for (const { key_id } of revoked) rowChanged(tx, 'session', key_id)
  return { sessions: ended.length, apiKeys: revoked.length }
}
