import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { access, constants, copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import type { App } from '#context.ts'
import { openRecords } from '#platform/records/records.ts'
import { version } from '#platform/process/version.ts'
import { keepArchive, packFolder } from './archive.ts'
import { stock, takeStock } from './stock.ts'

type BackupApp = Pick<App, 'config' | 'records' | 'readings' | 'clock'>

export const about = stock.extend({
  version: z.string(),
  madeAt: z.string(),
  /** Raw rows of samples; a sample that was sent twice may be two rows until they are merged. */
  sampleRows: z.number(),
  /** True only in a backup of an older version, which contains `secret.key`. */
  hasSecretKey: z.boolean(),
  /** Hash of the key in the separate key file; null: SECRET_KEY is a setting and must be kept elsewhere. */
  keySha256: z.string().nullish(),
})
export type About = z.infer<typeof about>

let isRunning = false

/** The staging folder is in DATA_DIR, because the server may write to its own folder only. */
const stagingName = 'backup.staging'

/**
 * One archive of all data from the running server, part by part. Readings are copied first: a sample without its signal would get attached to
 * another signal, because a restored store gives the number to the next one. The copy of the records is opened before it is packed, so that the
 * counts match. `secret.key` is excluded: a reader of the backup must not be able to open what the key seals.
 */
export const makeBackup = async function* (app: BackupApp): AsyncGenerator<Buffer, About> {
  const { config } = app
  const outside = config.DATABASE_URL ? 'DATABASE_URL' : config.CLICKHOUSE_URL ? 'CLICKHOUSE_URL' : null
  if (outside) throw new Error(`${outside} is set: back up that server with its own tools, see docs/operations.md`)
  if (isRunning) throw new Error('Another backup is being made')
  isRunning = true
  const staging = join(config.dataDir, stagingName)
  try {
    await rm(staging, { recursive: true, force: true })
    await mkdir(staging, { mode: 0o700 })
    const madeAt = new Date(app.clock.now()).toISOString()
    await app.readings.backup(join(staging, 'readings'))
    await app.records.copyTo(join(staging, 'records'))
    if (existsSync(config.demoMarker)) await copyFile(config.demoMarker, join(staging, basename(config.demoMarker)))
    const copy = await openRecords({ dataDir: join(staging, 'records') })
    const counted = await takeStock(copy).finally(copy.close)
    const keySha256 = sha256Of(keyOf(config.dataDir))
    const sampleRows = sampleRowsIn(join(staging, 'readings'))
    const stated = { ...counted, version, madeAt, sampleRows, hasSecretKey: false, keySha256 }
    for await (const part of packFolder(staging, stated)) yield part as Buffer // gzip emits bytes
    return stated
  } finally {
    await rm(staging, { recursive: true, force: true })
    isRunning = false
  }
}

const sampleRowsIn = (folder: string): number =>
  globSync('**/samples/**/count.txt', { cwd: folder })
    .map((name) => Number(readFileSync(join(folder, name), 'utf8')))
    .reduce((sum, rows) => sum + rows, 0)

export const keyFileName = 'secret.key'
const keyOf = (dataDir: string): Buffer | null => {
  const file = join(dataDir, keyFileName)
  return existsSync(file) ? readFileSync(file) : null
}
export const sha256Of = (key: Buffer | null): string | null => key && createHash('sha256').update(key).digest('hex')

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

/** The key is a separate file, so that archive and key can be stored apart. */
export const keyBeside = (file: string) => `${file}.key`

export const keepBackup = async function* (
  answers: AsyncIterable<BackupAnswer>,
  file: string,
): AsyncGenerator<{ text: string }> {
  if (existsSync(file)) throw new Error(`${file} exists already`)
  await access(dirname(file), constants.W_OK).catch(() => {
    throw new Error(`${dirname(file)} cannot be written`)
  })
  let end: Exclude<BackupAnswer, { part: string }> | undefined
  const parts = async function* () {
    for await (const answer of answers)
      if ('part' in answer) yield Buffer.from(answer.part, 'base64')
      else end = answer
    if (!end) throw new Error('The server ended before the backup was whole')
  }
  const { bytes } = await keepArchive(parts(), file)
  if (!end) return
  yield {
    text: `${file}: ${(bytes / 1e6).toFixed(1)} MB, ${end.customers} customers, ${end.sampleRows} rows of samples`,
  }
  if (end.key === null)
    return yield { text: 'SECRET_KEY is a setting of this server and is not in the file: keep it elsewhere.' }
  await writeFile(keyBeside(file), Buffer.from(end.key, 'base64'), { mode: 0o600 })
  yield {
    text: `${keyBeside(file)}: the key of this installation. Keep it apart from the backup; a restore needs both.`,
  }
}
