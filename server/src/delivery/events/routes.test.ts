import * as contract from '@gridmast/contract/delivery/events.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { readXlsx } from 'hucre'
import { parseCsv } from 'hucre'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventRow, findInstance, type TestInstance } from '#delivery/instance.fixture.ts'
import { lines } from '#delivery/scoring/delivery.fixture.ts'
import { pageRows } from '#platform/files/table-file.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addRows, changeRows } from '#testing/rows.ts'

const nowMs = Date.parse('2026-11-20T12:00:00Z')

type Row = { at: string; seconds: number | null; market?: string; more?: Record<string, unknown> }
const idAt = (at: string) => idOf('test event', at)
const addEvents = (instance: TestInstance, rows: Row[]) =>
  addRows(
    app.records,
    'event',
    rows.map(({ at, seconds, market = 'FCR-D-INC', more }) => ({
      ...eventRow(instance, idAt(at), new Date(at)),
      market,
      event_type: market === 'aFRR' ? 'frr_based' : 'fcr_based',
      ended_at: seconds === null ? null : new Date(Date.parse(at) + seconds * 1000),
      delta_load: 10,
      ...more,
    })),
  )

const app = await openTestApp()
app.setNow(new Date(nowMs).toISOString())
const token = await app.tokenOf('sudoer@north.example')
const west = await app.tokenOf('sudoer@west.example')
const cold = await findInstance(app)
const heat = await findInstance(app, 'heat')
await addEvents(cold, [
  { at: '2026-11-13T22:59:59Z', seconds: 10 },
  { at: '2026-11-13T23:00:00Z', seconds: 59, more: { delta_load: 19.99, consumption_kwh: 2 } },
  { at: '2026-11-18T10:00:00Z', seconds: 60, more: { delta_load: 20, direction: 'decreased', consumption_kwh: 3 } },
  { at: '2026-11-19T10:00:00Z', seconds: 300, more: { delta_load: 39.99 } },
  { at: '2026-11-19T12:00:00Z', seconds: 900, more: { delta_load: 100 } },
  { at: '2026-11-20T10:00:00Z', seconds: 901, market: 'aFRR', more: { delta_load: 40, max_set_point: 40 } },
  { at: '2026-11-20T11:59:00Z', seconds: null, more: { is_final: false } },
])
await addEvents(heat, [{ at: '2026-11-19T11:00:00Z', seconds: 5, market: 'FCR-D-DEC' }])
afterAll(() => app.close())

const list = async (query: Record<string, string> = {}, by = token) => {
  const answer = await app.ask(contract.findEvents, { token: by, query })
  expect(answer.status).toBe(200)
  return answer.body.data
}
const starts = async (query: Record<string, string> = {}) =>
  (await list(query)).events.map(({ startTime }) => startTime.slice(5, 16))

