import { execFile } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addSession } from '#access/sessions.ts'
import { readConfig } from '#config.ts'
import { noBus } from '#platform/messaging/bus.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { openJobs } from '#platform/jobs/jobs.ts'
import { newId } from '#platform/records/ids.ts'
import { callServer, openControlSocket } from '#platform/process/control-socket.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import { migrate } from '#platform/records/migrate.ts'
import { openRecords, type Records } from '#platform/records/records.ts'
import { openReadings, type Readings } from '#readings/readings.ts'
import { provisionTwoCustomers } from '#testing/factories.ts'
import { fileSource, keepArchive, packFolder, readArchive } from './archive.ts'
import { about, type About } from './about.ts'
import { type BackupAnswer, backupCall, keepBackup, makeBackup } from './backup.ts'
import { quiet, restoreBackup } from './restore.ts'
import { takeStock } from './stock.ts'
import { storedRows } from '#testing/rows.ts'

const root = mkdtempSync(join(tmpdir(), 'gridmast-backup-'))
const dataDir = join(root, 'data')
const file = join(root, 'gridmast.backup')
const restoreTool = join(import.meta.dirname, '../../../../tools/restore.ts')
const nowMs = Date.UTC(2026, 10, 21, 12)
const minute = 60_000

let records: Records
let readings: Readings
let customerId: string
let made: About
let printed: string[]
let acknowledgedBefore = 0
let auditedBefore = 0

const log = pino({ level: 'silent' })
const app = () => ({
  config: readConfig({ DATA_DIR: dataDir, DEMO: 'off' }),
  records,
  readings,
  clock: { now: () => nowMs },
})
const linesOf = async (lines: AsyncIterable<{ text: string }>) => {
  const all: string[] = []
  for await (const { text } of lines) all.push(text)
  return all
}
const audit = () =>
  records.system((tx) =>
    writeAudit(tx, customerId, nowMs, { userId: null, who: 'x', action: 'export', subject: 'x', result: 'ok' }),
  )

beforeAll(async () => {
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'secret.key'), 'the secret of this installation')
  records = await openRecords({ dataDir: join(dataDir, 'records') })
  await migrate(records)
  await provisionTwoCustomers(records)
  readings = await openReadings({ dataDir: join(dataDir, 'readings') })
  const jobs = openJobs({ records, bus: noBus, log })
  const [job] = [{ name: 'act', run: async () => {} }]
  await jobs.start([job], {}, false)
  await jobs.kick('act')
  await jobs.close()
  await records.system(async (tx) => {
    const user = await tx.selectFrom('app_user').selectAll().orderBy('email').executeTakeFirstOrThrow()
    customerId = user.customer_id
    const whose = { customerId, userId: user.user_id, userAgent: undefined, address: '::1' }
    await addSession(tx, { ...whose, remembered: true, nowMs })
    const words = { subject: 'Waiting', text: 'since yesterday' }
    const attachments = [{ name: 'a.csv', content: 'a' }]
    await queueMail(tx, { customerId, to: 'waiting@north.example' }, { en: { ...words, attachments }, da: words })
    await tx
      .insertInto('statement_reader')
      .values({
        customer_id: customerId,
        reader_id: newId(),
        email: 'Books@north.example',
        kind: 'settlement',
        created_at: new Date(nowMs),
        created_by: 'x',
      })
      .execute()
  })
  let isEnough = false
  const until = async (work: () => Promise<unknown>) => {
    while (!isEnough) await work()
  }
  let acknowledged = 0
  let audited = 0
  const writing = Promise.all([
    until(async () => {
      await readings.insert([
        { signalNo: 1, t0Ms: nowMs + acknowledged * minute, dtMs: 1000, values: Array(60).fill(1) },
      ])
      acknowledged++
    }),
    until(async () => {
      await audit()
      audited++
    }),
  ])
  await vi.waitFor(() => expect(Math.min(acknowledged, audited)).toBeGreaterThan(10), { timeout: 120_000 })
  acknowledgedBefore = acknowledged
  auditedBefore = audited
  const door = await openControlSocket(dataDir, { backup: () => backupCall(app()) }, log)
  const answers = callServer(dataDir, 'backup', {}) as AsyncGenerator<BackupAnswer> // the call of this socket
  printed = await linesOf(keepBackup(answers, file))
  door.close()
  made = about.parse(await readArchive(fileSource(file), join(root, 'looked')))
  await rm(join(root, 'looked'), { recursive: true })
  isEnough = true
  await writing
}, 240_000)
afterAll(async () => {
  await readings.close()
  await records.close()
  await rm(root, { recursive: true, force: true })
})

