import * as contract from '@gridmast/contract/charging/charging-sites.ts'
import { addChargerTagGroup } from '@gridmast/contract/charging/tags.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterAll, afterEach, expect, test } from 'vitest'
import { idOf } from '#platform/records/ids.ts'
import { changeRows } from '#testing/rows.ts'
import { addTags, type Connect, iso, openBench } from '#charging/ledger/charger.fixture.ts'

const names = ['a', 'b', 'watt', 'stubborn', 'wild', 'greedy']
const bench = await openBench([...names, { identity: 'of-west', customer: 'west' }], [{ tag: 'ANNA' }])
const { app } = bench
const token = await app.tokenOf('sudoer@north.example')
await app.byHand((tx) => tx.updateTable('charger').set({ connectors: 1 }).execute())
afterEach(() => bench.hangUp())
afterAll(() => bench.close())

const idOfCharger = (identity: string) => idOf('charger', 'north', identity)
const on = (identity: string, phases: 'L1L2L3' | 'L1' = 'L1L2L3') => ({ chargerId: idOfCharger(identity), phases })
const addSite = async (name: string, limitA: number, chargers: readonly ReturnType<typeof on>[], fallbackA = 0) => {
  return (
    await app.data(contract.addChargingSite, {
      token,
      body: { name, limitA, fallbackA, chargers: [...chargers] },
    })
  )._id
}
const connectorsOf = async (siteId: string) => {
  const { body } = await app.ask(contract.findChargingSites, { token })
  const site = body.data.sites.find(({ _id }) => _id === siteId)
  return new Map(site?.chargers.map(({ name, connectors }) => [name, connectors[0]]))
}
const held = async (siteId: string) =>
  Object.fromEntries([...(await connectorsOf(siteId))].map(([name, connector]) => [name, connector?.heldA]))

type Profile = {
  chargingProfilePurpose: string
  transactionId?: number
  stackLevel: number
  validTo?: string
  chargingSchedule: { chargingRateUnit: string; chargingSchedulePeriod: { limit: number }[] }
}
const connect = async (identity: string, answers: Record<string, object> = {}, options: Connect = {}) => {
  const profiles: Profile[] = []
  const charger = await bench.connect(identity, {
    ...options,
    onAsked: ({ action, payload }) => {
      // our own server's frames, checked by the schema
      const profile = payload['csChargingProfiles'] as Profile | undefined
      if (profile) profiles.push(profile)
      return { status: 'Accepted', ...answers[profile?.chargingProfilePurpose ?? action] }
    },
  })
  await charger.boot()
  const start = async (idTag = 'ANNA', agoS = 0) =>
    (await charger.call('StartTransaction', { connectorId: 1, idTag, meterStart: 0, timestamp: iso(agoS) })).payload
  const newest = () => profiles.findLast(({ chargingProfilePurpose }) => chargingProfilePurpose === 'TxProfile')
  return { charger, profiles, start, newest }
}

