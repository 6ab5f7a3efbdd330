import * as tagCalls from '@gridmast/contract/charging/tags.ts'
import * as sessionCalls from '@gridmast/contract/charging/sessions.ts'
import * as contract from '@gridmast/contract/charging/ev-charging.ts'
import { registerCharger, removeCharger } from '@gridmast/contract/charging/chargers.ts'
import { m } from '@gridmast/contract/messages.ts'
import { today } from '@gridmast/contract/time.ts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { sql } from 'kysely'
import { idOf, newId } from '#platform/records/ids.ts'
import type { TestApp } from '#testing/app.ts'
import { changeRows, storedRow } from '#testing/rows.ts'
import { type Bench, iso, openBench } from '#charging/ledger/charger.fixture.ts'
import { tables } from '#charging/chargers/registration.ts'

let bench: Bench
let app: TestApp
let token: string
beforeAll(async () => {
  bench = await openBench(['one', 'two', 'new', 'phased'], [{ tag: 'ANNA' }])
  app = bench.app
  token = await app.tokenOf('sudoer@north.example')
})
afterEach(() => bench.hangUp())
afterAll(() => bench.close())

const choose = (oneSession: boolean) => app.ask(tagCalls.saveChargingChoice, { token, body: { oneSession } })
const begin = { connectorId: 1, idTag: 'ANNA', meterStart: 0 }
const status = ({ payload }: { payload: Record<string, unknown> }) => payload['idTagInfo']

test('C4 with one session per tag a second session of a tag is ConcurrentTx, except for a replay', async () => {
  expect(await app.data(tagCalls.getChargingChoice, { token })).toEqual({ oneSession: false })
  const [one, two] = [await bench.connect('one'), await bench.connect('two')]
  await one.boot()
  await two.boot()
  const { payload } = await one.call('StartTransaction', { ...begin, timestamp: iso(5) })
  expect(status(await two.call('Authorize', { idTag: 'ANNA' }))).toEqual({ status: 'Accepted' })
  expect((await choose(true)).body.message).toBe(m.settingSaved)
  expect(status(await two.call('Authorize', { idTag: 'anna' }))).toMatchObject({ status: 'ConcurrentTx' })
  expect(status(await one.call('Authorize', { idTag: 'ANNA' }))).toMatchObject({ status: 'Accepted' })
  const elsewhere = await two.call('StartTransaction', { ...begin, timestamp: iso(0) })
  expect(status(elsewhere)).toMatchObject({ status: 'ConcurrentTx' })
  const second = await one.call('StartTransaction', { ...begin, connectorId: 2, timestamp: iso(0) })
  expect(status(second)).toMatchObject({ status: 'ConcurrentTx' })
  const replayed = await two.call('StartTransaction', { ...begin, timestamp: iso(3600) })
  expect(status(replayed)).toMatchObject({ status: 'Accepted' })
  const stop = { meterStop: 10, timestamp: iso(0) }
  await two.call('StopTransaction', { ...stop, transactionId: replayed.payload['transactionId'] })
  await one.call('StopTransaction', { ...stop, transactionId: payload['transactionId'] })
  expect(status(await two.call('Authorize', { idTag: 'ANNA' }))).toMatchObject({ status: 'Accepted' })
  await choose(false)
  expect(await app.trail('charging-choice.save')).toHaveLength(2)
})

test('C3 a tag that is switched off reports its running sessions, and each is stopped with the answer of its charger', async () => {
  const [one, two] = [await bench.connect('one'), await bench.connect('two')]
  await one.boot()
  await two.boot()
  await one.call('StartTransaction', { ...begin, timestamp: iso(5) })
  await two.call('StartTransaction', { ...begin, timestamp: iso(4) })
  const [page] = await app.data(tagCalls.findChargerTags, { token })
  const params = { id: page?.tags[0]?._id ?? '' }
  const saved = await app.ask(tagCalls.saveChargerTag, { token, params, body: { action: false } })
  expect(saved.body.data.running).toBe(2)
  await two.close()
  await expect.poll(() => storedRow(app.records, 'charger', { identity: 'two' }, ['online'])).toEqual({ online: false })
  expect((await app.data(sessionCalls.stopTagSessions, { token, params })).stops).toEqual([
    { chargerName: 'one', connectorId: 1, status: 'Accepted', accepted: true },
    { chargerName: 'two', connectorId: 1, status: m.chargerOffline, accepted: false },
  ])
  expect(one.asked.some(({ action }) => action === 'RemoteStopTransaction')).toBe(true)
  const { group } = await app.data(tagCalls.addChargerTagGroup, { token, body: { name: 'Vans', action: true } })
  await app.ask(tagCalls.saveChargerTag, { token, params, body: { groupId: group._id, action: true } })
  const off = { token, params: { id: group._id }, body: { action: false } }
  expect((await app.data(tagCalls.saveChargerTagGroup, off)).running).toBe(2)
  const stopped = await app.ask(sessionCalls.stopGroupSessions, { token, params: { id: group._id } })
  expect(stopped.body.data.stops.map(({ chargerName }) => chargerName)).toEqual(['one', 'two'])
})

