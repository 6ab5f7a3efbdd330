import * as contract from '@gridmast/contract/data-hub.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { dayOf, putMeter, putReadings, putSpot, signalOf } from './data-hub.fixture.ts'

let app: TestApp
let sudoer: string
let expert: string
let west: string
beforeAll(async () => {
  app = await openTestApp()
  app.setNow('2026-11-22T10:00:00Z')
  sudoer = await app.tokenOf('sudoer@north.example')
  expert = await app.tokenOf('expert@north.example')
  west = await app.tokenOf('sudoer@west.example')
})
afterAll(() => app.close())

let points = 0
/** Meters of a test have numbers of their own. */
const point = () => `5713130000000${String(10_000 + ++points)}`
const groups = async (token = sudoer) => (await app.ask(contract.findMeterGroups, { token })).body.data.groups
const graphOf = (meterId: string, query: Record<string, string>, token = sudoer) =>
  app.ask(contract.meterGraph, { token, params: { meterId }, query })
const trail = async (action: string) =>
  app.records.system((tx) =>
    tx
      .selectFrom('audit_entry')
      .selectAll()
      .where('action', '=', action)
      .orderBy('entry_no', 'desc')
      .executeTakeFirst(),
  )
const seriesNamed = (graph: { name: string; y: (number | null)[]; kind: string }[], name: string) =>
  graph.find((one) => one.name === name)

