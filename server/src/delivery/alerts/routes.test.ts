import * as contract from '@gridmast/contract/delivery/alerts.ts'
import { acknowledgeSeveral } from '@gridmast/contract/notifications/acknowledging.ts'
import * as triggeredContract from '@gridmast/contract/notifications/triggered.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { findInstance } from '#delivery/instance.fixture.ts'
import { newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addRows, changeRows, storedRow, storedRows } from '#testing/rows.ts'

const app = await openTestApp()
const sudoer = await app.tokenOf('sudoer@north.example')
const west = await app.tokenOf('sudoer@west.example')
const cold = await findInstance(app)
const heat = await findInstance(app, 'heat')
afterAll(() => app.close())

const properties = () => ({
  notification: true,
  group: cold.instanceId,
  type: 'power',
  startTime: '22:00',
  endTime: '06:00',
  alertInterval: 10,
})
const form = (more: object = {}) => ({
  name: 'Cold above 400',
  criteria: 'gt',
  value: 400,
  email: 'ops@north.example',
  properties: properties(),
  ...more,
})
const create = (alert: object, token = sudoer, id = cold.licenceId) =>
  app.ask(contract.createAlert, { token, params: { id }, body: { alert } })
const all = async (query: Record<string, string> = {}, id = cold.licenceId) =>
  await app.data(contract.findAlerts, { token: sudoer, params: { id }, query })
const remove = (id: string, token = sudoer) => app.ask(contract.removeAlert, { token, params: { id } })
const trail = () => app.trail('alert.%')

type Trigger = { atIso: string; late?: boolean; notification?: boolean; instanceId?: string }
const addTrigger = async (alertId: string, { atIso, late = false, notification = true, instanceId }: Trigger) => {
  const trigger_id = newId(Date.parse(atIso))
  await addRows(app.records, 'alert_trigger', {
    customer_id: cold.customerId,
    trigger_id,
    alert_id: alertId,
    instance_id: instanceId ?? cold.instanceId,
    name: 'Cold above 400',
    type: 'power',
    criteria: 'gt',
    threshold: 400,
    value: 412.5,
    triggered_at: atIso,
    crossed_at: atIso,
    late,
    notification,
  })
  return trigger_id
}

