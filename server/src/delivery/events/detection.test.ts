import * as contract from '@gridmast/contract/delivery/events.ts'
import * as webhookContract from '@gridmast/contract/people/webhooks.ts'
import { localDateOf } from '@gridmast/contract/time.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { findInstance } from '#delivery/instance.fixture.ts'
import { workedExample } from '#delivery/scoring/delivery.fixture.ts'
import { addPushDevices } from '#people/push/devices.fixture.ts'
import { newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addRows, changeRows, storedRows } from '#testing/rows.ts'
import { startEvents } from './detection.ts'

const minute = 60_000
const day = 86_400_000
const baseMs = Math.floor(Date.now() / minute) * minute - 3 * day
let halfHours = 0
const nextMs = () => baseMs + halfHours++ * 30 * minute

const { dip, shares, answer } = workedExample

const app = await openTestApp()
const token = await app.tokenOf('sudoer@north.example')
let cold = await findInstance(app)
const { customerId, instanceId } = cold
await addRows(app.records, 'email_subscription', {
  customer_id: customerId,
  subscription_id: newId(),
  instance_id: instanceId,
  email: 'ops@north.example',
  event_type: 'fcr_based',
  activation: true,
  bid_result: false,
  created_at: new Date(),
})
const body = { name: 'Plant', url: 'https://hooks.example/x', events: ['activation'], enabled: true }
await app.ask(webhookContract.addWebhook, { token, body })
const pushes = await addPushDevices(app)
let engine = await startEvents(app)
afterAll(async () => {
  await engine.close()
  await app.close()
})

const run = (kind: string, t0Ms: number, values: readonly number[]) => ({
  signalNo: cold.noOf(kind),
  t0Ms,
  dtMs: 1000,
  values: [...values],
})
const insert = async (t0Ms: number, frequency: readonly number[] = dip, power: readonly number[] = answer) => {
  await app.readings.insert([run('frequency', t0Ms, frequency), run('power', t0Ms, power)])
  await engine.settled()
}
const between = { startDate: new Date(baseMs - day).toISOString().slice(0, 10) }
const list = async (query: Record<string, string> = {}, by = token) =>
  await app.data(contract.findEvents, { token: by, query: { ...between, ...query } })
const eventAt = async (startMs: number) =>
  (await list({ limit: '100' })).events.find(({ startTime }) => Date.parse(startTime) === startMs + 102_000)
const queued = async () => {
  const found = await storedRows(app.records, 'outbox', {}, ['kind', 'payload'])
  return found.map(({ kind, payload }) => ({ kind, payload: payload as { type?: string; data?: object } }))
}
const forget = () => app.records.system((tx) => tx.deleteFrom('outbox').execute())

describe('1-Hz telemetry alone', () => {
  test('gives one INC row with delta load 70 % and the score of the rules, explained by its data log', async () => {
    const t0Ms = nextMs()
    await insert(t0Ms)
    const { events, totalCount, minDuration, totalConsumption } = await list()
    expect([events.length, totalCount, minDuration]).toEqual([1, 1, 69])
    const [event] = events
    expect(event).toMatchObject({
      market: 'FCR-D-INC',
      instanceName: 'North Cold',
      direction: 'increased',
      source: 'telemetry',
      startTime: new Date(t0Ms + 102_000).toISOString(),
      duration: 69,
      difference: 69,
      deltaLoad: 70,
      maxFrequency: 49.62,
      maxSetPoint: null,
      capacityKw: 420,
      capacitySource: 'registered',
      late: true,
      isConsumptionEstimated: true,
      verdict: 'partly delivered',
    })
    expect(Math.abs((event?.score ?? 0) - 93.5)).toBeLessThanOrEqual(1)
    expect(totalConsumption).toBeCloseTo(13.65, 1)
    const data = await app.data(contract.eventDataLog, { token, params: { id: event?._id ?? '' } })
    expect(data.score).toMatchObject({ method: 'response', score: event?.score, capacityKw: 420 })
    if (data.score?.method === 'response') expect(data.score.parts.energy).toBeCloseTo(0.975, 2)
    const [required, delivered] = data.delivery
    expect(Math.max(...(required?.y ?? []).map(Number))).toBeCloseTo(294, 6)
    expect(delivered?.x).toHaveLength(69)
    expect([data.trigger.name, data.trigger.x.length, data.activationFrom, data.dataLog.length]).toEqual([
      'Frequency',
      189,
      49.9,
      69,
    ])
    expect(data.windows).toEqual([])
  })

  test('arriving late, twice and in pieces gives the same row and id without a notification', async () => {
    await forget()
    const t0Ms = nextMs()
    await insert(t0Ms)
    const before = await eventAt(t0Ms)
    for (const from of [200, 0, 100, 200])
      await insert(t0Ms + from * 1000, dip.slice(from, from + 100), answer.slice(from, from + 100))
    expect(await eventAt(t0Ms)).toEqual(before)
    expect(before?.late).toBe(true)
    expect(await queued()).toEqual([])
  })

  test('with a late correction of the power changes the score of the row, not its id', async () => {
    const t0Ms = nextMs()
    await insert(t0Ms)
    const before = await eventAt(t0Ms)
    const atOnce = shares.map((share) => 900 - 420 * share)
    await app.readings.insert([run('power', t0Ms, atOnce)])
    await engine.settled()
    const after = await eventAt(t0Ms)
    expect([after?._id, after?.score, after?.verdict]).toEqual([before?._id, 100, 'delivered'])
  })

  test('uses the consumption of the meter where it was read around the activation', async () => {
    const t0Ms = nextMs()
    await insert(t0Ms)
    await app.readings.insert([
      { signalNo: cold.noOf('energy'), t0Ms: t0Ms + 101_000, dtMs: 71_000, values: [1000, 1014.2] },
    ])
    await engine.settled()
    expect(await eventAt(t0Ms)).toMatchObject({
      isConsumptionEstimated: false,
      consumption: expect.closeTo((14.2 * 69) / 71, 6),
    })
  })
})