test('two chargers share a limit: a permanent fallback, expiring session limits, an increase only after a confirmed decrease', async () => {
  const siteId = await addSite('Yard', 40, [on('a'), on('b')])
  const [a, b] = [await connect('a'), await connect('b')]
  await expect.poll(() => held(siteId)).toEqual({ a: 0, b: 0 })
  expect(a.profiles[0]).toMatchObject({
    chargingProfilePurpose: 'TxDefaultProfile',
    stackLevel: 0,
    chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ limit: 0 }] },
  })
  expect(a.profiles[0]).not.toHaveProperty('validTo')
  const { transactionId } = await a.start('ANNA', 5)
  await expect.poll(() => held(siteId)).toEqual({ a: 31, b: 0 })
  expect(a.newest()).toMatchObject({ transactionId, validTo: expect.any(String) })
  await b.start()
  await expect.poll(() => held(siteId)).toEqual({ a: 20, b: 20 })
  expect(a.newest()?.chargingSchedule.chargingSchedulePeriod).toMatchObject([{ limit: 20 }])
  const steps = () =>
    b.profiles
      .filter(({ chargingProfilePurpose }) => chargingProfilePurpose === 'TxProfile')
      .map((one) => one.chargingSchedule.chargingSchedulePeriod[0]?.limit)
  await expect.poll(steps).toEqual([9, 20])
  await a.charger.call('StopTransaction', { transactionId, meterStop: 1, timestamp: iso(0) })
  await expect.poll(() => held(siteId)).toEqual({ a: 0, b: 31 })
  b.charger.socket.terminate()
  const second = await a.start()
  await expect.poll(() => held(siteId)).toEqual({ a: 9, b: 31 })
  const chart = await app.ask(contract.chargingSiteChart, { token, params: { id: siteId } })
  expect(chart.body.data.chart.slice(0, 2)).toMatchObject([{ name: 'Limit', unit: 'kW' }, { name: 'Total' }])
  await app.ask(contract.removeChargingSite, { token, params: { id: siteId } })
  await bench.door.balance()
  await expect
    .poll(() => a.charger.asked.filter(({ action }) => action === 'ClearChargingProfile'))
    .toEqual([{ action: 'ClearChargingProfile', payload: { id: 11 } }])
  await a.charger.call('StopTransaction', { transactionId: second['transactionId'], meterStop: 2, timestamp: iso(0) })
})

test('limits are in W for a charger without A, its composite schedule is read, and a tag group of higher priority is filled first', async () => {
  const { body } = await app.ask(addChargerTagGroup, { token, body: { name: 'Ambulances', action: true } })
  const groupId = body.data.group._id
  await app.ask(contract.saveGroupPriorities, { token, body: { priorities: [{ groupId, priority: 5 }] } })
  expect((await app.trail('charging-site.priority')).map(({ subject }) => subject)).toEqual(['Ambulances'])
  await addTags(app.records, [{ tag: 'FIRST', groupId }])
  const siteId = await addSite('Depot', 32, [on('a'), on('watt')])
  const watt = await connect('watt', {
    GetConfiguration: {
      configurationKey: [
        { key: 'ChargingScheduleAllowedChargingRateUnit', value: 'Power', readonly: true },
        { key: 'ChargeProfileMaxStackLevel', value: '8', readonly: true },
      ],
    },
    GetCompositeSchedule: {
      status: 'Accepted',
      chargingSchedule: { chargingRateUnit: 'W', chargingSchedulePeriod: [{ startPeriod: 0, limit: 17_250 }] },
    },
  })
  const a = await connect('a')
  await expect.poll(() => held(siteId)).toEqual({ a: 0, watt: 0 })
  await a.start('ANNA', 60)
  await watt.start('FIRST')
  await expect.poll(() => held(siteId)).toEqual({ a: 6, watt: 26 })
  expect(watt.newest()).toMatchObject({
    stackLevel: 8,
    chargingSchedule: { chargingRateUnit: 'W', chargingSchedulePeriod: [{ limit: 17_940 }] },
  })
  await expect.poll(async () => (await connectorsOf(siteId)).get('watt')?.toldA).toBe(25)
  await app.ask(contract.saveGroupPriorities, { token, body: { priorities: [{ groupId, priority: 1 }] } })
  await expect.poll(() => held(siteId)).toEqual({ a: 16, watt: 16 })
  await app.ask(contract.removeChargingSite, { token, params: { id: siteId } })
})

