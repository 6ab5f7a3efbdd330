import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Config } from '#config.ts'

/** A part of the edges, `no` from 1 to `of`. Alerts and events keep their state in the process that stores a series (ADR 15). */
export type Partition = { no: number; of: number }

export const allEdges: Partition = { no: 1, of: 1 }

export const partitionOf = (edgeKey: string, of: number): number =>
  (createHash('md5').update(edgeKey).digest().readUInt32BE() % of) + 1

/** `partitionOf` as a condition on the column with the key of the edge. */
export const isInPartition = (keyColumn: string, { no, of }: Partition) =>
  of === 1
    ? sql<boolean>`true`
    : sql<boolean>`('x' || left(md5(${sql.ref(keyColumn)}), 8))::bit(32)::bigint % ${of}::bigint + 1 = ${no}::bigint`

/** Name of the session at an outside broker, and key of the progress through stored samples. */
export const clientOf = (
  { MQTT_URL, MQTT_CLIENT_ID }: Pick<Config, 'MQTT_URL' | 'MQTT_CLIENT_ID'>,
  { no, of }: Partition,
): string => (!MQTT_URL ? 'embedded' : of === 1 ? MQTT_CLIENT_ID : `${MQTT_CLIENT_ID}-${no}-of-${of}`)

/** Partitions of the client id's other numbers of partitions, from the names of clients. */
export const otherPartitions = (mqttClientId: string, of: number, clients: readonly string[]) =>
  clients.flatMap((client) => {
    if (client === mqttClientId) return of === 1 ? [] : [{ client, of: 1 }]
    const [, total] =
      /^-\d+-of-(\d+)$/.exec(client.startsWith(mqttClientId) ? client.slice(mqttClientId.length) : '') ?? []
    return total === undefined || Number(total) === of ? [] : [{ client, of: Number(total) }]
  })