describe('the cost of a meter', () => {
  test('the spot price and the tax of each quarter, with their parts; cost is a line among columns', async () => {
    const meter = await putMeter(app, { point: point() })
    await putSpot(app, '2026-11-20', 1, (index) => String(index * 10))
    await putReadings(app, meter, [dayOf('2026-11-20', (index) => 1000 + index)])
    const { body } = await graphOf(meter.meter_id, { date: '2026-11-20' })
    // Σ (1000 + i) × (10 i + 119) / 10⁶ for i = 0 … 95
    const exact = Array.from({ length: 96 }, (_, i) => ((1000 + i) * (10 * i + 119)) / 1e6).reduce((a, b) => a + b, 0)
    expect(body.data.totals.dkk?.total).toBe(exact.toFixed(2))
    expect(body.data.totals.kwh).toBe('100.560')
    expect(body.data.totals.coverage).toEqual({ intervals: 96, read: 96, estimated: 0, priced: 96, emission: 0 })
    expect(body.data.graph.map(({ name, kind }) => [name, kind])).toEqual([
      ['consumption', 'column'],
      ['cost', 'line'],
      ['co2', 'column'],
    ])
    expect(body.data.readings?.[2]).toEqual({
      from: '2026-11-19T23:30:00.000Z',
      to: '2026-11-19T23:45:00.000Z',
      kwh: '1.002',
      quality: 'measured',
      dkk: '0.139278',
    })
  })

  test('a gap is no 0: it is missing in the chart, in the sums, and the coverage says so', async () => {
    const meter = await putMeter(app, { point: point() })
    await putReadings(app, meter, [dayOf('2026-11-20', (index) => (index < 4 ? null : 500))])
    const { data } = (await graphOf(meter.meter_id, { date: '2026-11-20' })).body
    expect(seriesNamed(data.graph, 'consumption')?.y.slice(0, 5)).toEqual([null, null, null, null, 0.5])
    expect(seriesNamed(data.graph, 'cost')?.y[0]).toBe(null)
    expect(data.readings?.[0]).toMatchObject({ kwh: null, quality: 'missing', dkk: null })
    expect(data.totals.coverage).toMatchObject({ intervals: 96, read: 92 })
    const nothing = (await graphOf(meter.meter_id, { date: '2026-11-19' })).body.data
    expect(nothing.totals).toMatchObject({ kwh: null, dkk: null, kgCo2: null })
    expect(nothing.totals.coverage).toMatchObject({ intervals: 96, read: 0 })
  })

  test.each([
    ['2026-03-29', 92, 23],
    ['2026-10-25', 100, 25],
  ])('%s has %i quarters, and %i hours for an hourly meter', async (date, quarters, hours) => {
    await putSpot(app, date, 1, () => '100')
    const [byQuarter, byHour] = [await putMeter(app, { point: point() }), await putMeter(app, { point: point() })]
    await putReadings(app, byQuarter, [dayOf(date, () => 1000)])
    await putReadings(app, byHour, [dayOf(date, () => 4000, { step: 'hour' })])
    const [a, b] = [
      (await graphOf(byQuarter.meter_id, { date })).body.data,
      (await graphOf(byHour.meter_id, { date })).body.data,
    ]
    expect([a.readings?.length, b.readings?.length]).toEqual([quarters, hours])
    expect(a.totals.dkk).toEqual(b.totals.dkk)
    expect(a.totals.coverage.intervals).toBe(quarters)
  })

  test('a quarter meter before 2025-10-01 repeats the price of the hour', async () => {
    const meter = await putMeter(app, { point: point(), tax: '0' })
    await putSpot(app, '2025-09-10', 1, (hour) => String(hour * 100), 'hour')
    await putReadings(app, meter, [dayOf('2025-09-10', () => 1000)])
    const { readings } = (await graphOf(meter.meter_id, { date: '2025-09-10' })).body.data
    expect(readings?.slice(3, 6).map(({ dkk }) => dkk)).toEqual(['0', '0.1', '0.1'])
  })

  test('month and year are the same sums by day and by month; the period before stands beside', async () => {
    const meter = await putMeter(app, { point: point() })
    await putSpot(app, '2026-09-29', 4, () => '200')
    await putReadings(
      app,
      meter,
      ['2026-09-29', '2026-09-30', '2026-10-01', '2026-10-02'].map((day) => dayOf(day, () => 250)),
    )
    const month = (await graphOf(meter.meter_id, { date: '2026-10-15', view: 'month', compare: 'before' })).body.data
    expect(seriesNamed(month.graph, 'consumption')?.y.slice(0, 3)).toEqual([24, 24, null])
    expect(month.totals).toMatchObject({ kwh: '48.000', dkk: { total: '15.31', spot: '9.60', tax: '5.71' } })
    expect(month.before).toMatchObject({ kwh: '48.000' })
    expect(seriesNamed(month.graph, 'consumption before')?.y.slice(28, 30)).toEqual([24, 24])
    const year = (await graphOf(meter.meter_id, { date: '2026-10-15', view: 'year' })).body.data
    expect(seriesNamed(year.graph, 'consumption')?.y.slice(8, 10)).toEqual([48, 48])
    expect(year.totals.dkk?.total).toBe('30.62')
  })

  test('the average profile is the mean of the same time of day over the four weeks before', async () => {
    const meter = await putMeter(app, { point: point() })
    await putReadings(app, meter, [
      dayOf('2026-10-01', () => 9000), // more than four weeks before
      dayOf('2026-11-18', () => 1000),
      dayOf('2026-11-19', (index) => (index === 0 ? null : 3000)),
    ])
    const { graph } = (await graphOf(meter.meter_id, { date: '2026-11-20', compare: 'profile' })).body.data
    // Nothing was read of the day itself, so it is taken by the meter's own resolution.
    expect(seriesNamed(graph, 'average')?.y.slice(0, 3)).toEqual([1, 2, 2])
  })

  test('a preview takes other settings, says so and changes nothing', async () => {
    const meter = await putMeter(app, { point: point() })
    await putReadings(app, meter, [dayOf('2026-11-20', () => 1000)])
    const own = (await graphOf(meter.meter_id, { date: '2026-11-20' })).body.data
    const other = (await graphOf(meter.meter_id, { date: '2026-11-20', taxValue: '0' })).body.data
    expect([own.preview, other.preview]).toEqual([false, true])
    expect(other.totals.dkk?.tax).toBe('0.00')
    expect((await graphOf(meter.meter_id, { date: '2026-11-20' })).body.data.totals).toEqual(own.totals)
    expect((await graphOf(meter.meter_id, { taxValue: '1,5' })).body.errors).toEqual({ taxValue: m.decimalOrInteger })
  })

  test('a late correction moves chart, cost and totals by just that, and what was said before can be read', async () => {
    const meter = await putMeter(app, { point: point(), tax: '100' })
    await putSpot(app, '2026-11-18', 1, () => '900')
    await putReadings(
      app,
      meter,
      [dayOf('2026-11-18', () => 1000, { quality: 'e' })],
      Date.parse('2026-11-19T06:30:00Z'),
    )
    const before = (await graphOf(meter.meter_id, { date: '2026-11-18' })).body.data
    await putReadings(
      app,
      meter,
      [dayOf('2026-11-18', (index) => (index === 10 ? 3000 : 1000), { quality: 'm' })],
      Date.parse('2026-11-21T06:30:00Z'),
    )
    const after = (await graphOf(meter.meter_id, { date: '2026-11-18' })).body.data
    expect([before.totals.dkk?.total, after.totals.dkk?.total]).toEqual(['96.00', '98.00'])
    expect([before.totals.coverage.estimated, after.totals.coverage.estimated]).toEqual([96, 0])
    expect(after.versions).toEqual([
      { version: 2, fetchedAt: '2026-11-21T06:30:00.000Z', corrected: null, kwh: '98.000' },
      { version: 1, fetchedAt: '2026-11-19T06:30:00.000Z', corrected: true, kwh: '96.000' },
    ])
    await putReadings(app, meter, [dayOf('2026-11-18', (index) => (index === 10 ? 3000 : 1000))])
    expect((await graphOf(meter.meter_id, { date: '2026-11-18' })).body.data.versions).toEqual(after.versions)
  })
})

