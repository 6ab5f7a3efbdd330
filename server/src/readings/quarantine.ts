import type { ClickHouseClient } from '@clickhouse/client'

export type Quarantined = { receivedAtMs: number; edge: string; topic: string; reason: string; payload: string }

/** Enough to diagnose a device, too little to fill a disk. */
const payloadChars = 4096

const unshown = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Device payload made safe to display: no control or bidi characters, no split surrogate pair at the cut. */
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