test('C4 a registered charger without sessions or payments is removed with its data; a provisioned one is kept', async () => {
  const body = { identity: 'MISTAKE', name: 'Mistake', chargerType: 'AC' as const, connectors: 1, maxKw: 22 }
  const made = await app.data(registerCharger, { token, body })
  const known = { password: made.secret, path: made.path }
  const charger = await vi.waitFor(() => bench.connect('MISTAKE', known), { timeout: 30_000, interval: 200 })
  await charger.boot()
  await charger.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' })
  const params = { id: made._id }
  expect((await app.ask(removeCharger, { token, params })).body.message).toBe(m.chargerRemoved)
  await charger.closed
  await expect(bench.connect('MISTAKE', known)).rejects.toThrow('404')
  expect((await app.ask(removeCharger, { token, params })).status).toBe(404)
  const ours = (identity: string) => ({ token, params: { id: idOf('charger', 'north', identity) } })
  const provisioned = await app.ask(removeCharger, ours('new'))
  expect([provisioned.status, provisioned.body.message]).toEqual([409, m.chargerProvisioned])
  await changeRows({ system: app.byHand }, 'charger', {}, { registered_by: idOf('user', 'north', 'x') })
  const used = await app.ask(removeCharger, ours('one'))
  expect([used.status, used.body.message]).toEqual([409, m.chargerHasSessions])
  await app.byHand(async (tx) => {
    const own = { customer_id: idOf('customer', 'north'), charger_id: idOf('charger', 'north', 'phased'), evse_no: 1 }
    const at = new Date()
    const payment = { payment_id: newId(), user_id: newId(), state: 'failed', reserved_ore: 100, simulated: false }
    await tx
      .insertInto('payment')
      .values({ ...own, ...payment, created_at: at, changed_at: at })
      .execute()
  })
  const paid = await app.ask(removeCharger, ours('phased'))
  expect([paid.status, paid.body.message]).toEqual([409, m.chargerHasPayments])
  // A new table that refers to chargers must be listed here too.
  const referring = await app.records.system((tx) =>
    sql<{ name: string }>`select conrelid::regclass::text as name from pg_constraint
      where confrelid = 'charger'::regclass and contype = 'f' and confdeltype = 'a'`.execute(tx),
  )
  expect([...tables, 'charger_transaction', 'payment']).toEqual(
    expect.arrayContaining(referring.rows.map(({ name }) => name)),
  )
})

test('power by phase is a separate series next to the total', async () => {
  const charger = await bench.connect('phased')
  await charger.boot()
  const watt = (value: string, phase: string) => ({ value, phase, measurand: 'Power.Active.Import', unit: 'W' })
  const sampledValue = [watt('2300', 'L1'), watt('2310', 'L2'), watt('2290', 'L3')]
  const timestamp = iso(0)
  await charger.call('MeterValues', { connectorId: 1, meterValue: [{ timestamp, sampledValue }] })
  const query = { chargerId: idOf('charger', 'north', 'phased'), date: today(Date.parse(timestamp)) }
  const day = await app.ask(contract.chargerOverview, { token, query })
  expect(day.body.data.powerData).toMatchObject([
    { name: 'Power', y: [6.9] },
    { name: 'L1', unit: 'kW', y: [2.3] },
    { name: 'L2', y: [2.31] },
    { name: 'L3', y: [2.29] },
  ])
})
