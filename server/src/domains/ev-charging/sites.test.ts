import * as contract from '@gridmast/contract/charging-sites.ts'
import { addChargerTagGroup } from '@gridmast/contract/ev-charging.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { idOf } from '#platform/ids.ts'
import type { TestApp } from '#testing/app.ts'
import { addTags, type Bench, type Connect, iso, openBench } from './charger.fixture.ts'

let bench: Bench
let app: TestApp
let token: string
const names = ['a', 'b', 'watt', 'stubborn', 'wild']
beforeAll(async () => {
  bench = await openBench([...names, { identity: 'of-west', customer: 'west' }], [{ tag: 'ANNA' }])
  app = bench.app
  token = await app.tokenOf('sudoer@north.example')
  // One outlet each, so that a table of limits is easy to read.
  await app.byHand((tx) => tx.updateTable('charger').set({ connectors: 1 }).execute())
})
afterEach(() => bench.hangUp())
afterAll(() => bench.close())

const long = { timeout: 30_000, interval: 50 }
const idOfCharger = (identity: string) => idOf('charger', 'north', identity)
const on = (identity: string, phases: 'L1L2L3' | 'L1' = 'L1L2L3') => ({ chargerId: idOfCharger(identity), phases })
const addSite = async (name: string, limitA: number, chargers: readonly ReturnType<typeof on>[], fallbackA = 0) => {
  const { body } = await app.ask(contract.addChargingSite, {
    token,
    body: { name, limitA, fallbackA, chargers: [...chargers] },
  })
  return body.data._id
}
const outletsOf = async (siteId: string) => {
  const { body } = await app.ask(contract.findChargingSites, { token })
  const site = body.data.sites.find(({ _id }) => _id === siteId)
  return new Map(site?.chargers.map(({ name, connectors }) => [name, connectors[0]]))
}
/** What each outlet holds, once all is told. */
const held = async (siteId: string) =>
  Object.fromEntries([...(await outletsOf(siteId))].map(([name, outlet]) => [name, outlet?.heldA]))

