import { existsSync } from 'node:fs'
import { readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { namingSetting } from '#platform/http/errors.ts'
import type { Log } from '#platform/process/log.ts'
import { migrate } from '#platform/records/migrate.ts'
import { openRecords, type Records } from '#platform/records/records.ts'
import { openReadings, type Readings } from '#readings/readings.ts'
import type { Config } from './config.ts'
import { enterDemo, leaveDemo } from './operator/provisioning/demo.ts'
import { readProvisioning } from './operator/provisioning/read.ts'

/** Lock number; any constant will do. */
const readingsSchemaLock = 7_305_002

/** A store belongs to a demo or not, recorded in its folder for the next start and in its customers. */
const settleDemo = async (config: Config, records: Records, log: Log) => {
  if (!config.demo) {
    if (await leaveDemo(records, Date.now()))
      log.warn('this store was a demo: its accounts, edges and chargers are disabled, its simulated prices deleted')
    return rm(config.demoMarker, { force: true })
  }
  const world = readProvisioning(await readFile(join(import.meta.dirname, '../../demo/world.yaml'), 'utf8'))
  const changes = await enterDemo(records, world)
  if (!existsSync(config.demoMarker))
    await writeFile(config.demoMarker, `${JSON.stringify({ madeAt: new Date().toISOString() })}\n`)
  log.warn({ host: config.HOST, changes: changes.length }, 'demo: its passwords are public and its data is simulated')
}

/** New embedded stores take 41 MB (measured), and the records write up to 80 MB of log. */
const firstStartBytes = 200e6

/** Checked in advance, because the engines' errors on a full disk are unclear. */
const needRoom = async ({ dataDir, DATABASE_URL, CLICKHOUSE_URL }: Config) => {
  const isNew = (url: string | undefined, name: string) => !url && !existsSync(join(dataDir, name))
  if (!isNew(DATABASE_URL, 'records') && !isNew(CLICKHOUSE_URL, 'readings')) return
  const { bavail, bsize } = await statfs(dataDir)
  if (bavail * bsize < firstStartBytes)
    throw new Error(
      `DATA_DIR: the disk of ${dataDir} has ${Math.floor((bavail * bsize) / 1e6)} MB free, a first start needs ${firstStartBytes / 1e6}. Make room, or set DATA_DIR to a folder on another disk.`,
    )
}

/** Opens both stores on the current schema, as a demo's or not. Errors name the setting at fault. */
export const openStores = async (
  config: Config,
  log: Log,
  onInsert?: (seconds: number, isStored: boolean) => void,
): Promise<{ records: Records; readings: Readings }> => {
  await needRoom(config)
  const jobsHere = config.ROLES.includes('jobs')
  // In parallel: the readings engine opens in its own threads.
  const opening = openRecords({
    url: config.DATABASE_URL,
    connections: config.DATABASE_POOL,
    dataDir: join(config.dataDir, 'records'),
    slow: { fromMs: 2_000, report: (slow) => log.warn(slow, 'slow transaction') },
  })
  const reaching = config.DATABASE_URL
    ? namingSetting(
        'DATABASE_URL',
        opening.then((records) => records.ping()),
      )
    : undefined
  const openingReadings = openReadings({
    dataDir: join(config.dataDir, 'readings'),
    url: config.CLICKHOUSE_URL,
    cluster: config.CLICKHOUSE_CLUSTER,
    minFreeBytes: config.MIN_FREE_BYTES,
    retentionDays: config.READINGS_RETENTION_DAYS,
    lastHourBytes: config.LAST_HOUR_BYTES,
    ...(jobsHere ? {} : { rollupRoundMs: 0 }),
    log,
    ...(onInsert ? { onInsert } : {}),
    alone: async (work) => {
      await reaching
      return (await opening).alone(readingsSchemaLock, work)
    },
  })
  const [records, readings] = await Promise.all([
    opening,
    config.CLICKHOUSE_URL ? namingSetting('CLICKHOUSE_URL', openingReadings) : openingReadings,
    reaching,
  ])
  const migrating = migrate(records)
  const applied = await (config.DATABASE_URL ? namingSetting('DATABASE_URL', migrating) : migrating)
  if (applied.length > 0) log.info({ applied }, 'migrated')
  await settleDemo(config, records, log)
  return { records, readings }
}