test('T5 R1 an activation in time is pushed to its readers at its start, mailed and posted once with its final figures, also after repeated samples and a restart', async () => {
  await forget()
  const t0Ms = Math.floor(Date.now() / 1000) * 1000 - 6 * minute
  await insert(t0Ms, dip.slice(0, 120), answer.slice(0, 120))
  const atStart = await pushes()
  const day = localDateOf(t0Ms + 102_000)
  const path = `/demandResponse/FCR-D-INC?instance=${instanceId}&dateRange=${day}..${day}`
  expect(atStart).toEqual([
    {
      to: 'sudoer@north.example',
      title: 'North Cold: activated in FCR-D-INC',
      body: expect.stringMatching(/, still running\nFCR-D-INC, increased, delta load 70 %$/),
      path,
    },
    {
      to: 'auditor@north.example',
      title: 'North Cold: aktiveret i FCR-D-INC',
      body: expect.stringMatching(/, i gang endnu\nFCR-D-INC, opregulering, lastændring 70 %$/),
      path,
    },
  ])
  expect((await queued()).filter(({ kind }) => kind === 'webhook')).toEqual([])
  await insert(t0Ms + 120_000, dip.slice(120), answer.slice(120))
  await insert(t0Ms)
  await engine.close()
  engine = await startEvents(app)
  await insert(t0Ms + 60_000, dip.slice(60, 200), answer.slice(60, 200))
  const event = await eventAt(t0Ms)
  expect(event).toMatchObject({ late: false, score: expect.closeTo(93.5, 0) })
  expect(await pushes()).toEqual(atStart)
  const told = (await queued()).filter(({ kind }) => kind !== 'push')
  expect(told.map(({ kind }) => kind).toSorted()).toEqual(['mail', 'webhook'])
  expect(told.find(({ kind }) => kind === 'webhook')?.payload).toMatchObject({
    type: 'activation',
    data: { _id: event?._id, market: 'FCR-D-INC', deltaLoad: 70, duration: 69, difference: 69, score: event?.score },
  })
})

test('an activation that still runs after a gap of 25 minutes is notified at its end, also when a check falls between its parts', async () => {
  await forget()
  await app.records.system(async (tx) => {
    const own = tx.updateTable('instance').set({ markets: ['FCR-D-INC'], enabled: true, bid_active: true })
    await own.where('customer_id', '=', cold.customerId).where('key', '=', 'heat').execute()
    await tx.updateTable('instance').set({ market_since: '{}' }).where('customer_id', '=', cold.customerId).execute()
  })
  engine.changed()
  await engine.settled()
  const before = cold
  cold = await findInstance(app, 'heat')
  const t0Ms = Math.floor(Date.now() / 1000) * 1000 - 25 * minute
  const low = Array.from({ length: 24 * 60 }, (_, i) => (i < 120 ? 50 : 49.62))
  const power = low.map((hz) => (hz < 50 ? 600 : 900))
  // Resent from the oldest on, as the protocol requires.
  for (let from = 0; from < low.length; from += 480) {
    const part = (values: readonly number[]) => values.slice(from, from + 480)
    const partMs = t0Ms + from * 1000
    await app.readings.insert([run('frequency', partMs, part(low)), run('power', partMs, part(power))])
    if (from > 0) engine.tick()
    await engine.settled()
  }
  const webhooks = async () => (await queued()).filter(({ kind }) => kind === 'webhook').length
  const [event] = (await list({ instanceId: cold.instanceId })).events
  expect(event).toMatchObject({ startTime: new Date(t0Ms + 120_000).toISOString(), endTime: null, late: false })
  expect(await webhooks()).toBe(0)
  await insert(t0Ms + 24 * minute, Array(120).fill(50), Array(120).fill(900))
  expect((await list({ instanceId: cold.instanceId })).totalCount).toBe(1)
  expect(await webhooks()).toBe(1)
  cold = before
})

