import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { insertRow } from '#platform/records/rows.ts'
import { newToken, tokenSha256 } from '#platform/security/token.ts'
import { endCodes } from './one-time-codes.ts'
import { type Owner, ofUser, sessionLifetimes } from './viewer.ts'

export type NewSession = {
  customerId: string
  userId: string
  remembered: boolean
  nowMs: number
  userAgent: string | undefined
  address: string
}

/** Opens a session and answers its token, which is nowhere kept. */
export const addSession = async (tx: Tx, session: NewSession): Promise<string> => {
  const token = newToken('session')
  const now = new Date(session.nowMs)
  const { idleMs, absoluteMs } = sessionLifetimes[session.remembered ? 'remembered' : 'plain']
  await insertRow(tx, session.customerId, 'user_session', {
    user_id: session.userId,
    session_id: newId(session.nowMs),
    token_sha256: tokenSha256(token),
    remembered: session.remembered,
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
 * Ends every session of a user but `except` (security rule S1), every sign-in that is half way (questions for the second factor and sign-in
 * links), and with `apiKeys` the keys that this person made. The frame forgets what is believed of viewers after the call.
 */
export const endSessionsOf = async (
  tx: Tx,
  owner: Owner,
  nowMs: number,
  { except, apiKeys = false }: { except?: string; apiKeys?: boolean } = {},
): Promise<Ended> => {
  await endCodes(tx, owner, ['challenge', 'login-link'], nowMs)
  const now = new Date(nowMs)
  const sessions = tx
    .updateTable('user_session')
    .set({ ended_at: now })
    .where(ofUser(owner))
    .where('ended_at', 'is', null)
  const ended = await (except ? sessions.where('session_id', '<>', except) : sessions).executeTakeFirst()
  if (!apiKeys) return { sessions: Number(ended.numUpdatedRows), apiKeys: 0 }
  const revoked = await tx
    .updateTable('api_key')
    .set({ revoked_at: now })
    .where(ofUser(owner))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return { sessions: Number(ended.numUpdatedRows), apiKeys: Number(revoked.numUpdatedRows) }
}