describe('each amount opens its formula', () => {
  test('reading, parts and the published prices with their source', async () => {
    await putSpot(app, '2026-11-17', 1, (index) => String(400 + index))
    await app.records.system((tx) =>
      tx
        .insertInto('tariff')
        .values({
          owner_gln: '5790000705689',
          owner_name: 'Radius Elnet A/S',
          charge_type: 'D03',
          code: 'DT_C_01',
          name: 'Nettarif C time',
          valid_from: '2026-10-01',
          resolution: 'PT1H',
          prices: Array.from({ length: 24 }, (_, hour) => `0.${10 + hour}`) as never, // numeric[] is text on its way in
          source: 'energi-data-service',
          fetched_at: new Date(),
        })
        .execute(),
    )
    const tariff = { gln: '5790000705689', code: 'DT_C_01' }
    const meter = await putMeter(app, { point: point(), tax: '8', tariff })
    await putReadings(app, meter, [dayOf('2026-11-17', () => 2000, { step: 'hour' })])
    const { body } = await app.ask(contract.meterFormula, {
      token: sudoer,
      params: { meterId: meter.meter_id },
      query: { at: '2026-11-17T09:20:00Z' },
    })
    // 10:00 to 11:00 local: quarters 40 to 43 at 440 … 443, tariff of hour 10 is 0.20 DKK/kWh.
    expect(body.data).toMatchObject({
      from: '2026-11-17T09:00:00.000Z',
      kwh: '2.000',
      quality: 'measured',
      version: 1,
      dkk: '1.299',
      unknown: null,
      parts: [
        {
          part: 'spot',
          dkkPerMwh: '441.5',
          dkk: '0.883',
          source: { name: 'Energi Data Service', dataset: 'DayAheadPrices' },
        },
        { part: 'tariff', dkkPerMwh: '200', dkk: '0.4', source: { dataset: 'DatahubPricelist' } },
        { part: 'tax', dkkPerMwh: '8', dkk: '0.016', source: null },
      ],
    })
    expect(body.data.parts[0]?.prices.map(({ dkkPerMwh }) => dkkPerMwh)).toEqual(['440', '441', '442', '443'])
    const { tariffs } = (await app.ask(contract.findTariffs, { token: sudoer })).body.data
    expect(tariffs).toEqual([
      {
        _id: '5790000705689:DT_C_01',
        owner: 'Radius Elnet A/S',
        code: 'DT_C_01',
        name: 'Nettarif C time',
        validFrom: '2026-10-01',
      },
    ])
    const unread = await app.ask(contract.meterFormula, {
      token: sudoer,
      params: { meterId: meter.meter_id },
      query: { at: '2026-11-16T09:20:00Z' },
    })
    expect(unread.body.data).toMatchObject({ kwh: null, dkk: null, unknown: 'reading' })
  })

  test('the ten dearest hours and what moving them within their day would have saved', async () => {
    const meter = await putMeter(app, { point: point(), tax: '0' })
    await putSpot(app, '2026-11-15', 1, (hour) => (hour === 18 ? '900' : hour === 3 ? '100' : '300'), 'hour')
    await putReadings(app, meter, [dayOf('2026-11-15', (hour) => (hour === 18 ? 4000 : 1000), { step: 'hour' })])
    const { data } = (
      await app.ask(contract.dearestHours, {
        token: sudoer,
        params: { meterId: meter.meter_id },
        query: { startDate: '2026-11-15', endDate: '2026-11-15' },
      })
    ).body
    expect(data.hours).toHaveLength(10)
    expect(data.hours[0]).toEqual({
      from: '2026-11-15T17:00:00.000Z',
      to: '2026-11-15T18:00:00.000Z',
      kwh: '4.000',
      dkk: '3.60',
      dkkPerMwh: '900',
      cheapest: { from: '2026-11-15T02:00:00.000Z', dkkPerMwh: '100' },
      savedDkk: '3.20',
    })
    expect(data.savedDkk).toBe('5.00') // 3.20 and nine times 0.20
    expect(data.totals.dkk?.total).toBe('10.30')
  })
})

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
  ])('R3 %s: %s is refused in the words of the specification', async (field, value, words) => {
    const ids = await putMeter(app, { point: point(), configured: false })
    const answer = await save(ids, { ...(await form()), [field]: value })
    expect(answer.status).toBe(400)
    expect(Object.values(answer.body.errors ?? {})).toEqual([words])
  })

  test('R4 a meter without price signal and tax cannot be selected nor switched on', async () => {
    const ids = await putMeter(app, { point: point(), configured: false })
    const params = { groupId: ids.group_id, meterId: ids.meter_id }
    const toggle = (enabled: boolean) =>
      app.ask(contract.saveMeterStatus, { token: expert, params, body: { dataHub: { enabled } } })
    expect(await toggle(true)).toMatchObject({ status: 409, body: { message: m.configurationRequired } })
    expect(await graphOf(ids.meter_id, {})).toMatchObject({ status: 409, body: { message: m.configurationRequired } })
    const saved = await save(ids, await form())
    expect(saved.body).toMatchObject({ message: m.configurationUpdated, data: { meter: { configured: true } } })
    expect((await toggle(true)).body.data.meter.dataHub).toEqual({
      ...(await form()),
      tariff: null,
      address: '',
      enabled: true,
    })
    expect((await graphOf(ids.meter_id, {})).status).toBe(200)
  })

  test('C4 a change is on the trail with before and after; the past of a meter that is switched on is on the list', async () => {
    const ids = await putMeter(app, { point: point(), configured: false })
    await save(ids, { ...(await form()), enabled: true })
    expect(await trail('data-hub.save-meter')).toMatchObject({
      before: { priceSignal: null, taxValue: null, enabled: false },
      after: { name: 'Frost store 1', taxValue: 119.5, enabled: true },
    })
    const months = await app.records.system((tx) =>
      tx.selectFrom('meter_month').select('month').where('meter_id', '=', ids.meter_id).orderBy('month').execute(),
    )
    expect([months[0]?.month, months.at(-1)?.month]).toEqual(['2025-10', '2026-11'])
  })

  test('T1 a meter of another customer, or under another group, is a 404', async () => {
    const ids = await putMeter(app, { point: point() })
    const foreign = await putMeter(app, { customer: 'west', point: point() })
    expect((await save({ ...ids, group_id: foreign.group_id }, await form())).status).toBe(404)
    expect((await graphOf(foreign.meter_id, {})).status).toBe(404)
    expect((await graphOf(ids.meter_id, {}, west)).status).toBe(404)
    expect((await save(ids, { ...(await form()), priceSignal: await signalOf(app, 'west') })).status).toBe(404)
  })
})

