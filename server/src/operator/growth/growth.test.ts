import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { erasePerson } from '#operator/people-data/erase-person.ts'
import { verifyChain, writeAudit } from '#platform/records/audit.ts'
import { newId } from '#platform/records/ids.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { makeOneOfEach } from '#testing/one-of-each.ts'
import { applyRetention, inBatches } from './retention.ts'
import { tableGrowth } from './table-growth.ts'

let app: TestApp
beforeEach(async () => {
  app = await openTestApp()
})
afterEach(() => app.close())

const settings = (more: Record<string, string> = {}) => readConfig({ DATA_DIR: '/nowhere', DEMO: 'off', ...more })
const now = Date.UTC(2030, 5, 15, 12)
const ago = (days: number) => new Date(now - days * dayMs)
const own = (statement: ReturnType<typeof sql>) => app.records.owner((db) => statement.execute(db))
const countOf = async (table: string) => {
  const { rows } = await app.records.owner((db) =>
    sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(db),
  )
  return rows[0]?.count ?? 0
}
const north = () =>
  app.records.system((tx) =>
    tx.selectFrom('customer').select('customer_id').where('key', '=', 'north').executeTakeFirstOrThrow(),
  )

test('each table has a bound, and docs/operations/growth.md lists it', async () => {
  const { rows } = await app.records.owner((db) =>
    sql<{
      name: string
    }>`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(db),
  )
  expect(Object.keys(tableGrowth).toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  const text = await readFile(join(import.meta.dirname, '../../../../docs/operations/growth.md'), 'utf8')
  const documented = new Map<string, string>()
  for (const [, bound = '', tables = ''] of text.matchAll(/^\| ([^|]+?) \|[^|]*\| ((?:`\w+`(?:, )?)+) \|$/gm))
    for (const [, table = ''] of tables.matchAll(/`(\w+)`/g)) documented.set(table, bound.replaceAll('`', ''))
  expect(Object.fromEntries(documented)).toEqual(tableGrowth)
})

test('with a moved clock: what is older than its setting goes, the rest and what money depends on stays', async () => {
  await makeOneOfEach(app)
  const { customer_id } = await north()
  const { instance_id } = await app.records.system((tx) =>
    tx
      .selectFrom('alert_trigger')
      .select('instance_id')
      .where('customer_id', '=', customer_id)
      .executeTakeFirstOrThrow(),
  )
  const { charger_id } = await app.records.system((tx) =>
    tx.selectFrom('charger').select('charger_id').where('customer_id', '=', customer_id).executeTakeFirstOrThrow(),
  )
  const addMessage = (at: Date) =>
    own(sql`insert into charger_message (customer_id, charger_id, natural_key, message_id, generation, received_at, effective_at, answer)
      values (${customer_id}, ${charger_id}, ${newId()}, 'm', 1, ${at}, ${at}, '{}')`)
  await own(sql`delete from charger_message`)
  await addMessage(ago(401))
  await addMessage(ago(399))
  const addCommand = (at: Date) =>
    own(
      sql`insert into command_log (customer_id, instance_id, device_id, at, command) values (${customer_id}, ${instance_id}, ${instance_id}, ${at}, 'x')`,
    )
  await addCommand(ago(731))
  await addCommand(ago(729))
  await own(sql`update alert_trigger set triggered_at = ${ago(731)} where customer_id = ${customer_id}`)
  await own(sql`update sold_risk set ends_at = ${ago(731)} where customer_id = ${customer_id}`)
  const addRegister = (at: Date) =>
    own(
      sql`insert into charger_register (customer_id, charger_id, evse_no, at, context, wh) values (${customer_id}, ${charger_id}, 1, ${at}, 'x', 1)`,
    )
  await own(sql`delete from charger_register`)
  await addRegister(ago(3000))
  const before = { revisions: await countOf('settlement_revision'), triggers: await countOf('alert_trigger') }
  const removed = await applyRetention(app, settings(), now)
  expect(removed).toMatchObject({ charger_message: 1, command_log: 1 })
  expect(await countOf('charger_message')).toBe(1)
  expect(await countOf('alert_trigger')).toBeLessThan(before.triggers)
  expect(await countOf('charger_register')).toBe(1)
  expect(await countOf('settlement_revision')).toBe(before.revisions)
  expect(removed).not.toHaveProperty('settlement_revision')
  await applyRetention(app, settings({ RETENTION_REGISTERS_DAYS: '400', RETENTION_REVISIONS_DAYS: '400' }), now)
  expect(await countOf('charger_register')).toBe(0)
  expect(await countOf('settlement_revision')).toBe(0)
})

test('RETENTION_SESSIONS_DAYS: sessions stay, the tags that charged are forgotten', async () => {
  await makeOneOfEach(app)
  const { customer_id } = await north()
  const { charger_id } = await app.records.system((tx) =>
    tx.selectFrom('charger').select('charger_id').where('customer_id', '=', customer_id).executeTakeFirstOrThrow(),
  )
  const add = (endedAt: Date) =>
    own(sql`insert into charger_transaction (customer_id, transaction_id, charger_id, tag, mode, state, started_at, ended_at, consumption_wh)
      values (${customer_id}, ${newId()}, ${charger_id}, 'T1', 'tag', 'ended', ${endedAt}, ${endedAt}, 5)`)
  await add(ago(201))
  await add(ago(199))
  const sessions = await countOf('charger_transaction')
  await applyRetention(app, settings({ RETENTION_SESSIONS_DAYS: '200' }), now)
  expect(await countOf('charger_transaction')).toBe(sessions)
  const kept = await app.records.system((tx) =>
    tx
      .selectFrom('charger_transaction')
      .select(['tag', 'ended_at', 'consumption_wh'])
      .where('ended_at', '<', ago(198))
      .where('ended_at', '>', ago(202))
      .orderBy('ended_at')
      .execute(),
  )
  expect(kept.map(({ tag, consumption_wh }) => [tag, Number(consumption_wh)])).toEqual([
    [null, 5],
    ['T1', 5],
  ])
})

test('C4 RETENTION_AUDIT_DAYS: the trail begins later and stays whole, also after an erasure; a forged beginning breaks it', async () => {
  const { customer_id } = await north()
  await own(sql`delete from audit_entry`)
  const add = (at: Date, who: string) =>
    app.records.tenant(customer_id, (tx) =>
      writeAudit(tx, customer_id, at.getTime(), { who, action: 'prices.tax', subject: 'x' }),
    )
  for (let n = 0; n < 5; n++) await add(ago(800 - n), 'expert@north.example')
  for (let n = 0; n < 3; n++) await add(ago(20 - n), 'expert@north.example')
  for await (const _ of erasePerson({ ...app, clock: { now: () => now } }, 'expert@north.example', { dryRun: false }));
  const { newest } = await verifyChain(app.records, customer_id)
  expect(await applyRetention(app, settings({ RETENTION_AUDIT_DAYS: '365' }), now)).toMatchObject({ audit_entry: 5 })
  const after = await verifyChain(app.records, customer_id)
  expect(after).toMatchObject({ firstBroken: null, entries: 5 })
  expect(await applyRetention(app, settings({ RETENTION_AUDIT_DAYS: '365' }), now)).toMatchObject({ audit_entry: 0 })
  expect(await verifyChain(app.records, customer_id)).toEqual(after)
  expect((await app.trail('customer.trail-cut')).map(({ subject, after: of }) => [subject, of])).toEqual([
    ['2029-06-01', { upTo: 5, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
  ])
  const stored = await app.records.system((tx) =>
    tx
      .selectFrom('audit_entry')
      .select('sha256')
      .orderBy('entry_no', 'desc')
      .offset(1)
      .limit(1)
      .executeTakeFirstOrThrow(),
  )
  expect(Buffer.from(stored.sha256).toString('hex')).toBe(newest)
  await own(sql`delete from audit_entry where customer_id = ${customer_id} and entry_no = 6`)
  expect(await verifyChain(app.records, customer_id)).toMatchObject({ firstBroken: 7 })
  await own(
    sql`update audit_anchor set entry_no = 6, sha256 = (select previous_sha256 from audit_entry where entry_no = 7 and customer_id = ${customer_id})`,
  )
  expect(await verifyChain(app.records, customer_id)).toEqual({ entries: 0, firstBroken: 1, newest: null })
})

test('rows are changed in batches whose size follows their duration', async () => {
  const sizes: number[] = []
  let left = 12_000
  const total = await inBatches(async (rows) => {
    sizes.push(rows)
    const taken = Math.min(rows, left)
    left -= taken
    return taken
  })
  expect(total).toBe(12_000)
  expect(sizes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 5000])
})
