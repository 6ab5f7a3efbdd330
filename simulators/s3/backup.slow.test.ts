import { execFile, execFileSync, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../server/src/config.ts'
import type { App } from '../../server/src/context.ts'
import { about } from '../../server/src/operator/backup/about.ts'
import { readArchive } from '../../server/src/operator/backup/archive.ts'
import { listBackups, manifestOf } from '../../server/src/operator/backup/catalogue.ts'
import { backupSettings, runHelper } from '../../server/src/operator/backup/helper.ts'
import { backupJobs, oldAfterMs } from '../../server/src/operator/backup/jobs.ts'
import { createKey } from '../../server/src/operator/backup/encryption.ts'
import { sendBackup } from '../../server/src/operator/backup/send.ts'
import { openSource } from '../../server/src/operator/backup/source.ts'
import { openStorage } from '../../server/src/operator/backup/storage.ts'
import { openJobs } from '../../server/src/platform/jobs/jobs.ts'
import type { Log } from '../../server/src/platform/process/log.ts'
import { noBus } from '../../server/src/platform/messaging/bus.ts'
import { migrate } from '../../server/src/platform/records/migrate.ts'
import { openRecords, type Records } from '../../server/src/platform/records/records.ts'
import { openReadings, type Readings } from '../../server/src/readings/readings.ts'
import { provisionTwoCustomers } from '../../server/src/testing/factories.ts'
import { serveS3 } from './s3.fixture.ts'

const hour = 3_600_000
const root = mkdtempSync(join(tmpdir(), 'gridmast-backups-'))
const dataDir = join(root, 'data')
const identityFile = join(root, 'backup.identity')
const otherIdentityFile = join(root, 'other.identity')
const madeAtMs = Date.parse('2026-11-21T01:15:00Z')

let s3: Awaited<ReturnType<typeof serveS3>>
let records: Records
let readings: Readings
let settings: Record<string, string>
let nowMs = madeAtMs
const lines: string[] = []
const kicked: string[] = []
const logged = (...parts: unknown[]) => void lines.push(JSON.stringify(parts))
const log = { info: logged, warn: logged, error: logged } as unknown as Log // the functions that jobs use

const configOf = (more: Record<string, string> = {}) => readConfig({ ...settings, ...more })

/** What the jobs of backups use of an app. */
const appOf = (more: Record<string, string> = {}) =>
  ({
    config: configOf(more),
    records,
    readings,
    log,
    clock: { now: () => nowMs },
    jobs: { kick: async (name: string) => void kicked.push(name) },
  }) as unknown as App

const run = async (name: string, more: Record<string, string> = {}) => {
  const app = appOf(more)
  await backupJobs(app.config)
    .find((job) => job.name === name)
    ?.run(app)
}

const mails = () =>
  records.system(async (tx) => {
    const rows = await tx
      .selectFrom('outbox')
      .select('payload')
      .where('kind', '=', 'mail')
      .orderBy('created_at')
      .execute()
    await tx.deleteFrom('outbox').execute()
    return rows.map(({ payload }) => payload as { to: string; subject: string; text: string }) // written by queueMails
  })

const tool = (file: string, args: string[], env: Record<string, string>) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../tools', file), ...args], {
    env: { ...process.env, ...settings, ...env },
  })

beforeAll(async () => {
  s3 = await serveS3()
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'secret.key'), 'the secret of this installation')
  const { identity, recipient } = await createKey()
  writeFileSync(identityFile, `# public key\n${identity}\n`)
  writeFileSync(otherIdentityFile, (await createKey()).identity)
  settings = {
    DATA_DIR: dataDir,
    DEMO: 'off',
    LOG_LEVEL: 'silent',
    OPERATOR_EMAIL: 'ops@operator.example',
    BACKUP_URL: 's3://backups/north',
    BACKUP_KEY: recipient,
    ...s3.settings,
  }
  records = await openRecords({ dataDir: join(dataDir, 'records') })
  await migrate(records)
  await provisionTwoCustomers(records)
  readings = await openReadings({ dataDir: join(dataDir, 'readings') })
  await readings.insert([{ signalNo: 1, t0Ms: madeAtMs - hour, dtMs: 1000, values: Array(60).fill(1) }])
})
afterEach(() => {
  lines.length = 0
  kicked.length = 0
})
afterAll(async () => {
  await readings.close()
  await records.close()
  s3.close()
  rmSync(root, { recursive: true, force: true })
})

const stored = async () => listBackups(await openStorage('s3://backups/north', configOf()))
const newest = async () => `s3://backups/north/${(await stored())[0]?.name}`

