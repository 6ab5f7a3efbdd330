import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely, type LogEvent, PostgresDialect, sql, type Transaction } from 'kysely'
import type { DB } from './db-types.ts'
import { type Server, serverOf } from './hosts.ts'
import { writeMarks } from './marks.ts'
import { notifyChanges, openPending } from './pending.ts'
import { openPool } from './pool.ts'
import { preparing } from './prepared.ts'
import { openEmbedded } from './records-embedded.ts'

export type Tx = Transaction<DB>

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
  /** Receives each change that a transaction of this process has committed to the embedded store; a server notifies by itself. */
  onChange: (listener: (change: string) => void) => () => void
  /** A copy of the whole embedded store, from which another one can start. It is kept in memory: for small stores. */
  snapshot: () => Promise<Blob>
  /** Writes a copy of the embedded store into a new folder while others go on; a store opened there has all that was committed before. */
  copyTo: (folder: string) => Promise<void>
  /** Where the server is; none for the embedded store. */
  server: Server | null
  ping: () => Promise<void>
  close: () => Promise<void>
}

/** No statement of a request or a job comes near these. Set on each connection: a pooler in between refuses or drops the `options` of a startup. */
const serverSettings =
  "set timezone = 'UTC'; set statement_timeout = '60s'; set idle_in_transaction_session_timeout = '60s'"

const onlyEmbedded = () => Promise.reject(new Error('Only an embedded store can be copied; use pg_dump'))

const beginLong = 'begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0'

const openServer = (url: string, connections: number) => ({
  pool: openPool({ ...serverOf(url), max: connections }, serverSettings),
  server: serverOf(url),
  snapshot: onlyEmbedded,
  copyTo: onlyEmbedded,
  release: () => Promise.resolve(),
})

/** Goes into the text of a statement, so it must be an id or nothing. */
const plainId = (id: string): string => {
  if (!/^[0-9a-f-]*$/i.test(id)) throw new Error('Not an id')
  return id
}

/** A transaction that took seconds: an embedded store has one connection, and everybody else waited for it. */
export type SlowTransaction = { ms: number; statements: number; longest: { ms: number; sql: string } }

const isReadOnly = (error: unknown) => error instanceof Error && 'code' in error && error.code === '25006'

type Here = { open: boolean; statements: number; longest: SlowTransaction['longest'] }

/** What runs inside a transaction, and what it called and did not wait for. */
const within = new AsyncLocalStorage<Here>()

const countStatement = ({ query, queryDurationMillis: ms }: LogEvent) => {
  const here = within.getStore()
  if (!here?.open) return
  here.statements++
  if (ms >= here.longest.ms) here.longest = { ms: Math.round(ms), sql: query.sql.slice(0, 300) }
}

const refuseInside = () => {
  if (within.getStore()?.open)
    throw new Error('The records were asked outside the transaction that is open here: pass its tx on instead')
}

export const openRecords = async (from: {
  url?: string | undefined
  /** At most, to the server at `url`. */
  connections?: number
  dataDir?: string | undefined
  /** An embedded store begins as this copy of another (see Records.snapshot). */
  snapshot?: Blob | undefined
  /** Told of each transaction that took so long; of `alone`, which may, nothing is told. */
  slow?: { fromMs: number; tell: (slow: SlowTransaction) => void }
}): Promise<Records> => {
  const { pool, server, snapshot, copyTo, release } = from.url
    ? openServer(from.url, from.connections ?? 20)
    : { server: null, ...(await openEmbedded(from.dataDir, from.snapshot)) }
  const embedded = !from.url
  const listeners = new Set<(change: string) => void>()
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: preparing(pool) }), log: countStatement })
  /**
   * Begun and scoped in one message to the store: a round trip less in each request. A second transaction inside would wait for the
   * connection that the first one holds: always where there is one, and on a server as soon as all of them are held that way.
   */
  const transaction = async <T>(begin: string, work: (tx: Tx) => Promise<T>, slow = from.slow ?? null): Promise<T> => {
    refuseInside()
    const changes = new Set<string>()
    const done = await db.connection().execute(async (connection) => {
      const tx = connection as Tx // a connection within begin and commit is a transaction
      const pending = openPending(tx)
      const here: Here = { open: true, statements: 0, longest: { ms: 0, sql: '' } }
      const startedMs = performance.now()
      try {
        await sql.raw(begin).execute(connection)
        const result = await within.run(here, async () => {
          const result = await work(tx)
          await writeMarks(tx, pending)
          for (const change of pending.changes) changes.add(change)
          if (!embedded && changes.size > 0) await notifyChanges(tx, [...changes])
          return result
        })
        const { rows } = await sql<{ command: string }>`commit`.execute(connection)
        if (rows[0]?.command !== 'COMMIT') throw new Error('Nothing was committed: a statement before had failed')
        return result
      } catch (error) {
        await sql`rollback`.execute(connection).catch(() => {}) // the connection is gone; the error says why
        // The server became a standby: the next connection is to go to another host.
        if (isReadOnly(error))
          await sql`select pg_terminate_backend(pg_backend_pid())`.execute(connection).catch(() => {})
        throw error
      } finally {
        here.open = false
        const ms = Math.round(performance.now() - startedMs)
        if (slow && ms >= slow.fromMs) slow.tell({ ms, statements: here.statements, longest: here.longest })
      }
    })
    if (embedded) for (const change of changes) for (const listener of listeners) listener(change)
    return done
  }
  const scoped = <T>(role: string, customerId: string, work: (tx: Tx) => Promise<T>) =>
    transaction(`begin; set local role ${role}; set local gridmast.customer = '${plainId(customerId)}'`, work)
  return {
    embedded,
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
    alone: (lock, work) => transaction(`${beginLong}; select pg_advisory_xact_lock(${lock})`, work, null),
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    snapshot,
    copyTo: async (folder) => {
      refuseInside()
      await copyTo(folder)
    },
    server,
    ping: async () => {
      const { rows } = await sql<{ mode: string }>`select current_setting('transaction_read_only') as mode`.execute(db)
      if (rows[0]?.mode === 'on')
        throw new Error('The records can only be read: this PostgreSQL is a standby, or set to read only')
    },
    close: async () => {
      await db.destroy()
      await release()
    },
  }
}
