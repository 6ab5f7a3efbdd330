import { sql } from 'kysely'
import type { OutputLine } from '#operator/output-line.ts'
import type { Records } from '#platform/records/records.ts'
import { quiet } from './restore.ts'

/**
 * After a restore of PostgreSQL to `toMs`, before the first start: queued mails, webhooks and statements are not sent again, sessions end, and
 * signals get numbers above `newestSignalNo`, the highest one with samples. Otherwise samples of a signal that was added after `toMs` would appear
 * at the next new signal.
 */
export const finishRestore = async function* (
  records: Records,
  { toMs, nowMs, newestSignalNo }: { toMs: number; nowMs: number; newestSignalNo: number },
): AsyncGenerator<OutputLine> {
  const madeAt = new Date(toMs).toISOString()
  const unsent = await records.system((tx) => quiet(tx, madeAt, nowMs))
  for (const { what, to, at } of unsent) yield { text: `not sent: ${what} ${to}, waiting since ${at.toISOString()}` }
  await records.owner((db) =>
    sql`select setval(s.name, greatest(nextval(s.name), ${newestSignalNo}::int8))
      from (select pg_get_serial_sequence('signal', 'no')::regclass as name) s`.execute(db),
  )
  yield { text: `Records as of ${madeAt}: queued messages are not sent, all users sign in again. Start the server.` }
}
