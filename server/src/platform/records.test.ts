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