test('an instance that joins a market or bids again is judged from that time on', async () => {
  const t0Ms = nextMs()
  const change = async (set: { markets?: string[]; bid_active?: boolean; flexible_kw?: string }) => {
    await changeRows(app.records, 'instance', { instance_id: cold.instanceId }, set)
    engine.changed()
    await engine.settled()
  }
  const since = async () => {
    const found = (await storedRows(app.records, 'instance', { instance_id: cold.instanceId }, ['market_since']))[0]
    return Object.keys(Object(found?.market_since))
  }
  await change({ markets: ['FCR-D-INC', 'FFR'], flexible_kw: '420' })
  expect(await since()).toEqual(['FFR'])
  await change({ bid_active: false })
  await change({ bid_active: true })
  expect((await since()).toSorted()).toEqual(['FCR-D-INC', 'FFR'])
  await insert(t0Ms)
  expect(await eventAt(t0Ms)).toBeUndefined()
  await change({ markets: ['FFR'] })
  expect(await since()).toEqual(['FFR'])
  await change({ markets: ['FCR-D-INC'] })
  await changeRows(app.records, 'instance', { instance_id: cold.instanceId }, { market_since: '{}' })
})

test('samples stored while no engine ran are evaluated by the next one', async () => {
  const t0Ms = nextMs()
  await engine.close()
  await app.readings.insert([run('frequency', t0Ms, dip), run('power', t0Ms, answer)])
  expect(await eventAt(t0Ms)).toBeUndefined()
  engine = await startEvents(app)
  await engine.settled()
  expect(await eventAt(t0Ms)).toMatchObject({ deltaLoad: 70 })
})

test('a row that fails while the records store is away is stored once it is back', async () => {
  const t0Ms = nextMs()
  const { system } = app.records
  let failures = 2
  app.records.system = (work) => (failures-- > 0 ? Promise.reject(new Error('away')) : system(work))
  await insert(t0Ms)
  app.records.system = system
  expect(await eventAt(t0Ms)).toMatchObject({ deltaLoad: 70 })
})

test('a running activation is published each second, and once more at its end', async () => {
  const said: contract.LiveActivation[] = []
  const stop = app.live.subscribe(cold.customerId, (event, data) => {
    if (event === 'activation') said.push(contract.liveActivation.parse(data))
  })
  const t0Ms = Math.floor(Date.now() / 1000) * 1000 - 112_000
  await insert(t0Ms, dip.slice(0, 112), answer.slice(0, 112))
  const { running } = await app.data(contract.runningEvents, { token, query: { market: 'FCR-D-INC' } })
  expect(running).toMatchObject([
    {
      startTime: new Date(t0Ms + 102_000).toISOString(),
      seconds: 10,
      requiredKw: expect.closeTo(294, 6),
      score: expect.any(Number),
    },
  ])
  expect(running[0]?.deliveredKw).toBeCloseTo(900 - (answer[111] ?? 0), 6)
  await expect.poll(() => said.filter(({ ended }) => !ended).length).toBeGreaterThan(1)
  expect(said[0]).toMatchObject({ _id: running[0]?._id, seconds: 10, ended: false, deltaLoad: 70 })
  await insert(t0Ms + 112_000, dip.slice(112), answer.slice(112))
  await expect.poll(() => said.at(-1)?.ended).toBe(true)
  const after = await app.ask(contract.runningEvents, { token, query: { market: 'FCR-D-INC' } })
  expect(after.body.data.running).toEqual([])
  stop()
})

test('T1 T5 another customer reads no activation', async () => {
  const west = await app.tokenOf('sudoer@west.example')
  expect((await list({}, west)).events).toEqual([])
  const [mine] = (await list()).events
  const foreign = await app.ask(contract.eventDataLog, { token: west, params: { id: mine?._id ?? '' } })
  const unknown = await app.ask(contract.eventDataLog, { token: west, params: { id: newId() } })
  expect([foreign.status, foreign.body]).toEqual([404, unknown.body])
})
