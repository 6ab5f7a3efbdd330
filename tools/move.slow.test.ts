import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@clickhouse/client'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { finish, killWhileWaiting } from './kill-while-waiting.ts'
import { startPostgres } from './postgres.ts'
import { differenceOf, takeStock } from '../server/src/operator/backup/stock.ts'
import type { OutputLine } from '../server/src/operator/output-line.ts'
import { writeAudit } from '../server/src/platform/records/audit.ts'
import { migrate } from '../server/src/platform/records/migrate.ts'
import { openRecords, type Records } from '../server/src/platform/records/records.ts'
import { openReadings, type Readings } from '../server/src/readings/readings.ts'
import { layTestWorld } from '../server/src/testing/data-folder.ts'
import {
  moveToFolder,
  moveToServers,
  moveWhileServing,
  refuseMoved,
  type Servers,
} from '../server/src/operator/move/move.ts'
import { moveLock } from '../server/src/operator/move/records.ts'

const noon = Date.UTC(2026, 10, 20, 12)
const day = 86_400_000

let postgres: NonNullable<Awaited<ReturnType<typeof startPostgres>>>
let readingsServer: ChildProcess
let at: Servers
let folder: string
let dataDir: string

const startReadings = async () => {
  readingsServer = spawn(process.execPath, [join(import.meta.dirname, 'readings-server.ts')], {
    env: { ...process.env, DATA_DIR: join(folder, 'server'), READINGS_PORT: '0', READINGS_PASSWORD: 'harbour' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(readingsServer, 'message')) as [{ port: number }]
  return `http://default:harbour@127.0.0.1:${port}`
}

beforeAll(async () => {
  const started = await startPostgres()
  if (!started) throw new Error('PostgreSQL is needed for this test')
  postgres = started
})
afterAll(() => postgres.stop())

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gridmast-move-'))
  dataDir = join(folder, 'data')
  await layTestWorld(dataDir)
  const owner = await openRecords({ url: postgres.url })
  await owner.script('drop database if exists moved')
  await owner.script('create database moved')
  await owner.close()
  const url = new URL(postgres.url)
  url.pathname = '/moved'
  at = { records: url.href, readings: await startReadings() }
})
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
  readingsServer.kill('SIGKILL')
  await once(readingsServer, 'exit')
  await rm(folder, { recursive: true, force: true })
})

const opened: (() => Promise<void>)[] = []

const openFolder = async (): Promise<{ records: Records; readings: Readings; close: () => Promise<void> }> => {
  const records = await openRecords({ dataDir: join(dataDir, 'records') })
  await migrate(records)
  const readings = await openReadings({ dataDir: join(dataDir, 'readings'), rollupRoundMs: 0 })
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await Promise.all([readings.close(), records.close()])
  }
  opened.push(close)
  return { records, readings, close }
}

const textOf = async (lines: AsyncIterable<OutputLine>) => {
  const texts: string[] = []
  for await (const { text } of lines) texts.push(text)
  return texts.join('\n')
}

const wave = (count: number, from = 0) => Array.from({ length: count }, (_, i) => Math.sin((from + i) / 50) * 1000)

const customerOf = (records: Records) =>
  records.system((tx) => tx.selectFrom('customer').select('customer_id').orderBy('key').executeTakeFirstOrThrow())

const audit = async (records: Records, subject: string) => {
  const { customer_id } = await customerOf(records)
  await records.system((tx) => writeAudit(tx, customer_id, Date.now(), { who: 'operator', action: 'export', subject }))
}

/** Values that a careless copy changes: long decimals, microseconds, JSON null, quotes, an array with null. */
const hardRows = (records: Records) =>
  records.owner(async (db) => {
    await sql`create temporary table if not exists unused (a int)`.execute(db)
    await sql`
      insert into outbox (customer_id, outbox_id, kind, payload, created_at, next_attempt_at)
      values (null, '00000000-0000-4000-8000-000000000001', 'mail', '{"text": "Kølehus \\"A\\" \\\\ 1", "n": 12345678901234567890.123456789, "none": null}',
        '2026-11-20T12:00:00.123456Z', 'infinity')`.execute(db)
    await sql`
      insert into outbox (customer_id, outbox_id, kind, payload, created_at)
      select null, gen_random_uuid(), 'mail', jsonb_build_object('text', repeat('x', 40000)), now() from generate_series(1, 300)`.execute(
      db,
    )
  })

const samplesOf = async (url: string) => {
  const client = createClient({ url })
  const read = await client.query({
    query: `select signal_no, count(), sum(value) from gridmast.samples final group by signal_no order by signal_no`,
    format: 'JSONCompactEachRow',
  })
  const rows = await read.json<[number, string, number]>()
  await client.close()
  return rows.map(([signalNo, count, sum]) => [signalNo, Number(count), sum])
}

