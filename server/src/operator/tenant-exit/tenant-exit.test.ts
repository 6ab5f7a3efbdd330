import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { verify } from '@gridmast/contract/people/auth.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rows } from '#readings/sql.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { makeOneOfEach } from '#testing/one-of-each.ts'
import { eraseTenant, eraseTenantRequest } from './erase-tenant.ts'
import { exportTenant, type TenantAnswer } from './export-tenant.ts'
import { keepTenant, runTenantExit } from './keep-tenant.ts'
import { findTenantTables } from './tenant-tables.ts'

let app: TestApp
let work: string
beforeEach(async () => {
  app = await openTestApp()
  work = await mkdtemp(join(tmpdir(), 'gridmast-exit-'))
})
afterEach(async () => {
  await app.close()
  await rm(work, { recursive: true, force: true })
})

type Erase = Parameters<typeof runTenantExit>[2]
const eraseNow: Erase = (request) => eraseTenant(app, eraseTenantRequest.parse(request))
const exit = async (customer: string, folder: string, erase: Erase = null) => {
  const texts: string[] = []
  const exported = () => exportTenant(app, customer, erase !== null)
  for await (const { text } of runTenantExit({ customer, folder, by: 'tester' }, exported, erase)) texts.push(text)
  return texts
}

const customerOf = (key: string) =>
  app.records.system((tx) =>
    tx.selectFrom('customer').select('customer_id').where('key', '=', key).executeTakeFirstOrThrow(),
  )

/** Count and hash of every table's rows of a customer, or of the rows of no customer. */
const stateOf = async (customerId: string) => {
  const tables = await findTenantTables(app.records)
  const state: Record<string, string> = {}
  for (const { name } of tables) {
    const found = await app.records.owner((db) =>
      sql<{ state: string }>`
        select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as state from ${sql.table(name)} t
        where customer_id = ${customerId}`.execute(db),
    )
    state[name] = found.rows[0]?.state ?? ''
  }
  return state
}
const isEmptyState = (state: Record<string, string>) => Object.values(state).every((one) => one === '0 ')

const signalNoOf = async (customerId: string) => {
  const signal = await app.records.system((tx) =>
    tx
      .selectFrom('signal')
      .select('no')
      .where('customer_id', '=', customerId)
      .orderBy('no')
      .limit(1)
      .executeTakeFirstOrThrow(),
  )
  return signal.no
}
const hoursMs = Date.UTC(2026, 9, 31, 22)
const addSamples = async (signalNo: number) => {
  const values = Array.from({ length: 4 * 60 }, (_, i) => 50 + i / 1000)
  await app.readings.insert([{ signalNo, t0Ms: hoursMs, dtMs: 60_000, values }])
  await app.readings.rollUp()
}
const samplesOf = (signalNo: number) =>
  rows<[number, string]>(
    app.readings.client,
    `select count(), toString(sum(cityHash64(ts, value))) from gridmast.samples final where signal_no = ${signalNo}
     union all select count(), toString(sum(cityHash64(minute, sum))) from gridmast.minutes final where signal_no = ${signalNo}`,
  )

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

test('an exit hands out every row and sample of the customer, erases it from both stores, and leaves the other customer unchanged', async () => {
  await makeOneOfEach(app)
  const [north, west] = [await customerOf('north'), await customerOf('west')]
  const [northNo, westNo] = [await signalNoOf(north.customer_id), await signalNoOf(west.customer_id)]
  await addSamples(northNo)
  await addSamples(westNo)
  await app.readings.quarantine([
    { receivedAtMs: hoursMs, edge: 'north-edge', topic: 'x', reason: 'x', payload: 'x' },
    { receivedAtMs: hoursMs, edge: 'west-edge', topic: 'x', reason: 'x', payload: 'x' },
  ])
  const token = await app.tokenOf('sudoer@north.example')
  const before = { west: await stateOf(west.customer_id), samples: await samplesOf(westNo) }
  const folder = join(work, 'north')
  const lines = await exit('north', folder, eraseNow)
  expect(lines[0]).toMatch(/north: \d+ files, \d+ rows of \d+ tables, 240 samples$/)
  expect(lines.at(-1)).toMatch(/^north is erased: .*certificate\.json$/)

  expect(await stateOf(west.customer_id)).toEqual(before.west)
  expect(await samplesOf(westNo)).toEqual(before.samples)
  expect(isEmptyState(await stateOf(north.customer_id))).toBe(true)
  expect((await samplesOf(northNo)).map(([count]) => count)).toEqual([0, 0])
  expect(await rows(app.readings.client, 'select edge from gridmast.quarantine')).toEqual([['west-edge']])
  await expect.poll(async () => (await app.ask(verify, { token })).status, { timeout: 10_000 }).toBe(401)

  const index = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'))
  for (const [name, file] of Object.entries<{ bytes: number; sha256: string }>(index.files)) {
    const content = await readFile(join(folder, name))
    expect([content.length, sha256(content)], name).toEqual([file.bytes, file.sha256])
  }
  const users = (await readFile(join(folder, 'records/app_user.jsonl'), 'utf8')).trim().split('\n')
  expect(users).toHaveLength(index.tables.app_user)
  expect(JSON.parse(users[0] ?? '')).not.toHaveProperty('password_hash')
  expect(Object.keys(index.files).some((name) => name.startsWith('files/bid-files/'))).toBe(true)
  const csv = gunzipSync(await readFile(join(folder, `samples/${northNo}/2026-10.csv.gz`)))
    .toString()
    .trim()
    .split('\n')
  expect(csv.slice(0, 2)).toEqual(['time,value', '2026-10-31T22:00:00.000Z,50'])
  expect(csv).toHaveLength(121)
  expect(index.files).toHaveProperty([`samples/${northNo}/2026-11.csv.gz`, 'rows'], 120)

  const certificate = await readFile(join(folder, 'certificate.json'), 'utf8')
  expect(JSON.parse(certificate)).toMatchObject({
    customer: 'north',
    by: 'tester',
    left: 0,
    samples: 240,
    rows: index.tables,
  })
  expect(await readFile(join(folder, 'certificate.txt'), 'utf8')).toContain(`app_user: ${users.length}`)
  const [entry] = await app.records.system((tx) => tx.selectFrom('erased_tenant').selectAll().execute())
  expect(entry).toMatchObject({
    customer_key: 'north',
    certificate_sha256: sha256(certificate),
    index_sha256: sha256(await readFile(join(folder, 'index.json'))),
  })
  expect(JSON.stringify(entry)).not.toMatch(/sudoer|@/)
  await expect(exit('north', join(work, 'again'), eraseNow)).rejects.toThrow('There is no customer north')
})