test('a charger that refuses session limits counts with its full power, and an exceeded limit is reported', async () => {
  const siteId = await addSite('Lot', 80, [on('stubborn'), on('wild'), on('greedy')], 6)
  const refused = { status: 'Rejected' }
  const greedy = await connect('greedy')
  await greedy.start('ANNA', 5)
  const stubborn = await connect('stubborn', { TxProfile: refused })
  const wild = await connect('wild', { TxDefaultProfile: refused, ChargePointMaxProfile: { status: 'NotSupported' } })
  await stubborn.start()
  await wild.start()
  await expect
    .poll(async () => Object.fromEntries(await connectorsOf(siteId)))
    .toMatchObject({
      wild: { controlled: false, refusal: 'Rejected' },
      stubborn: { steerable: false, refusal: 'Rejected', allowedA: null },
    })
  await expect.poll(() => held(siteId)).toEqual({ stubborn: 31, wild: 31, greedy: 18 })
  const cleared = () => stubborn.charger.asked.filter(({ action }) => action === 'ClearChargingProfile')
  await expect.poll(cleared).toEqual([{ action: 'ClearChargingProfile', payload: { id: 11 } }])
  await expect.poll(() => greedy.newest()?.chargingSchedule.chargingSchedulePeriod).toMatchObject([{ limit: 18 }])
  await expect.poll(async () => (await connectorsOf(siteId)).get('stubborn')?.controlled).toBe(false)
  const body = { chargerId: idOfCharger('stubborn'), connectorId: 1, limitA: 6, hours: 1, reason: 'Fuse' }
  const byHand = await app.ask(contract.setSiteLimit, { token, params: { id: siteId }, body })
  expect([byHand.status, byHand.body.message]).toEqual([409, m.notSteerable])
  await changeRows({ system: app.byHand }, 'charger_limit', {}, { changed_at: new Date(0) })
  const power = { value: '17250', measurand: 'Power.Active.Import', unit: 'W' }
  const meterValue = [{ timestamp: iso(0), sampledValue: [power] }]
  await greedy.charger.call('MeterValues', { connectorId: 1, meterValue })
  await bench.door.balance()
  await expect.poll(() => held(siteId)).toEqual({ stubborn: 31, wild: 31, greedy: 25 })
  expect((await connectorsOf(siteId)).get('greedy')).toMatchObject({ exceeds: true, measuredKw: 17.25 })
  const chart = await app.ask(contract.chargingSiteChart, { token, params: { id: siteId } })
  const [limit, total] = chart.body.data.chart
  expect([limit?.y.at(-1), total?.y.at(-1)]).toEqual([55.2, 17.25])
  const days = {
    start: new Date(Date.now() - 10 * 86_400_000).toISOString(),
    end: new Date(Date.now() + 60_000).toISOString(),
  }
  const long = await app.data(contract.chargingSiteChart, { token, params: { id: siteId }, query: days })
  expect([long.chart[0]?.y, long.chart[1]?.y]).toEqual([[55.2], [17.25]])
  expect(Number(long.chart[0]?.x[0]) % 3_600_000).toBe(0)
  expect(long.chart.map(({ name }) => name)).toEqual(['Limit', 'Total', 'Reserved'])
  const start = new Date(Date.now() - 100 * 86_400_000).toISOString()
  const far = { token, params: { id: siteId }, query: { ...days, start } }
  expect(await app.ask(contract.chargingSiteChart, far)).toMatchObject({
    status: 400,
    body: { errors: { end: m.tooManyDays(limits.chargerDays) } },
  })
  const transactionId = greedy.newest()?.transactionId
  await greedy.charger.call('StopTransaction', { transactionId, meterStop: 10, timestamp: iso(0) })
  await expect.poll(async () => (await connectorsOf(siteId)).get('greedy')).toMatchObject({ exceeds: false, heldA: 6 })
  await greedy.start()
  await expect.poll(() => held(siteId)).toEqual({ stubborn: 31, wild: 31, greedy: 18 })
  expect((await connectorsOf(siteId)).get('greedy')).toMatchObject({ exceeds: false, allowedA: 18 })
  await stubborn.charger.close()
  await connect('stubborn')
  await expect.poll(async () => (await connectorsOf(siteId)).get('stubborn')).toMatchObject({ steerable: true })
  await app.ask(contract.removeChargingSite, { token, params: { id: siteId } })
})

