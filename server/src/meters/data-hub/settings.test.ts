import * as contract from '@gridmast/contract/meters/data-hub.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { dayOf, graphOf, lastOnTrail, openDataHub, point, putMeter, putReadings, signalOf } from './data-hub.fixture.ts'
import { storedRows } from '#testing/rows.ts'

const { app, sudoer, expert, west } = await openDataHub()
afterAll(() => app.close())

const groups = async (token = sudoer) => (await app.data(contract.findMeterGroups, { token })).groups

describe('settings of a meter', () => {
  const save = (ids: { group_id: string; meter_id: string }, dataHub: object, token = expert) =>
    app.ask(contract.saveMeter, {
      token,
      params: { groupId: ids.group_id, meterId: ids.meter_id },
      body: { dataHub },
    })
  const form = async () => ({ name: 'Frost store 1', priceSignal: await signalOf(app), taxValue: 119.5 })

  test.each([
    ['name', 'Four', 'Must be at least 5 characters'],
    ['name', 'x'.repeat(65), 'Must be at most 64 characters'],
    ['name', undefined, m.required],
    ['priceSignal', undefined, m.priceSignalRequired],
    ['taxValue', undefined, m.required],
    ['taxValue', 'abc', m.decimalOrInteger],
    ['taxValue', -1, 'Must be greater than or equal to 0'],
    ['colour', 'blue', 'Unknown field: colour'],
  ])('R3 %s: %s is refused with the message of the specification', async (field, value, words) => {
    const ids = await putMeter(app, { point: point(), configured: false })
    const answer = await save(ids, { ...(await form()), [field]: value })
    expect(answer.status).toBe(400)
    expect(Object.values(answer.body.errors ?? {})).toEqual([words])
  })

  test('C4 several meters are switched on at once; one without settings has its reason', async () => {
    const [ready, bare] = [
      await putMeter(app, { point: point() }),
      await putMeter(app, { point: point(), configured: false }),
    ]
    const ids = [ready.meter_id, bare.meter_id]
    const ask = (token: string, enabled: boolean) =>
      app.ask(contract.saveMeterStatuses, { token, body: { ids, enabled } })
    for (const enabled of [false, true])
      expect((await ask(expert, enabled)).body.data).toEqual({
        done: [ready.meter_id],
        failed: [{ _id: bare.meter_id, message: m.configurationRequired }],
      })
    expect((await ask(west, false)).status).toBe(404)
    const meters = (await groups()).flatMap(({ meterIdData }) => meterIdData)
    expect(meters.find(({ id }) => id === ready.meter_id)?.dataHub.enabled).toBe(true)
  })

  test('R4 a meter without price signal and tax cannot be selected or enabled', async () => {
    const ids = await putMeter(app, { point: point(), configured: false })
    const params = { groupId: ids.group_id, meterId: ids.meter_id }
    const toggle = (enabled: boolean) =>
      app.ask(contract.saveMeterStatus, { token: expert, params, body: { dataHub: { enabled } } })
    expect(await toggle(true)).toMatchObject({ status: 409, body: { message: m.configurationRequired } })
    const empty = { name: '', priceSignal: null, taxValue: null, address: '', enabled: true }
    const refused = await app.ask(contract.saveMeterStatus, { token: expert, params, body: { dataHub: empty } })
    expect(refused).toMatchObject({ status: 409, body: { message: m.configurationRequired } })
    expect(await graphOf(app, sudoer, ids.meter_id, {})).toMatchObject({
      status: 409,
      body: { message: m.configurationRequired },
    })
    const saved = await save(ids, await form())
    expect(saved.body).toMatchObject({ message: m.configurationUpdated, data: { meter: { configured: true } } })
    expect((await toggle(true)).body.data.meter.dataHub).toEqual({
      ...(await form()),
      tariff: null,
      address: '',
      enabled: true,
    })
    expect((await graphOf(app, sudoer, ids.meter_id, {})).status).toBe(200)
  })

  test.each([
    ['of Energinet, which is part of the tax', '5790000432752', '40000'],
    ['that is not published', '5790000705689', 'NONE'],
  ])('R3 a tariff %s is refused', async (_, gln, code) => {
    await app.records.system((tx) =>
      tx
        .insertInto('tariff')
        .values({
          owner_gln: '5790000432752',
          owner_name: 'Energinet',
          charge_type: 'D03',
          code: '40000',
          name: 'Net',
          valid_from: '2026-01-01',
          resolution: 'P1D',
          source: 'energi-data-service',
          fetched_at: new Date(),
          prices: Array.from({ length: 24 }, () => '0.043') as never, // numeric[] is text on its way in
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
    const answer = await save(await putMeter(app, { point: point() }), { ...(await form()), tariff: `${gln}:${code}` })
    expect(answer).toMatchObject({ status: 400, body: { errors: { 'dataHub.tariff': m.notValid } } })
  })

  test('C4 a change is on the trail with before and after, and enabling a meter lists its past for import', async () => {
    const ids = await putMeter(app, { point: point(), configured: false })
    await save(ids, { ...(await form()), enabled: true })
    expect(await lastOnTrail(app, 'data-hub.save-meter')).toMatchObject({
      before: { priceSignal: null, taxValue: null, enabled: false },
      after: { name: 'Frost store 1', taxValue: 119.5, enabled: true },
    })
    const months = await app.records.system((tx) =>
      tx.selectFrom('meter_month').select('month').where('meter_id', '=', ids.meter_id).orderBy('month').execute(),
    )
    expect([months[0]?.month, months.at(-1)?.month]).toEqual(['2025-10', '2026-11'])
  })

  test('T1 a meter of another customer or under another group is a 404', async () => {
    const ids = await putMeter(app, { point: point() })
    const foreign = await putMeter(app, { customer: 'west', point: point() })
    expect((await save({ ...ids, group_id: foreign.group_id }, await form())).status).toBe(404)
    expect((await graphOf(app, sudoer, foreign.meter_id, {})).status).toBe(404)
    expect((await graphOf(app, west, ids.meter_id, {})).status).toBe(404)
    expect((await save(ids, { ...(await form()), priceSignal: await signalOf(app, 'west') })).status).toBe(404)
  })
})

describe('keys', () => {
  const add = (key: unknown, token = sudoer) => app.ask(contract.addMeterGroup, { token, body: { dataHub: { key } } })

  test.each(['1234567', '123456789', 'DK99000007', ''])('%s has no form of a CVR number', async (key) => {
    const { status, body } = await add(key)
    expect([status, Object.values(body.errors ?? {})]).toEqual([400, [key === '' ? m.required : m.cvr]])
  })

  test('T1 a company can add only CVR numbers assigned by the operator', async () => {
    expect((await add('99000058')).body.errors).toEqual({ 'dataHub.key': m.cvrNotYours })
  })

  test('without a token of Eloverblik the operator is named and no key is added', async () => {
    const before = (await groups()).length
    expect(await add('99000031')).toMatchObject({ status: 409, body: { message: m.eloverblikToken } })
    expect((await groups()).length).toBe(before)
  })

  test('a key is renamed, and deleted with its meters and readings', async () => {
    const ids = await putMeter(app, { customer: 'west', cvr: '99000023', point: point() })
    await putReadings(app, ids, [dayOf('2026-11-20', () => 1)])
    const params = { groupId: ids.group_id }
    await app.ask(contract.saveMeterGroup, { token: west, params, body: { dataHub: { name: 'Terminal' } } })
    const [group] = (await groups(west)).filter(({ key }) => key === '99000023')
    expect(group).toMatchObject({
      name: 'Terminal',
      meterIdData: [{ id: ids.meter_id, lastRead: '2026-11-20T23:00:00.000Z' }],
    })
    await app.ask(contract.saveMeterGroup, { token: west, params, body: { dataHub: { name: '\u200b \u2060' } } })
    expect((await groups(west)).find(({ key }) => key === '99000023')?.name).toBeNull()
    const last = await app.ask(contract.meterReadLast, { token: west, params: { meterId: ids.meter_id } })
    expect(last.body.data).toEqual({ timestamp: '2026-11-20T23:00:00.000Z' })
    expect((await app.ask(contract.removeMeterGroup, { token: sudoer, params })).status).toBe(404)
    const removed = await app.ask(contract.removeMeterGroup, { token: west, params })
    expect(removed.body.message).toBe(m.groupDeleted)
    const left = await storedRows(app.records, 'meter_day', { meter_id: ids.meter_id }, ['day'])
    expect(left).toEqual([])
    expect(await lastOnTrail(app, 'data-hub.remove-key')).toMatchObject({ subject: '99000023', before: { meters: 1 } })
  })
})
