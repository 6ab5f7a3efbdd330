import { sql } from 'kysely'
import type { Records } from '#platform/records/records.ts'
import type { Charger } from './directory.ts'

/** Time of the last message of each charger, written for all together: a charger is silent for at most `seenEveryMs` longer than its row states. */

const seenEveryMs = 15_000
const mostRows = 2000

type Seen = { customer_id: string; charger_id: string; at: Date }

export const openLastSeen = (options: { records: Records; onError: (error: unknown) => void; everyMs?: number }) => {
  const waiting = new Map<string, Seen>()
  let flushing = Promise.resolve()

  const save = (rows: readonly Seen[]) =>
    options.records.system((tx) =>
      sql`
        update charger c set last_seen_at = s.at from (
          select customer_id, charger_id, s.at
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (customer_id uuid, charger_id uuid, at timestamptz)
          join charger l using (customer_id, charger_id)
          where l.last_seen_at is null or l.last_seen_at < s.at
          for no key update of l skip locked) s
        where c.customer_id = s.customer_id and c.charger_id = s.charger_id`.execute(tx),
    )
  const write = async () => {
    const rows = [...waiting.values()]
    waiting.clear()
    for (let from = 0; from < rows.length; from += mostRows) await save(rows.slice(from, from + mostRows))
  }
  const flush = () => (flushing = flushing.then(write).catch(options.onError))
  const timer = setInterval(() => void flush(), options.everyMs ?? seenEveryMs).unref()
  return {
    note: ({ customerId, chargerId }: Charger, atMs: number) =>
      void waiting.set(chargerId, { customer_id: customerId, charger_id: chargerId, at: new Date(atMs) }),
    flush,
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
