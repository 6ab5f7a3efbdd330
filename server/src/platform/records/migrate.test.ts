import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { openTestRecords } from '#testing/records.ts'
import { migrate } from './migrate.ts'
import type { Records } from './records.ts'

let folder: string
const records = await openTestRecords()
afterAll(() => records.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gridmast-migrations-'))
  await records.script('drop table if exists schema_migration')
})
afterEach(() => rm(folder, { recursive: true }))

const file = (name: string, text: string) => writeFile(join(folder, name), `${text}\n`)

test('concurrent starts apply each file once', async () => {
  for (const n of [1, 2, 3])
    await file(`000${n}_table.sql`, `create table started_${n} (a int); insert into started_${n} values (1);`)
  const answers = await Promise.all([1, 2, 3, 4].map(() => migrate(records, folder)))
  expect(answers.flat().toSorted()).toEqual(['0001_table.sql', '0002_table.sql', '0003_table.sql'])
  const { rows } = await records.owner((db) => sql`select * from started_1, started_2, started_3`.execute(db))
  expect(rows).toHaveLength(1)
  expect(await migrate(records, folder)).toEqual([])
})

test('a failed file is rolled back, and earlier files stay applied', async () => {
  await file('0001_good.sql', 'create table kept (a int)')
  await file('0002_bad.sql', 'create table half (a int); select 1 / 0')
  await expect(migrate(records, folder)).rejects.toThrow('division by zero')
  const { rows } = await records.owner((db) =>
    sql`select to_regclass('kept') as kept, to_regclass('half') as half`.execute(db),
  )
  expect(rows).toEqual([{ kept: 'kept', half: null }])
  await file('0002_bad.sql', 'create table half (a int)')
  expect(await migrate(records, folder)).toEqual(['0002_bad.sql'])
})

test('a file changed after its application is refused', async () => {
  await file('0001_first.sql', 'select 1')
  await migrate(records, folder)
  await file('0001_first.sql', 'select 2')
  await expect(migrate(records, folder)).rejects.toThrow('0001_first.sql was changed after it had been applied')
})

test('a store of a newer version is refused in one line with a remedy', async () => {
  await file('0001_first.sql', 'select 1')
  await file('0002_newer.sql', 'select 1')
  await migrate(records, folder)
  await rm(join(folder, '0002_newer.sql'))
  await expect(migrate(records, folder)).rejects.toThrow(
    'The records store was written by a newer Gridmast (it has 0002_newer.sql). Start that version, or restore a backup made before it.',
  )
})

test('an owner without the right to create roles gets the missing right by name', async () => {
  await file('0001_first.sql', 'select 1')
  const asSmallOwner: Records = {
    ...records,
    alone: (lock, work) =>
      records.alone(lock, async (tx) => {
        await sql`create role small_owner; grant small_owner to current_user; grant usage, create on schema public to small_owner;
          set local role small_owner`.execute(tx) // undone with the transaction
        return work(tx)
      }),
  }
  await expect(migrate(asSmallOwner, folder)).rejects.toThrow('alter role "small_owner" createrole')
})

test.skipIf(records.embedded)(
  'a table in use by an earlier version: the file waits, and no call is ended',
  async () => {
    await records.script('create table busy_a (x int); create table busy_b (x int)')
    await file('0001_first.sql', 'alter table busy_b add column y int; alter table busy_a add column y int;')
    let migrating: Promise<string[]> | undefined
    await records.owner((db) =>
      db.transaction().execute(async (tx) => {
        await sql`insert into busy_a values (1)`.execute(tx)
        migrating = migrate(records, folder)
        await expect
          .poll(async () => {
            const { rows } = await records.owner((other) =>
              sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like 'alter table busy_b%'`.execute(
                other,
              ),
            )
            return rows.length
          })
          .toBe(1)
        // In the other order: a deadlock, if the file kept its lock.
        await sql`insert into busy_b values (1)`.execute(tx)
      }),
    )
    expect(await migrating).toEqual(['0001_first.sql'])
    await records.script('drop table busy_a, busy_b')
  },
)