describe('alerts', () => {
  test('C4 an alert is created, changed and deleted with the messages of the specification, and is on the trail', async () => {
    const created = await create(form())
    expect(created.body).toMatchObject({ success: true, message: 'Alert Created' })
    const { alert } = created.body.data
    expect(alert).toEqual({ _id: alert._id, ...form(), properties: { ...properties(), groupName: 'North Cold' } })
    expect(await all()).toEqual({ alerts: [alert], totalCount: 1 })
    const changed = { ...form({ name: 'Cold below 10', criteria: 'lt', value: 10 }) }
    const updated = await app.ask(contract.updateAlert, {
      token: sudoer,
      params: { id: alert._id },
      body: { alert: changed },
    })
    expect(updated.body).toMatchObject({
      message: 'Alert Updated',
      data: { alert: { name: 'Cold below 10', value: 10 } },
    })
    expect((await remove(alert._id)).body.message).toBe('Alert Deleted!')
    expect(await all()).toEqual({ alerts: [], totalCount: 0 })
    expect((await remove(alert._id)).status).toBe(404)
    expect((await trail()).map(({ action, subject }) => [action, subject])).toEqual([
      ['alert.create', 'Cold above 400'],
      ['alert.update', 'Cold below 10'],
      ['alert.delete', 'Cold below 10'],
    ])
  })

  test.each<[string, object, string]>([
    ['alert.name', { name: '' }, m.required],
    ['alert.name', { name: 'ab' }, m.shortest(3)],
    ['alert.name', { name: 'x'.repeat(26) }, m.longest(25)],
    ['alert.criteria', { criteria: undefined }, m.required],
    ['alert.criteria', { criteria: 'eq' }, m.oneOf('gt, lt')],
    ['alert.value', { value: undefined }, m.required],
    ['alert.value', { value: '400' }, m.number],
    ['alert.value', { value: -0.1 }, m.atLeast(0)],
    ['alert.value', { value: 10_000.1 }, m.atMost(10_000)],
    ['alert.email', { email: '' }, m.required],
    ['alert.email', { email: 'ops' }, m.email],
    ['alert.email', { email: `${'x'.repeat(90)}@north.example` }, m.longest(100)],
    ['alert.owner', { owner: 'me' }, m.unknownField('owner')],
  ])('R3 %s refuses %j', async (path, more, sentence) => {
    const { status, body } = await create(form(more))
    expect([status, body.errors?.[path]]).toEqual([400, sentence])
  })

  test.each<[string, object, string]>([
    ['notification', { notification: undefined }, m.required],
    ['notification', { notification: 'on' }, m.yesOrNo],
    ['group', { group: undefined }, m.required],
    ['group', { group: 'cold' }, m.id],
    ['type', { type: undefined }, m.required],
    ['alertInterval', { alertInterval: undefined }, m.required],
    ['alertInterval', { alertInterval: -1 }, m.atLeast(0)],
    ['alertInterval', { alertInterval: 10_001 }, m.atMost(10_000)],
    ['alertInterval', { alertInterval: 0.001 }, m.wholeNumber],
    ['startTime', { startTime: '24:00' }, m.time],
    ['endTime', { endTime: '7:00' }, m.time],
  ])('R3 properties.%s refuses %j', async (field, more, sentence) => {
    const { status, body } = await create(form({ properties: { ...properties(), ...more } }))
    expect([status, body.errors?.[`alert.properties.${field}`]]).toEqual([400, sentence])
  })

  test.each([0, 10_000])(
    'a threshold and an interval of %d are accepted, and the default schedule is the whole day',
    async (most) => {
      const { startTime: _s, endTime: _e, ...rest } = { ...properties(), alertInterval: most }
      const { body } = await create(form({ value: most, properties: rest }))
      const { value, properties: kept, _id } = body.data.alert
      expect([value, kept.alertInterval, kept.startTime, kept.endTime]).toEqual([most, most, '00:00', '23:59'])
      await remove(_id)
    },
  )

  test('an alert without an interval shows 5 minutes', async () => {
    const { alert } = (await create(form())).body.data
    await changeRows(app.records, 'alert', { alert_id: alert._id }, { interval_minutes: null })
    expect((await all()).alerts.map(({ properties: kept }) => kept.alertInterval)).toEqual([5])
    await remove(alert._id)
  })

  test('an alert belongs to the licence of its instance, and the source filters by licence', async () => {
    expect((await create(form(), sudoer, heat.licenceId)).status).toBe(404)
    const { alert } = (await create(form())).body.data
    const sources: Record<string, string>[] = [{}, { source: 'FCR-D-INC' }, { source: 'FFR' }]
    const counts = sources.map(async (query) => (await all(query)).totalCount)
    expect(await Promise.all(counts)).toEqual([1, 1, 0])
    expect((await all({}, heat.licenceId)).totalCount).toBe(0)
    await remove(alert._id)
  })

  test('T1 the alert of another customer is neither read, changed nor deleted', async () => {
    const { alert } = (await create(form())).body.data
    expect((await app.ask(contract.findAlerts, { token: west, params: { id: cold.licenceId } })).status).toBe(404)
    const change = { token: west, params: { id: alert._id }, body: { alert: form() } }
    expect((await app.ask(contract.updateAlert, change)).status).toBe(404)
    expect((await remove(alert._id, west)).status).toBe(404)
    expect((await all()).totalCount).toBe(1)
    await remove(alert._id)
  })

  test('10,000 alerts are listed in pages, and one more is refused with a message', async () => {
    await app.records.system((tx) =>
      sql`insert into alert (customer_id, alert_id, instance_id, name, type, criteria, threshold, email, notification, valid_from, created_at)
        select ${cold.customerId}, gen_random_uuid(), ${cold.instanceId}, 'Alert ' || lpad(n::text, 5, '0'), 'power', 'gt', n, 'ops@north.example', true, now(), now()
        from generate_series(1, ${limits.alerts}) n`.execute(tx),
    )
    const last = await all({ limit: '30', skip: '9990' })
    expect([last.totalCount, last.alerts.length, last.alerts.at(-1)?.name]).toEqual([10_000, 10, 'Alert 10000'])
    const { status, body } = await create(form())
    expect([status, body.message]).toEqual([409, 'There can be at most 10000 alerts. Delete one first.'])
    await app.records.system((tx) => tx.deleteFrom('alert').where('name', 'like', 'Alert %').execute())
  })
})

