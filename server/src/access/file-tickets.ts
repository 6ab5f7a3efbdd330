import { minuteMs } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import type { Records } from '#platform/records/records.ts'
import type { Secret } from '#platform/security/secret.ts'
import { addCode, useCode } from './one-time-codes.ts'
import { findSession, type Viewer } from './viewer.ts'

const ticketLifeMs = minuteMs

/** A ticket is bound to its session, which must still be valid at the download, and to the call with query and body. */
const bound = z.object({ sessionId: z.string(), url: z.string(), body: z.unknown().optional() })

/** One-time tickets, so that a plain link downloads a file without a token in its URL (security rules S1, S7). */
export const openFileTickets = ({ records, secret }: { records: Records; secret: Secret }) => ({
  add: ({ customerId, userId, sessionId }: Viewer, file: { url: string; body: unknown }, nowMs: number) =>
    records.system((tx) =>
      addCode(
        tx,
        secret,
        { customer_id: customerId, user_id: userId },
        { purpose: 'file', nowMs, lifeMs: ticketLifeMs, detail: JSON.stringify({ sessionId, ...file }) },
      ),
    ),
  use: (ticket: string, url: string, nowMs: number) =>
    records.system(async (tx) => {
      const code = await useCode(tx, secret, 'file', ticket, nowMs)
      if (!code) return null
      const file = bound.parse(JSON.parse(code.detail ?? ''))
      if (file.url !== url) return null
      const viewer = await findSession(tx, code.customer_id, file.sessionId, nowMs)
      return viewer && { viewer, body: file.body }
    }),
})
