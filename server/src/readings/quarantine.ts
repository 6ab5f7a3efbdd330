import type { ClickHouseClient } from '@clickhouse/client'

export type Quarantined = { receivedAtMs: number; edge: string; topic: string; reason: string; payload: string }

/** Enough to see what a device sent wrong, too little to fill a disk with. */
const payloadChars = 4096

const unshown = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** What a device sent, made safe to look at: no control characters and none that reorder a line, and no half of a character at the cut. */
const shown = (text: string, most: number) => text.slice(0, most).toWellFormed().replaceAll(unshown, '\ufffd')

export const storeQuarantined = async (client: ClickHouseClient, found: readonly Quarantined[]): Promise<void> => {
  if (found.length === 0) return
  const values = found.map(({ receivedAtMs, edge, topic, reason, payload }) => ({
    received_at: new Date(receivedAtMs).toISOString().replace('T', ' ').replace('Z', ''),
    edge: shown(edge, 100),
    topic: shown(topic, 200),
    reason,
    payload: shown(payload, payloadChars),
  }))
  await client.insert({ table: 'gridmast.quarantine', values, format: 'JSONEachRow' })
}
