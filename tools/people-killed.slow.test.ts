import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeStock } from '../server/src/operator/backup/stock.ts'
import { migrate } from '../server/src/platform/records/migrate.ts'
import { openRecords, type Records } from '../server/src/platform/records/records.ts'
import { provisionTwoCustomers } from '../server/src/testing/factories.ts'
import { type Postgres, startPostgres } from './postgres.ts'

const root = mkdtempSync(join(tmpdir(), 'gridmast-people-'))
let postgres: Postgres
let records: Records
beforeAll(async () => {
  const started = await startPostgres()
  if (!started) throw new Error('PostgreSQL is needed for this test')
  postgres = started
  records = await openRecords({ url: postgres.url })
  await migrate(records)
  await provisionTwoCustomers(records)
})
afterAll(async () => {
  await records.close()
  await postgres.stop()
  rmSync(root, { recursive: true, force: true })
})

const start = (tool: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, tool), ...args], {
    env: { ...process.env, DATABASE_URL: postgres.url, DATA_DIR: join(root, 'data'), DEMO: 'off', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const finish = async (child: ChildProcess) => {
  const [out, complaint] = [child.stdout ? text(child.stdout) : '', child.stderr ? text(child.stderr) : '']
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code, out: await out, complaint: await complaint }
}

/** Holds what `lock` locks, kills the tool with -9 while it waits for it, and releases it once PostgreSQL has ended the transaction of the tool. */
const killWhileWaiting = async (lock: string, child: ChildProcess) => {
  const [holding, watching] = [0, 1].map(() => new pg.Client({ connectionString: postgres.ownerUrl }))
  if (!holding || !watching) throw new Error('unreachable: two were created')
  const ended = finish(child)
  const blocked = async () =>
    (await watching.query('select from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0')).rowCount
  try {
    await holding.connect()
    await watching.connect()
    await holding.query(`begin; ${lock}`)
    const early = ended.then((end) => {
      throw new Error(`The tool ended before it waited: ${JSON.stringify(end)}`)
    })
    await Promise.race([expect.poll(blocked, { timeout: 60_000 }).toBe(1), early])
    early.catch(() => {})
    child.kill('SIGKILL')
    await ended
    // PostgreSQL notices the end of a client that waits for a lock only afterwards.
    await watching.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0',
    )
    await expect.poll(blocked, { timeout: 60_000 }).toBe(0)
    await holding.query('rollback')
  } finally {
    child.kill('SIGKILL')
    await holding.end()
    await watching.end()
  }
}

const state = async () => {
  const { rows, trails } = await takeStock(records) // throws for a broken trail
  return { rows, trails }
}

test('kill -9 in the middle of the erasure of a person: nothing is changed; started again it ends, and the trail is whole', async () => {
  const before = await state()
  const email = 'expert@north.example'
  // The account is the last row of an erasure.
  await killWhileWaiting(
    `select from app_user where email = '${email}' for key share`,
    start('operator.ts', 'person-erase', email),
  )
  expect(await state()).toEqual(before)
  const { code, out } = await finish(start('operator.ts', 'person-erase', email))
  expect({ code, out }).toMatchObject({
    code: 0,
    out: expect.stringContaining("Erased: the remaining rows name 'Erased user"),
  })
  const after = await state()
  expect(after.rows['app_user']).toBe((before.rows['app_user'] ?? 0) - 1)
  expect(after.trails['north']?.entries).toBe((before.trails['north']?.entries ?? 0) + 1)
  const left = await records.system((tx) =>
    tx.selectFrom('app_user').select('email').where('email', '=', email).execute(),
  )
  expect(left).toEqual([])
})

test('kill -9 in the middle of the exit of a customer: with the same folder it ends, and the other customer is unchanged', async () => {
  const before = await state()
  const folder = join(root, 'north')
  const exit = () => start('tenant-exit.ts', 'north', folder, '--erase')
  // The row of the customer is deleted last: all other tables are empty by then.
  await killWhileWaiting(`select from customer where key = 'north' for key share`, exit())
  const erased = await records.owner((db) =>
    sql<{ audit: number; customers: number }>`
      select (select count(*)::int from audit_entry a join customer using (customer_id) where key = 'north') as audit,
        (select count(*)::int from customer where key = 'north') as customers`.execute(db),
  )
  expect(erased.rows).toEqual([{ audit: 0, customers: 1 }])
  expect(existsSync(join(folder, 'certificate.json'))).toBe(false)
  const { code, out, complaint } = await finish(exit())
  expect({ code, complaint }).toEqual({ code: 0, complaint: '' })
  expect(out).toMatch(/The erasure continues[^]*north is erased: .*certificate\.json/)
  const after = await state()
  expect(after.trails).toEqual({ west: before.trails['west'] })
  expect(after.rows['customer']).toBe(1)
})