test('without a backup one is started at once; the job stores it verified, its row has the time, the log its size', async () => {
  await run('backup-age')
  expect(kicked).toEqual(['backup'])
  const jobs = openJobs({ records, bus: noBus, log })
  const [backup] = backupJobs(configOf())
  if (!backup) throw new Error('no job')
  await jobs.start([backup], appOf(), true)
  await jobs.kick('backup')
  await expect
    .poll(() => records.system((tx) => tx.selectFrom('job').selectAll().executeTakeFirst()), { timeout: 110_000 })
    .toMatchObject({ name: 'backup', runner: null, succeeded_at: expect.any(Date) })
  await jobs.close()
  expect(await stored()).toMatchObject([{ madeAtMs, isVerified: true }])
  expect(lines.join('')).toContain('backup stored, read again and compared')
  expect(readdirSync(dataDir).toSorted()).toEqual(['readings', 'records', 'secret.key'])
  expect(await mails()).toEqual([])
})

test('npm run backups lists age, size and verification; npm run restore fills an empty folder, with the key of the installation', async () => {
  const listed = await tool('backups.ts', ['list'], {})
  expect(listed.stdout).toMatch(
    /^s3:\/\/backups\/north\/gridmast-20261121T011500Z\.tar\.gz\.age  \S+ \w+  \S+ MB  verified\n$/,
  )
  const target = join(root, 'restored')
  const refused = tool('restore.ts', [await newest()], { DATA_DIR: target, BACKUP_IDENTITY: otherIdentityFile })
  await expect(refused).rejects.toMatchObject({
    code: 1,
    stderr: `BACKUP_IDENTITY does not open ${await newest()}: it was encrypted for another key\n`,
  })
  expect(readdirSync(target)).toEqual(['.lock'])
  const done = await tool('restore.ts', [await newest()], { DATA_DIR: target, BACKUP_IDENTITY: identityFile })
  expect(done.stdout).toContain('Restored as of 2026-11-21T01:15:00.000Z: 2 customers, all tables and samples counted')
  expect(readFileSync(join(target, 'secret.key'), 'utf8')).toBe('the secret of this installation')
  expect(readdirSync(target).toSorted()).toEqual(['.lock', 'readings', 'records', 'secret.key'])
})

test('a drill restores the newest backup, compares it and deletes the copy; without the private key it compares the hash', async () => {
  await run('backup-drill', { BACKUP_IDENTITY: identityFile })
  expect(lines.join('')).toMatch(/"customers":2.*"sampleRows":60.*backup restored and compared/)
  await run('backup-drill')
  expect(lines.join('')).toContain('only its hash compared')
  expect(readdirSync(dataDir).toSorted()).toEqual(['readings', 'records', 'secret.key'])
  const byTool = await tool('backups.ts', ['drill'], { BACKUP_IDENTITY: identityFile })
  expect(byTool.stdout).toMatch(/restored and compared, 2 customers, \d+ audit entries whole, 60 rows of samples/)
})

test('a drill that does not fit on the disk is one sentence and one mail', async () => {
  const failed = () => run('backup-drill', { BACKUP_IDENTITY: identityFile, MIN_FREE_BYTES: '1000000000000000' })
  await expect(failed()).rejects.toThrow(
    /^A restore drill needs \S+ GB in \S+, and 0\.00 GB are free above MIN_FREE_BYTES$/,
  )
  await expect(failed()).rejects.toThrow('A restore drill needs')
  expect(await mails()).toMatchObject([{ to: 'ops@operator.example', subject: 'Restore drill failed' }])
})

const small = join(root, 'small')
const isMounted = (() => {
  try {
    mkdirSync(small)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', small], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
afterAll(() => {
  if (isMounted) execFileSync('umount', [small])
})

test.skipIf(!isMounted)(
  'a disk that fills up while a drill restores is one sentence, and the copy is deleted',
  async () => {
    const name = (await stored())[0]?.name ?? ''
    const file = join(s3.bucket, encodeURIComponent(`north/${manifestOf(name)}`))
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(text), recordsBytes: -100e6, readingsBytes: 0 }))
    const config = backupSettings.parse(configOf({ BACKUP_IDENTITY: identityFile, MIN_FREE_BYTES: '0' }))
    await expect(runHelper('drill', { settings: config, folder: join(small, 'drill') })).rejects.toThrow(
      `s3://backups/north/${name} is not unpacked: the disk of ${join(small, 'drill')} is full`,
    )
    expect(readdirSync(small)).toEqual([])
    writeFileSync(file, text)
  },
)

test('a failed backup is one mail for all of its runs; earlier backups stay and staging is removed', async () => {
  const before = await stored()
  nowMs += hour
  await s3.fault({ kind: '403', operation: 'CreateUpload', times: 2 })
  await s3.fault({ kind: '403', operation: 'PutObject', times: 2 })
  for (let i = 0; i < 2; i++) await expect(run('backup')).rejects.toThrow('denies access to the bucket backups')
  expect(await mails()).toMatchObject([
    { to: 'ops@operator.example', subject: 'Backup failed', text: expect.stringContaining('denies access') },
  ])
  expect(await stored()).toEqual(before)
  expect(existsSync(join(dataDir, 'backup.staging'))).toBe(false)
})

