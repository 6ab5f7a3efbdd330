import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestWorld } from '#testing/records.ts'
import { vacuum } from './jobs.ts'

const records = await openTestWorld()
afterAll(() => records.close())

const sizeOf = async (table: string) => {
  const { rows } = await records.owner((db) =>
    sql<{ pages: number; believed: number }>`
      select (pg_relation_size(oid) / 8192)::int as pages, reltuples::int as believed from pg_class where relname = ${table}`.execute(
      db,
    ),
  )
  return rows[0]
}

test('vacuum returns the space of dead rows of the embedded store and updates the row statistics', async () => {
  if (!records.embedded) return
  await records.script(`
    insert into application_version (version_id, title, application, released, description, enable)
    select gen_random_uuid(), 'gone ' || n, 'x', '2026-01-01', repeat('x', 500), true from generate_series(1, 2000) n;
    delete from application_version where application = 'x'`)
  const before = await sizeOf('application_version')
  expect(before?.pages).toBeGreaterThan(100)
  await vacuum({ records })
  const after = await sizeOf('application_version')
  expect(after?.pages).toBeLessThan(20)
  expect(after?.believed).toBeGreaterThanOrEqual(0)
})