type Profile = {
  chargingProfilePurpose: string
  transactionId?: number
  stackLevel: number
  validTo?: string
  chargingSchedule: { chargingRateUnit: string; chargingSchedulePeriod: { limit: number }[] }
}
/** A charger that takes limits as told by its answers, and keeps its newest. */
const connect = async (identity: string, answers: Record<string, object> = {}, options: Connect = {}) => {
  const profiles: Profile[] = []
  const charger = await bench.connect(identity, {
    ...options,
    onAsked: ({ action, payload }) => {
      // Our own server's frames, which it has checked by the schema.
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

test('two chargers share a limit: a fallback for good, limits of sessions that end by themselves, more only when less is confirmed', async () => {
  const siteId = await addSite('Yard', 40, [on('a'), on('b')])
  const [a, b] = [await connect('a'), await connect('b')]
  await expect.poll(() => held(siteId), long).toEqual({ a: 0, b: 0 })
  expect(a.profiles[0]).toMatchObject({
    ...{ chargingProfilePurpose: 'TxDefaultProfile', stackLevel: 0 },
    chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ limit: 0 }] },
  })
  expect(a.profiles[0]).not.toHaveProperty('validTo')
  const { transactionId } = await a.start('ANNA', 5)
  await expect.poll(() => held(siteId), long).toEqual({ a: 31, b: 0 })
  expect(a.newest()).toMatchObject({ transactionId, validTo: expect.any(String) })
  await b.start()
  await expect.poll(() => held(siteId), long).toEqual({ a: 20, b: 20 })
  expect(a.newest()?.chargingSchedule.chargingSchedulePeriod).toMatchObject([{ limit: 20 }])
  // Not a moment above the limit: b was told 20 after a had said yes to it.
  const steps = b.profiles.filter(({ chargingProfilePurpose }) => chargingProfilePurpose === 'TxProfile')
  expect(steps.map((one) => one.chargingSchedule.chargingSchedulePeriod[0]?.limit)).toEqual([9, 20])
  await a.charger.call('StopTransaction', { transactionId, meterStop: 1, timestamp: iso(0) })
  await expect.poll(() => held(siteId), long).toEqual({ a: 0, b: 31 })
  // One that vanishes keeps what it was allowed until that ends, and nobody gets it before.
  b.charger.socket.terminate()
  await a.start()
  await expect.poll(() => held(siteId), long).toEqual({ a: 9, b: 31 })
  const chart = await app.ask(contract.chargingSiteChart, { token, params: { id: siteId } })
  expect(chart.body.data.chart.slice(0, 2)).toMatchObject([{ name: 'Limit', unit: 'kW' }, { name: 'Total' }])
  await app.ask(contract.removeChargingSite, { token, params: { id: siteId } })
  // Free again: its fallback goes with the site.
  await bench.door.balance()
  await expect
    .poll(() => a.charger.asked.filter(({ action }) => action === 'ClearChargingProfile'), long)
    .toEqual([{ action: 'ClearChargingProfile', payload: { id: 11 } }])
})

test('limits in W where the charger knows no A; its own schedule is asked; a tag group of higher priority goes first', async () => {
  const { body } = await app.ask(addChargerTagGroup, { token, body: { name: 'Ambulances', action: true } })
  const groupId = body.data.group._id
  await app.ask(contract.saveGroupPriorities, { token, body: { priorities: [{ groupId, priority: 5 }] } })
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
  await expect.poll(() => held(siteId), long).toEqual({ a: 0, watt: 0 })
  await a.start('ANNA', 60)
  await watt.start('FIRST')
  await expect.poll(() => held(siteId), long).toEqual({ a: 6, watt: 26 })
  expect(watt.newest()).toMatchObject({
    stackLevel: 8,
    chargingSchedule: { chargingRateUnit: 'W', chargingSchedulePeriod: [{ limit: 17_940 }] },
  })
  await expect.poll(async () => (await outletsOf(siteId)).get('watt')?.toldA, long).toBe(25)
  await app.ask(contract.removeChargingSite, { token, params: { id: siteId } })
})

test('who refuses the limit of a session stays at its fallback; who takes none holds all that it can give; who exceeds is told to people', async () => {
  const siteId = await addSite('Lot', 60, [on('stubborn'), on('wild'), on('b')], 6)
  const refused = { status: 'Rejected' }
  const stubborn = await connect('stubborn', { TxProfile: refused })
  const wild = await connect('wild', { TxDefaultProfile: refused, ChargePointMaxProfile: { status: 'NotSupported' } })
  const b = await connect('b')
  await stubborn.start()
  await wild.start()
  await b.start()
  await expect.poll(() => held(siteId), long).toEqual({ stubborn: 6, wild: 31, b: 23 })
  const shown = await outletsOf(siteId)
  expect(shown.get('wild')).toMatchObject({ controlled: false, refusal: 'Rejected' })
  expect(shown.get('stubborn')).toMatchObject({ controlled: true, refusal: 'Rejected', allowedA: null })
  // It draws 20 A of its 6.
  await app.byHand((tx) =>
    tx
      .updateTable('charger_limit')
      .set({ changed_at: new Date(0) })
      .execute(),
  )
  const power = { value: '13800', measurand: 'Power.Active.Import', unit: 'W' }
  await stubborn.charger.call('MeterValues', {
    connectorId: 1,
    meterValue: [{ timestamp: iso(0), sampledValue: [power] }],
  })
  await bench.door.balance()
  await expect.poll(() => held(siteId), long).toEqual({ stubborn: 20, wild: 31, b: 9 })
  expect((await outletsOf(siteId)).get('stubborn')).toMatchObject({ exceeds: true, measuredKw: 13.8 })
  const chart = await app.ask(contract.chargingSiteChart, { token, params: { id: siteId } })
  const [limit, total] = chart.body.data.chart
  expect([limit?.y.at(-1), total?.y.at(-1)]).toEqual([41.4, 13.8])
  await app.ask(contract.removeChargingSite, { token, params: { id: siteId } })
})

test('R3 T1 fallbacks that together exceed the limit are refused, a charger of another customer is not found, a name stands once', async () => {
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
  const trail = await app.records.system((tx) =>
    tx.selectFrom('audit_entry').select('subject').where('action', '=', 'charging-site.save').execute(),
  )
  expect(trail.filter(({ subject }) => subject === 'Once')).toHaveLength(2)
})
