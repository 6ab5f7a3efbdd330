import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { minuteMs } from '@gridmast/contract/time.ts'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { clusterSettings } from './cluster.ts'

/** Separate connections: an embedded one runs one query at a time, so inserts and exports do not delay charts. */
export type Engine = {
  write: ClickHouseClient
  background: ClickHouseClient
  /** For commands that must not wait for a long export, such as stopping merges. */
  control: ClickHouseClient
  read: <T>(query: (client: ClickHouseClient) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

export const defaultFolder = 'data/readings'

type Config = NonNullable<Parameters<typeof createClient>[0]>

export type Place = {
  dataDir?: string | undefined
  url?: string | undefined
  /** Of the servers at `url`, as their configuration names it. */
  cluster?: string | undefined
  /** Embedded only: the engine starts no merge that would leave less than half of this (second line of `disk-guard.ts`). */
  minFreeBytes?: number | undefined
  /** Embedded only; without merges the rows of parts can be counted. */
  merges?: boolean
}

const sessionSettings = {
  output_format_json_quote_64bit_integers: 0,
  precise_float_parsing: 1,
  max_threads: 1, // two threads make a chart no faster (measured)
} as const

/** The older analyzer takes 0.6 ms less of 7 for the chart of a day (measured). */
const embeddedSettings = { ...sessionSettings, enable_analyzer: 0 }

const readers = 2

export const openEngine = async (place: Place): Promise<Engine> => {
  const { connect, release } = place.url
    ? server(place.url, place.cluster)
    : await embedded(place.dataDir ?? defaultFolder, place)
  const clients = await Promise.all(Array.from({ length: 3 + readers }, connect))
  type Client = ClickHouseClient
  const [write, background, control, ...pool] = clients as [Client, Client, Client, ...Client[]] // the length is set above
  const free = [...pool]
  const waiting: ((client: ClickHouseClient) => void)[] = []
  const pending = new Set<Promise<unknown>>()
  return {
    write,
    background,
    control,
    read: async (query) => {
      const client = free.pop() ?? (await new Promise<ClickHouseClient>((resolve) => waiting.push(resolve)))
      const running = query(client)
      pending.add(running)
      try {
        return await running
      } finally {
        pending.delete(running)
        const next = waiting.shift()
        if (next) next(client)
        else free.push(client)
      }
    },
    close: async () => {
      while (pending.size > 0) await Promise.allSettled(pending)
      for (const client of clients) await client.close()
      await release()
    },
  }
}

const server = (url: string, cluster: string | undefined) => ({
  connect: async () =>
    createClient({
      url,
      request_timeout: minuteMs,
      application: 'gridmast',
      clickhouse_settings: cluster ? { ...sessionSettings, ...clusterSettings } : sessionSettings,
      log: { level: ClickHouseLogLevel.OFF }, // errors are thrown; its own log lines are many and not JSON
    }),
  release: async () => {},
})

/** Sizes for a process of at most 1 GiB; the defaults of ClickHouse are for a dedicated machine. */
const limits = {
  max_server_memory_usage: 700_000_000,
  mark_cache_size: 33_554_432,
  primary_index_cache_size: 33_554_432,
  index_mark_cache_size: 8_388_608,
  query_condition_cache_size: 1_048_576,
  background_pool_size: 2,
  background_schedule_pool_size: 4,
  background_common_pool_size: 2,
  background_fetches_pool_size: 1,
  background_move_pool_size: 1,
  background_message_broker_schedule_pool_size: 1,
  background_distributed_schedule_pool_size: 1,
  background_buffer_flush_schedule_pool_size: 1,
  // Threads are created on demand; with a limit of 64, queries deadlocked.
  max_thread_pool_size: 1000,
  max_thread_pool_free_size: 8,
}

export const embedded = async (folder: string, { minFreeBytes = 2 ** 30, merges = true }: Omit<Place, 'url'>) => {
  const { Session, createChdbConnection, drainPending } = await loadChdb()
  mkdirSync(folder, { recursive: true })
  const configFile = join(folder, 'engine.xml')
  const entries = Object.entries(limits).map(([name, value]) => `<${name}>${value}</${name}>`)
  // Backups may go to any writable folder; only `backup.ts` names one.
  const backups = '<backups><allowed_path>/</allowed_path></backups>'
  const keptFree = `<keep_free_space_bytes>${Math.floor(minFreeBytes / 2)}</keep_free_space_bytes>`
  const disks = `<storage_configuration><disks><default>${keptFree}</default></disks></storage_configuration>`
  // The merge selection adds 5 MB to every part, so with the default base of 5 a month that compresses to less is rewritten every few seconds:
  // 2.0 % of a core at one insert per second, 0.02 % with base 12 (measured on a day of the demo).
  const merging = merges
    ? '<merge_selector_base>12</merge_selector_base>'
    : '<max_bytes_to_merge_at_max_space_in_pool>1</max_bytes_to_merge_at_max_space_in_pool>'
  const mergeTree = `<merge_tree>${merging}</merge_tree>`
  writeFileSync(configFile, `<clickhouse>${entries.join('')}${backups}${disks}${mergeTree}</clickhouse>`)
  // The first session of a folder sets the engine's options; later connections join it.
  const session = new Session(folder, { connectionArgs: [`--config-file=${configFile}`] })
  return {
    openSession: () => new Session(folder),
    connect: async () => {
      const connection = createChdbConnection({ path: folder })
      // The same interface; the client has a second copy of its declarations.
      const client = createClient({ connection: connection as unknown as NonNullable<Config['connection']> })
      for (const [name, value] of Object.entries(embeddedSettings))
        await client.command({ query: `set ${name} = ${value}` })
      return client
    },
    release: async () => {
      session.close()
      await drainPending()
      rmSync(configFile, { force: true })
    },
  }
}

const loadChdb = async () => {
  try {
    const [{ Session, drainPending }, { createChdbConnection }] = await Promise.all([
      import('chdb'),
      import('chdb/connection'),
    ])
    return { Session, drainPending, createChdbConnection }
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new Error(
      `The embedded stores do not run on this platform: set DATABASE_URL to a PostgreSQL and CLICKHOUSE_URL to a ClickHouse server (${reason})`,
      { cause: error },
    )
  }
}
