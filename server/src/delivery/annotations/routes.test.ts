import * as contract from '@gridmast/contract/delivery/annotations.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { findInstance } from '#delivery/instance.fixture.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addChargers } from '#testing/chargers.ts'
import { addRows, changeRows } from '#testing/rows.ts'

const app = await openTestApp()
app.setNow('2026-11-20T12:00:00Z')
const licence = (key: 'north' | 'west', type: string) => ({
  customer_id: idOf('customer', key),
  licence_id: newId(),
  type,
  name: type,
  icon: 'bolt',
  enabled: true,
  settings: '{}',
})
await addRows(app.records, 'licence', [
  licence('north', 'loadShifting'),
  licence('west', 'evCharging'),
  licence('west', 'CFM'),
])
const sudoer = await app.tokenOf('sudoer@north.example')
const expert = await app.tokenOf('expert@north.example')
const auditor = await app.tokenOf('auditor@north.example')
const west = await app.tokenOf('sudoer@west.example')
const cold = await findInstance(app)
const heat = await findInstance(app, 'heat')
afterAll(() => app.close())
beforeEach(() => app.records.system((tx) => sql`delete from note`.execute(tx)))

const day = { start: '2026-11-19T23:00:00Z', end: '2026-11-20T23:00:00Z' }
const form = { from: '2026-11-20T10:00:00.000Z', to: '2026-11-20T10:00:00.000Z', text: 'Compressor 2 stopped' }
const create = (part: object = {}, token = expert) =>
  app.ask(contract.createNote, { token, body: { instanceId: cold.instanceId, ...form, ...part } })
const find = async (query: object = {}, token = expert) =>
  app.data(contract.findAnnotations, { token, query: { instanceId: cold.instanceId, ...day, ...query } })
const notes = async (query = {}, token = expert) =>
  (await find(query, token)).annotations.filter((one): one is contract.Note => one.kind === 'note')

test('C4 a note is written, changed and deleted, each on the trail and told to the open pages of its company', async () => {
  const heard: string[] = []
  const stop = app.live.subscribe(cold.customerId, (event) => heard.push(event))
  const created = await create()
  expect(created).toMatchObject({ status: 200, body: { message: 'Note saved' } })
  const { note } = created.body.data
  expect(note).toMatchObject({ text: form.text, from: form.from, to: null, author: 'Expert', mayChange: true })
  expect(await notes()).toEqual([note])

  const changed = { ...form, to: '2026-11-20T10:30:00.000Z', text: 'Compressor 2 stopped: belt' }
  const update = await app.ask(contract.updateNote, { token: sudoer, params: { id: note._id }, body: changed })
  expect(update.body.data.note).toMatchObject({ text: changed.text, to: changed.to, author: 'Expert' })

  await app.data(contract.removeNote, { token: expert, params: { id: note._id } })
  expect(await notes()).toEqual([])
  stop()
  expect(heard).toEqual(['notes', 'notes', 'notes'])
  const trail = await app.trail('note.%')
  expect(trail.slice(-3).map(({ action, before, after }) => [action, before, after])).toMatchObject([
    ['note.create', null, { text: form.text, from: form.from }],
    ['note.update', { text: form.text }, { text: changed.text, to: changed.to }],
    ['note.delete', { text: changed.text }, null],
  ])
})

test('a note of the company is on all of its instances, one of an instance on that one, and both only in their window', async () => {
  await create()
  await create({ instanceId: null, from: '2026-11-20T10:05:00Z', to: '2026-11-20T10:05:00Z', text: 'Fire drill' })
  await create({ from: '2026-11-18T10:00:00Z', to: '2026-11-20T01:00:00Z', text: 'Maintenance' })
  const texts = async (query = {}) => (await notes(query)).map(({ text }) => text)
  expect(await texts()).toEqual(['Maintenance', form.text, 'Fire drill'])
  expect(await texts({ instanceId: heat.instanceId })).toEqual(['Fire drill'])
  expect(await texts({ start: '2026-11-21T00:00:00Z', end: '2026-11-22T00:00:00Z' })).toEqual([])
})

test('R1 an expert changes own notes, a sudoer all, an auditor reads them', async () => {
  const { note } = (await create({}, sudoer)).body.data
  expect((await notes())[0]?.mayChange).toBe(false)
  expect((await notes({}, auditor))[0]?.mayChange).toBe(false)
  const change = { token: expert, params: { id: note._id }, body: form }
  expect(await app.ask(contract.updateNote, change)).toMatchObject({ status: 403, body: { message: m.noteOfAnother } })
  const refused = await app.ask(contract.removeNote, { token: expert, params: { id: note._id } })
  expect(refused).toMatchObject({ status: 403, body: { message: m.noteOfAnother } })
  expect(await notes()).toHaveLength(1)
})

test('T4 notes of another company are not found', async () => {
  const { note } = (await create()).body.data
  const params = { id: note._id }
  expect((await app.ask(contract.updateNote, { token: west, params, body: form })).status).toBe(404)
  expect((await app.ask(contract.removeNote, { token: west, params })).status).toBe(404)
  expect((await create({}, west)).status).toBe(404)
  const query = { instanceId: cold.instanceId, ...day }
  expect((await app.ask(contract.findAnnotations, { token: west, query })).status).toBe(404)
  await create({ instanceId: null }, west)
  expect(await notes()).toHaveLength(1)
})

