import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Engine, openEngine } from '#readings/engine.ts'
import type { Log } from '#readings/retention.ts'
import { openReadings, type Readings } from '#readings/readings.ts'
import { rows } from '#readings/sql.ts'

const prefix = 'gridmast-worker-'
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
/** Workers end by a signal and leave their folder. */
const removeOldFolders = () => {
  for (const name of readdirSync(tmpdir()))
    if (name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length).split('-')[0])))
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
}

let worker: { engine: Engine; folder: string } | undefined

const openWorkerEngine = async () => {
  removeOldFolders()
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  worker = { engine: await openEngine({ dataDir: folder }), folder }
  return worker.engine
}

const empty = async ({ write }: Engine) => {
  const filled = await rows<[string]>(
    write,
    "select name from system.tables where database = 'gridmast' and total_rows > 0 and name <> 'schema_migration'",
  )
  for (const [name] of filled) await write.command({ query: `truncate table gridmast.${name}` })
}

/** Empty readings on the shared engine of this worker: an engine per file costs 0.17 s of CPU. */
export const openTestReadings = async ({ dataDir, log }: { dataDir: string; log?: Log }): Promise<Readings> => {
  const engine = worker?.engine ?? (await openWorkerEngine())
  await empty(engine)
  // For files next to the engine.
  mkdirSync(dataDir, { recursive: true })
  return openReadings({ dataDir, log, engine })
}

/** A process has one engine at a time: a test of the engine closes the worker's first. */
export const closeWorkerEngine = async () => {
  const open = worker
  worker = undefined
  await open?.engine.close()
  if (open) rmSync(open.folder, { recursive: true, force: true })
}
