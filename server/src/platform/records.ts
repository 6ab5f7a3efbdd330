import { AsyncLocalStorage } from 'node:async_hooks'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from './db-types.ts'
import { PgliteStream } from './pglite-stream.ts'
import { preparing } from './prepared.ts'

export type Tx = Transaction<DB>

type BossDatabase = { executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> }

/** The records store: PostgreSQL in this process (PGlite) or a server (`DATABASE_URL`). One dialect, one set of migrations. */
export type Records = {
  embedded: boolean
  /** One transaction that sees the rows of one customer only (security rules T1, T2). */
  tenant: <T>(customerId: string, work: (tx: Tx) => Promise<T>) => Promise<T>
  /** One transaction for work that belongs to no single customer: sign-in, ingest directory, connectors, jobs, provisioning. */
  system: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Queries as the owner of the tables: migrations only. */
  owner: <T>(work: (db: Kysely<DB>) => Promise<T>) => Promise<T>
  /** Runs a script of several statements as the owner: migrations only. */
  script: (text: string) => Promise<void>
  /** One transaction as the owner, however long it takes; of those that give the same number one runs at a time, on all processes. */
  alone: <T>(lock: number, work: (tx: Tx) => Promise<T>) => Promise<T>
  /** A copy of the whole embedded store. */
  snapshot: () => Promise<Blob>
  /** What the job queue talks to. */
  boss: { db: BossDatabase; backend: 'pglite' } | { connectionString: string }
  ping: () => Promise<void>
  storageBytes: () => Promise<number>
  close: () => Promise<void>
}

const asText = (value: string) => value
const asNumber = (value: string) => Number(value)

// pg_type.oid of lists.
const numericList = 1231
const dateList = 1182

/** '{1.50,NULL}' as PostgreSQL writes a list of what needs no quotes. */
const textsOf = (list: string): (string | null)[] =>
  list === '{}'
    ? []
    : list
        .slice(1, -1)
        .split(',')
        .map((item) => (item === 'NULL' ? null : item))

/** Numeric and date as text (never a float, never a local day), alone and in lists; int8 as number. */
const parsers = new Map<number, (value: string) => unknown>([
  [pg.types.builtins.NUMERIC, asText],
  [pg.types.builtins.DATE, asText],
  [pg.types.builtins.INT8, asNumber],
  [numericList, textsOf],
  [dateList, textsOf],
])

/** Longer than anything here waits for its turn; without an end a fault elsewhere would become a standstill without a word. */
const connectionTimeoutMillis = 30_000

const openPool = (config: pg.PoolConfig) => {
  const pool = new pg.Pool({
    connectionTimeoutMillis,
    ...config,
    types: { getTypeParser: (oid, format) => parsers.get(oid) ?? pg.types.getTypeParser(oid, format) },
  })
  pool.on('error', () => {}) // an idle connection died; the next query opens another and reports for itself
  return pool
}

const makeFolder = async (dataDir: string) => {
  // Made beside and moved into place: a start that is cut off leaves no half store.
  const fresh = `${dataDir}.new`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true })
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'make-records.ts'), fresh])
  await rename(fresh, dataDir)
}

// One connection and small tables: 16 MB of buffers instead of 128 save 150 MB of the process (measured) and cost nothing noticed.
const smallMemory = ['-c', 'shared_buffers=16MB', '-c', 'max_connections=10']

/**
 * The session outlives a connection. One plan for all values of a statement: here planning takes longer than running (chart of a day of
 * prices 0.3 of 1.0 ms), and rows are found by key.
 */
const sessionStart = "rollback; deallocate all; set time zone 'UTC'; set plan_cache_mode = force_generic_plan"

const openEmbedded = async (dataDir: string | undefined, snapshot: Blob | undefined) => {
  if (dataDir && !existsSync(join(dataDir, 'PG_VERSION'))) await makeFolder(dataDir)
  const pglite = await PGlite.create({
    ...(dataDir ? { dataDir } : {}),
    ...(snapshot ? { loadDataDir: snapshot } : {}),
    startParams: [...PGlite.defaultStartParams, ...smallMemory],
  })
  // The store has one session. All that use it, the job queue too, take turns on the one connection of this pool.
  const pool = openPool({
    max: 1,
    idleTimeoutMillis: 0,
    ssl: false,
    user: 'postgres',
    database: 'postgres',
    stream: () => new PgliteStream(pglite),
    onConnect: (client) => client.query(sessionStart),
  })
  return {
    pool,
    boss: { db: bossDatabase(pool), backend: 'pglite' as const },
    snapshot: (): Promise<Blob> => pglite.dumpDataDir('none'),
    release: () => pglite.close(),
  }
}