test.each([
  [{ text: '' }, { text: m.required }],
  [{ text: 'x'.repeat(501) }, { text: m.longest(limits.noteMax) }],
  [{ text: 'a\u202eb' }, { text: m.characters }],
  [{ to: '2026-11-20T09:00:00Z' }, { to: m.endBeforeStart }],
  [{ to: '2028-11-20T09:00:00Z' }, { to: m.tooManyDays(limits.exportDays) }],
  [{ from: 'yesterday' }, { from: m.dateAndTime }],
])('bad input %j is refused with a sentence', async (part, errors) => {
  expect(await create(part)).toMatchObject({ status: 400, body: { errors } })
})

test('hostile text is stored as it is', async () => {
  const text = `<img src=x onerror=alert(1)> '; drop table note; -- {{constructor}}`
  await create({ text })
  expect((await notes())[0]?.text).toBe(text)
})

test('a charger and its site have the notes of the company and the accepted plans of both, in their company only', async () => {
  const { customerId: customer_id } = cold
  const site_id = newId()
  await addRows(app.records, 'charging_site', {
    customer_id,
    site_id,
    name: 'Yard',
    limit_a: 50,
    fallback_a: 6,
    created_at: new Date(),
  })
  await addChargers(app.records, [{ identity: 'gate' }, { identity: 'other' }])
  const charger_id = idOf('charger', 'north', 'gate')
  await changeRows(app.records, 'charger', { customer_id, charger_id }, { site_id })
  const at = new Date('2026-11-20T10:00:00Z')
  const plan = (name: string, target: object) => {
    const plan_id = newId()
    const times = { made_at: at, from_at: at, to_at: new Date('2026-11-20T12:00:00Z'), accepted_at: at }
    return {
      customer_id,
      plan_id,
      series_id: plan_id,
      name,
      state: 'done',
      asked: '{}',
      made_by_name: 'Expert',
      ...times,
      ...target,
    }
  }
  await addRows(app.records, 'load_plan', [plan('Of charger', { charger_id }), plan('Of site', { site_id })])
  await create()
  await create({ instanceId: null, text: 'Fire drill' })
  const wordsOf = ({ annotations }: { annotations: contract.Annotation[] }) =>
    annotations.map((one) => (one.kind === 'note' ? one.text : 'name' in one ? one.name : '')).toSorted()
  const ofCharger = (chargerId: string, token = sudoer) =>
    app.ask(contract.findChargerAnnotations, { token, query: { chargerId, ...day } })
  const ofSite = (token = sudoer) =>
    app.ask(contract.findSiteAnnotations, { token, query: { siteId: site_id, ...day } })
  const all = ['Fire drill', 'Of charger', 'Of site']
  expect(wordsOf((await ofCharger(charger_id)).body.data)).toEqual(all)
  expect(wordsOf((await ofSite()).body.data)).toEqual(all)
  expect(wordsOf((await ofCharger(idOf('charger', 'north', 'other'))).body.data)).toEqual(['Fire drill'])
  expect([(await ofCharger(charger_id, west)).status, (await ofSite(west)).status]).toEqual([404, 404])
})

test('activations, triggered alerts and accepted plans of the window', async () => {
  const { customerId: customer_id, instanceId: instance_id } = cold
  const at = new Date('2026-11-20T10:00:00Z')
  const event = {
    customer_id,
    instance_id,
    market: 'FCR-D-INC',
    event_type: 'fcr_based' as const,
    source: 'telemetry' as const,
    direction: 'increased' as const,
    started_at: at,
    ended_at: new Date('2026-11-20T10:01:00Z'),
    is_final: true,
    capacity_kw: 420,
    capacity_source: 'registered' as const,
    late: false,
  }
  await addRows(app.records, 'event', [
    { ...event, event_id: newId(), delta_load: 40, score: 97 },
    { ...event, event_id: newId(), delta_load: 5, market: 'FCR-N' },
  ])
  const plan = {
    customer_id,
    instance_id,
    name: 'Ice store',
    state: 'done',
    asked: '{}',
    made_by_name: 'Expert',
    made_at: at,
    from_at: at,
    to_at: new Date('2026-11-21T10:00:00Z'),
  }
  const plans = [newId(), newId()]
  await addRows(app.records, 'load_plan', [
    {
      ...plan,
      plan_id: plans[0] ?? '',
      series_id: plans[0] ?? '',
      accepted_at: at,
      ended_at: new Date('2026-11-20T11:00:00Z'),
      end_reason: 'by-hand',
    },
    { ...plan, plan_id: plans[1] ?? '', series_id: plans[1] ?? '' },
  ])
  await addRows(app.records, 'alert_trigger', {
    customer_id,
    trigger_id: newId(),
    alert_id: null,
    instance_id,
    name: 'Cold above 400',
    type: 'power',
    criteria: 'gt',
    threshold: 400,
    value: 412.5,
    triggered_at: new Date('2026-11-20T09:00:00Z'),
    crossed_at: at,
    late: false,
    notification: true,
  })
  const { annotations, isCut } = await find()
  expect(isCut).toBe(false)
  expect(annotations).toMatchObject([
    { kind: 'alert', name: 'Cold above 400', from: '2026-11-20T09:00:00.000Z', to: null },
    { kind: 'activation', market: 'FCR-D-INC', deltaLoad: 40, score: 97, to: '2026-11-20T10:01:00.000Z' },
    { kind: 'plan', _id: plans[0], name: 'Ice store', to: '2026-11-20T11:00:00.000Z' },
  ])
  const later = await find({ start: '2026-11-20T10:30:00Z', end: '2026-11-20T12:00:00Z' })
  expect(later.annotations.map(({ kind }) => kind)).toEqual(['plan'])
  expect((await find({ instanceId: heat.instanceId })).annotations).toEqual([])
})