describe('keys', () => {
  const add = (key: unknown, token = sudoer) => app.ask(contract.addMeterGroup, { token, body: { dataHub: { key } } })

  test.each(['1234567', '123456789', 'DK99000007', ''])('%s has no form of a CVR number', async (key) => {
    const { status, body } = await add(key)
    expect([status, Object.values(body.errors ?? {})]).toEqual([400, [key === '' ? m.required : m.cvr]])
  })

  test('T1 only a number that the operator has given to this company: the access of the operator covers others too', async () => {
    expect((await add('99000058')).body.errors).toEqual({ 'dataHub.key': m.cvrNotYours })
  })

  test('without a token of Eloverblik the operator is named, and nothing is added', async () => {
    const before = (await groups()).length
    expect(await add('99000031')).toMatchObject({ status: 409, body: { message: m.eloverblikToken } })
    expect((await groups()).length).toBe(before)
  })

  test('a key is named, and deleted with its meters and readings', async () => {
    const ids = await putMeter(app, { customer: 'west', cvr: '99000023', point: point() })
    await putReadings(app, ids, [dayOf('2026-11-20', () => 1)])
    const params = { groupId: ids.group_id }
    await app.ask(contract.saveMeterGroup, { token: west, params, body: { dataHub: { name: 'Terminal' } } })
    const [group] = (await groups(west)).filter(({ key }) => key === '99000023')
    expect(group).toMatchObject({
      name: 'Terminal',
      meterIdData: [{ id: ids.meter_id, lastRead: '2026-11-20T23:00:00.000Z' }],
    })
    const last = await app.ask(contract.meterReadLast, { token: west, params: { meterId: ids.meter_id } })
    expect(last.body.data).toEqual({ timestamp: '2026-11-20T23:00:00.000Z' })
    expect((await app.ask(contract.removeMeterGroup, { token: sudoer, params })).status).toBe(404)
    const removed = await app.ask(contract.removeMeterGroup, { token: west, params })
    expect(removed.body.message).toBe(m.groupDeleted)
    const left = await app.records.system((tx) =>
      tx.selectFrom('meter_day').select('day').where('meter_id', '=', ids.meter_id).execute(),
    )
    expect(left).toEqual([])
    expect(await trail('data-hub.remove-key')).toMatchObject({ subject: '99000023', before: { meters: 1 } })
  })
})