test('C4 a manual limit holds a connector until it ends, and the reserve of the house is not shared', async () => {
  const siteId = await addSite('Hand', 40, [on('a'), on('b')])
  await app.ask(contract.saveChargingSite, { token, params: { id: siteId }, body: { reserveA: 10 } })
  const [a, b] = [await connect('a'), await connect('b')]
  await a.start('ANNA', 5)
  await b.start()
  await expect.poll(() => held(siteId)).toEqual({ a: 15, b: 15 })
  const connector = { chargerId: idOfCharger('a'), connectorId: 1 }
  const params = { id: siteId }
  const body = { ...connector, limitA: 8, hours: 2, reason: 'Loose cable' }
  expect((await app.ask(contract.setSiteLimit, { token, params, body })).body.message).toBe(m.handLimitSet)
  await expect.poll(() => held(siteId)).toEqual({ a: 8, b: 22 })
  const by = await app.byHand((tx) =>
    tx.selectFrom('app_user').select('name').where('email', '=', 'sudoer@north.example').executeTakeFirstOrThrow(),
  )
  expect((await connectorsOf(siteId)).get('a')?.byHand).toMatchObject({ limitA: 8, reason: 'Loose cable', by: by.name })
  await bench.door.balance()
  const chart = await app.ask(contract.chargingSiteChart, { token, params, query: { ...connector, connectorId: '1' } })
  expect(chart.body.data.chart).toMatchObject([{ name: 'Allowed', kind: 'step', y: [5.52] }])
  await app.byHand((tx) =>
    tx
      .updateTable('charger_limit')
      .set({ hand_until: new Date(0) })
      .where('hand_a', 'is not', null)
      .execute(),
  )
  await bench.door.balance()
  await expect.poll(() => held(siteId)).toEqual({ a: 15, b: 15 })
  await app.ask(contract.setSiteLimit, { token, params, body: { ...body, limitA: 0 } })
  await expect.poll(() => held(siteId)).toEqual({ a: 0, b: 30 })
  await app.ask(contract.endSiteLimit, { token, params, body: connector })
  await expect.poll(() => held(siteId)).toEqual({ a: 15, b: 15 })
  const elsewhere = { ...body, chargerId: idOfCharger('watt') }
  expect((await app.ask(contract.setSiteLimit, { token, params, body: elsewhere })).status).toBe(404)
  const trail = await app.trail('charging-site.limit')
  expect(trail.map(({ subject }) => subject)).toEqual(Array(3).fill('Hand: a · 1'))
  await app.ask(contract.removeChargingSite, { token, params: { id: siteId } })
})

test('R3 T1 fallbacks above the limit, the charger of another customer and a duplicate name are refused', async () => {
  const body = { name: 'Small', limitA: 10, fallbackA: 6, chargers: [on('a'), on('b')] }
  const tooMuch = await app.ask(contract.addChargingSite, { token, body })
  expect([tooMuch.status, tooMuch.body.errors]).toEqual([400, { fallbackA: m.siteFallback(10) }])
  const foreign = { chargerId: idOf('charger', 'west', 'of-west'), phases: 'L1' as const }
  const other = await app.ask(contract.addChargingSite, { token, body: { ...body, fallbackA: 0, chargers: [foreign] } })
  expect(other.status).toBe(404)
  const siteId = await addSite('Once', 63, [])
  const again = await app.ask(contract.addChargingSite, { token, body: { ...body, name: 'once', fallbackA: 0 } })
  expect([again.status, again.body.message]).toEqual([409, m.siteTaken])
  const params = { id: siteId }
  expect((await app.ask(contract.saveChargingSite, { token, params, body: { limitA: 20 } })).body.message).toBe(
    m.siteSaved,
  )
  const trail = await app.trail('charging-site.save')
  expect(trail.filter(({ subject }) => subject === 'Once')).toHaveLength(2)
})

test('C4 a charger that is added to another site is removed from its own, which is on the trail of both', async () => {
  const [from, to] = [await addSite('From', 63, [on('a'), on('b')]), await addSite('To', 63, [])]
  const params = { id: to }
  await app.ask(contract.saveChargingSite, { token, params, body: { chargers: [on('b')] } })
  expect([...(await connectorsOf(from)).keys(), ...(await connectorsOf(to)).keys()]).toEqual(['a', 'b'])
  const { subject, before, after } = (await app.trail('charging-site.save')).at(-2) ?? {}
  expect({ subject, before, after }).toEqual({
    subject: 'From',
    before: { chargers: 'b' },
    after: { chargers: 'b → To' },
  })
  for (const id of [from, to]) await app.ask(contract.removeChargingSite, { token, params: { id } })
})