describe('the list of events', () => {
  test('the last seven local days are listed newest first, with figures of all rows', async () => {
    const all = await list()
    expect(all.events.map(({ _id }) => _id)).toEqual(
      [
        '2026-11-20T11:59:00Z',
        '2026-11-20T10:00:00Z',
        '2026-11-19T12:00:00Z',
        '2026-11-19T11:00:00Z',
        '2026-11-19T10:00:00Z',
        '2026-11-18T10:00:00Z',
        '2026-11-13T23:00:00Z',
      ].map(idAt),
    )
    const figures = {
      totalCount: 7,
      minDuration: 5,
      maxDuration: 901,
      totalConsumption: 5,
      avgDuration: (5 + 59 + 60 + 300 + 900 + 901) / 6,
    }
    expect(all).toMatchObject({ ...figures, startDate: '2026-11-14', endDate: '2026-11-20' })
    const page = await list({ limit: '2', skip: '2' })
    expect(page.events.map(({ _id }) => _id)).toEqual(all.events.slice(2, 4).map(({ _id }) => _id))
    expect(page).toMatchObject(figures)
  })

  test.each([
    [
      { deltaLoad: '0' },
      ['11-20T11:59', '11-20T10:00', '11-19T12:00', '11-19T11:00', '11-19T10:00', '11-18T10:00', '11-13T23:00'],
    ],
    [{ deltaLoad: '20' }, ['11-20T10:00', '11-19T12:00', '11-19T10:00', '11-18T10:00']],
    [{ deltaLoad: '40' }, ['11-20T10:00', '11-19T12:00']],
    [{ leastDeltaLoad: '19.99' }, ['11-20T10:00', '11-19T12:00', '11-19T10:00', '11-18T10:00', '11-13T23:00']],
    [{ deltaLoad: '100' }, ['11-19T12:00']],
    [{ duration: 'under-1' }, ['11-19T11:00', '11-13T23:00']],
    [{ duration: '1-5' }, ['11-18T10:00']],
    [{ duration: '5-15' }, ['11-19T12:00', '11-19T10:00']],
    [{ duration: 'over-15' }, ['11-20T10:00']],
    [{ direction: 'decreased' }, ['11-18T10:00']],
    [{ market: 'FCR-D-DEC' }, ['11-19T11:00']],
    [{ eventType: 'frr_based' }, ['11-20T10:00']],
    [{ startDate: '2026-11-13', endDate: '2026-11-13' }, ['11-13T22:59']],
    [{ startDate: '2026-11-18', endDate: '2026-11-18' }, ['11-18T10:00']],
  ])('narrowed by %j', async (query, expected) => {
    expect(await starts(query)).toEqual(expected)
  })

  test('narrowed by instance and license, with the event types of their markets', async () => {
    expect(await starts({ instanceId: heat.instanceId })).toEqual(['11-19T11:00'])
    expect(await starts({ licenseId: cold.licenceId })).not.toContain('11-19T11:00')
    expect((await list({ instanceId: heat.instanceId })).eventTypes).toEqual(['fcr_based'])
    await changeRows(app.records, 'instance', { instance_id: heat.instanceId }, { markets: ['FCR-D-DEC', 'aFRR'] })
    expect((await list()).eventTypes).toEqual(['fcr_based', 'frr_based'])
  })

  test('smaller events are hidden and counted, and simultaneous events of several instances are one disturbance', async () => {
    const [startDate, endDate, market] = ['2026-11-10', '2026-11-10', 'FCR-D-INC']
    await addEvents(cold, [
      { at: '2026-11-10T10:00:00Z', seconds: 20, more: { delta_load: 30 } },
      { at: '2026-11-10T10:00:40Z', seconds: 20, more: { delta_load: 12 } },
      { at: '2026-11-10T11:00:00Z', seconds: 3, more: { delta_load: 2 } },
      { at: '2026-11-10T12:00:00Z', seconds: 3, more: { delta_load: null, source: 'edge' } },
    ])
    await addEvents(heat, [
      { at: '2026-11-10T10:00:03Z', seconds: 20, more: { delta_load: 31 } },
      { at: '2026-11-10T10:00:05Z', seconds: 20, more: { delta_load: 31, direction: 'decreased' } },
    ])
    const query = { startDate, endDate, market, leastDeltaLoad: '10', by: 'disturbance' }
    const found = await list({ ...query, limit: '3' })
    const ids = (...times: string[]) => times.map((time) => idAt(`2026-11-10T${time}Z`))
    expect(found.disturbances).toEqual([ids('12:00:00'), ids('10:00:40'), ids('10:00:05')])
    expect(found).toMatchObject({ hiddenCount: 1, totalCount: 5, rowCount: 4 })
    const rest = await list({ ...query, limit: '3', skip: '3' })
    expect([rest.disturbances, rest.events.length]).toEqual([[ids('10:00:00', '10:00:03')], 2])
    expect(await list({ startDate, endDate, market })).toMatchObject({
      hiddenCount: 0,
      disturbances: null,
      rowCount: 6,
    })
    expect((await list({ ...query }, west)).disturbances).toEqual([])
    await app.records.system((tx) =>
      tx
        .deleteFrom('event')
        .where('started_at', '<', new Date('2026-11-11T00:00:00Z'))
        .where('started_at', '>', new Date('2026-11-10T00:00:00Z'))
        .execute(),
    )
  })

  test('an end before the start, more than 400 days, an invalid step and an unknown market are refused', async () => {
    const errors = async (query: Record<string, string>) =>
      (await app.ask(contract.findEvents, { token, query })).body.errors
    expect(await errors({ startDate: '2026-11-20', endDate: '2026-11-19' })).toEqual({ endDate: m.endBeforeStart })
    expect(await errors({ startDate: '2025-10-01', endDate: '2026-11-19' })).toEqual({
      endDate: m.tooManyDays(limits.exportDays),
    })
    expect(await errors({ deltaLoad: '30' })).toEqual({ deltaLoad: m.oneOf('0, 20, 40, 60, 80, 100') })
    expect(await errors({ market: 'XYZ' })).toEqual({ market: 'No such market' })
  })

  test('C4 the file has all events, not only the page', async () => {
    const { text } = await app.ask(contract.findEvents, { token, query: { format: 'csv', limit: '1' } })
    const rows = text.trim().split('\r\n')
    expect(rows).toHaveLength(1 + 7)
    expect(rows[1]).toContain('FCR-D-INC,North Cold,increased,2026-11-20 12:59:00,2026-11-20T11:59:00.000Z,,,')
  })

  test('C4 a file of more than two pages has each event once, in the order of the list', async () => {
    const at = '2026-10-05T06:00:00Z'
    const span = { startDate: '2026-10-05', endDate: '2026-10-05' }
    await addEvents(cold, [{ at, seconds: 1, more: { consumption_kwh: 0 } }])
    await app.records.system((tx) =>
      sql`insert into event (customer_id, event_id, instance_id, market, source, event_type, direction, started_at, ended_at, capacity_kw,
          capacity_source, is_final, late, consumption_kwh)
        select customer_id, md5(n::text)::uuid, instance_id, market, source, event_type, direction, started_at + n / 3 * interval '1 s',
          ended_at + n / 3 * interval '1 s', capacity_kw, capacity_source, is_final, late, n
        from event, generate_series(1, ${2 * pageRows + 349}) n where event_id = ${idAt(at)}`.execute(tx),
    )
    const { totalCount, totalConsumption } = await list(span)
    const { text } = await app.ask(contract.findEvents, { token, query: { ...span, format: 'csv' } })
    const [head = [], ...rows] = parseCsv(text)
    const column = head.indexOf('Consumption (kWh)')
    const consumed = rows.map((row) => Number(row[column]))
    expect([rows.length, totalCount]).toEqual([2350, 2350])
    expect(consumed.reduce((sum, kwh) => sum + kwh, 0)).toBe(totalConsumption)
    for (const skip of [0, pageRows - 50, 2 * pageRows - 50, 2250])
      expect(consumed.slice(skip, skip + 100)).toEqual(
        (await list({ ...span, limit: '100', skip: String(skip) })).events.map(({ consumption }) => consumption),
      )
    await app.records.system((tx) =>
      tx
        .deleteFrom('event')
        .where('started_at', '>=', new Date(at))
        .where('started_at', '<', new Date('2026-10-06'))
        .execute(),
    )
  })

  test('files show the slope where it decides the verdict, and the capacity as sold', async () => {
    const at = '2026-11-12T10:00:00Z'
    const judged = { score: 99.7, verdict: 'not delivered' }
    const parts = { insideShare: 0.997, slope: 0.62, biasKwh: 0 }
    const outcome = {
      method: 'band',
      ...judged,
      from: at,
      to: at,
      missingShare: 0,
      capacityKw: 600,
      baseKw: 410,
      parts,
    }
    const sold = { capacity_kw: 600, capacity_source: 'sold' }
    const more = { ...judged, ...sold, outcome: JSON.stringify(outcome) }
    await addEvents(cold, [{ at, seconds: 60, more }])
    const day = { startDate: '2026-11-12', endDate: '2026-11-12' }
    const { text } = await app.ask(contract.findEvents, { token, query: { ...day, format: 'csv' } })
    const [head = [], row = []] = text.split('\r\n').map((line) => line.split(','))
    expect(['Score', 'Slope', 'Verdict'].map((name) => row[head.indexOf(name)])).toEqual(['', '0.62', 'not delivered'])
    const headers = { authorization: `Bearer ${token}` }
    for (const [url, query] of [
      [contract.eventExport.path.replace('{id}', idAt(at)), {}],
      [contract.controlSheet.path, { ...day, market: 'FCR-D-INC', instanceId: cold.instanceId }],
    ] as const) {
      const { rawPayload } = await app.http.inject({ url: `/api${url}`, query, headers })
      const [sheet] = (await readXlsx(rawPayload)).sheets
      expect(sheet?.rows).toContainEqual(expect.arrayContaining(['Capacity (kW)', '600 (as sold)']))
    }
    await app.records.system((tx) => tx.deleteFrom('event').where('event_id', '=', idAt(at)).execute())
  })
})

