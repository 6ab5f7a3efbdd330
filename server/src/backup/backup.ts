import { existsSync, globSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { App } from '#context.ts'
import { openRecords } from '#platform/records.ts'
import { version } from '#platform/version.ts'
import { writeArchive } from './archive.ts'
import { stock, takeStock } from './stock.ts'

export type BackupApp = Pick<App, 'config' | 'records' | 'readings' | 'clock'>

/** What a backup says of itself. */
export const about = stock.extend({
  version: z.string(),
  madeAt: z.string(),
  /** Raw rows of samples; the same sample sent twice may stand in two of them until it is merged. */
  sampleRows: z.number(),
  /** False: SECRET_KEY is a setting and must be kept elsewhere. */
  hasSecretKey: z.boolean(),
})
export type About = z.infer<typeof about>

let isRunning = false

/**
 * One file of everything, from the server at work. The readings first: a sample must never be there without the signal it belongs to, whose
 * number a restored store would give to another. The copy of the records is opened before it is packed, so what is counted is what is packed.
 */
export const makeBackup = async (app: BackupApp, file: string): Promise<About & { bytes: number }> => {
  const { config } = app
  const outside = config.DATABASE_URL ? 'DATABASE_URL' : config.CLICKHOUSE_URL ? 'CLICKHOUSE_URL' : null
  if (outside) throw new Error(`${outside} is set: back up that server with its own tools, see docs/operations.md`)
  if (existsSync(file)) throw new Error(`${file} exists already`)
  if (isRunning) throw new Error('Another backup is being made')
  isRunning = true
  const staging = `${file}.staging`
  try {
    await rm(staging, { recursive: true, force: true })
    await mkdir(staging, { mode: 0o700 }).catch((error: unknown) => {
      throw new Error(`${dirname(file)} cannot be written by the server`, { cause: error })
    })
    const madeAt = new Date(app.clock.now()).toISOString()
    await app.readings.backup(join(staging, 'readings'))
    await app.records.copyTo(join(staging, 'records'))
    for (const name of ['secret.key', 'demo.json'])
      if (existsSync(join(config.dataDir, name))) await copyFile(join(config.dataDir, name), join(staging, name))
    const copy = await openRecords({ dataDir: join(staging, 'records') })
    const counted = await takeStock(copy).finally(copy.close)
    const hasSecretKey = existsSync(join(staging, 'secret.key'))
    const said = { ...counted, version, madeAt, sampleRows: sampleRowsIn(join(staging, 'readings')), hasSecretKey }
    return { ...said, ...(await writeArchive(staging, said, file)) }
  } finally {
    await rm(staging, { recursive: true, force: true })
    isRunning = false
  }
}

/** Each part of the table says how many rows it has. */
const sampleRowsIn = (folder: string): number =>
  globSync('**/samples/**/count.txt', { cwd: folder })
    .map((name) => Number(readFileSync(join(folder, name), 'utf8')))
    .reduce((sum, rows) => sum + rows, 0)

const backupRequest = z.strictObject({ file: z.string() })

/** What `npm run backup` asks of the server. */
export const backupCall = async function* (app: BackupApp, request: unknown): AsyncGenerator<{ said: string }> {
  const { file } = backupRequest.parse(request)
  const made = await makeBackup(app, file)
  const customers = Object.keys(made.trails).length
  yield {
    said: `${file}: ${(made.bytes / 1e6).toFixed(1)} MB, ${customers} customers, ${made.sampleRows} rows of samples`,
  }
  if (!made.hasSecretKey)
    yield { said: 'SECRET_KEY is a setting of this server and is not in the file: keep it elsewhere.' }
}
