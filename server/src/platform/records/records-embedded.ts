import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, copyFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { flush } from '#platform/process/data-folder.ts'
import { openEngine, type Engine } from './pglite-engine.ts'
import { openPool } from './pool.ts'
import type pg from 'pg'
import { Duplex } from 'node:stream'

/** A socket for the PostgreSQL driver that leads to the engine in this process. */
class PgliteStream extends Duplex {
  readonly #engine: Engine

  constructor(engine: Engine) {
    super()
    this.#engine = engine
  }

  connect = () => queueMicrotask(() => this.emit('connect'))
  setNoDelay = () => this
  setKeepAlive = () => this
  ref = () => this
  unref = () => this

  override _read() {} // answers are pushed on arrival

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void) {
    this.#exchange(chunk, done)
  }

  override _writev(parts: { chunk: Buffer }[], done: (error?: Error) => void) {
    this.#exchange(Buffer.concat(parts.map(({ chunk }) => chunk)), done)
  }

  override _final(done: () => void) {
    this.push(null)
    done()
  }

  #exchange(messages: Buffer, done: (error?: Error) => void) {
    this.#engine.exchange(new Uint8Array(messages)).then((answer) => {
      this.push(answer)
      done()
    }, done)
  }
}

const createFolder = async (dataDir: string) => {
  // Created next to the folder and renamed: an interrupted start leaves no partial store.
  const fresh = `${dataDir}.new`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true })
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'make-records.ts'), fresh])
  await rename(fresh, dataDir)
  await flush(dirname(dataDir))
}

/**
 * The session outlives a connection. One generic plan per statement: planning takes longer than running here (chart of a day of prices 0.3 of
 * 1.0 ms), and rows are read by key.
 */
const sessionStart = "rollback; deallocate all; set time zone 'UTC'; set plan_cache_mode = force_generic_plan"

export const openEmbedded = async (dataDir: string | undefined, snapshot: Blob | undefined) => {
  if (dataDir && !existsSync(join(dataDir, 'PG_VERSION'))) await createFolder(dataDir)
  const engine = await openEngine({ dataDir, snapshot: await snapshot?.arrayBuffer() })
  // The store has one session, so the pool has one connection.
  const pool = openPool({
    max: 1,
    idleTimeoutMillis: 0,
    ssl: false,
    user: 'postgres',
    database: 'postgres',
    stream: () => new PgliteStream(engine),
    onConnect: (client) => client.query(sessionStart),
  })
  return {
    pool,
    snapshot: engine.snapshot,
    copyTo: async (folder: string) => {
      if (!dataDir) throw new Error('A store in memory has no folder to copy')
      await copyFolder({ pool, hold: engine.hold, from: dataDir, to: folder })
    },
    release: engine.close,
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Tables are created and dropped during the copy; the log restores the missing files. */
const copyTree = async (from: string, to: string, isCopied: (name: string) => boolean): Promise<void> => {
  await mkdir(to, { mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (!isCopied(entry.name)) continue
    if (entry.isDirectory()) await copyTree(source, target, isCopied)
    else
      await copyFile(source, target).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
  }
}

/**
 * Online backup as in pg_basebackup: files are copied while they change, and the log written meanwhile makes the copy consistent when it is
 * opened. Other users wait for two short statements only; memory is constant.
 */
const copyFolder = async (store: {
  pool: pg.Pool
  hold: (on: boolean) => Promise<void>
  from: string
  to: string
}): Promise<void> => {
  const { pool, hold, from, to } = store
  await hold(true)
  try {
    const started = await pool.query<{ segment: string }>(
      `select pg_walfile_name(pg_backup_start('copy', fast => true)) as segment`,
    )
    const isData = (name: string) => !['pg_wal', 'postmaster.pid', 'postmaster.opts'].includes(name)
    const copied = await copyTree(from, to, isData).then(
      () => null,
      (error: unknown) => ({ error }),
    )
    const stopped = await pool.query<{ segment: string; label: string }>(
      'select pg_walfile_name(lsn) as segment, labelfile as label from pg_backup_stop(wait_for_archive => false)',
    )
    if (copied) throw copied.error
    const [first, last] = [started.rows[0]?.segment ?? '', stopped.rows[0]?.segment ?? '']
    await copyTree(join(from, 'pg_wal'), join(to, 'pg_wal'), (name) => name >= first && name <= last)
    await writeFile(join(to, 'backup_label'), stopped.rows[0]?.label ?? '')
  } finally {
    await hold(false)
  }
}