test('the dashboard lists the newest events of one type, by default of the first sold market', async () => {
  const dashboard = async (query = {}) => await app.data(contract.dashboardEvents, { token, query })
  const first = await dashboard({ limit: '2' })
  expect([first.eventType, first.events.map(({ startTime }) => startTime.slice(5, 16))]).toEqual([
    'fcr_based',
    ['11-20T11:59', '11-19T12:00'],
  ])
  const set = await dashboard({ eventType: 'frr_based' })
  expect(set.events).toMatchObject([{ maxSetPoint: 40 }])
  const earlier = await dashboard({ startDate: '2026-11-19', endDate: '2026-11-19', limit: '1' })
  expect(earlier.events).toMatchObject([{ type: 'FCR-D-INC', startTime: '2026-11-19T12:00:00.000Z' }])
  const large = await dashboard({ leastDeltaLoad: '20', limit: '100' })
  expect(large.events.filter(({ deltaLoad }) => deltaLoad !== null && deltaLoad < 20)).toEqual([])
  expect(large.events.length).toBeLessThan((await dashboard({ limit: '100' })).events.length)
  expect([first.today, set.today]).toEqual([1, 1])
})

test('an event without an end and without news is not running', async () => {
  expect((await app.data(contract.runningEvents, { token })).running).toEqual([])
})