test('without --erase the customer goes on working', async () => {
  const token = await app.tokenOf('sudoer@north.example')
  await exit('north', join(work, 'copy'))
  expect((await app.ask(verify, { token })).status).toBe(200)
  expect((await app.trail('customer.exit')).map(({ who }) => who)).toEqual(['operator'])
})

test('bad input: unknown customer, a folder that is not empty, of another customer, or changed; two exits at once; the server ends', async () => {
  await expect(exit('nobody', join(work, 'a/b'))).rejects.toThrow('There is no customer nobody')
  expect(await readdir(work)).toEqual([])
  await writeFile(join(work, 'file'), '')
  await expect(exit('north', work)).rejects.toThrow(`${work} is not empty`)
  const folder = join(work, 'north')
  await exit('north', folder)
  await expect(exit('west', folder, eraseNow)).rejects.toThrow(`${folder} is an export of north`)
  await expect(exit('north', folder, eraseNow)).rejects.toThrow(
    'north is in use again since the export: export it once more',
  )
  await writeFile(join(folder, 'records/bid.jsonl'), 'x')
  await expect(exit('north', folder, eraseNow)).rejects.toThrow(
    'bid.jsonl is not what was exported: nothing was erased',
  )
  const both = await Promise.allSettled(['b', 'c'].map((name) => exit('north', join(work, name))))
  const refused = both.find((one) => one.status === 'rejected')
  expect(String(refused?.reason)).toContain('Another exit of north is running')
  const cut = async function* (): AsyncGenerator<TenantAnswer> {
    yield { file: 'records/x.jsonl', table: 'x' }
    yield { rows: 0 }
  }
  await expect(keepTenant(cut(), join(work, 'd'))).rejects.toThrow('The server ended before the export was complete')
  expect(await readdir(join(work, 'd'))).not.toContain('index.json')
  const outside = async function* (): AsyncGenerator<TenantAnswer> {
    yield { file: '../x' }
  }
  await expect(keepTenant(outside(), join(work, 'e'))).rejects.toThrow('../x is not a name of an export')
})

test('a full disk: one sentence, and nothing is erased', async () => {
  const full = async function* (): AsyncGenerator<TenantAnswer> {
    yield { file: 'records/x.jsonl', table: 'x' }
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }
  const folder = join(work, 'full')
  const erase: Erase = () => {
    throw new Error('not reached')
  }
  const lines = runTenantExit({ customer: 'north', folder, by: 'tester' }, full, erase)
  await expect(lines.next()).rejects.toThrow(
    `The disk of ${folder} is full. The export is incomplete and nothing was erased`,
  )
})

test('an interrupted erasure continues with the same folder, also when rows are gone already', async () => {
  const north = await customerOf('north')
  const folder = join(work, 'north')
  const interrupted: Erase = async function* (request) {
    const erasing = eraseTenant(app, eraseTenantRequest.parse(request))
    const { value } = await erasing.next() // begun, nothing deleted yet
    if (value) yield value
    await erasing.return(undefined)
    await app.records.owner((db) => sql`delete from application_version`.execute(db))
    await app.records.owner((db) => sql`delete from audit_entry where customer_id = ${north.customer_id}`.execute(db))
    throw new Error('killed')
  }
  await expect(exit('north', folder, interrupted)).rejects.toThrow('killed')
  const lines = await exit('north', folder, eraseNow)
  expect(lines).toContain('The erasure continues')
  expect(isEmptyState(await stateOf(north.customer_id))).toBe(true)
  await expect(exit('north', folder, eraseNow)).rejects.toThrow('has a certificate already')
})

test('a row that arrived after the export is not erased', async () => {
  const north = await customerOf('north')
  const late: Erase = async function* (request) {
    await app.records.system((tx) =>
      tx
        .insertInto('licence')
        .values({
          customer_id: north.customer_id,
          licence_id: north.customer_id,
          type: 'x',
          name: 'x',
          icon: 'x',
          enabled: true,
        })
        .execute(),
    )
    yield* eraseTenant(app, eraseTenantRequest.parse(request))
  }
  await expect(exit('north', join(work, 'north'), late)).rejects.toThrow(
    /^licence has 4 rows and the export 3: export the customer once more into another folder$/,
  )
  expect(isEmptyState(await stateOf(north.customer_id))).toBe(false)
})