test('a backup older than 26 hours is mailed once and a new one is started; other schedules have other limits', async () => {
  nowMs = madeAtMs + 25 * hour
  await run('backup-age')
  expect(kicked).toEqual([])
  nowMs = madeAtMs + 27 * hour
  for (let i = 0; i < 2; i++) await run('backup-age')
  expect(kicked).toEqual(['backup', 'backup'])
  expect(await mails()).toMatchObject([
    { subject: 'The newest backup is too old', text: expect.stringContaining('27 hours') },
  ])
  expect(oldAfterMs('15 2 * * *', nowMs)).toBe(26 * hour)
  expect(oldAfterMs('15 2 * * 0', nowMs)).toBe(170 * hour)
})

test('a backup of a newer version is refused', async () => {
  const folder = join(root, 'newer')
  const keys = configOf({ BACKUP_IDENTITY: identityFile })
  const stated = about.parse(await readArchive(await openSource(await newest(), keys), folder))
  const copy = await openRecords({ dataDir: join(folder, 'records') })
  await copy.owner((db) => db.insertInto('schema_migration').values({ name: '9999_newer.sql', sha256: 'x' }).execute())
  await copy.close()
  const storage = await openStorage('s3://backups/north', keys)
  const newer = { ...stated, version: '9.0.0', madeAt: new Date(nowMs).toISOString() }
  const retention = { days: 7, weeks: 4, months: 12 }
  const { name } = await sendBackup(storage, { folder, about: newer, key: keys.BACKUP_KEY ?? '', retention })
  const target = join(root, 'older')
  await expect(
    tool('restore.ts', [`s3://backups/north/${name}`], { DATA_DIR: target, BACKUP_IDENTITY: identityFile }),
  ).rejects.toMatchObject({
    stderr: `s3://backups/north/${name} was made by a newer Gridmast (9.0.0): restore it with that version\n`,
  })
  expect(readdirSync(target)).toEqual(['.lock'])
})

test('kill -9 of the sending process during an upload: nothing half is listed, and the next backup is stored and removes the parts', async () => {
  const keys = configOf({ BACKUP_IDENTITY: identityFile })
  const folder = join(root, 'killed')
  const stated = about.parse(await readArchive(await openSource(await newest(), keys), folder))
  writeFileSync(join(folder, 'large'), randomBytes(24 * 2 ** 20))
  const before = await stored()
  const request = {
    work: 'send',
    settings: backupSettings.parse(configOf()),
    folder,
    about: { ...stated, madeAt: new Date(nowMs + hour).toISOString() },
  }
  await s3.clearFaults()
  await s3.fault({ kind: 'slow', operation: 'UploadPart', after: 2, ms: 20_000 })
  const child = fork(join(import.meta.dirname, '../../server/src/operator/backup/helper.process.ts'), [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.send(request)
  await expect.poll(() => s3.parts(), { timeout: 60_000 }).toBeGreaterThan(0)
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  expect(s3.unfinished()).toHaveLength(1)
  expect(await stored()).toEqual(before)
  const { name } = await runHelper('send', request)
  expect((await stored())[0]).toMatchObject({ name, isVerified: true })
  expect(s3.unfinished()).toEqual([])
})

test('settings that make no encrypted backup are refused at the start', () => {
  expect(() => configOf({ BACKUP_KEY: '' })).toThrow('BACKUP_KEY: missing')
  expect(() => configOf({ BACKUP_KEY: 'short' })).toThrow('BACKUP_KEY: expected a public key of age')
  expect(() => configOf({ BACKUP_KEY: readFileSync(otherIdentityFile, 'utf8') })).toThrow(
    'BACKUP_KEY: expected a public',
  )
  expect(() => configOf({ BACKUP_URL: 'https://backups' })).toThrow(
    'BACKUP_URL: expected s3://bucket/prefix or file:///',
  )
  expect(() => configOf({ BACKUP_S3_SECRET_KEY: '' })).toThrow('BACKUP_S3_SECRET_KEY are missing')
  expect(() => configOf({ DATABASE_URL: 'postgres://x/y' })).toThrow('DATABASE_URL is set')
  expect(() => configOf({ BACKUP_CRON: 'daily' })).toThrow('BACKUP_CRON: expected a cron pattern')
  expect(backupJobs(configOf({ BACKUP_DRILL_CRON: 'off' })).map(({ name }) => name)).toEqual(['backup', 'backup-age'])
})