describe('triggered alerts', () => {
  test('the triggers of a local day are listed newest first', async () => {
    const { alert } = (await create(form())).body.data
    for (const atIso of [
      '2026-03-28T22:59:59Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T21:59:59Z',
      '2026-03-29T22:00:00Z',
    ])
      await addTrigger(alert._id, { atIso })
    await remove(alert._id)
    const data = await app.data(triggeredContract.findTriggered, {
      token: sudoer,
      params: { id: cold.licenceId },
      query: { date: '2026-03-29' },
    })
    expect(data.triggered.map(({ triggerTime }) => triggerTime)).toEqual([
      '2026-03-29T21:59:59.000Z',
      '2026-03-28T23:00:00.000Z',
    ])
    expect(data.totalCount).toBe(2)
    expect(data.triggered[0]).toMatchObject({
      name: 'Cold above 400',
      type: 'power',
      value: 412.5,
      criteria: 'gt',
      threshold: 400,
    })
  })

  test('the bell counts triggers with notification that are not late and not muted by the user', async () => {
    const { alert } = (await create(form())).body.data
    const date = '2026-05-04'
    await addTrigger(alert._id, { atIso: `${date}T10:00:00Z` })
    await addTrigger(alert._id, { atIso: `${date}T10:05:00Z`, late: true })
    await addTrigger(alert._id, { atIso: `${date}T10:06:00Z`, notification: false })
    const night = await addTrigger(alert._id, { atIso: `${date}T20:30:30Z` }) // 22:30:30 in Berlin
    const bell = async (token = sudoer) => await app.data(triggeredContract.notifications, { token, query: { date } })
    expect(await bell()).toEqual({
      totalCount: 2,
      budgets: [],
      latestData: [
        {
          _id: night,
          name: 'Cold above 400',
          type: 'power',
          source: 'FCR-D-INC',
          triggerTime: `${date}T20:30:30.000Z`,
        },
        expect.objectContaining({ triggerTime: `${date}T10:00:00.000Z` }),
      ],
    })
    expect(await bell(west)).toEqual({ totalCount: 0, latestData: [], budgets: [] })
    const mute = (mutes: object[]) => app.ask(triggeredContract.saveMutes, { token: sudoer, body: { mutes } })
    const after = async (mutes: object[]) => {
      expect((await mute(mutes)).status).toBe(200)
      return (await bell()).totalCount
    }
    expect(await after([{ startTime: '22:30', endTime: '06:00' }])).toBe(1)
    expect(await after([{ startTime: '21:00', endTime: '22:30' }])).toBe(1)
    expect(await after([{ startTime: '21:00', endTime: '22:29' }])).toBe(2)
    expect(await after([{ instanceId: heat.instanceId, startTime: '00:00', endTime: '23:59' }])).toBe(2)
    expect(await after([{ instanceId: cold.instanceId, startTime: '00:00', endTime: '23:59' }])).toBe(0)
    expect((await bell(await app.tokenOf('expert@north.example'))).totalCount).toBe(2)
    expect((await app.data(triggeredContract.findMutes, { token: sudoer })).mutes).toEqual([
      { instanceId: cold.instanceId, startTime: '00:00', endTime: '23:59' },
    ])
    expect(await after([])).toBe(2)
    await remove(alert._id)
  })

  test('C4 a trigger is acknowledged by the first user only, and its comment can be changed', async () => {
    const { alert } = (await create(form())).body.data
    const id = await addTrigger(alert._id, { atIso: '2026-06-01T10:00:00Z' })
    const acknowledge = async (token: string, comment: string) =>
      (await app.ask(triggeredContract.acknowledgeTriggered, { token, params: { id }, body: { comment } })).body
    const first = await acknowledge(sudoer, '')
    expect(first).toMatchObject({ message: 'Alert acknowledged', data: { triggered: { comment: '' } } })
    const second = await acknowledge(await app.tokenOf('expert@north.example'), 'Door was open')
    expect(second.data.triggered).toEqual({ ...first.data.triggered, comment: 'Door was open' })
    expect(second.data.triggered.acknowledgedBy).toBe('sudoer@north.example')
    const written = (await trail()).filter(({ action }) => action === 'alert.acknowledge')
    expect(written.map(({ who, after }) => [who, after])).toEqual([
      ['sudoer@north.example', { acknowledgedBy: 'sudoer@north.example', comment: '' }],
      ['expert@north.example', { acknowledgedBy: 'sudoer@north.example', comment: 'Door was open' }],
    ])
    await remove(alert._id)
  })

  test('C4 several triggers are acknowledged in one act, and an earlier acknowledgement is kept', async () => {
    const { alert } = (await create(form())).body.data
    const ids = [
      await addTrigger(alert._id, { atIso: '2026-06-01T10:00:00Z' }),
      await addTrigger(alert._id, { atIso: '2026-06-01T11:00:00Z' }),
    ]
    const [id = ''] = ids
    const expert = await app.tokenOf('expert@north.example')
    await app.ask(triggeredContract.acknowledgeTriggered, { token: sudoer, params: { id }, body: { comment: 'Door' } })
    const ask = (token: string, some: string[]) => app.ask(acknowledgeSeveral, { token, body: { ids: some } })
    const unknown = '018f0000-0000-7000-8000-000000000000'
    expect((await ask(expert, [...ids, unknown])).body.data).toEqual({
      done: ids.toSorted(),
      failed: [{ _id: unknown, message: m.notFound }],
    })
    const one = (triggerId: string) =>
      app.data(triggeredContract.getTriggered, { token: sudoer, params: { id: triggerId } })
    expect((await one(id)).triggered).toMatchObject({ acknowledgedBy: 'sudoer@north.example', comment: 'Door' })
    expect((await one(ids[1] ?? '')).triggered).toMatchObject({ acknowledgedBy: 'expert@north.example', comment: '' })
    expect((await ask(await app.tokenOf('sudoer@west.example'), ids)).status).toBe(404)
    expect((await ask(await app.tokenOf('auditor@north.example'), ids)).status).toBe(403)
    await remove(alert._id)
  })

  test('`earlier` also acknowledges the earlier triggers of the same alert on its Danish day', async () => {
    const { alert } = (await create(form())).body.data
    const { alert: other } = (await create(form())).body.data
    const at = async (alertId: string, atIso: string) => ({ id: await addTrigger(alertId, { atIso }), atIso })
    const rows = [
      await at(alert._id, '2026-05-31T21:59:00Z'),
      await at(alert._id, '2026-05-31T22:01:00Z'),
      await at(other._id, '2026-06-01T09:00:00Z'),
      await at(alert._id, '2026-06-01T10:00:00Z'),
      await at(alert._id, '2026-06-01T11:00:00Z'),
    ]
    const params = { id: rows[3]?.id ?? '' }
    await app.ask(triggeredContract.acknowledgeTriggered, { token: sudoer, params, body: { earlier: true } })
    const stored = await storedRows(app.records, 'alert_trigger', {}, ['trigger_id', 'acknowledged_by'])
    const by = rows.map(({ id }) => stored.find(({ trigger_id }) => trigger_id === id)?.acknowledged_by)
    const who = 'sudoer@north.example'
    expect(by).toEqual([null, who, null, who, null])
    expect((await trail()).at(-1)?.after).toMatchObject({ earlier: 1 })
    await remove(alert._id)
    await remove(other._id)
  })

  test('a trigger has the power around it', async () => {
    const { alert } = (await create(form())).body.data
    const id = await addTrigger(alert._id, { atIso: '2026-06-02T10:00:00Z' })
    const { no } = await storedRow(app.records, 'signal', { instance_id: cold.instanceId, kind: 'power' }, ['no'])
    const t0Ms = Date.parse('2026-06-02T09:59:59Z')
    await app.readings.insert([{ signalNo: no, t0Ms, dtMs: 1000, values: [399, 412.5] }])
    const data = await app.data(triggeredContract.getTriggered, { token: sudoer, params: { id } })
    expect(data.triggered).toMatchObject({ _id: id, source: 'FCR-D-INC', groupName: 'North Cold' })
    expect(data.graph[0]).toMatchObject({ unit: 'kW', x: [t0Ms, t0Ms + 1000], y: [399, 412.5] })
    await remove(alert._id)
  })
})
