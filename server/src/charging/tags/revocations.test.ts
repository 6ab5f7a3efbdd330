import * as fleet from '@gridmast/contract/charging/chargers.ts'
import * as sites from '@gridmast/contract/charging/charging-sites.ts'
import * as ev from '@gridmast/contract/charging/tags.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { idOf, newId } from '#platform/records/ids.ts'
import { hashMachineSecret } from '#platform/security/token.ts'
import type { TestApp } from '#testing/app.ts'
import { storedRow, storedRows } from '#testing/rows.ts'
import { addTags, type Bench, openBench, type TestCharger } from '#charging/ledger/charger.fixture.ts'

let bench: Bench
let app: TestApp
let token: string
beforeAll(async () => {
  bench = await openBench(identities.map((identity) => ({ identity })))
  app = bench.app
  token = await app.tokenOf('sudoer@north.example')
  await app.byHand((tx) => tx.updateTable('charger').set({ registered_by: newId() }).execute())
})
afterEach(() => bench.hangUp())
afterAll(() => bench.close())

const idOfCharger = (identity: string) => idOf('charger', 'north', identity)
const onlineOf = async (identity: string) => {
  const rows = await storedRows(app.records, 'charger', { identity }, ['online'])
  return rows[0]?.online ?? false
}

const provision = async (identity: string, change: Record<string, unknown>) => {
  await app.byHand((tx) => tx.updateTable('charger').set(change).where('identity', '=', identity).execute())
  app.bus.resync()
}
const otherKey = () => ({ password_hash: hashMachineSecret('another key of a charger') })

const endings: Record<string, (identity: string) => Promise<unknown>> = {
  'switched off': (identity) => provision(identity, { enabled: false }),
  'another key': (identity) => provision(identity, otherKey()),
  'a higher security profile': (identity) => provision(identity, { security_profile: 2 }),
  'another power': (identity) => provision(identity, { max_kw: '11' }),
  'removed in the portal': (identity) => app.ask(fleet.removeCharger, { token, params: { id: idOfCharger(identity) } }),
}
const identities = [...Object.keys(endings), 'kept', 'renewed', 'listed', 'sited', 'moved'].map((name) =>
  name.replaceAll(' ', '-'),
)

test.each(Object.entries(endings))('D2 %s: the open connection of the charger ends', async (name, change) => {
  const identity = name.replaceAll(' ', '-')
  const charger = await bench.connect(identity)
  await charger.boot()
  await change(identity)
  expect(await charger.closed).toBe(1008)
  await expect.poll(() => onlineOf(identity)).toBe(false)
})

test('D2 with an overlap of keys the connection stays open until the previous key expires', async () => {
  const charger = await bench.connect('kept')
  const previous = await storedRow(app.records, 'charger', { identity: 'kept' }, ['password_hash'])
  const until = { previous_hash: previous.password_hash, previous_until: new Date(app.clock.now() + 86_400_000) }
  await provision('kept', { ...otherKey(), ...until })
  await (await bench.connect('renewed')).boot()
  expect((await charger.call('Heartbeat', {})).error).toBeNull()
  await provision('kept', { previous_until: new Date(app.clock.now() - 1000) })
  expect(await charger.closed).toBe(1008)
})

const tagId = async (tag: string) => {
  const rows = await storedRows(app.records, 'charger_tag', { tag }, ['tag_id'])
  return { id: rows[0]?.tag_id ?? '' }
}
const groupIds: string[] = []
const lists: Record<string, { tag: string; change: () => Promise<unknown>; told: object }> = {
  'a tag switched off': {
    tag: 'OFF',
    change: async () => app.ask(ev.saveChargerTag, { token, params: await tagId('OFF'), body: { action: false } }),
    told: { idTag: 'OFF' },
  },
  'a tag removed': {
    tag: 'REMOVED',
    change: async () => app.ask(ev.removeChargerTag, { token, params: await tagId('REMOVED') }),
    told: { idTag: 'REMOVED' },
  },
  'a group switched off': {
    tag: 'GROUPED',
    change: async () =>
      app.ask(ev.saveChargerTagGroup, { token, params: { id: groupIds[0] ?? '' }, body: { action: false } }),
    told: { idTag: 'GROUPED' },
  },
  'a group removed': {
    tag: 'FREED',
    change: () => app.ask(ev.removeChargerTagGroup, { token, params: { id: groupIds[1] ?? '' } }),
    told: { idTag: 'FREED', idTagInfo: { status: 'Accepted' } },
  },
}