describe('one activation', () => {
  const at = '2026-11-19T10:00:00Z'
  const startMs = Date.parse(at)
  beforeAll(async () => {
    const frequency = lines([-120, 50], [-1, 50], [0, 49.7], [299, 49.7], [300, 50], [420, 50])
    const power = frequency.map((hz) => (hz === 49.7 ? 795 : 900))
    const t0Ms = startMs - 120_000
    await app.readings.insert([
      { signalNo: cold.noOf('frequency'), t0Ms, dtMs: 1000, values: frequency },
      { signalNo: cold.noOf('power'), t0Ms, dtMs: 1000, values: power },
    ])
    const log = { customer_id: cold.customerId, instance_id: cold.instanceId }
    await addRows(app.records, 'command_log', [
      { ...log, at: new Date(startMs - 61_000), device_id: 'plc', command: 'before' },
      { ...log, at: new Date(startMs + 1000), device_id: 'plc', command: '=setPoint(50)' },
      { ...log, at: new Date(startMs + 300_000), device_id: 'plc', command: 'setPoint=0' },
    ])
  })

  test('the data log is calculated from the samples, with required and delivered power and the score', async () => {
    const data = await app.data(contract.eventDataLog, { token, params: { id: idAt(at) } })
    expect(data.event._id).toBe(idAt(at))
    expect(data.trigger).toMatchObject({ name: 'Frequency', unit: 'Hz' })
    expect([data.trigger.x[0], data.trigger.x.at(-1)]).toEqual([startMs - 60_000, startMs + 359_000])
    expect(data.delivery.map(({ name, y }) => [name, y[30]])).toEqual([
      ['Required', expect.closeTo(210, 6)],
      ['Delivered', 105],
      ['Least', expect.closeTo(210, 1)],
      ['Most', expect.closeTo(1.2 * 210 + 21, 6)],
    ])
    expect(data.score).toMatchObject({ method: 'response', verdict: 'not delivered', baseKw: 900, capacityKw: 420 })
  })

  test('T1 an unknown event, one of another customer and a malformed id are refused', async () => {
    const of = (id: string, by: string) => app.ask(contract.eventExport, { token: by, params: { id } })
    const unknown = await of(newId(), token)
    expect([unknown.status, (await of(idAt(at), west)).body]).toEqual([404, unknown.body])
    expect((await of('x', token)).status).toBe(400)
  })

  test('L2 the commands to devices around an event are listed and downloaded', async () => {
    const params = { id: idAt(at) }
    const data = await app.data(contract.eventCommandLog, { token, params })
    expect(data.commandLog).toEqual([
      { command: '=setPoint(50)', deviceId: 'plc', timestamp: new Date(startMs + 1000).toISOString() },
      { command: 'setPoint=0', deviceId: 'plc', timestamp: new Date(startMs + 300_000).toISOString() },
    ])
    const { text } = await app.ask(contract.eventCommandLog, { token, params, query: { format: 'csv' } })
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      '\uFEFFCommand,Device,Time (Europe/Berlin),Time (UTC)',
      "'=setPoint(50),plc,2026-11-19 11:00:01,2026-11-19T10:00:01.000Z",
    ])
  })

  test('the seconds of an event are downloaded with the method', async () => {
    const { text } = await app.ask(contract.eventExport, { token, params: { id: idAt(at) }, query: { format: 'csv' } })
    const rows = text.trim().split('\r\n')
    expect(rows).toHaveLength(1 + 420)
    expect(rows[0]).toContain(
      'Frequency (Hz),Power (kW),Base (kW),Required (kW),Delivered (kW),Least (kW),Most (kW),Score,Slope,Verdict',
    )
    expect(rows[1 + 60 + 30]).toContain('2026-11-19T10:00:30.000Z,49.7,795,900,210')
    expect(rows[1]).toContain('2026-11-19T09:59:00.000Z,50,900,,,,,,,')
  })

  test('the control sheet has each second of the days, judged during activations, below the method', async () => {
    const query = { market: 'FCR-D-INC', instanceId: cold.instanceId, startDate: '2026-11-19', endDate: '2026-11-19' }
    const { text } = await app.ask(contract.controlSheet, { token, query: { ...query, format: 'csv' } })
    const rows = text.trim().split('\r\n')
    expect(rows).toHaveLength(1 + 541)
    expect(rows.filter((row) => row.includes('not delivered'))).toHaveLength(300)
    const http = await app.http.inject({
      url: '/api/client/data/event/control-sheet',
      query,
      headers: { authorization: `Bearer ${token}` },
    })
    const [sheet] = (await readXlsx(http.rawPayload)).sheets
    const head = sheet?.rows.slice(0, 8).map((row) => String(row[0])) ?? []
    expect(head).toContain('Method')
  })

  test('L1 an activation of more than a day is read in hours, with whole curves, each second in its file and the score of its row', async () => {
    const atLong = '2026-11-16T22:00:00Z'
    const longMs = Date.parse(atLong)
    const hours = 26
    const values = (rest: number, called: number) =>
      Array.from({ length: hours * 3600 + 240 }, (_, i) => (i < 120 || i >= hours * 3600 + 120 ? rest : called))
    const runOf = (kind: string, all: number[]) => ({
      signalNo: cold.noOf(kind),
      t0Ms: longMs - 120_000,
      dtMs: 1000,
      values: all,
    })
    await app.readings.insert([runOf('frequency', values(50, 49.7)), runOf('power', values(900, 690))])
    const outcome = {
      method: 'response',
      score: 88.8,
      verdict: 'partly delivered',
      from: atLong,
      to: atLong,
      missingShare: 0,
      capacityKw: 420,
      baseKw: 900,
      parts: { energy: 1, ramp: 1, over: 1, weights: { energy: 1, ramp: 1, over: 1 } },
    }
    const more = { outcome: JSON.stringify(outcome), score: 88.8, verdict: 'partly delivered' }
    await addEvents(cold, [{ at: atLong, seconds: hours * 3600, more }])
    const { samples } = app.readings
    const read: number[] = []
    app.readings.samples = (query) => {
      read.push(query.toMs - query.fromMs)
      return samples(query)
    }
    const params = { id: idAt(atLong) }
    const data = await app.data(contract.eventDataLog, { token, params })
    const { text } = await app.ask(contract.eventExport, { token, params, query: { format: 'csv' } })
    app.readings.samples = samples
    expect(Math.max(...read)).toBeLessThan(7 * 3_600_000)
    expect(data.score).toMatchObject(outcome)
    for (const { x, y } of data.delivery) {
      expect(x.length).toBeLessThanOrEqual(limits.defaultPoints)
      expect([x[0], x.at(-1), y.includes(null)]).toEqual([longMs, longMs + hours * 3_600_000 - 1000, false])
    }
    expect(new Set(data.delivery[0]?.y.map((kw) => Math.round(kw ?? 0)))).toEqual(new Set([210]))
    const rows = text.trim().split('\r\n')
    expect(rows).toHaveLength(1 + hours * 3600 + 120)
    expect(rows.filter((row) => row.includes(',690,900,210'))).toHaveLength(hours * 3600)
    await app.records.system((tx) => tx.deleteFrom('event').where('event_id', '=', params.id).execute())
  })

  test('a market without an event of the instance has no control sheet', async () => {
    const query = { market: 'FCR-N', instanceId: cold.instanceId, startDate: '2026-11-19', endDate: '2026-11-19' }
    expect((await app.ask(contract.controlSheet, { token, query })).status).toBe(404)
  })

  test('L1 a control sheet has at most twelve days', async () => {
    const query = { market: 'FCR-D-INC', instanceId: cold.instanceId, startDate: '2026-11-01', endDate: '2026-11-13' }
    const { status, body } = await app.ask(contract.controlSheet, { token, query })
    expect([status, body.errors]).toEqual([400, { endDate: m.exportTooLong(limits.controlSheetDays) }])
  })
})
