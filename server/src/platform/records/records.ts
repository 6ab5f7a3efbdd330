import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely, type LogEvent, PostgresDialect, sql, type Transaction } from 'kysely'
import type pg from 'pg'
import { stopped } from '#platform/http/errors.ts'
import type { DB } from './db-types.ts'
import { isOutdatedPlan, type Server, serverOf, longestQueryMs, openPool, preparing } from './pool.ts'
import { writeMarks } from './marks.ts'
import { notifyChanges, openPending } from './pending.ts'
import { openEmbedded } from './records-embedded.ts'

export type Tx = Transaction<DB>

/**
 * The records store: PostgreSQL in this process (PGlite) or a server (`DATABASE_URL`). One dialect, one set of migrations. The work of a transaction
 * runs again from its beginning when a newer version has changed a table that it reads.
 */
export type Records = {
  embedded: boolean
  /**
   * One transaction on the rows of one customer only (security rules T1, T2). A server cancels its statement when `signal` aborts; the embedded
   * store finishes it.
   */
  tenant: <T>(
    customerId: string,
    work: (tx: Tx) => Promise<T>,
    options?: { signal?: AbortSignal | undefined },
  ) => Promise<T>
  /** One transaction for work without a single customer: sign-in, ingest directory, connectors, jobs, provisioning. */
  system: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Queries as the owner of the tables: migrations only. */
  owner: <T>(work: (db: Kysely<DB>) => Promise<T>) => Promise<T>
  /** Runs a script of several statements as the owner: migrations only. */
  script: (text: string) => Promise<void>
  /** One transaction as the owner, without a time limit; transactions with the same `lock` run one at a time, over all processes. */
  alone: <T>(lock: number, work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Receives each committed change of the embedded store; a server notifies by itself. */
  onChange: (listener: (change: string) => void) => () => void
  /** A copy of the embedded store, kept in memory: for small stores. */
  snapshot: () => Promise<Blob>
  /** Copies the embedded store to a new folder while it is in use; the copy has everything committed before the call. */
  copyTo: (folder: string) => Promise<void>
  /** `waiting` are callers without a connection. */
  connections: () => { used: number; idle: number; waiting: number }
  server: Server | null
  ping: () => Promise<void>
  close: () => Promise<void>
}

/** Limits far above any statement of a request or job. Set on each connection, because a pooler refuses or drops the `options` of a startup. */
const serverSettings =
  "set timezone = 'UTC'; set statement_timeout = '60s'; set idle_in_transaction_session_timeout = '60s'"

const onlyEmbedded = () => Promise.reject(new Error('Only an embedded store can be copied; use pg_dump'))

const beginLong = 'begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0'

const openServer = (url: string, connections: number) => ({
  pool: openPool({ ...serverOf(url), max: connections }, serverSettings),
  // In `pool` a cancel would wait for the connections of the transactions that wait for it.
  cancels: openPool({ ...serverOf(url), max: 1, query_timeout: longestQueryMs }, serverSettings),
  server: serverOf(url),
  snapshot: onlyEmbedded,
  copyTo: onlyEmbedded,
  release: () => Promise.resolve(),
})

/** Refuses anything but an id, because it becomes part of the statement text. */
const plainId = (id: string): string => {
  if (!/^[0-9a-f-]*$/i.test(id)) throw new Error('Not an id')
  return id
}

/** A transaction over `slow.fromMs`: the embedded store has one connection, so all others waited. */
export type SlowTransaction = { ms: number; statements: number; longest: { ms: number; sql: string } }

/** A newer version that migrates the store changes one table after the other. */
const maxRuns = 5

const isReadOnly = (error: unknown) => error instanceof Error && 'code' in error && error.code === '25006'

type TransactionState = { open: boolean; statements: number; longest: SlowTransaction['longest'] }

const openTransaction = new AsyncLocalStorage<TransactionState>()

const countStatement = ({ query, queryDurationMillis: ms }: LogEvent) => {
  const state = openTransaction.getStore()
  if (!state?.open) return
  state.statements++
  if (ms >= state.longest.ms) state.longest = { ms: Math.round(ms), sql: query.sql.slice(0, 300) }
}

const refuseNested = () => {
  if (openTransaction.getStore()?.open) throw new Error('A query outside of the open transaction: use its tx')
}

export const openRecords = async (from: {
  url?: string | undefined
  connections?: number
  dataDir?: string | undefined
  snapshot?: Blob | undefined
  /** Reports transactions longer than `fromMs`, except those of `alone`. */
  slow?: { fromMs: number; report: (slow: SlowTransaction) => void }
  /** Of a server; not for `alone`, `owner` and `script`. */
  longestQueryMs?: number
}): Promise<Records> => {
  const { pool, cancels, server, snapshot, copyTo, release } = from.url
    ? openServer(from.url, from.connections ?? 20)
    : { server: null, cancels: null, ...(await openEmbedded(from.dataDir, from.snapshot)) }
  const embedded = !from.url
  const listeners = new Set<(change: string) => void>()
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: preparing(pool, embedded ? undefined : (from.longestQueryMs ?? longestQueryMs)),
    }),
    log: countStatement,
  })
  /** The same connections, for statements that may take longer. */
  const long = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: countStatement })
  type TransactionOptions = { store?: Kysely<DB>; slow?: typeof from.slow | null; signal?: AbortSignal | undefined }
  /**
   * Cancels the transaction of a connection when `signal` aborts. The connection is in use until a cancel has ended, and the start of the
   * transaction is compared, so that no other transaction is cancelled.
   */
  const cancelAt = async (
    cancels: pg.Pool,
    signal: AbortSignal,
    connection: Kysely<DB>,
  ): Promise<() => Promise<void>> => {
    const { rows } = await sql<{ pid: number; at: string }>`
      select pg_backend_pid() as pid, now()::text as at`.execute(connection)
    const { pid, at } = rows[0] ?? { pid: 0, at: '' }
    let cancelling: Promise<unknown> = Promise.resolve()
    const cancel = () => {
      const statement = 'select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and xact_start::text = $2'
      cancelling = cancels.query(statement, [pid, at]).catch(() => {}) // the statement ends by its time limit
    }
    signal.addEventListener('abort', cancel, { once: true })
    if (signal.aborted) cancel()
    return async () => {
      signal.removeEventListener('abort', cancel)
      await cancelling
    }
  }
  /**
   * `begin` and the customer are sent in one message, which saves a round trip per request. A nested transaction would wait for the connection
   * of the outer one: always with one connection, on a server once all are in use that way.
   */
  const transaction = async <T>(
    begin: string,
    work: (tx: Tx) => Promise<T>,
    { store = db, slow = from.slow ?? null, signal }: TransactionOptions = {},
  ): Promise<T> => {
    refuseNested()
    if (signal?.aborted) throw stopped()
    const changes = new Set<string>()
    const done = await store.connection().execute(async (connection) => {
      const tx = connection as Tx // a connection between begin and commit is a transaction
      const pending = openPending(tx)
      const state: TransactionState = { open: true, statements: 0, longest: { ms: 0, sql: '' } }
      const startedMs = performance.now()
      let endCancel = () => Promise.resolve()
      try {
        await sql.raw(begin).execute(connection)
        if (signal && cancels) endCancel = await cancelAt(cancels, signal, connection)
        const result = await openTransaction.run(state, async () => {
          const result = await work(tx)
          await writeMarks(tx, pending)
          for (const change of pending.changes) changes.add(change)
          if (!embedded && changes.size > 0) await notifyChanges(tx, [...changes])
          return result
        })
        const { rows } = await sql<{ command: string }>`commit`.execute(connection)
        if (rows[0]?.command !== 'COMMIT') throw new Error('Nothing was committed: an earlier statement failed')
        return result
      } catch (error) {
        await sql`rollback`.execute(connection).catch(() => {}) // the connection is closed; the original error has the cause
        // The server became a standby: the next connection must go to another host.
        if (isReadOnly(error))
          await sql`select pg_terminate_backend(pg_backend_pid())`.execute(connection).catch(() => {})
        throw signal?.aborted ? stopped() : error
      } finally {
        state.open = false
        await endCancel()
        const ms = Math.round(performance.now() - startedMs)
        if (slow && ms >= slow.fromMs) slow.report({ ms, statements: state.statements, longest: state.longest })
      }
    })
    if (embedded) for (const change of changes) for (const listener of listeners) listener(change)
    return done
  }
  const scoped = async <T>(
    role: string,
    customerId: string,
    work: (tx: Tx) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> => {
    const begin = `begin; set local role ${role}; set local gridmast.customer = '${plainId(customerId)}'`
    for (let run = 1; ; run++)
      try {
        return await transaction(begin, work, options)
      } catch (error) {
        if (!isOutdatedPlan(error) || run === maxRuns) throw error
      }
  }
  return {
    embedded,
    tenant: async (customerId, work, options) => scoped('gridmast_tenant', customerId, work, options),
    system: (work) => scoped('gridmast_system', '', work),
    owner: async (work) => {
      refuseNested()
      return work(long)
    },
    script: async (text) => {
      refuseNested()
      await pool.query(text)
    },
    alone: (lock, work) =>
      transaction(`${beginLong}; select pg_advisory_xact_lock(${lock})`, work, { store: long, slow: null }),
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    snapshot,
    copyTo: async (folder) => {
      refuseNested()
      await copyTo(folder)
    },
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    server,
    ping: async () => {
      const { rows } = await sql<{ mode: string }>`select current_setting('transaction_read_only') as mode`.execute(db)
      if (rows[0]?.mode === 'on')
        throw new Error('The records can only be read: this PostgreSQL is a standby, or set to read only')
    },
    close: async () => {
      await db.destroy()
      if (!pool.ending) await pool.end() // `db` without a query has nothing to end
      await cancels?.end()
      await release()
    },
  }
}
