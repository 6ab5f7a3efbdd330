import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { notifications, saveMutes } from '@gridmast/contract/notifications/triggered.ts'
import * as contract from '@gridmast/contract/charging/tags.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import { connectCharger, openBench } from '#charging/ledger/charger.fixture.ts'
import { followSpending } from './spending.ts'
import { insertRow } from '#platform/records/rows.ts'
import { addRows, changeRows, storedRow, storedRows } from '#testing/rows.ts'

const customerId = idOf('customer', 'north')
const chargerId = idOf('charger', 'north', 'B1')
const bench = await openBench(['B1'], [{ tag: 'VAN1' }, { tag: 'VAN2' }])
afterAll(() => bench?.close())

const ids = async () => {
  const rows = await storedRows(bench.app.records, 'charger_tag', { customer_id: customerId }, ['tag', 'tag_id'])
  return new Map(rows.map(({ tag, tag_id }) => [tag, tag_id]))
}
const tagId = async (tag: string) => (await ids()).get(tag) ?? ''

const sudoer = () => bench.app.tokenOf('sudoer@north.example')
const save = async (tag: string, body: object) =>
  bench.app.ask(contract.saveChargerTag, { token: await sudoer(), params: { id: await tagId(tag) }, body })
const shown = async (tag: string) =>
  (await bench.app.data(contract.getChargerTag, { token: await sudoer(), params: { id: await tagId(tag) } })).tag.budget

const charged = async (tag: string, from: string, dkk: string | null, { wh = 1000, running = false } = {}) => {
  const transaction_id = newId()
  const tag_id = await tagId(tag)
  await bench.app.records.system(async (tx) => {
    const end = running ? {} : { ended_at: new Date(Date.parse(from) + 3_600_000), consumption_wh: String(wh) }
    await insertRow(tx, customerId, 'charger_transaction', {
      transaction_id,
      charger_id: chargerId,
      evse_no: 1,
      mode: 'tag',
      tag,
      tag_id,
      state: running ? 'active' : 'ended',
      started_at: new Date(from),
      meter_start_wh: '0',
      ...end,
    }).execute()
    await insertRow(tx, customerId, 'charging_cost', {
      transaction_id,
      from_at: new Date(from),
      wh: [wh],
      spread: false,
      unknown: 'price',
      driver_dkk: dkk,
    }).execute()
  })
  return transaction_id
}
const mails = () => storedRows(bench.app.records, 'mail_outbox', {}, ['recipient', 'subject'], ['created_at'])
const addCost = (transactionId: string, dkk: string) =>
  changeRows(bench.app.records, 'charging_cost', { transaction_id: transactionId }, { driver_dkk: dkk })
const look = () => followSpending(bench.app)

beforeEach(async () => {
  await bench.app.records.system(async (tx) => {
    await tx.deleteFrom('charging_stop').execute()
    await tx.deleteFrom('charging_budget_notice').execute()
    await tx.deleteFrom('charging_cost').execute()
    await tx.deleteFrom('charger_transaction').execute()
    await tx.deleteFrom('outbox').execute()
    await tx.updateTable('charger_tag').set({ budget_dkk: null, budget_kwh: null, group_id: null }).execute()
  })
})

const isOnline = () => storedRow(bench.app.records, 'charger', {}, ['online'])
const stops = () =>
  bench.app.records.system((tx) =>
    tx
      .selectFrom('charging_stop as s')
      .innerJoin('charger_command as c', 'c.transaction_id', 's.transaction_id')
      .select(['s.transaction_id', 's.reason', 'c.action'])
      .execute(),
  )

// First in the file: the wait for a charger's answer uses the machine's clock.
test('a running session is stopped once when its budget is spent', async () => {
  const asked: string[] = []
  const charger = await connectCharger(bench.door.port, 'B1', {
    onAsked: ({ action }) => {
      asked.push(action)
      return { status: 'Accepted' }
    },
  })
  await charger.boot()
  await expect.poll(isOnline).toEqual({ online: true })
  await save('VAN1', { budgetDkk: '5' })
  await charged('VAN1', new Date().toISOString(), '5', { running: true })
  await charged('VAN2', new Date().toISOString(), '5', { running: true })
  await look()
  const isStop = (action: string) => action === 'RemoteStopTransaction'
  await expect.poll(() => asked.filter(isStop)).toHaveLength(1)
  await look()
  expect(await stops()).toHaveLength(1)
  await charger.close()
  expect(asked.filter(isStop)).toHaveLength(1)
})