test('a store in use is copied, what is written meanwhile follows, and both are equal', async () => {
  const { records, readings, close } = await openFolder()
  await hardRows(records)
  await readings.insert([
    { signalNo: 1, t0Ms: noon - 2 * day, dtMs: 1000, values: wave(7200) },
    { signalNo: 2, t0Ms: noon, dtMs: 1000, values: wave(3600) },
  ])
  await readings.rollUp()
  let isMoving = true
  const writing = (async () => {
    for (let i = 0; isMoving; i++) {
      await audit(records, `entry ${i}`)
      await records.owner(async (db) => {
        await sql`delete from outbox where outbox_id = (select outbox_id from outbox where next_attempt_at is null limit 1)`.execute(
          db,
        )
      })
      await readings.append([{ signalNo: 3, t0Ms: noon + i * 1000, dtMs: 1000, values: [i + 0.125] }])
      await pause(5)
    }
  })()
  const live = await textOf(moveWhileServing({ records, readings: readings.client }, at))
  expect(live).toContain('The target is empty and prepared')
  expect(live).toContain('Now stop the server and run the same command again')
  const half = await openRecords({ url: at.records })
  await expect(migrate(half)).rejects.toThrow('A move into this database has not ended')
  await half.close()
  isMoving = false
  await writing
  await audit(records, 'the last entry')
  await readings.insert([{ signalNo: 2, t0Ms: noon, dtMs: 1000, values: [7] }]) // a sample that was sent again
  const stock = await takeStock(records)
  await close()

  expect(await textOf(moveToServers(dataDir, at, noon))).toMatch(
    /Moved and compared: [\d,]+ rows of \d+ tables, [\d,]+ samples/,
  )
  expect(() => refuseMoved(dataDir)).toThrow('set DATABASE_URL and CLICKHOUSE_URL')
  const moved = await openRecords({ url: at.records })
  expect(differenceOf(stock, await takeStock(moved))).toBe(null)
  expect(await migrate(moved)).toEqual([])
  const hard = await moved.owner((db) =>
    sql<{ text: string }>`
      select payload::text || ' ' || created_at::text || ' ' || next_attempt_at::text as text from outbox
      where outbox_id = '00000000-0000-4000-8000-000000000001'`.execute(db),
  )
  expect(hard.rows[0]?.text).toContain('12345678901234567890.123456789')
  expect(hard.rows[0]?.text).toContain('12:00:00.123456+00 infinity')
  await audit(moved, 'the first entry after the move')
  await expect(
    moved.system((tx) =>
      sql`insert into audit_entry select (a).* from (select a from audit_entry a limit 1) x`.execute(tx),
    ),
  ).rejects.toThrow()
  await moved.close()
  const [first, second, third] = await samplesOf(at.readings)
  expect(first?.slice(0, 2)).toEqual([1, 7200])
  expect(second).toEqual([2, 3600, expect.closeTo(wave(3600).reduce((sum, value) => sum + value, 0) + 7, 3)])
  expect(third?.[1]).toBeGreaterThan(0)
})

test('an interrupted move continues, a second one into the same place is refused, and the way back ends with the same data', async () => {
  const { records, readings, close } = await openFolder()
  await hardRows(records)
  await readings.insert([{ signalNo: 1, t0Ms: noon, dtMs: 1000, values: wave(3600) }])
  await readings.rollUp()
  const interrupted = moveWhileServing({ records, readings: readings.client }, at)
  await interrupted.next()
  await interrupted.next()
  await interrupted.return(undefined)
  expect(await textOf(moveWhileServing({ records, readings: readings.client }, at))).toContain('The move continues')
  const stock = await takeStock(records)
  await close()
  await writeFile(join(dataDir, 'moved.json'), '{}') // as after an end between the comparison and the last statement
  expect(await textOf(moveToServers(dataDir, at, noon))).toContain('Moved and compared')
  await expect(textOf(moveToServers(dataDir, at, noon))).rejects.toThrow('was moved to servers')
  await rm(join(dataDir, 'moved.json'))
  await expect(textOf(moveToServers(dataDir, at, noon))).rejects.toThrow('The target database has customers')

  const busy = await openRecords({ url: at.records })
  await busy.ping()
  const back = join(folder, 'back')
  await expect(textOf(moveToFolder(back, at))).rejects.toThrow('1 other connection: end all servers first')
  await busy.close()
  const watching = await openRecords({ url: postgres.url })
  const openConnections = () =>
    watching.owner(async (db) => {
      const found = await sql<{ pid: number }>`select pid from pg_stat_activity where datname = 'moved'`.execute(db)
      return found.rows.length
    })
  await expect.poll(openConnections).toBe(0)
  await watching.close()
  await expect(textOf(moveToFolder(back, at, 1e15))).rejects.toThrow(
    /^The move needs \d+\.\d\d GB in \S+, and 0\.00 GB are free above MIN_FREE_BYTES$/,
  )
  expect(existsSync(join(back, 'records'))).toBe(false)
  expect(await textOf(moveToFolder(back, at))).toContain('Moved and compared')
  const returned = await openRecords({ dataDir: join(back, 'records') })
  expect(differenceOf(stock, await takeStock(returned))).toBe(null)
  await audit(returned, 'the first entry at home')
  await returned.close()
  const home = await openReadings({ dataDir: join(back, 'readings'), rollupRoundMs: 0 })
  const read = await home.samples({ signalNos: [1], fromMs: noon, toMs: noon + 3_600_000 })
  expect(JSON.stringify([...read.series.values()])).toContain(String(wave(3600)[3599]))
  await home.close()
})

