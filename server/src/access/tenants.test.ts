import { calls } from '@gridmast/contract/calls.ts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { makeOneOfEach } from '#testing/one-of-each.ts'
import { idPositions, walkTenantMatrix } from '#testing/tenant-matrix.ts'

const app = await openTestApp()
afterAll(() => app.close())

const oneOfEach = () => makeOneOfEach(app)

test('T1 T2 every table of customers forces row-level security and leads its keys with the customer', async () => {
  const tables = await app.records.system(
    async (tx) =>
      (
        await sql<{ name: string; forced: boolean; policies: number; keys: string[]; loose: number }>`
          select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced,
            (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies,
            (select array_agg(a2.attname::text order by i.indexrelid) from pg_index i
               join pg_attribute a2 on a2.attrelid = c.oid and a2.attnum = i.indkey[0]
               where i.indrelid = c.oid and i.indisprimary) as keys,
            (select count(*)::int from pg_constraint f
               join pg_attribute own on own.attrelid = f.confrelid and own.attname = 'customer_id'
               where f.conrelid = c.oid and f.contype = 'f' and not own.attnum = any (f.confkey)) as loose
          from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'customer_id'
          where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`.execute(tx)
      ).rows,
  )
  expect(tables.length).toBeGreaterThan(12)
  // The outbox also has mail to the operator, without a customer.
  expect(tables.filter(({ name, keys }) => keys[0] !== 'customer_id' && name !== 'outbox')).toEqual([])
  expect(tables.filter(({ forced, policies, loose }) => !forced || policies !== 2 || loose > 0)).toEqual([])
})

test('T2 a tenant sees its own rows only, in every table, and none without a tenant', async () => {
  await oneOfEach()
  const tables = await app.records.system(
    async (tx) =>
      (
        await sql<{ name: string }>`select table_name as name from information_schema.columns
          where table_schema = 'public' and column_name = 'customer_id'`.execute(tx)
      ).rows,
  )
  const { customer_id } = await app.records.system((tx) =>
    tx.selectFrom('customer').select('customer_id').where('key', '=', 'north').executeTakeFirstOrThrow(),
  )
  for (const { name } of tables) {
    const seen = await app.records.tenant(
      customer_id,
      async (tx) =>
        (await sql<{ id: string }>`select distinct customer_id as id from ${sql.table(name)}`.execute(tx)).rows,
    )
    expect(
      seen.filter(({ id }) => id !== customer_id),
      name,
    ).toEqual([])
    const nobody = await app.records.tenant(
      '',
      async (tx) => (await sql`select 1 from ${sql.table(name)} limit 1`.execute(tx)).rows,
    )
    expect(nobody, name).toEqual([])
  }
})

test('T4 no call tells another customer’s id from an unknown one, nor changes anything for it', async () => {
  expect(Object.values(calls).flatMap(idPositions).length).toBeGreaterThan(5)
  expect(await walkTenantMatrix(app, calls, oneOfEach)).toEqual([])
}, 600_000)