describe('download', () => {
  const download = (body: object, query: Record<string, string> = {}, token = sudoer) =>
    app.ask(contract.downloadMeters, { token, body, query })

  test('names what is wrong: no meter, a reversed range, too many days', async () => {
    const days = { startDate: '2026-11-20', endDate: '2026-11-20' }
    const { meter_id } = await putMeter(app, { point: point() })
    expect((await download({ ...days, devices: [] })).body.errors).toEqual({ devices: m.meterRequired })
    const reversed = { devices: [meter_id], startDate: '2026-11-21', endDate: '2026-11-20' }
    expect((await download(reversed)).body.errors).toEqual({ endDate: m.endBeforeStart })
    const long = { devices: [meter_id], startDate: '2025-01-01', endDate: '2026-11-20' }
    expect((await download(long, { format: 'csv' })).body.errors).toEqual({ endDate: m.exportTooLong(400) })
    const listed = { devices: [meter_id], startDate: '2026-09-01', endDate: '2026-11-20' }
    expect((await download(listed)).body.errors).toEqual({ endDate: m.listTooLong(31) })
  })

  test('T1 one foreign meter among own ones and there is no file', async () => {
    const [own, foreign] = [
      await putMeter(app, { point: point() }),
      await putMeter(app, { customer: 'west', point: point() }),
    ]
    const body = { devices: [own.meter_id, foreign.meter_id], startDate: '2026-11-20', endDate: '2026-11-20' }
    expect((await download(body, { format: 'csv' })).status).toBe(404)
  })

  test('lists of deviceName, costData and consumptionData; a gap is null', async () => {
    const meter = await putMeter(app, { point: point(), name: 'Packing hall', tax: '0' })
    await putSpot(app, '2026-11-20', 1, (index) => String(index * 10))
    await putReadings(app, meter, [dayOf('2026-11-20', (index) => (index === 1 ? null : 1000))])
    const body = { devices: [meter.meter_id], startDate: '2026-11-20', endDate: '2026-11-20' }
    const [device] = (await download(body)).body.data.devices
    expect(device?.deviceName).toBe('Packing hall')
    expect(device?.consumptionData.slice(0, 3).map(([, kwh]) => kwh)).toEqual(['1.000', null, '1.000'])
    expect(device?.costData.slice(0, 3).map(([, dkk]) => dkk)).toEqual(['0', null, '0.02'])
    const daily = (await download(body, { resolution: 'day' })).body.data.devices[0]
    expect(daily?.consumptionData).toEqual([['2026-11-19T23:00:00.000Z', '95.000']])
  })

  test('L2 a file in DKK and kWh, local time and UTC, with quality and the version of the day; names are text', async () => {
    const meter = await putMeter(app, { point: point(), name: '=cmd|calc' })
    await putReadings(app, meter, [dayOf('2026-11-20', (index) => (index === 1 ? null : 1234), { quality: 'e' })])
    const body = { devices: [meter.meter_id], startDate: '2026-11-20', endDate: '2026-11-20' }
    const { text, headers } = await download(body, { format: 'csv' })
    expect(headers['content-disposition']).toContain('Meters_2026-11-20.csv')
    const [head, first, second] = text.replace('\uFEFF', '').split('\r\n')
    expect(head).toContain('Consumption (kWh),Quality,Spot (DKK),Tariff (DKK),Tax (DKK),Cost (DKK),Version of the day')
    expect(first).toContain("'=cmd|calc,571313000000010")
    expect(first).toContain(
      '2026-11-20 00:00:00,2026-11-19T23:00:00.000Z,2026-11-20 00:15:00,2026-11-19T23:15:00.000Z,1.234,estimated,0,0,0.146846,0.146846,1',
    )
    expect(second).toContain(',,missing,,,,,1')
  })
})

test('the overview adds up the meters that are switched on, hourly and quarterly ones alike', async () => {
  const date = '2026-08-12'
  await putSpot(app, date, 1, () => '100')
  const [a, b] = [
    await putMeter(app, { customer: 'west', cvr: '99000031', point: point(), name: 'Quarter', tax: '0' }),
    await putMeter(app, { customer: 'west', cvr: '99000031', point: point(), name: 'Whole hours', tax: '0' }),
  ]
  await putReadings(app, a, [dayOf(date, () => 250)])
  await putReadings(app, b, [dayOf(date, () => 1000, { step: 'hour' })])
  const { data } = (await app.ask(contract.dataHubOverview, { token: west, query: { date, groupId: a.group_id } })).body
  expect(data.meters.map(({ name, totals }) => [name, totals.kwh, totals.dkk?.total])).toEqual([
    ['Quarter', '24.000', '2.40'],
    ['Whole hours', '24.000', '2.40'],
  ])
  expect(seriesNamed(data.graph, 'consumption')?.y).toEqual(Array.from({ length: 24 }, () => 2))
  expect(data.totals).toMatchObject({ kwh: '48.000', dkk: { total: '4.80' }, coverage: { intervals: 120, read: 120 } })
})
