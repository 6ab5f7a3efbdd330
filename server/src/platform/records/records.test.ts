import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestRecords } from '#testing/records.ts'
import type { Records } from './records.ts'
import { storedRows } from '#testing/rows.ts'

const records = await openTestRecords()
afterAll(() => records.close())

test('a read-only store is not ready', async () => {
  const set = (mode: string) =>
    records.owner((db) => sql.raw(`set default_transaction_read_only = ${mode}`).execute(db))
  expect(await records.ping()).toBeUndefined()
  if (!records.embedded) return // on a server only one connection of several would be set
  await set('on')
  await expect(records.ping()).rejects.toThrow('can only be read')
  await set('off')
  await records.ping()
})

test('decimals and days are text from either store, alone and in lists, and large integers are numbers', async () => {
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

test('a failed transaction is rolled back, and its connection serves the next one', async () => {
  const add = (fail: boolean) =>
    records.system(async (tx) => {
      await sql`insert into exchange_rate values ('EUR', '2026-11-20', 7.46, 'test', now())`.execute(tx)
      if (fail) throw new Error('taken back')
    })
  await expect(add(true)).rejects.toThrow('taken back')
  const count = () => storedRows(records, 'exchange_rate', {}, ['currency'])
  expect(await count()).toEqual([])
  await add(false)
  expect(await count()).toHaveLength(1)
})

test('T2 the customer of a transaction is an id or empty and ends with it', async () => {
  await expect(records.tenant(`x'; drop table customer; --`, () => Promise.resolve())).rejects.toThrow('Not an id')
  const current = (tx: Parameters<Parameters<Records['system']>[0]>[0]) =>
    sql<{ id: string | null }>`select current_customer() as id`.execute(tx).then(({ rows }) => rows[0]?.id)
  const id = '018f0000-0000-7000-8000-000000000000'
  expect(await records.tenant(id, current)).toBe(id)
  expect(await records.system(current)).toBeNull()
})

test('a transaction with an unnoticed failed statement is refused as a whole', async () => {
  const work = records.system(async (tx) => {
    await sql`insert into exchange_rate values ('SEK', '2026-11-20', 0.68, 'test', now())`.execute(tx)
    await sql`select 1 / 0`.execute(tx).catch(() => {})
  })
  await expect(work).rejects.toThrow('Nothing was committed')
  const rates = await storedRows(records, 'exchange_rate', {}, ['currency'])
  expect(rates.map(({ currency }) => currency)).not.toContain('SEK')
})

test('a table that another process changes costs no call, also on the other connections of the pool', async () => {
  await records.script(
    'create table changing (a int); grant select on changing to gridmast_system; insert into changing values (1)',
  )
  const read = () =>
    records.system(async (tx) => {
      const { rows } = await sql`select * from changing where a = ${1}`.execute(tx)
      return rows
    })
  const readOnEach = () => Promise.all([1, 2, 3].map(read))
  expect(await readOnEach()).toEqual([[{ a: 1 }], [{ a: 1 }], [{ a: 1 }]])
  for (const [column, row] of [
    ['b', { a: 1, b: null }],
    ['c', { a: 1, b: null, c: null }],
  ] as const) {
    await records.script(`alter table changing add column ${column} text`)
    expect(await readOnEach()).toEqual([[row], [row], [row]])
  }
  await records.script('drop table changing')
})

test('a nested transaction is refused at once', async () => {
  const id = '018f0000-0000-7000-8000-000000000000'
  const outer: [string, (work: () => Promise<unknown>) => Promise<unknown>][] = [
    ['system', (work) => records.system(work)],
    ['tenant', (work) => records.tenant(id, work)],
  ]
  const inner: [string, () => Promise<unknown>][] = [
    ['system', () => records.system(() => Promise.resolve())],
    ['tenant', () => records.tenant(id, () => Promise.resolve())],
    ['owner', () => records.owner((db) => sql`select 1`.execute(db))],
    ['script', () => records.script('select 1')],
  ]
  for (const [, begin] of outer)
    for (const [name, nested] of inner)
      await expect(begin(nested), name).rejects.toThrow('outside of the open transaction')
  expect(await records.system(() => Promise.resolve('served'))).toBe('served')
})

test('work started in a transaction may open its own one after its end', async () => {
  const ended = Promise.withResolvers<void>()
  let later: Promise<string> | undefined
  await records.system(async () => {
    later = ended.promise.then(() => records.system(() => Promise.resolve('served')))
  })
  ended.resolve()
  expect(await later).toBe('served')
  const both = await Promise.all([1, 2].map((n) => records.system(() => Promise.resolve(n))))
  expect(both).toEqual([1, 2])
})

test('a connection keeps at most 400 prepared statements', async () => {
  const { held, again } = await records.system(async (tx) => {
    for (let n = 1; n <= 450; n++) {
      const list = sql.join(Array.from({ length: n }, (_, i) => sql`${i}::int`))
      await sql`select 1 where 1 in (${list})`.execute(tx)
    }
    const kept = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(tx)
    const first = await sql<{ one: number }>`select 1 as one where 1 in (${sql.join([sql`${1}::int`])})`.execute(tx)
    return { held: kept.rows[0]?.count, again: first.rows }
  })
  expect(held).toBe(400)
  expect(again).toEqual([{ one: 1 }])
})

test('a refused statement can be evicted', async () => {
  await expect(records.system((tx) => sql`select * from nowhere where a = ${1}`.execute(tx))).rejects.toThrow('nowhere')
  await records.system(async (tx) => {
    for (let n = 1; n <= 401; n++) await sql`select ${n}::int, ${sql.raw(String(n))}`.execute(tx)
  })
})

const onServer = test.skipIf(!process.env['TEST_DATABASE_URL'])

onServer('a server ends what takes too long; work that holds a lock of its own may', async () => {
  const settings = (tx: Parameters<Parameters<Records['system']>[0]>[0]) =>
    sql<{ name: string; setting: string }>`
      select name, setting from pg_settings where name in ('statement_timeout', 'idle_in_transaction_session_timeout')
      order by name`
      .execute(tx)
      .then(({ rows }) => rows.map(({ setting }) => Number(setting)))
  expect(await records.system(settings)).toEqual([60_000, 60_000])
  expect(await records.alone(1, settings)).toEqual([0, 0])
})
