import { type SignalKind, signalKinds } from '@gridmast/contract/live.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { readByKey } from '#platform/records/read-cache.ts'
import type { Records } from '#platform/records/records.ts'

export type InstanceEntry = { instanceId: string; signals: Partial<Record<SignalKind, number>> }

export type EdgeEntry = {
  customerId: string
  edgeId: string
  key: string
  passwordHash: string
  instances: Map<string, InstanceEntry>
}

export type EdgeDirectory = { find: (edgeKey: string) => Promise<EdgeEntry | null> }

const row = z.object({
  customer_id: z.string(),
  edge_id: z.string(),
  key: z.string(),
  password_hash: z.string(),
  instances: z.array(
    z.object({ id: z.string(), key: z.string(), signals: z.partialRecord(z.enum(signalKinds), z.number()) }),
  ),
})

const readEdges = async (records: Records, keys: readonly string[]): Promise<Map<string, EdgeEntry>> => {
  const found = await records.system((tx) =>
    sql`
      select e.customer_id, e.edge_id, e.key, e.password_hash,
        coalesce(jsonb_agg(jsonb_build_object('id', i.instance_id, 'key', i.key, 'signals', i.signals)) filter (where i.instance_id is not null), '[]') as instances
      from edge e
      left join lateral (
        select i.instance_id, i.key, jsonb_object_agg(s.kind, s.no) as signals
        from instance i join signal s on s.customer_id = i.customer_id and s.instance_id = i.instance_id
        where i.customer_id = e.customer_id and i.edge_id = e.edge_id and i.enabled
        group by i.instance_id, i.key
      ) i on true
      where e.enabled and e.key = any (${sql.val(keys)}::text[])
      group by e.customer_id, e.edge_id, e.key, e.password_hash`.execute(tx),
  )
  return new Map(
    found.rows.map((raw) => {
      const edge = row.parse(raw)
      const instances = new Map<string, InstanceEntry>()
      for (const { id, key, signals } of edge.instances) {
        const entry = { instanceId: id, signals }
        instances.set(id, entry).set(key, entry)
      }
      const { customer_id: customerId, edge_id: edgeId, key, password_hash: passwordHash } = edge
      return [key, { customerId, edgeId, key, passwordHash, instances }]
    }),
  )
}

export const openEdgeDirectory = (records: Records, now: () => number) =>
  readByKey((keys) => readEdges(records, keys), now)