const restore = (to: string, ...flags: string[]) => restoreFile(file, to, ...flags)
const restoreFile = (from: string, to: string, ...flags: string[]) =>
  promisify(execFile)(process.execPath, [restoreTool, from, ...flags], {
    env: { ...process.env, DATA_DIR: to, DEMO: 'off', LOG_LEVEL: 'silent' },
  })

/** A process has one engine, and the folder that was backed up uses it. */
const samplesIn = async (folder: string): Promise<number> => {
  const code = `
    import { openReadings } from ${JSON.stringify(join(import.meta.dirname, '../../readings/readings.ts'))}
    const readings = await openReadings({ dataDir: ${JSON.stringify(join(folder, 'readings'))}, rollupRoundMs: 0 })
    const [found] = await readings.buckets({ signalNo: 1, edgesMs: ${JSON.stringify([nowMs, nowMs + 1e9])} })
    await readings.close()
    console.log(found.count)`
  return Number((await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code])).stdout)
}

test('a backup of a running server and its key are two private files with all data committed before, without remains', async () => {
  for (const one of [file, `${file}.key`]) expect(lstatSync(one).mode & 0o777).toBe(0o600)
  expect(readdirSync(root).toSorted()).toEqual(['data', 'gridmast.backup', 'gridmast.backup.key'])
  expect(readdirSync(dataDir).toSorted()).toEqual(['readings', 'records', 'secret.key'])
  expect(printed).toEqual([expect.stringContaining('2 customers'), expect.stringContaining('Keep it apart')])
  const unpacked = join(root, 'unpacked')
  await readArchive(fileSource(file), unpacked)
  expect(existsSync(join(unpacked, 'secret.key'))).toBe(false)
  await rm(unpacked, { recursive: true })
  expect(made.trails['north']?.entries).toBeGreaterThanOrEqual(auditedBefore)
  expect(made.sampleRows).toBeGreaterThanOrEqual(acknowledgedBefore * 60)
})

test('C1 C4 a restored store has every row and whole trails, sends no waiting mail and has no session', async () => {
  const target = join(root, 'restored')
  const { stdout } = await restore(target)
  expect(stdout).toMatch(/not sent: mail waiting@north\.example/)
  expect(stdout).toMatch(/Restored as of 2026-11-21T12:00:00\.000Z: 2 customers, all tables and samples counted/)
  expect(readFileSync(join(target, 'secret.key'), 'utf8')).toBe('the secret of this installation')
  expect(lstatSync(target).mode & 0o777).toBe(0o700)
  const restored = await openRecords({ dataDir: join(target, 'records') })
  const found = await takeStock(restored)
  const { statement_sent } = found.rows
  expect(found.rows).toEqual({ ...made.rows, audit_entry: (made.rows['audit_entry'] ?? 0) + 2, statement_sent })
  await restored.system(async (tx) => {
    const due = await tx.selectFrom('outbox').selectAll().where('next_attempt_at', 'is not', null).execute()
    const sessions = await tx.selectFrom('user_session').selectAll().where('ended_at', 'is', null).execute()
    expect([due, sessions]).toEqual([[], []])
  })
  const due = await storedRows(restored, 'job', { due: true })
  expect(due).toEqual([])
  await restored.close()
  expect(await samplesIn(target)).toBeGreaterThanOrEqual(acknowledgedBefore * 60)
})

test('statements due since the backup are not mailed again but listed as sent', async () => {
  const later = Date.parse('2027-01-06T12:00:00Z')
  const undone = new Error('undone')
  const tried = records.system(async (tx) => {
    const unsent = await quiet(tx, made.madeAt, later)
    expect(unsent.filter(({ what }) => what.startsWith('statement'))).toEqual([
      { what: 'statement of 2026-11', to: 'books@north.example', at: new Date('2026-12-05T07:00:00Z') },
      { what: 'statement of 2026-12', to: 'books@north.example', at: new Date('2027-01-05T07:00:00Z') },
    ])
    const sent = await tx.selectFrom('statement_sent').select(['month']).orderBy('month').execute()
    expect(sent).toEqual([{ month: '2026-11' }, { month: '2026-12' }])
    const kept = await tx.selectFrom('outbox').select('payload').where('kind', '=', 'mail').execute()
    expect(JSON.stringify(kept)).not.toMatch(/attachments|since yesterday/)
    throw undone
  })
  await expect(tried).rejects.toBe(undone)
})