/** Each statement locks what the move needs next at that point. */
const places: Record<string, string> = {
  'before the target is prepared': `select pg_advisory_lock(${moveLock})`,
  'while rows are copied': 'lock table audit_entry in exclusive mode',
  'before the tables are compared': `select pg_advisory_lock(${moveLock})`,
  'after the comparison, before the foreign keys': 'lock table audit_entry in row exclusive mode',
}

test(
  'kill -9 of a move at each of its points: started again it ends with the same data',
  { timeout: 400_000 },
  async () => {
    const { records, readings, close } = await openFolder()
    await hardRows(records)
    await audit(records, 'an entry')
    await readings.insert([{ signalNo: 1, t0Ms: noon, dtMs: 1000, values: wave(3600) }])
    await readings.rollUp()
    const stock = await takeStock(records)
    await close()
    const ownerUrl = new URL(postgres.ownerUrl)
    ownerUrl.pathname = '/moved'
    const move = () =>
      spawn(
        process.execPath,
        [join(import.meta.dirname, 'move.ts'), '--to-records', at.records, '--to-readings', at.readings],
        { env: { ...process.env, DATA_DIR: dataDir, DEMO: 'off' }, stdio: ['ignore', 'pipe', 'pipe'] },
      )
    for (const [place, lock] of Object.entries(places)) {
      await killWhileWaiting(ownerUrl.href, lock, move())
      expect([place, existsSync(join(dataDir, 'moved.json'))]).toEqual([place, place.startsWith('after')])
      if (place !== 'before the target is prepared') continue
      const preparing = moveToServers(dataDir, at, noon)
      expect((await preparing.next()).value).toEqual({ text: 'The target is empty and prepared' })
      await preparing.return(undefined)
    }
    const { code, out, complaint } = await finish(move())
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' })
    expect(out).toMatch(/The move continues[^]*Moved and compared/)
    const moved = await openRecords({ url: at.records })
    expect(differenceOf(stock, await takeStock(moved))).toBe(null)
    expect(await migrate(moved)).toEqual([])
    await moved.close()
    expect((await samplesOf(at.readings))[0]?.slice(0, 2)).toEqual([1, 3600])
  },
)

test('the disk of the target is full: one sentence, and with room the move continues (needs root for a disk of its own)', async ({
  skip,
}) => {
  const disk = join(postgres.folder, 'disk')
  await mkdir(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=0700,uid=65534,gid=65534', 'tmpfs', disk], {
      stdio: 'ignore',
    })
  } catch {
    skip()
  }
  const client = new pg.Client({ connectionString: postgres.ownerUrl })
  await client.connect()
  try {
    await client.query(`create tablespace small location '${disk}'`)
    await client.query('alter database moved set tablespace small')
    const { records, readings, close } = await openFolder()
    await hardRows(records)
    const stock = await takeStock(records)
    const live = moveWhileServing({ records, readings: readings.client }, at)
    expect((await live.next()).value).toEqual({ text: 'The target is empty and prepared' })
    await live.return(undefined)
    const filler = join(disk, 'filler')
    expect(spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k']).status).toBe(1) // until the disk is full
    await expect(textOf(moveWhileServing({ records, readings: readings.client }, at))).rejects.toThrow(
      /^The move stopped, the disk of a store is full \(.*(No space left on device|could not write init file)\)\. The source is unchanged: make room/,
    )
    await rm(filler)
    await close()
    expect(await textOf(moveToServers(dataDir, at, noon))).toMatch(/The move continues[^]*Moved and compared/)
    const moved = await openRecords({ url: at.records })
    expect(differenceOf(stock, await takeStock(moved))).toBe(null)
    await moved.close()
  } finally {
    await client.query('drop database if exists moved with (force)')
    await client.query('drop tablespace if exists small')
    await client.end()
    execFileSync('umount', [disk])
  }
})

test('a demo is refused before anything is copied', async () => {
  const { records, readings, close } = await openFolder()
  await records.owner(async (db) => void (await sql`update customer set demo = true`.execute(db)))
  await expect(textOf(moveWhileServing({ records, readings: readings.client }, at))).rejects.toThrow(
    'A demo is not moved',
  )
  await close()
  await expect(textOf(moveToServers(dataDir, at, noon))).rejects.toThrow('A demo is not moved')
})

test.each([
  ['postgres://gridmast@127.0.0.1:1/moved', null, '--to-records'],
  [null, 'http://default:wrong@127.0.0.1:1', '--to-readings'],
])('an address that does not answer is named: %s %s', async (records, readings, name) => {
  await expect(
    textOf(moveToServers(dataDir, { records: records ?? at.records, readings: readings ?? at.readings }, noon)),
  ).rejects.toThrow(name)
})