test('the example of budgets.md: one warning at 80 %, one notice at 100 %, and the running session is stopped once', async () => {
  const page = readFileSync(join(import.meta.dirname, './budgets.md'), 'utf8')
  for (const figure of ['500 DKK', '310.40', '89.59', '399.99 is 79 %', '400.00 is 80 %'])
    expect(page).toContain(figure)
  bench.app.setNow('2026-11-20T12:00:00Z')
  expect((await save('VAN1', { budgetDkk: '500' })).status).toBe(200)
  await charged('VAN1', '2026-11-02T08:00:00Z', '310.40')
  await charged('VAN1', '2026-11-03T08:00:00Z', '89.59')
  expect(await shown('VAN1')).toMatchObject({ spentDkk: '399.99', percent: 79, state: 'within', warnPercent: 80 })
  await look()
  expect(await mails()).toEqual([])

  const charger = await connectCharger(bench.door.port, 'B1')
  await charger.boot()
  await expect.poll(isOnline).toEqual({ online: true })
  const running = await charged('VAN1', '2026-11-20T11:00:00Z', '0.01', { running: true })
  expect(await shown('VAN1')).toMatchObject({ spentDkk: '400.00', percent: 80, state: 'warned' })
  await look()
  await look()
  expect(await mails()).toMatchObject([
    { recipient: 'sudoer@north.example', subject: '80 % of the charging budget of VAN1 is spent' },
  ])
  expect((await charger.call('Authorize', { idTag: 'VAN1' })).payload).toMatchObject({
    idTagInfo: { status: 'Accepted' },
  })

  bench.app.setNow('2026-11-20T12:01:00Z')
  await addCost(running, '100.01')
  await look()
  expect(await stops()).toEqual([{ transaction_id: running, reason: 'budget', action: 'stop' }])
  await look()
  expect((await mails()).map(({ subject }) => subject)).toEqual([
    '80 % of the charging budget of VAN1 is spent',
    'Charging budget of VAN1 is spent',
  ])
  expect((await charger.call('Authorize', { idTag: 'VAN1' })).payload).toMatchObject({
    idTagInfo: { status: 'Blocked' },
  })
  expect((await charger.call('Authorize', { idTag: 'VAN2' })).payload).toMatchObject({
    idTagInfo: { status: 'Accepted' },
  })
  expect(await stops()).toHaveLength(1)

  await save('VAN1', { budgetDkk: '900' })
  expect((await charger.call('Authorize', { idTag: 'VAN1' })).payload).toMatchObject({
    idTagInfo: { status: 'Accepted' },
  })
  await save('VAN1', { budgetDkk: '450' })
  expect((await charger.call('Authorize', { idTag: 'VAN1' })).payload).toMatchObject({
    idTagInfo: { status: 'Blocked' },
  })
  bench.app.setNow('2026-11-30T23:00:00Z')
  expect((await charger.call('Authorize', { idTag: 'VAN1' })).payload).toMatchObject({
    idTagInfo: { status: 'Accepted' },
  })
  await charger.close()
})

