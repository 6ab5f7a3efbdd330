import type { ClickHouseClient } from '@clickhouse/client'

export type Quarantined = { receivedAtMs: number; edge: string; topic: string; reason: string; payload: string }

/** Enough to see what a device sent wrong, too little to fill a disk with. */
const payloadChars = 4096

export const storeQuarantined = async (client: ClickHouseClient, found: readonly Quarantined[]): Promise<void> => {
  if (found.length === 0) return
  const values = found.map(({ receivedAtMs, edge, topic, reason, payload }) => ({
    received_at: new Date(receivedAtMs).toISOString().replace('T', ' ').replace('Z', ''),
    edge: edge.slice(0, 100),
    topic: topic.slice(0, 200),
    reason,
    payload: payload.slice(0, payloadChars),
  }))
  await client.insert({ table: 'gridmast.quarantine', values, format: 'JSONEachRow' })
}
