import * as contract from '@gridmast/contract/meters/data-hub.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addDays } from '@gridmast/contract/time.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { dayOf, graphOf, openDataHub, point, putMeter, putReadings, putSpot, seriesNamed } from './data-hub.fixture.ts'

const measured = (kwh: string) => ({ kwh, quality: 'measured' })

const { app, sudoer, west } = await openDataHub()
afterAll(() => app.close())

describe('the cost of a meter', () => {
  test('spot price, tax and parts of each quarter as columns, and the cost as a line', async () => {
    const meter = await putMeter(app, { point: point() })
    await putSpot(app, '2026-11-20', 1, (index) => String(index * 10))
    await putReadings(app, meter, [dayOf('2026-11-20', (index) => 1000 + index)])
    const { body } = await graphOf(app, sudoer, meter.meter_id, { date: '2026-11-20' })
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

  test('a gap is missing in the chart and the totals, and lowers the coverage', async () => {
    const meter = await putMeter(app, { point: point() })
    await putReadings(app, meter, [dayOf('2026-11-20', (index) => (index < 4 ? null : 500))])
    const { data } = (await graphOf(app, sudoer, meter.meter_id, { date: '2026-11-20' })).body
    expect(seriesNamed(data.graph, 'consumption')?.y.slice(0, 5)).toEqual([null, null, null, null, 0.5])
    expect(seriesNamed(data.graph, 'cost')?.y[0]).toBe(null)
    expect(data.readings?.[0]).toMatchObject({ kwh: null, quality: 'missing', dkk: null })
    expect(data.totals.coverage).toMatchObject({ intervals: 96, read: 92 })
    const nothing = (await graphOf(app, sudoer, meter.meter_id, { date: '2026-11-19' })).body.data
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
      (await graphOf(app, sudoer, byQuarter.meter_id, { date })).body.data,
      (await graphOf(app, sudoer, byHour.meter_id, { date })).body.data,
    ]
    expect([a.readings?.length, b.readings?.length]).toEqual([quarters, hours])
    expect(a.totals.dkk).toEqual(b.totals.dkk)
    expect(a.totals.coverage.intervals).toBe(quarters)
  })

  test('a quarter meter before 2025-10-01 repeats the price of the hour', async () => {
    const meter = await putMeter(app, { point: point(), tax: '0' })
    await putSpot(app, '2025-09-10', 1, (hour) => String(hour * 100), 'hour')
    await putReadings(app, meter, [dayOf('2025-09-10', () => 1000)])
    const { readings } = (await graphOf(app, sudoer, meter.meter_id, { date: '2025-09-10' })).body.data
    expect(readings?.slice(3, 6).map(({ dkk }) => dkk)).toEqual(['0', '0.1', '0.1'])
  })

  test('month and year have the same totals by day and by month, with the previous period for comparison', async () => {
    const meter = await putMeter(app, { point: point() })
    await putSpot(app, '2026-09-29', 4, () => '200')
    await putReadings(
      app,
      meter,
      ['2026-09-29', '2026-09-30', '2026-10-01', '2026-10-02'].map((day) => dayOf(day, () => 250)),
    )
    const month = (await graphOf(app, sudoer, meter.meter_id, { date: '2026-10-15', view: 'month', compare: 'before' }))
      .body.data
    expect(seriesNamed(month.graph, 'consumption')?.y.slice(0, 3)).toEqual([24, 24, null])
    expect(month).toMatchObject({
      totals: { kwh: '48.000', dkk: { total: '15.31', spot: '9.60', tax: '5.71' } },
      before: { kwh: '48.000' },
    })
    expect(seriesNamed(month.graph, 'consumption before')?.y.slice(28, 30)).toEqual([24, 24])
    const year = (await graphOf(app, sudoer, meter.meter_id, { date: '2026-10-15', view: 'year' })).body.data
    expect(seriesNamed(year.graph, 'consumption')?.y.slice(8, 10)).toEqual([48, 48])
    expect(year.totals.dkk?.total).toBe('30.62')
  })

  test('a range has its complete hours, also over days of another resolution', async () => {
    const meter = await putMeter(app, { point: point(), tax: '1000' })
    await putSpot(app, '2026-10-24', 2, () => '0')
    await putReadings(app, meter, [
      dayOf('2026-10-24', () => 250),
      dayOf('2026-10-25', (hour) => (hour === 1 ? null : 2000), { step: 'hour' }),
    ])
    const range = { start: '2026-10-24T20:20:00Z', end: '2026-10-25T02:40:00Z' }
    const { data } = (await graphOf(app, sudoer, meter.meter_id, range)).body
    const consumption = data.graph.find(({ name }) => name === 'consumption')
    expect(consumption?.x.map((ms) => new Date(ms).toISOString().slice(11, 13))).toEqual([
      '20',
      '21',
      '22',
      '23',
      '00',
      '01',
      '02',
    ])
    expect(consumption?.y).toEqual([1, 1, 2, null, 2, 2, 2])
    expect(seriesNamed(data.graph, 'cost')?.y).toEqual([1, 1, 2, null, 2, 2, 2])
    expect(data).toMatchObject({
      totals: { kwh: '10.000', dkk: { total: '10.00' }, coverage: { intervals: 28, read: 24, priced: 24 } },
      before: null,
      readings: null,
      versions: null,
    })
  })

  test('a range of more than 7 days has its local days', async () => {
    const meter = await putMeter(app, { point: point() })
    const days = Array.from({ length: 10 }, (_, i) => addDays('2026-06-01', i))
    await putReadings(
      app,
      meter,
      days.map((day) => dayOf(day, () => 250)),
    )
    const range = { start: '2026-06-01T10:00:00Z', end: '2026-06-09T10:00:00Z' }
    const { data } = (await graphOf(app, sudoer, meter.meter_id, range)).body
    expect(seriesNamed(data.graph, 'consumption')?.y).toEqual(Array.from({ length: 9 }, () => 24))
    expect(data.totals).toMatchObject({ kwh: '216.000', coverage: { intervals: 9 * 96, read: 9 * 96 } })
  })

  test.each([
    [{ start: '2026-06-01T10:00:00Z', end: '2026-09-01T11:00:00Z' }, { end: m.tooManyDays(limits.meterDays) }],
    [{ start: '2026-06-02T10:00:00Z', end: '2026-06-01T10:00:00Z' }, { end: m.afterStart }],
    [{ start: 'yesterday' }, { start: m.instantOrTime }],
    [{ start: '2026-06-01T10:00:00Z', view: 'month' }, { start: m.viewOrRange }],
    [{ end: '2026-06-01T10:00:00Z', compare: 'before' }, { start: m.viewOrRange }],
  ])('the range %j is refused by field', async (query, errors) => {
    const meter = await putMeter(app, { point: point() })
    expect(await graphOf(app, sudoer, meter.meter_id, query)).toMatchObject({ status: 400, body: { errors } })
  })

  test('the average profile is the mean per time of day over the previous four weeks', async () => {
    const meter = await putMeter(app, { point: point() })
    await putReadings(app, meter, [
      dayOf('2026-10-01', () => 9000),
      dayOf('2026-11-18', () => 1000),
      dayOf('2026-11-19', (index) => (index === 0 ? null : 3000)),
    ])
    const { graph } = (await graphOf(app, sudoer, meter.meter_id, { date: '2026-11-20', compare: 'profile' })).body.data
    expect(seriesNamed(graph, 'average')?.y.slice(0, 3)).toEqual([1, 2, 2])
  })

  test.each([
    // The clock skips 02:00 to 03:00 on the 30th: on the next day, hour 02 has no comparison.
    ['2025-03-30', [0, 1, 3, 4]],
    ['2025-03-31', [0, 1, null, 2, 3]],
    // The 26th has 02:00 twice: both are compared with the single one, and the next day's with the first.
    ['2025-10-26', [0, 1, 2, 2, 3, 4]],
    ['2025-10-27', [0, 1, 2, 4, 5]],
  ])('%s is compared with the previous day by time of day', async (date, expected) => {
    const meter = await putMeter(app, { point: point(), tax: '1000' })
    const earlier = addDays(date, -1)
    await putSpot(app, earlier, 2, () => '0')
    await putReadings(app, meter, [
      dayOf(earlier, (hour) => hour * 1000, { step: 'hour' }),
      dayOf(date, () => 1000, { step: 'hour' }),
    ])
    const { data } = (await graphOf(app, sudoer, meter.meter_id, { date, compare: 'before' })).body
    for (const name of ['consumption before', 'cost before'])
      expect(seriesNamed(data.graph, name)?.y.slice(0, expected.length)).toEqual(expected)
  })

  test('a change of resolution within a comparison: quarters and hours are matched by time, and each day counts its own intervals', async () => {
    const meter = await putMeter(app, { point: point() })
    await putReadings(app, meter, [
      dayOf('2026-11-02', (index) => (index === 5 ? null : 250)),
      dayOf('2026-11-03', () => 4000, { step: 'hour' }),
      dayOf('2026-11-04', () => 1000),
    ])
    const compared = async (date: string, compare: 'before' | 'profile') =>
      (await graphOf(app, sudoer, meter.meter_id, { date, compare })).body.data
    const hourly = await compared('2026-11-03', 'before')
    expect(seriesNamed(hourly.graph, 'consumption before')?.y.slice(0, 3)).toEqual([1, null, 1])
    expect(hourly.before?.coverage).toMatchObject({ intervals: 96, read: 95 })
    const quarterly = await compared('2026-11-04', 'before')
    expect(seriesNamed(quarterly.graph, 'consumption before')?.y).toEqual(Array.from({ length: 96 }, () => null))
    expect(quarterly.before).toMatchObject({ kwh: '96.000', coverage: { intervals: 24, read: 24 } })
    const average = (of: typeof hourly) => seriesNamed(of.graph, 'average')?.y.slice(4, 9)
    expect(average(await compared('2026-11-03', 'profile'))).toEqual([1, 1, 1, 1, 1])
    expect(average(await compared('2026-11-04', 'profile'))).toEqual([0.25, null, 0.25, 0.25, 0.25])
  })

  test('a month with a change of resolution is counted in quarters', async () => {
    const meter = await putMeter(app, { point: point() })
    await putReadings(app, meter, [
      dayOf('2026-09-01', () => 1000, { step: 'hour' }),
      dayOf('2026-09-02', () => 250, { quality: 'e' }),
    ])
    const query = { date: '2026-09-02', view: 'month' }
    const { totals } = (await graphOf(app, sudoer, meter.meter_id, query)).body.data
    expect(totals).toMatchObject({ kwh: '48.000', coverage: { intervals: 30 * 96, read: 192, estimated: 96 } })
    const dearest = await app.ask(contract.dearestHours, {
      token: sudoer,
      params: { meterId: meter.meter_id },
      query: { startDate: '2026-09-01', endDate: '2026-09-02' },
    })
    expect(dearest.body.data.totals.coverage).toMatchObject({ intervals: 192, read: 192 })
  })

  test('a preview uses its settings, is marked and stores nothing', async () => {
    const meter = await putMeter(app, { point: point() })
    await putReadings(app, meter, [dayOf('2026-11-20', () => 1000)])
    const own = (await graphOf(app, sudoer, meter.meter_id, { date: '2026-11-20' })).body.data
    const other = (await graphOf(app, sudoer, meter.meter_id, { date: '2026-11-20', taxValue: '0' })).body.data
    expect([own.preview, other.preview]).toEqual([false, true])
    expect(other.totals.dkk?.tax).toBe('0.00')
    expect((await graphOf(app, sudoer, meter.meter_id, { date: '2026-11-20' })).body.data.totals).toEqual(own.totals)
    expect((await graphOf(app, sudoer, meter.meter_id, { taxValue: '1,5' })).body.errors).toEqual({
      taxValue: m.decimalOrInteger,
    })
  })

  test('a late correction changes chart, cost and totals by its difference, and the previous version stays readable', async () => {
    const meter = await putMeter(app, { point: point(), tax: '100' })
    await putSpot(app, '2026-11-18', 1, () => '900')
    await putReadings(
      app,
      meter,
      [dayOf('2026-11-18', () => 1000, { quality: 'e' })],
      Date.parse('2026-11-19T06:30:00Z'),
    )
    const before = (await graphOf(app, sudoer, meter.meter_id, { date: '2026-11-18' })).body.data
    await putReadings(
      app,
      meter,
      [dayOf('2026-11-18', (index) => (index === 10 ? 3000 : 1000), { quality: 'm' })],
      Date.parse('2026-11-21T06:30:00Z'),
    )
    const after = (await graphOf(app, sudoer, meter.meter_id, { date: '2026-11-18' })).body.data
    expect([before.totals.dkk?.total, after.totals.dkk?.total]).toEqual(['96.00', '98.00'])
    expect([before.totals.coverage.estimated, after.totals.coverage.estimated]).toEqual([96, 0])
    const estimated = { kwh: '1.000', quality: 'estimated' }
    const changes = {
      count: 96,
      first: expect.arrayContaining([
        {
          from: '2026-11-17T23:00:00.000Z',
          to: '2026-11-17T23:15:00.000Z',
          before: estimated,
          after: measured('1.000'),
        },
      ]) as object[],
    }
    expect(after.versions).toEqual([
      { version: 2, fetchedAt: '2026-11-21T06:30:00.000Z', change: 'corrected', kwh: '98.000', changes },
      { version: 1, fetchedAt: '2026-11-19T06:30:00.000Z', change: 'first', kwh: '96.000', changes: null },
    ])
    const named = after.versions?.[0]?.changes?.first
    expect(named).toHaveLength(10)
    expect(named?.[0]).toEqual({
      from: '2026-11-18T01:30:00.000Z',
      to: '2026-11-18T01:45:00.000Z',
      before: estimated,
      after: measured('3.000'),
    })
    await putReadings(app, meter, [dayOf('2026-11-18', (index) => (index === 10 ? 3000 : 1000))])
    expect((await graphOf(app, sudoer, meter.meter_id, { date: '2026-11-18' })).body.data.versions).toEqual(
      after.versions,
    )
  })

  test('the newest 51 versions are listed, and the oldest of these is not the first reading', async () => {
    const meter = await putMeter(app, { point: point() })
    const date = '2026-11-12'
    for (let version = 1; version <= 53; version++)
      await putReadings(app, meter, [dayOf(date, () => 1000 + version, { step: 'hour' })])
    const { versions } = (await graphOf(app, sudoer, meter.meter_id, { date })).body.data
    expect(versions?.map(({ version }) => version)).toEqual(Array.from({ length: 51 }, (_, i) => 53 - i))
    expect(versions?.at(-1)).toMatchObject({ change: 'corrected', changes: { count: 24 } })
  })

  test('a version with additions only lists the added intervals; one of another resolution has no comparison', async () => {
    const meter = await putMeter(app, { point: point() })
    const date = '2026-11-13'
    await putReadings(app, meter, [dayOf(date, (hour) => (hour < 22 ? 1000 : null), { step: 'hour' })])
    await putReadings(app, meter, [dayOf(date, (hour) => (hour < 23 ? 1000 : null), { step: 'hour' })])
    await putReadings(app, meter, [dayOf(date, () => 250)])
    const { versions } = (await graphOf(app, sudoer, meter.meter_id, { date })).body.data
    const missing = { kwh: null, quality: 'missing' }
    const span = { from: '2026-11-13T21:00:00.000Z', to: '2026-11-13T22:00:00.000Z' }
    expect(versions?.map(({ changes }) => changes)).toEqual([
      null,
      { count: 1, first: [{ ...span, before: missing, after: measured('1.000') }] },
      null,
    ])
  })
})

test('the overview adds up enabled meters, hourly and quarterly', async () => {
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
  expect(data.totals).toMatchObject({ kwh: '48.000', dkk: { total: '4.80' }, coverage: { intervals: 192, read: 192 } })
  const range = { start: `${date}T04:00:00Z`, end: `${date}T06:00:00Z`, groupId: a.group_id }
  const hours = (await app.ask(contract.dataHubOverview, { token: west, query: range })).body.data
  expect(seriesNamed(hours.graph, 'consumption')?.y).toEqual([2, 2])
  expect(hours.totals).toMatchObject({ kwh: '4.000', dkk: { total: '0.40' }, coverage: { intervals: 16, read: 16 } })
  expect(hours.meters.map(({ totals }) => totals.kwh)).toEqual(['2.000', '2.000'])
  const file = { token: west, query: { ...range, format: 'csv' } as const }
  const about =
    '12.08.2026,2,"kWh, DKK without VAT",kWh x (spot + tariff + tax),"Eloverblik, MeterData","Energi Data Service, DayAheadPrices · Energinet CC BY 4.0","Energi Data Service, CO2Emis · Energinet CC BY 4.0"'
  expect((await app.ask(contract.dataHubOverview, file)).text.replace('\uFEFF', '').split('\r\n')).toEqual([
    'Start (Europe/Berlin),Start (UTC),End (Europe/Berlin),End (UTC),Consumption (kWh),Cost (DKK),Emission (kg CO2),Quarters read,Period,Meters,Unit,Cost,Readings,Prices,Emission',
    `2026-08-12 06:00:00,2026-08-12T04:00:00.000Z,2026-08-12 07:00:00,2026-08-12T05:00:00.000Z,2,0.2,,8,${about}`,
    `2026-08-12 07:00:00,2026-08-12T05:00:00.000Z,2026-08-12 08:00:00,2026-08-12T06:00:00.000Z,2,0.2,,8,${about}`,
    '',
  ])
  const unread = { token: west, query: { date: '2026-08-13', groupId: a.group_id, format: 'csv' } as const }
  expect((await app.ask(contract.dataHubOverview, unread)).text.split('\r\n')).toHaveLength(2) // its head
  await putReadings(app, b, [dayOf(date, (hour) => (hour === 3 ? null : 1000), { step: 'hour' })])
  const again = await app.ask(contract.dataHubOverview, { token: west, query: { date, groupId: a.group_id } })
  expect(again.body.data.totals.coverage).toMatchObject({ intervals: 192, read: 188, priced: 188 })
})
