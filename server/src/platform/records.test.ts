import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestRecords } from '#testing/records.ts'
import type { Records } from './records.ts'

let records: Records
beforeAll(async () => {
  records = await openTestRecords()
})
afterAll(() => records.close())

test('decimals and days come as text from either store, alone and in lists; big numbers as numbers', async () => {
  const { rows } = await records.system((tx) =>
    sql`select 0.303600::numeric(9, 6) as decimal, array[0.303600, null, 1e20]::numeric(27, 6)[] as decimals, '2026-03-29'::date as day,
      array['2026-03-29', '2026-10-25']::date[] as days, '{}'::numeric[] as none, 9007199254740991::bigint as big`.execute(
      tx,
    ),
  )
  expect(rows).toEqual([
    {
      decimal: '0.303600',
      decimals: ['0.303600', null, '100000000000000000000.000000'],
      day: '2026-03-29',
      days: ['2026-03-29', '2026-10-25'],
      none: [],
      big: 9_007_199_254_740_991,
    },
  ])
})

test('what fails takes everything back, and the connection serves the next', async () => {
  const add = (fail: boolean) =>
    records.system(async (tx) => {
      await sql`insert into exchange_rate values ('EUR', '2026-11-20', 7.46, 'test', now())`.execute(tx)
      if (fail) throw new Error('taken back')
    })
  await expect(add(true)).rejects.toThrow('taken back')
  const count = () => records.system((tx) => tx.selectFrom('exchange_rate').select('currency').execute())
  expect(await count()).toEqual([])
  await add(false)
  expect(await count()).toHaveLength(1)
})

test('T2 the customer of a transaction is an id or nothing, and is forgotten with it', async () => {
  await expect(records.tenant(`x'; drop table customer; --`, () => Promise.resolve())).rejects.toThrow('Not an id')
  const current = (tx: Parameters<Parameters<Records['system']>[0]>[0]) =>
    sql<{ id: string | null }>`select current_customer() as id`.execute(tx).then(({ rows }) => rows[0]?.id)
  const id = '018f0000-0000-7000-8000-000000000000'
  expect(await records.tenant(id, current)).toBe(id)
  expect(await records.system(current)).toBeNull()
})

test('a transaction in which a statement failed unnoticed is refused as a whole', async () => {
  const work = records.system(async (tx) => {
    await sql`insert into exchange_rate values ('SEK', '2026-11-20', 0.68, 'test', now())`.execute(tx)
    await sql`select 1 / 0`.execute(tx).catch(() => {})
  })
  await expect(work).rejects.toThrow('Nothing was committed')
  const rates = await records.system((tx) => tx.selectFrom('exchange_rate').select('currency').execute())
  expect(rates.map(({ currency }) => currency)).not.toContain('SEK')
})

test('what the job queue writes neither joins nor ends a transaction that is under way', async () => {
  await records.script('create table queue_note (text text)')
  const { boss } = records
  if (!('db' in boss)) return // the queue has connections of its own on a server
  let queued: Promise<unknown> | undefined
  const work = records.system(async (tx) => {
    await sql`insert into exchange_rate values ('NOK', '2026-11-20', 0.64, 'test', now())`.execute(tx)
    queued = boss.db.executeSql("begin; insert into queue_note values ('from the queue'); commit")
    await new Promise((resolve) => setTimeout(resolve, 50))
    throw new Error('taken back')
  })
  await expect(work).rejects.toThrow('taken back')
  await queued
  const { rows } = await records.owner((db) => sql`select text from queue_note`.execute(db))
  expect(rows).toEqual([{ text: 'from the queue' }])
  const rates = await records.system((tx) => tx.selectFrom('exchange_rate').select('currency').execute())
  expect(rates.map(({ currency }) => currency)).not.toContain('NOK')
})

test('a failed text of the job queue leaves nothing half done for the next', async () => {
  const { boss } = records
  if (!('db' in boss)) return
  await expect(boss.db.executeSql('begin; select 1 / 0; commit')).rejects.toThrow('division by zero')
  expect(await boss.db.executeSql('begin; select 1 as a; commit; select 2 as a')).toEqual({
    rows: [{ a: 1 }, { a: 2 }],
  })
})

test('a table that changed under a prepared statement costs one failed call', async () => {
  await records.script(
    'create table changing (a int); insert into changing values (1); grant select on changing to gridmast_system',
  )
  const read = () => records.system((tx) => sql`select * from changing where a = ${1}`.execute(tx))
  for (let i = 0; i < 3; i++) expect((await read()).rows).toEqual([{ a: 1 }])
  await records.script('alter table changing add column b int')
  await expect(read()).rejects.toThrow('cached plan must not change result type')
  for (let i = 0; i < 3; i++) expect((await read()).rows).toEqual([{ a: 1, b: null }])
})
