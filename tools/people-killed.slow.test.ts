import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeStock } from '../server/src/operator/backup/stock.ts'
import { migrate } from '../server/src/platform/records/migrate.ts'
import { openRecords, type Records } from '../server/src/platform/records/records.ts'
import { secretOf } from '../server/src/platform/security/secret.ts'
import { provisionTwoCustomers } from '../server/src/testing/factories.ts'
import { finish, killWhileWaiting } from './kill-while-waiting.ts'
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

const [key, nextKey] = ['the secret of a test installation', 'the next secret of a test installation']

const start = (tool: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, tool), ...args], {
    env: {
      ...process.env,
      DATABASE_URL: postgres.url,
      DATA_DIR: join(root, 'data'),
      DEMO: 'off',
      LOG_LEVEL: 'silent',
      SECRET_KEY: nextKey,
      SECRET_KEY_OTHER: key,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const state = async () => {
  const { rows, trails } = await takeStock(records) // throws for a broken trail
  return { rows, trails }
}

test('kill -9 between two tables of reseal: both keys open every secret, and started again it ends', async () => {
  const [earlier, next] = [secretOf(key), secretOf(nextKey)]
  await records.system(async (tx) => {
    await tx
      .updateTable('app_user')
      .set(() => ({ totp_sealed: earlier.seal('JBSWY3DP') }))
      .execute()
    await sql`
      insert into connector_token (source, refresh_sealed, refresh_sha256, access_sealed)
      values ('a', ${earlier.seal('refresh')}, '', ${earlier.seal('access')})`.execute(tx)
  })
  const sealed = (table: string, column: string) =>
    records.system(async (tx) => {
      const { rows } = await sql<{ sealed: Buffer }>`
        select ${sql.ref(column)} as sealed from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(tx)
      return rows.map((row) => row.sealed)
    })
  await killWhileWaiting(postgres.ownerUrl, 'select from connector_token for update', start('operator.ts', 'reseal'))
  for (const one of await sealed('app_user', 'totp_sealed')) expect(next.unseal(one)).toBe('JBSWY3DP')
  expect((await sealed('connector_token', 'refresh_sealed')).map(earlier.unseal)).toEqual(['refresh'])
  const { code, out, complaint } = await finish(start('operator.ts', 'reseal'))
  expect({ code, complaint }).toEqual({ code: 0, complaint: '' })
  expect(out).toContain('app_user.totp_sealed: 0 resealed')
  expect(out).toContain('connector_token.refresh_sealed: 1 resealed')
  expect((await sealed('connector_token', 'refresh_sealed')).map(next.unseal)).toEqual(['refresh'])
  expect((await sealed('connector_token', 'access_sealed')).map(next.unseal)).toEqual(['access'])
})

test('kill -9 in the middle of the erasure of a person: nothing is changed; started again it ends, and the trail is whole', async () => {
  const before = await state()
  const email = 'expert@north.example'
  // The account is the last row of an erasure.
  await killWhileWaiting(
    postgres.ownerUrl,
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
  await killWhileWaiting(postgres.ownerUrl, `select from customer where key = 'north' for key share`, exit())
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