/** The queue sends whole transactions in one text: a failed one is ended before the next user has its turn. */
const bossDatabase = (pool: pg.Pool): BossDatabase => ({
  executeSql: async (text, values) => {
    const client = await pool.connect()
    try {
      // Several statements are answered with a list; the driver's declarations know only one.
      const answer: pg.QueryResult | pg.QueryResult[] = await client.query(text, values)
      return { rows: [answer].flat().flatMap(({ rows }) => rows as unknown[]) }
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    } finally {
      client.release()
    }
  },
})

/** No statement of a request or a job comes near these. */
const serverSettings = '-c timezone=UTC -c statement_timeout=60s -c idle_in_transaction_session_timeout=60s'

const beginLong = 'begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0'

const openServer = (url: string) => ({
  pool: openPool({ connectionString: url, max: 20, options: serverSettings }),
  boss: { connectionString: url },
  snapshot: () => Promise.reject(new Error('Only an embedded store can be copied; use pg_dump')),
  release: () => Promise.resolve(),
})

/** Goes into the text of a statement, so it must be an id or nothing. */
const plainId = (id: string): string => {
  if (!/^[0-9a-f-]*$/i.test(id)) throw new Error('Not an id')
  return id
}

/** What runs inside a transaction, and what it called and did not wait for. */
const within = new AsyncLocalStorage<{ open: boolean }>()

const refuseInside = () => {
  if (within.getStore()?.open)
    throw new Error('The records were asked outside the transaction that is open here: pass its tx on instead')
}

export const openRecords = async (from: {
  url?: string | undefined
  dataDir?: string | undefined
  /** An embedded store begins as this copy of another (see Records.snapshot). */
  snapshot?: Blob | undefined
}): Promise<Records> => {
  const { pool, boss, snapshot, release } = from.url
    ? openServer(from.url)
    : await openEmbedded(from.dataDir, from.snapshot)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: preparing(pool) }) })
  /**
   * Begun and scoped in one message to the store: a round trip less in each request. A second transaction inside would wait for the
   * connection that the first one holds: always where there is one, and on a server as soon as all of them are held that way.
   */
  const transaction = async <T>(begin: string, work: (tx: Tx) => Promise<T>): Promise<T> => {
    refuseInside()
    return db.connection().execute(async (connection) => {
      const here = { open: true }
      try {
        await sql.raw(begin).execute(connection)
        const done = await within.run(here, () => work(connection as Tx)) // a connection within begin and commit is a transaction
        const { rows } = await sql<{ command: string }>`commit`.execute(connection)
        if (rows[0]?.command !== 'COMMIT') throw new Error('Nothing was committed: a statement before had failed')
        return done
      } catch (error) {
        await sql`rollback`.execute(connection).catch(() => {}) // the connection is gone; the error says why
        throw error
      } finally {
        here.open = false
      }
    })
  }
  const scoped = <T>(role: string, customerId: string, work: (tx: Tx) => Promise<T>) =>
    transaction(`begin; set local role ${role}; set local gridmast.customer = '${plainId(customerId)}'`, work)
  return {
    embedded: !from.url,
    tenant: async (customerId, work) => scoped('gridmast_tenant', customerId, work),
    system: (work) => scoped('gridmast_system', '', work),
    owner: async (work) => {
      refuseInside()
      return work(db)
    },
    script: async (text) => {
      refuseInside()
      await pool.query(text)
    },
    alone: (lock, work) => transaction(`${beginLong}; select pg_advisory_xact_lock(${lock})`, work),
    snapshot,
    boss,
    ping: async () => void (await sql`select 1`.execute(db)),
    storageBytes: async () => {
      const found = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db)
      return found.rows[0]?.bytes ?? 0
    },
    close: async () => {
      await db.destroy()
      await release()
    },
  }
}