test('a non-empty folder is kept; with --force it is moved aside', async () => {
  const target = join(root, 'taken')
  mkdirSync(target)
  writeFileSync(join(target, 'mine'), 'kept')
  await expect(restore(target)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not empty. Use --force'),
  })
  expect(readdirSync(target)).toEqual(['.lock', 'mine'])
  await restore(target, '--force')
  const [aside] = readdirSync(target).filter((name) => name.startsWith('before-'))
  expect(readFileSync(join(target, aside ?? '', 'mine'), 'utf8')).toBe('kept')
  expect(existsSync(join(target, 'records', 'PG_VERSION'))).toBe(true)
})

test('without room a restore is refused before anything is written, with the bytes needed and free', async () => {
  const target = join(root, 'no-room')
  const failed = promisify(execFile)(process.execPath, [restoreTool, file], {
    env: { ...process.env, DATA_DIR: target, DEMO: 'off', LOG_LEVEL: 'silent', MIN_FREE_BYTES: '1000000000000000' },
  })
  await expect(failed).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^A restore needs 0\.\d\d GB in \S+no-room, and 0\.00 GB are free above MIN_FREE_BYTES\n$/,
    ),
  })
  expect(readdirSync(target)).toEqual(['.lock'])
})

test('a truncated, changed or foreign file is refused, and the folder stays empty', async () => {
  const target = join(root, 'empty')
  mkdirSync(target)
  const wrong = join(root, 'wrong.backup')
  const refused = async () => {
    await expect(restoreBackup(fileSource(wrong), target, { force: false, nowMs })).rejects.toThrow(
      `${wrong} is no whole backup`,
    )
    expect(readdirSync(target)).toEqual([])
  }
  await copyFile(file, wrong)
  truncateSync(wrong, lstatSync(file).size - 1000)
  await refused()
  const bytes = readFileSync(file)
  bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 0xff
  writeFileSync(wrong, bytes)
  await refused()
  writeFileSync(wrong, 'customers:\n')
  await refused()
  await expect(restoreBackup(fileSource('/nope'), target, { force: false, nowMs })).rejects.toThrow(
    '/nope cannot be opened: it does not exist, or this user may not read it',
  )
  expect(readdirSync(target)).toEqual([])
})

test('without the key of the installation, or with another key, no restore takes place', async () => {
  const [target, alone] = [join(root, 'keyless'), join(root, 'alone.backup')]
  mkdirSync(target)
  await copyFile(file, alone)
  const restoring = () => restoreBackup(fileSource(alone), target, { force: false, nowMs })
  await expect(restoring()).rejects.toThrow(`${alone}.key is missing`)
  writeFileSync(`${alone}.key`, 'of another')
  await expect(restoring()).rejects.toThrow(`${alone}.key is another key`)
  expect(readdirSync(target)).toEqual([])
})

test('a restore with a missing sample is reported and keeps the folder', async () => {
  const [unpacked, target, short] = [join(root, 'unpacked'), join(root, 'short'), join(root, 'short.backup')]
  const stock = about.parse(await readArchive(fileSource(file), unpacked))
  await keepArchive(packFolder(unpacked, { ...stock, sampleRows: stock.sampleRows + 1 }), short)
  await copyFile(`${file}.key`, `${short}.key`)
  mkdirSync(target)
  await expect(restoreFile(short, target)).rejects.toMatchObject({
    code: 1,
    stderr: `${short} is not restored: it has ${stock.sampleRows} of ${stock.sampleRows + 1} rows of samples\n`,
  })
  expect(readdirSync(target)).toEqual(['.lock'])
  await rm(unpacked, { recursive: true })
})

test('a backup never overwrites another file', async () => {
  const keep = (to: string) => linesOf(keepBackup(backupCall(app()), to))
  await expect(keep(file)).rejects.toThrow('exists already')
  await expect(keep('/nowhere/gridmast.backup')).rejects.toThrow('/nowhere cannot be written')
  const outside = { ...app(), config: { ...app().config, DATABASE_URL: 'postgres://x/y' } }
  await expect(makeBackup(outside).next()).rejects.toThrow('DATABASE_URL is set')
})
