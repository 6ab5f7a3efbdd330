import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { openChanges, signIn } from '../../faults/changes.ts'
import { takeStock } from '../../server/src/operator/backup/stock.ts'
import { openRecords } from '../../server/src/platform/records/records.ts'
import { openInstallation } from '../installation.ts'
import { startPostgres } from '../postgres.ts'
import { releases } from './releases.ts'

const closes: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closes.splice(0).toReversed()) await close()
})

/** The recorded file (record.ts) in a new database, owned by the user of the server. */
const openRecorded = async (name: string) => {
  const postgres = await startPostgres()
  if (!postgres) throw new Error('PostgreSQL is needed for this test')
  closes.push(postgres.stop)
  const owner = new pg.Client({ connectionString: postgres.ownerUrl })
  await owner.connect()
  await owner.query(
    'create role gridmast_tenant; create role gridmast_system; grant gridmast_tenant, gridmast_system to gridmast; drop schema public',
  )
  await owner.end()
  const file = join(postgres.folder, 'records.sql')
  const text = gunzipSync(readFileSync(join(import.meta.dirname, `${name}.sql.gz`))).toString()
  // Before migration 0158 a dump could not be restored with the empty search_path that it sets.
  const restorable = text
    .replace('CREATE SCHEMA public;', '')
    .replace("SELECT pg_catalog.set_config('search_path', '', false);", 'set search_path = public;')
  writeFileSync(file, `create schema public;\n${restorable}`, { mode: 0o644 })
  const { port } = new URL(postgres.url)
  const options = ['-q', '-v', 'ON_ERROR_STOP=1', '-h', '127.0.0.1', '-p', port, '-U', 'gridmast', '-f', file]
  expect(postgres.run('psql', [...options, 'gridmast'])).toBe(0)
  rmSync(file)
  return postgres
}

test.each(releases)(
  'data of $name is migrated at the start, whole, and answers; its dump can be restored',
  async ({ name, lastMigration }) => {
    const postgres = await openRecorded(name)
    const records = await openRecords({ url: postgres.url })
    closes.push(records.close)
    const newest = () =>
      records.owner(async (db) => {
        const row = await db
          .selectFrom('schema_migration')
          .select('name')
          .orderBy('name', 'desc')
          .limit(1)
          .executeTakeFirst()
        return row?.name
      })
    expect(await newest()).toBe(lastMigration)
    const { start, stop } = await openInstallation({ DATABASE_URL: postgres.url })
    closes.push(stop)
    const web = await start('web', 'web,jobs')
    expect(await newest()).not.toBe(lastMigration)
    const { trails } = await takeStock(records) // throws for a broken trail
    expect(trails['nordhavn']?.entries).toBeGreaterThan(10)
    const headers = { authorization: `Bearer ${await signIn(web)}` }
    const read = async (path: string) => {
      const answer = await fetch(web.portal + path, { headers })
      return { status: answer.status, text: await answer.text() }
    }
    for (const path of ['/api/client/audit', '/api/user/sessions'])
      expect(await read(path), path).toMatchObject({ status: 200 })
    expect((await read('/api/client/audit/verify')).text).toContain('"whole":true')
    expect((await read('/api/client/evc/tag')).text).toContain('recorded 10')
    const changes = await openChanges(web, 'upgraded')
    await expect.poll(() => changes.acknowledged()).toBeGreaterThan(3)
    await changes.finish()
    expect(await changes.compare(postgres.ownerUrl)).toEqual({ lost: 0, doubled: 0 })
    expect(changes.statuses()).toMatch(/^\d+ × 20\d$/)
    const dump = join(postgres.folder, 'today.dump')
    const server = ['-h', '127.0.0.1', '-p', new URL(postgres.url).port, '-U', 'postgres']
    await records.script('create database restored')
    expect(postgres.run('pg_dump', [...server, '-Fc', '-f', dump, 'gridmast'])).toBe(0)
    expect(postgres.run('pg_restore', [...server, '--exit-on-error', '-d', 'restored', dump])).toBe(0)
  },
)
