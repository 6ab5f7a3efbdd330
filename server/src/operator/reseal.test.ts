import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { secretOf } from '#platform/security/secret.ts'
import { openTestApp } from '#testing/app.ts'
import { makeOneOfEach } from '#testing/one-of-each.ts'
import { reseal, sealedColumns } from './reseal.ts'

const app = await openTestApp()
afterAll(() => app.close())

const testKey = 'the secret of a test installation'
const nextKey = 'the next secret of a test installation'

const run = async (secret = secretOf(nextKey, testKey)) => {
  const lines = []
  for await (const line of reseal({ records: app.records, secret })) lines.push(line)
  return lines
}

const sealedIn = (table: string, column: string) =>
  app.records.system(async (tx) => {
    const { rows } = await sql<{ sealed: Buffer }>`
      select ${sql.ref(column)} as sealed from ${sql.table(table)} where ${sql.ref(column)} is not null
    `.execute(tx)
    return rows.map(({ sealed }) => sealed)
  })

test('each sealed column of the schema is in the list', async () => {
  const { rows } = await app.records.system((tx) =>
    sql<{ at: string }>`
      select table_name || '.' || column_name as at from information_schema.columns
      where data_type = 'bytea' and column_name like '%\\_sealed' order by 1
    `.execute(tx),
  )
  const listed = Object.entries(sealedColumns).flatMap(([table, columns]) => columns.map((name) => `${table}.${name}`))
  expect(listed.toSorted()).toEqual(rows.map(({ at }) => at))
})

test('after a rotation the next key alone opens every secret, and a second run changes none', async () => {
  await makeOneOfEach(app)
  await app.records.system(async (tx) => {
    await tx
      .updateTable('app_user')
      .set({ totp_sealed: app.secret.seal('JBSWY3DP') })
      .execute()
    await tx
      .updateTable('payment_account')
      .set({ client_secret_sealed: app.secret.seal('client'), subscription_key_sealed: app.secret.seal('key') })
      .execute()
    await sql`
      insert into connector_token (source, refresh_sealed, refresh_sha256, access_sealed)
      values ('a', ${app.secret.seal('refresh')}, '', ${app.secret.seal('access')})
    `.execute(tx)
  })
  const lines = await run()
  expect(lines.filter(({ isError }) => isError)).toEqual([])
  expect(lines.map(({ text }) => text)).toContain('connector_token.refresh_sealed: 1 resealed')
  const next = secretOf(nextKey)
  for (const [table, columns] of Object.entries(sealedColumns))
    for (const column of columns) for (const sealed of await sealedIn(table, column)) next.unseal(sealed)
  const [totp] = await sealedIn('app_user', 'totp_sealed')
  expect(next.unseal(totp ?? Buffer.alloc(0))).toBe('JBSWY3DP')
  expect((await run()).map(({ text }) => text)).toEqual(
    Object.entries(sealedColumns).flatMap(([table, columns]) => columns.map((name) => `${table}.${name}: 0 resealed`)),
  )
})

test('a secret under a third key stays as it is and is reported', async () => {
  const sealed = secretOf('a third key').seal('refresh')
  await app.records.system((tx) => sql`update connector_token set refresh_sealed = ${sealed}`.execute(tx))
  expect(await run()).toContainEqual({
    text: 'connector_token.refresh_sealed: 0 resealed, 1 sealed under a key that is not accepted',
    isError: true,
  })
  expect(await sealedIn('connector_token', 'refresh_sealed')).toEqual([sealed])
})

test('a refused update ends the run, and no secret counts as unreadable', async () => {
  await app.records.owner((db) =>
    sql`alter table connector_token add constraint refused check (source = '' or refresh_sealed is null) not valid`.execute(
      db,
    ),
  )
  await expect(run(secretOf(nextKey, 'a third key'))).rejects.toThrow('violates check constraint "refused"')
})
