import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readArchive } from '../../server/src/operator/backup/archive.ts'
import { listBackups, manifestOf, nameOf, readManifest } from '../../server/src/operator/backup/catalogue.ts'
import { createKey } from '../../server/src/operator/backup/encryption.ts'
import { sendBackup } from '../../server/src/operator/backup/send.ts'
import { openSource, storedManifest } from '../../server/src/operator/backup/source.ts'
import { openStorage, type Storage } from '../../server/src/operator/backup/storage.ts'
import { serveS3 } from './s3.fixture.ts'

const work = mkdtempSync(join(tmpdir(), 'gridmast-stored-'))
afterAll(() => rmSync(work, { recursive: true, force: true }))

const folder = join(work, 'staging')
const identityFile = join(work, 'backup.identity')
/** Two parts. */
const samplesBytes = 6 * 2 ** 20
const retention = { days: 7, weeks: 4, months: 12 }
const about = {
  version: '0.1.0',
  madeAt: '2026-11-21T01:15:00.000Z',
  sampleRows: 0,
  hasSecretKey: false,
  migrations: [],
  rows: {},
  trails: {},
}
let key: string

beforeAll(async () => {
  for (const store of ['records', 'readings']) mkdirSync(join(folder, store), { recursive: true })
  writeFileSync(join(folder, 'records/people'), 'mads@nordhavn.example')
  writeFileSync(join(folder, 'readings/samples'), randomBytes(samplesBytes))
  const { identity, recipient } = await createKey()
  key = recipient
  writeFileSync(identityFile, `# created by a test\n${identity}\n`)
})

const send = (storage: Storage, madeAt = about.madeAt, keep = retention) =>
  sendBackup(storage, { folder, about: { ...about, madeAt }, key, retention: keep })

let s3: Awaited<ReturnType<typeof serveS3>>
const openBucket = (more: object = {}) => openStorage('s3://backups/north', { ...s3.settings, ...more })
beforeEach(async () => {
  s3 = await serveS3()
})
afterEach(() => s3.close())

const name = nameOf(Date.parse(about.madeAt))
const object = (of: string) => join(s3.bucket, encodeURIComponent(`north/${of}`))

