import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { flush } from './flush.ts'
import { copyFolder } from './pglite-copy.ts'
import { openEngine } from './pglite-engine.ts'
import { PgliteStream } from './pglite-stream.ts'
import { openPool } from './pool.ts'

const makeFolder = async (dataDir: string) => {
  // Created next to the folder and renamed: an interrupted start leaves no partial store.
  const fresh = `${dataDir}.new`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true })
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'make-records.ts'), fresh])
  await rename(fresh, dataDir)
  await flush(dirname(dataDir))
}

/**
 * The session outlives a connection. One generic plan per statement: planning takes longer than running here (chart
 * of a day of prices 0.3 of 1.0 ms), and rows are read by key.
 */
const sessionStart = "rollback; deallocate all; set time zone 'UTC'; set plan_cache_mode = force_generic_plan"

export const openEmbedded = async (dataDir: string | undefined, snapshot: Blob | undefined) => {
  if (dataDir && !existsSync(join(dataDir, 'PG_VERSION'))) await makeFolder(dataDir)
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
