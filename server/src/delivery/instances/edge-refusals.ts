import { sql } from 'kysely'
import type { Log } from '#platform/process/log.ts'
import type { Tx } from '#platform/records/records.ts'
import { isEdgeName, type Refused } from '#protocols/mqtt/topics.ts'
import { printable } from '#readings/quarantine.ts'
import type { EdgeDirectory } from './directory.ts'

const flushMs = 500
/** Strangers can invent names: further ones are dropped until the next flush. */
const maxWaiting = 1000
const topicChars = 200

type Waiting = { edgeKey: string; reason: Refused; topic: string | null; count: number; lastMs: number }
export type EdgeRefusal = Omit<Waiting, 'edgeKey'> & { customerId: string; edgeId: string }

type Options = {
  directory: EdgeDirectory
  save: (refusals: EdgeRefusal[]) => Promise<void>
  now: () => number
  log: Pick<Log, 'warn'>
}

/** Refused connections and messages, so that the company sees why its edge does not report. Lost when the store is unavailable. */
export const openEdgeRefusals = ({ directory, save, now, log }: Options) => {
  const waiting = new Map<string, Waiting>()
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    const all = [...waiting.values()]
    waiting.clear()
    const refusals: EdgeRefusal[] = []
    for (const { edgeKey, ...refusal } of all) {
      const edge = await directory.find(edgeKey)
      if (edge) refusals.push({ customerId: edge.customerId, edgeId: edge.edgeId, ...refusal })
    }
    if (refusals.length > 0) await save(refusals)
  }
  const flushOrWarn = () => flush().catch((error: unknown) => log.warn({ err: error }, 'refusals of edges not stored'))

  return {
    note: (reason: Refused, edgeKey: string | null, topic: string | null) => {
      if (edgeKey === null || !isEdgeName(edgeKey) || waiting.size >= maxWaiting) return
      const name = `${edgeKey} ${reason}`
      const count = (waiting.get(name)?.count ?? 0) + 1
      waiting.set(name, { edgeKey, reason, topic: topic && printable(topic, topicChars), count, lastMs: now() })
      timer ??= setTimeout(() => {
        timer = undefined
        void flushOrWarn()
      }, flushMs)
    },
    close: async () => {
      clearTimeout(timer)
      await flushOrWarn()
    },
  }
}

export const saveEdgeRefusals = async (tx: Tx, refusals: EdgeRefusal[]): Promise<void> => {
  for (const { customerId, edgeId, reason, topic, count, lastMs } of refusals)
    await sql`
      insert into edge_refusal (customer_id, edge_id, reason, topic, refused_count, last_at)
      values (${customerId}, ${edgeId}, ${reason}, ${topic}, ${count}, ${new Date(lastMs)})
      on conflict (customer_id, edge_id, reason) do update
        set topic = excluded.topic, last_at = excluded.last_at,
          refused_count = excluded.refused_count + case when edge_refusal.last_at > excluded.last_at - interval '1 hour' then edge_refusal.refused_count else 0 end`.execute(
      tx,
    )
}
