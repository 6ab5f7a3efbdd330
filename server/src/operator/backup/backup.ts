import { existsSync, globSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { App } from '#context.ts'
import { openRecords } from '#platform/records/records.ts'
import { version } from '#platform/process/version.ts'
import type { About } from './about.ts'
import { keepParts, packFolder } from './archive.ts'
import { backupSettings, runHelper } from './helper.ts'
import { keyBeside, keyFileName, keyOf, sha256Of } from './key-file.ts'
import { folderBytes, needRoom } from './room.ts'
import type { Sent } from './send.ts'
import { takeStock } from './stock.ts'

type BackupApp = Pick<App, 'config' | 'records' | 'readings' | 'clock'>

let isRunning = false

/** The staging folder is in DATA_DIR, because the server may write to its own folder only. */
const stagingName = 'backup.staging'

const openStaging = async ({ dataDir, MIN_FREE_BYTES }: BackupApp['config']) => {
  if (isRunning) throw new Error('Another backup is being made')
  isRunning = true
  const folder = join(dataDir, stagingName)
  const close = async () => {
    await rm(folder, { recursive: true, force: true })
    isRunning = false
  }
  try {
    await rm(folder, { recursive: true, force: true })
    const bytes = (await folderBytes(join(dataDir, 'records'))) + (await folderBytes(join(dataDir, 'readings')))
    await needRoom('A backup', { folder: dataDir, bytes, minFreeBytes: MIN_FREE_BYTES })
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    await close()
    throw error
  }
  return { folder, close }
}

/**
 * Readings are copied first: a sample without its signal would get attached to another signal, because a restored store gives the number to the
 * next one. The copy of the records is opened before it is packed, so that the counts match.
 */
const copyStores = async (app: BackupApp, folder: string) => {
  const { config } = app
  const madeAt = new Date(app.clock.now()).toISOString()
  await app.readings.backup(join(folder, 'readings'))
  await app.records.copyTo(join(folder, 'records'))
  if (existsSync(config.demoMarker)) await copyFile(config.demoMarker, join(folder, basename(config.demoMarker)))
  const copy = await openRecords({ dataDir: join(folder, 'records') })
  const counted = await takeStock(copy).finally(copy.close)
  return { ...counted, version, madeAt, sampleRows: sampleRowsIn(join(folder, 'readings')) }
}

const refuseServers = ({ DATABASE_URL, CLICKHOUSE_URL }: BackupApp['config']) => {
  const outside = DATABASE_URL ? 'DATABASE_URL' : CLICKHOUSE_URL ? 'CLICKHOUSE_URL' : null
  if (outside)
    throw new Error(`${outside} is set: back up that server with its own tools, see docs/operations/backup.md`)
}

/**
 * One archive of all data from the running server, part by part. `secret.key` is excluded: a reader of the backup must not be able to open what
 * the key seals.
 */
export const makeBackup = async function* (app: BackupApp): AsyncGenerator<Buffer, About> {
  refuseServers(app.config)
  const staging = await openStaging(app.config)
  try {
    const keySha256 = sha256Of(keyOf(app.config.dataDir))
    const stated = { ...(await copyStores(app, staging.folder)), hasSecretKey: false, keySha256 }
    for await (const part of packFolder(staging.folder, stated)) yield part as Buffer // gzip emits bytes
    return stated
  } finally {
    await staging.close()
  }
}

/** Sends a backup to BACKUP_URL. `secret.key` is in it: the whole archive is encrypted for the operator. */
export const storeBackup = async (app: BackupApp): Promise<Sent> => {
  const { config } = app
  refuseServers(config)
  const staging = await openStaging(config)
  try {
    const copied = await copyStores(app, staging.folder)
    const hasSecretKey = keyOf(config.dataDir) !== null
    if (hasSecretKey) await copyFile(join(config.dataDir, keyFileName), join(staging.folder, keyFileName))
    const about = { ...copied, hasSecretKey, keySha256: null }
    return await runHelper('send', { settings: backupSettings.parse(config), folder: staging.folder, about })
  } finally {
    await staging.close()
  }
}

export const storeBackupCall = async function* (app: BackupApp): AsyncGenerator<{ text: string }> {
  if (!app.config.BACKUP_URL) throw new Error('BACKUP_URL is not set: name a file, npm run backup -- FILE')
  const { name, bytes, removed } = await storeBackup(app)
  yield { text: `${name}: ${(bytes / 1e6).toFixed(1)} MB, stored in ${app.config.BACKUP_URL}, read again and compared` }
  for (const old of removed) yield { text: `${old}: deleted, its retention has ended` }
}

const sampleRowsIn = (folder: string): number =>
  globSync('**/samples/**/count.txt', { cwd: folder })
    .map((name) => Number(readFileSync(join(folder, name), 'utf8')))
    .reduce((sum, rows) => sum + rows, 0)

export type BackupAnswer = { part: string } | { key: string | null; customers: number; sampleRows: number }

export const backupCall = async function* (app: BackupApp): AsyncGenerator<BackupAnswer> {
  const parts = makeBackup(app)
  try {
    for (let next = await parts.next(); ; next = await parts.next()) {
      if (!next.done) {
        yield { part: next.value.toString('base64') }
        continue
      }
      const { trails, sampleRows } = next.value
      const key = keyOf(app.config.dataDir)?.toString('base64') ?? null
      return yield { key, customers: Object.keys(trails).length, sampleRows }
    }
  } finally {
    await parts.return(undefined as never)
  }
}

export const keepBackup = async function* (
  answers: AsyncIterable<BackupAnswer>,
  file: string,
): AsyncGenerator<{ text: string }> {
  const { bytes, last } = await keepParts(answers, file, 'backup')
  yield {
    text: `${file}: ${(bytes / 1e6).toFixed(1)} MB, ${last.customers} customers, ${last.sampleRows} rows of samples`,
  }
  if (last.key === null)
    return yield { text: 'SECRET_KEY is a setting of this server and is not in the file: keep it elsewhere.' }
  await writeFile(keyBeside(file), Buffer.from(last.key, 'base64'), { mode: 0o600 })
  yield {
    text: `${keyBeside(file)}: the key of this installation. Keep it apart from the backup; a restore needs both.`,
  }
}
