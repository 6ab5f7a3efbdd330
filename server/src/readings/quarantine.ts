import type { ClickHouseClient } from '@clickhouse/client'
import { instant, rows, text } from './sql.ts'

export type Quarantined = { receivedAtMs: number; edge: string; topic: string; reason: string; payload: string }

/** Enough to diagnose a device, too little to fill a disk. */
const payloadChars = 4096

const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Device payload made safe to display: no control or bidi characters, no split surrogate pair at the cut. */
export const printable = (text: string, most: number) =>
  text.slice(0, most).toWellFormed().replaceAll(unprintable, '\ufffd')

export const storeQuarantined = async (client: ClickHouseClient, messages: readonly Quarantined[]): Promise<void> => {
  if (messages.length === 0) return
  const values = messages.map(({ receivedAtMs, edge, topic, reason, payload }) => ({
    received_at: new Date(receivedAtMs).toISOString().replace('T', ' ').replace('Z', ''),
    edge: printable(edge, 100),
    topic: printable(topic, 200),
    reason,
    payload: printable(payload, payloadChars),
  }))
  await client.insert({ table: 'gridmast.quarantine', values, format: 'JSONEachRow' })
}

export type QuarantineCount = { reason: string; topic: string; count: number; lastMs: number }

const maxCounts = 20

/** Counts by reason and topic, newest first; the key is the one of a stored edge. */
export const countQuarantined = async (
  client: ClickHouseClient,
  edgeKey: string,
  sinceMs: number,
): Promise<QuarantineCount[]> => {
  const counts = await rows<[reason: string, topic: string, count: string, lastMs: string]>(
    client,
    `select reason, topic, count(), toUnixTimestamp64Milli(max(received_at)) as last from gridmast.quarantine
    where received_at >= ${instant(sinceMs)} and edge = ${text(edgeKey)} group by 1, 2 order by last desc limit ${maxCounts}`,
  )
  return counts.map(([reason, topic, count, lastMs]) => ({
    reason,
    topic,
    count: Number(count),
    lastMs: Number(lastMs),
  }))
}