test('C4 a budget notice is in the bell and posted once, except for a muted user and another company', async () => {
  bench.app.setNow('2026-11-20T12:00:00Z')
  await addRows(bench.app.records, 'webhook', {
    customer_id: customerId,
    webhook_id: newId(),
    name: 'books',
    url: 'https://books.example',
    secret_sealed: Buffer.from('sealed'),
    events: ['charging-budget'],
    enabled: true,
    created_at: new Date(),
  })
  await save('VAN1', { budgetDkk: '100' })
  const running = await charged('VAN1', '2026-11-20T11:00:00Z', '85', { running: true })
  const bell = async (email: string) => await bench.app.data(notifications, { token: await bench.app.tokenOf(email) })
  await look()
  await look()
  const warned = { scope: 'tag', name: 'VAN1', state: 'warned', triggerTime: '2026-11-20T12:00:00.000Z' }
  expect(await bell('auditor@north.example')).toEqual({ totalCount: 1, latestData: [], budgets: [warned] })
  expect(await bell('sudoer@west.example')).toMatchObject({ totalCount: 0, budgets: [] })
  bench.app.setNow('2026-11-20T12:10:00Z')
  await addCost(running, '100')
  await look()
  expect((await bell('auditor@north.example')).budgets).toMatchObject([{ state: 'spent' }, { state: 'warned' }])
  const mutes = [{ startTime: '13:05', endTime: '13:15' }]
  await bench.app.ask(saveMutes, { token: await bench.app.tokenOf('auditor@north.example'), body: { mutes } })
  expect((await bell('auditor@north.example')).budgets).toEqual([warned])
  expect((await bell('sudoer@north.example')).totalCount).toBe(2)
  const posted = await storedRows(bench.app.records, 'outbox', { kind: 'webhook' }, ['payload'], ['outbox_id'])
  expect(posted.map(({ payload }) => payload)).toMatchObject([
    { data: { scope: 'tag', name: 'VAN1', month: '2026-11', state: 'warned', percent: 85, budgetDkk: '100.00' } },
    { data: { state: 'spent', percent: 100, spentDkk: '100.00', budgetKwh: null } },
  ])
  await bench.app.records.system((tx) => tx.deleteFrom('webhook').execute())
})

test('the budget of a group counts the sessions of all its tags, in kWh as in DKK', async () => {
  bench.app.setNow('2026-11-20T12:00:00Z')
  const token = await sudoer()
  const made = await bench.app.ask(contract.addChargerTagGroup, {
    token,
    body: { name: 'Vans', action: true, budgetKwh: '30', warnPercent: 50 },
  })
  const { group } = made.body.data
  for (const tag of ['VAN1', 'VAN2']) await save(tag, { groupId: group._id })
  await charged('VAN1', '2026-11-02T08:00:00Z', '10', { wh: 14_000 })
  await charged('VAN2', '2026-11-03T08:00:00Z', null, { wh: 16_000 })
  await look()
  const { groups } = await bench.app.data(contract.findChargerTagGroups, { token: await sudoer() })
  expect(groups[0]?.budget).toMatchObject({
    spentKwh: '30.000',
    spentDkk: '10.00',
    kwhWithoutCost: '16.000',
    percent: 100,
    state: 'spent',
  })
  const charger = await connectCharger(bench.door.port, 'B1')
  for (const idTag of ['VAN1', 'VAN2'])
    expect((await charger.call('Authorize', { idTag })).payload).toMatchObject({ idTagInfo: { status: 'Blocked' } })
  await charger.close()
})

test.each([
  // The first and last instants of a month that is an hour shorter, and of one that is an hour longer.
  ['March', '2026-02-28T22:59:59Z', '2026-02-28T23:00:00Z', '2026-03-31T21:59:59Z', '2026-03-31T22:00:00Z'],
  ['October', '2026-09-30T21:59:59Z', '2026-09-30T22:00:00Z', '2026-10-31T22:59:59Z', '2026-10-31T23:00:00Z'],
])('the month of %s counts the sessions that began in it by Danish time', async (_, before, first, last, after) => {
  bench.app.setNow(last)
  await save('VAN1', { budgetDkk: '100' })
  await charged('VAN1', before, '1000')
  await charged('VAN1', first, '10')
  await charged('VAN1', last, '20')
  await charged('VAN1', after, '1000')
  expect(await shown('VAN1')).toMatchObject({ spentDkk: '30.00', state: 'within' })
  bench.app.setNow(after)
  expect(await shown('VAN1')).toMatchObject({ spentDkk: '1000.00', state: 'spent' })
})

test('a late start is checked against the budget of its own time', async () => {
  bench.app.setNow('2026-11-20T12:00:00Z')
  await save('VAN1', { budgetDkk: '5' })
  await charged('VAN1', '2026-11-02T08:00:00Z', '6')
  const charger = await connectCharger(bench.door.port, 'B1')
  await charger.boot()
  const start = { connectorId: 1, idTag: 'VAN1', meterStart: 0 }
  const late = await charger.call('StartTransaction', { ...start, timestamp: '2026-11-19T08:00:00Z' })
  expect(late.payload).toMatchObject({ idTagInfo: { status: 'Accepted' } })
  const now = await charger.call('StartTransaction', { ...start, timestamp: '2026-11-20T12:00:00Z' })
  expect(now.payload).toMatchObject({ idTagInfo: { status: 'Blocked' } })
  await charger.close()
})
