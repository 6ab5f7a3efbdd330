import type { Config } from '#config.ts'
import type { App } from '#context.ts'
import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import { discardSession } from '#protocols/mqtt/outside-broker.ts'
import { clientOf, otherPartitions } from './partition.ts'

/*
 * After a change of INGEST_PARTITIONS each new partition continues from the oldest progress of the earlier ones, and their sessions at the broker
 * are discarded with their waiting messages: edges repeat what `ack` did not name, `status` is retained, and a command is void after 15 s.
 */

const tables = ['alert_progress', 'event_progress'] as const

const clientsOf = async (tx: Tx): Promise<string[]> => {
  const rows = await Promise.all(tables.map((table) => tx.selectFrom(table).select('client').execute()))
  return [...new Set(rows.flat().map(({ client }) => client))]
}

/** Without the progress of all partitions the new ones begin at 0 and examine all stored samples. */
const copyProgress = async (tx: Tx, config: Config, others: readonly { client: string; of: number }[]) => {
  const complete = [...Map.groupBy(others, ({ of }) => of)].filter(([of, partitions]) => partitions.length === of)
  if (complete.length !== new Set(others.map(({ of }) => of)).size) return
  const clients = others.map(({ client }) => client)
  const of = config.INGEST_PARTITIONS
  const next = Array.from({ length: of }, (_, i) => clientOf(config, { no: i + 1, of }))
  for (const table of tables)
    await sql`
      insert into ${sql.table(table)} (client, version)
      select next, version
      from unnest(${next}::text[]) as next, (select min(version) as version, count(*) from ${sql.table(table)} where client = any (${clients}::text[])) as old
      where old.count = ${clients.length}::bigint
      on conflict (client) do nothing`.execute(tx)
}

export const carryProgress = ({ records, config }: Pick<App, 'records' | 'config'>): Promise<string[]> =>
  records.system(async (tx) => {
    const others = otherPartitions(config.MQTT_CLIENT_ID, config.INGEST_PARTITIONS, await clientsOf(tx))
    if (others.length > 0) await copyProgress(tx, config, others)
    return others.map(({ client }) => client)
  })

const retryMs = 10_000

/** In the background, until the broker has done it; answers the function that ends the attempts. */
export const discardSessions = (
  { records, config, log }: Pick<App, 'records' | 'config' | 'log'>,
  clients: readonly string[],
): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  let isEnded = false
  const discard = async (rest: readonly string[]) => {
    const [client, ...others] = rest
    if (client === undefined || isEnded) return
    try {
      await discardSession(config.MQTT_URL ?? '', client)
      for (const table of tables)
        await records.system((tx) => tx.deleteFrom(table).where('client', '=', client).execute())
      log.info({ client }, 'session of another INGEST_PARTITIONS discarded')
      await discard(others)
    } catch (error) {
      log.warn({ err: error, client }, 'session of another INGEST_PARTITIONS not discarded yet')
      if (!isEnded) timer = setTimeout(() => void discard(rest), retryMs).unref()
    }
  }
  void discard(clients)
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}
