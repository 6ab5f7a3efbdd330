import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openRecords } from '../server/src/platform/records/records.ts'
import { migrate } from '../server/src/platform/records/migrate.ts'
import { openTestApp } from '../server/src/testing/app.ts'
import { startPostgres } from './postgres.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.stop())

test.skipIf(!postgres)(
  'L1 a cancelled download ends its statement in PostgreSQL, and the next one is answered',
  async () => {
    if (!postgres) return
    const before = process.env['TEST_DATABASE_URL']
    process.env['TEST_DATABASE_URL'] = postgres.url
    const app = await openTestApp()
    if (before === undefined) delete process.env['TEST_DATABASE_URL']
    else process.env['TEST_DATABASE_URL'] = before
    const admin = new pg.Client({ connectionString: postgres.ownerUrl })
    const locking = new pg.Client({ connectionString: app.records.server?.connectionString ?? '' })
    await Promise.all([admin.connect(), locking.connect()])
    const waiting = async () => {
      const { rows } = await admin.query<{ query: string }>(
        "select query from pg_stat_activity where state = 'active' and wait_event_type = 'Lock' and query like '%audit_entry%'",
      )
      return rows.length
    }
    try {
      const token = await app.tokenOf('sudoer@north.example')
      await app.http.listen({ port: 0, host: '127.0.0.1' })
      const { port } = app.http.server.address() as AddressInfo // a TCP server's address is never a pipe's name
      const path = '/api/client/audit?format=csv'
      const headers = { authorization: `Bearer ${token}` }
      await locking.query('begin; lock table audit_entry in access exclusive mode')
      const request = get({ port, host: '127.0.0.1', path, headers }).on('error', () => {})
      await expect.poll(waiting).toBe(1)
      request.destroy()
      await expect.poll(waiting).toBe(0)
      await expect.poll(() => app.records.connections().used).toBe(0)
      await locking.query('rollback')
      expect((await app.http.inject({ url: path, headers })).statusCode).toBe(200)
    } finally {
      await Promise.all([admin.end(), locking.end()])
      await app.close()
    }
  },
)

test.skipIf(!postgres)('L1 cancels end their statements while all connections of the store are in use', async () => {
  if (!postgres) return
  const records = await openRecords({ url: postgres.url, connections: 2 })
  const admin = new pg.Client({ connectionString: postgres.ownerUrl })
  await admin.connect()
  const sleeping = async () =>
    (await admin.query("select from pg_stat_activity where wait_event = 'PgSleep' and state = 'active'")).rowCount
  try {
    await migrate(records)
    const leaving = new AbortController()
    const sleep = () =>
      records.tenant('', (tx) => sql`select pg_sleep(25)`.execute(tx), { signal: leaving.signal }).catch(() => {})
    const requests = [sleep(), sleep(), sleep()]
    await expect.poll(sleeping).toBe(2)
    expect(records.connections()).toMatchObject({ used: 2, waiting: 1 })
    leaving.abort()
    await expect.poll(sleeping, { timeout: 10_000 }).toBe(0)
    await Promise.all(requests)
    expect(records.connections().used).toBe(0)
  } finally {
    await admin.end()
    await records.close()
  }
})