test('a backup is stored encrypted, in parts, with a manifest; it opens with the private key only', async () => {
  const storage = await openBucket()
  const sent = await send(storage)
  expect(sent).toMatchObject({ name: 'gridmast-20261121T011500Z.tar.gz.age', removed: [] })
  expect(s3.objects()).toEqual([`north/${name}`, `north/${name}.json`])
  expect(s3.unfinished()).toEqual([])
  expect(readFileSync(object(name)).subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  expect(readFileSync(object(name)).includes('mads@nordhavn.example')).toBe(false)
  expect(await readManifest(storage, name)).toMatchObject({ bytes: sent.bytes, readingsBytes: samplesBytes })
  expect(await listBackups(storage)).toMatchObject([{ name, bytes: sent.bytes, isVerified: true }])
  const address = `s3://backups/north/${name}`
  await expect(openSource(address, s3.settings).then((source) => source.open())).rejects.toThrow(
    `${address} is encrypted: set BACKUP_IDENTITY`,
  )
  const source = await openSource(address, { ...s3.settings, BACKUP_IDENTITY: identityFile })
  expect(await readArchive(source, join(work, 'opened'))).toEqual(about)
  expect(readFileSync(join(work, 'opened/records/people'), 'utf8')).toBe('mads@nordhavn.example')
})

test('a passphrase opens what it encrypted, and no other does', async () => {
  const storage = await openBucket()
  await sendBackup(storage, { folder, about, key: 'a passphrase that is long', retention })
  const open = async (BACKUP_KEY: string) =>
    (await openSource(`s3://backups/north/${name}`, { ...s3.settings, BACKUP_KEY })).open()
  await expect(open('another passphrase, as long')).rejects.toThrow(
    `BACKUP_KEY does not open s3://backups/north/${name}: it was encrypted for another key`,
  )
  ;(await open('a passphrase that is long')).destroy()
})

test.each([
  ['another bucket', 's3://other/north', {}, /^http:\S+ has no bucket other \(BACKUP_URL\)$/],
  [
    'an unknown access key',
    's3://backups/north',
    { BACKUP_S3_ACCESS_KEY: 'x' },
    /refuses BACKUP_S3_ACCESS_KEY: it is unknown$/,
  ],
  [
    'a wrong secret key',
    's3://backups/north',
    { BACKUP_S3_SECRET_KEY: 'x' },
    /BACKUP_S3_SECRET_KEY or BACKUP_S3_REGION is wrong$/,
  ],
  [
    'a wrong endpoint',
    's3://backups/north',
    { BACKUP_S3_ENDPOINT: 'http://127.0.0.1:1' },
    /^http:\/\/127\.0\.0\.1:1 cannot be reached: /,
  ],
])('%s is refused in one sentence and nothing is stored', async (_, address, settings, sentence) => {
  const error = await openStorage(address, { ...s3.settings, ...settings })
    .then(send)
    .catch((reason: unknown) => reason)
  expect(String(error instanceof Error ? error.message : error)).toMatch(sentence)
  expect(s3.objects()).toEqual([])
})

test('a storage that dies during an upload: one sentence, no half object; the next backup removes the parts and is stored', async () => {
  const storage = await openBucket()
  await s3.fault({ kind: 'die', operation: 'UploadPart', after: 1 })
  await expect(send(storage)).rejects.toThrow(/^http:\S+ cannot be reached: /)
  expect(s3.objects()).toEqual([])
  expect(s3.unfinished()).toHaveLength(1)
  await s3.restart()
  await send(storage, '2026-11-22T01:15:00.000Z')
  expect(s3.unfinished()).toEqual([])
  expect(await listBackups(storage)).toMatchObject([{ name: 'gridmast-20261122T011500Z.tar.gz.age', isVerified: true }])
})

test('a refused part ends the upload, and its parts are removed', async () => {
  await s3.fault({ kind: '403', operation: 'UploadPart', after: 1 })
  await expect(openBucket().then(send)).rejects.toThrow('denies access to the bucket backups')
  expect([s3.objects(), s3.unfinished()]).toEqual([[], []])
})

test.each(['500', '503', 'cut', 'slow'] as const)('one %s answer is repeated or waited for', async (kind) => {
  await s3.fault({ kind, operation: 'UploadPart', ms: 300 })
  expect(await send(await openBucket())).toMatchObject({ name })
})

test('a storage that loses a byte: the copy is removed, the earlier backups stay', async () => {
  const storage = await openBucket()
  await send(storage, '2026-11-20T01:15:00.000Z')
  await s3.fault({ kind: 'short', operation: 'CompleteUpload' })
  await expect(send(storage, about.madeAt, { days: 1, weeks: 0, months: 0 })).rejects.toThrow(
    /gridmast-20261121T011500Z\.tar\.gz\.age was not stored: it has \d+ of \d+ bytes$/,
  )
  expect(await listBackups(storage)).toMatchObject([{ name: 'gridmast-20261120T011500Z.tar.gz.age', isVerified: true }])
})

test('a truncated, a changed and a missing backup are refused, each in one sentence', async () => {
  const storage = await openBucket()
  const { bytes } = await send(storage)
  const keys = { ...s3.settings, BACKUP_IDENTITY: identityFile }
  const address = `s3://backups/north/${name}`
  const open = async () => readArchive(await openSource(address, keys), join(work, 'refused'))
  const whole = readFileSync(object(name))
  const changed = Buffer.from(whole)
  changed[bytes - 1000] = (changed[bytes - 1000] ?? 0) ^ 1
  writeFileSync(object(name), changed)
  await expect(open()).rejects.toThrow(
    `${address} is no whole backup of Gridmast: it is truncated or was changed after its encryption`,
  )
  writeFileSync(object(name), whole)
  truncateSync(object(name), bytes - 1000)
  await expect(open()).rejects.toThrow(`${address} has ${bytes - 1000} of ${bytes} bytes: it is truncated`)
  rmSync(object(manifestOf(name)))
  rmSync(join(work, 'refused'), { recursive: true, force: true })
  await expect(open()).rejects.toThrow('it is truncated or was changed')
  await expect(storedManifest(storage, name)).rejects.toThrow(`${address} was never verified`)
  rmSync(object(name))
  await expect(storedManifest(storage, name)).rejects.toThrow(`${address} does not exist`)
})

test('retention deletes after the new backup is verified, in pages, and no file with another name', async () => {
  const storage = await openBucket()
  writeFileSync(join(s3.bucket, encodeURIComponent('north/notes.txt')), 'kept')
  const old = nameOf(Date.parse('2026-11-01T01:15:00Z'))
  for (const file of [old, manifestOf(old)]) writeFileSync(object(file), '{}')
  const never = nameOf(Date.parse('2026-11-02T01:15:00Z'))
  writeFileSync(object(never), 'half')
  expect(await send(storage, about.madeAt, { days: 1, weeks: 0, months: 0 })).toMatchObject({ removed: [never, old] })
  expect(s3.objects()).toEqual([`north/${name}`, `north/${name}.json`, 'north/notes.txt'])
  for (let i = 0; i < 1100; i++) writeFileSync(object(`page-${i}`), '')
  expect(await storage.list()).toHaveLength(1103)
})

describe('a folder', () => {
  const address = pathToFileURL(join(work, 'nas')).href
  const open = () => openStorage(address, s3.settings)

  test('that does not exist is refused, not created', async () => {
    await expect(open()).rejects.toThrow(/nas does not exist; is its disk mounted\?$/)
    expect(existsSync(join(work, 'nas'))).toBe(false)
  })

  test('holds the same files, and an interrupted write leaves none', async () => {
    mkdirSync(join(work, 'nas'))
    const storage = await open()
    writeFileSync(join(work, 'nas', `${nameOf(0)}.partial`), 'half')
    await send(storage)
    expect(readdirSync(join(work, 'nas')).toSorted()).toEqual([name, manifestOf(name)])
    const source = await openSource(`${address}/${name}`, { ...s3.settings, BACKUP_IDENTITY: identityFile })
    expect(await readArchive(source, join(work, 'from-nas'))).toEqual(about)
    await expect(sendBackup(storage, { folder: join(work, 'none'), about, key, retention })).rejects.toThrow('ENOENT')
    expect(readdirSync(join(work, 'nas')).toSorted()).toEqual([name, manifestOf(name)])
  })
})