test('each change of a tag or group updates the local list of a connected charger', async () => {
  for (const name of ['Off', 'Freed']) {
    const { body } = await app.ask(ev.addChargerTagGroup, { token, body: { name, action: true } })
    groupIds.push(body.data.group._id)
  }
  await addTags(app.records, [
    { tag: 'OFF' },
    { tag: 'REMOVED' },
    { tag: 'GROUPED', groupId: groupIds[0] ?? null },
    { tag: 'FREED', groupId: groupIds[1] ?? null },
  ])
  let version = 0
  const charger = await bench.connect('listed', {
    onAsked: ({ action, payload }) => {
      if (action === 'GetConfiguration')
        return { configurationKey: [{ key: 'LocalAuthListEnabled', value: 'true', readonly: true }] }
      if (action === 'GetLocalListVersion') return { listVersion: version }
      if (action === 'SendLocalList') version = Number(payload['listVersion'])
      return { status: 'Accepted' }
    },
  })
  const told = () =>
    charger.asked.filter(({ action }) => action === 'SendLocalList').at(-1)?.payload['localAuthorizationList']
  await charger.boot()
  await expect.poll(told).toHaveLength(4)
  for (const [name, { change, told: entry }] of Object.entries(lists)) {
    await change()
    await expect.poll(told, { message: name }).toEqual([entry])
  }
})

const clearsOf = ({ asked }: TestCharger) => asked.filter(({ action }) => action === 'ClearChargingProfile').length
const limited: Record<string, (id: string) => Promise<unknown>> = {
  sited: (id) => app.ask(sites.removeChargingSite, { token, params: { id } }),
  moved: (id) => app.ask(sites.saveChargingSite, { token, params: { id }, body: { chargers: [] } }),
}
test.each(Object.entries(limited))(
  'a charger that leaves its site (%s) gets its limits cleared at once',
  async (name, change) => {
    const chargers = [{ chargerId: idOfCharger(name), phases: 'L1L2L3' }]
    const body = { name, limitA: 40, fallbackA: 6, chargers }
    const { data } = (await app.ask(sites.addChargingSite, { token, body })).body
    const charger = await bench.connect(name)
    await charger.boot()
    await expect.poll(() => charger.asked.filter(({ action }) => action === 'SetChargingProfile').length).toBe(2)
    const before = clearsOf(charger)
    await change(data._id)
    await expect.poll(() => clearsOf(charger)).toBeGreaterThan(before)
  },
)

test('a new secret and a newly registered charger connect at once', async () => {
  app.setNow(new Date().toISOString()) // With a fixed clock no cached charger becomes stale.
  const opens = (identity: string, password: string) =>
    bench.connect(identity, { password }).then(
      () => 'open',
      (error: Error) => error.message,
    )
  await bench.connect('renewed')
  const renewed = await app.ask(fleet.renewChargerSecret, { token, params: { id: idOfCharger('renewed') } })
  await expect.poll(() => opens('renewed', renewed.body.data.secret)).toBe('open')
  const body = { identity: 'fresh', name: 'Fresh', chargerType: 'AC', connectors: 1, maxKw: 22, securityProfile: 1 }
  expect(await opens('fresh', 'any')).toBe('404')
  const { data } = (await app.ask(fleet.registerCharger, { token, body })).body
  await expect.poll(() => opens('fresh', data.secret)).toBe('open')
})
