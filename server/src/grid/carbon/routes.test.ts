import { carbonEmission, carbonLastReported, ownCarbon } from '@gridmast/contract/grid/carbon.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { dayBounds } from '@gridmast/contract/time.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { addRows, changeRows, storedRows } from '#testing/rows.ts'
import { addPublicSignal, signalNo } from '#testing/signals.ts'
import { idOf } from '#platform/records/ids.ts'

const now = '2026-11-20T11:30:00.000Z'
const fiveMinutesMs = 5 * 60_000
const long = '2026-10-25'

const west = idOf('instance', 'west', 'cold')

const values = (count: number, value: (i: number) => number) => Array.from({ length: count }, (_, i) => value(i))

const app = await openTestApp()
app.setNow(now)
const token = await app.tokenOf('sudoer@north.example')
beforeAll(async () => {
  const reported = (iso: string) => ({ last_reported_at: new Date(iso) })
  const measured = await addPublicSignal(app.records, 'DK2', 'co2', reported('2026-11-20T11:25:00Z'))
  const prognosis = await addPublicSignal(app.records, 'DK2', 'co2Prognosis', reported('2026-11-20T20:30:00Z'))
  await addRows(app.records, 'connector_state', {
    source: 'energi-data-service',
    dataset: 'CO2EmisProg',
    simulated: true,
    last_success_at: new Date('2026-11-20T11:15:00Z'),
  })
  const yesterday = dayBounds('2026-11-19').fromMs
  const today = dayBounds('2026-11-20').fromMs
  const longDay = dayBounds(long).fromMs
  const power = async (customer: 'north' | 'west', instance: 'cold' | 'heat', kw: number[]) => ({
    signalNo: await signalNo(app.records, customer, instance, 'power'),
    t0Ms: longDay,
    dtMs: 60_000,
    values: kw.flatMap((one) => values(60, () => one)),
  })
  await app.readings.insert([
    {
      signalNo: measured,
      t0Ms: yesterday,
      dtMs: fiveMinutesMs,
      values: values(288, (i) => (i === 72 ? 40 : i === 216 ? 300 : 100)),
    },
    { signalNo: prognosis, t0Ms: today, dtMs: fiveMinutesMs, values: values(200, (i) => 50 + i) },
    {
      signalNo: measured,
      t0Ms: longDay,
      dtMs: fiveMinutesMs,
      values: values(24 * 12, (i) => (i >= 36 && i < 48 ? 200 : 100)),
    },
    await power('north', 'cold', Array<number>(25).fill(100)),
    await power('north', 'heat', [-30, 10]),
    await power('west', 'cold', Array<number>(25).fill(7777)),
  ])
})
afterAll(() => app.close())

const emission = async (query: Record<string, string>) => {
  const { status, body, text } = await app.ask(carbonEmission, { token, query: { area: 'DK2', ...query } })
  return { status, body, text, data: body.data }
}

test('past emission is that of yesterday by default, as steps with mean, minimum and maximum', async () => {
  const { data } = await emission({ type: 'past' })
  expect(data).toMatchObject({
    graph: [{ unit: 'g/kWh', kind: 'step' }],
    lowest: { at: '2026-11-19T05:00:00.000Z', value: 40 },
    highest: { at: '2026-11-19T17:00:00.000Z', value: 300 },
    source: { name: 'Energi Data Service', dataset: 'CO2Emis', simulated: false },
  })
  expect(data.graph[0]?.x).toHaveLength(288)
  expect(data.mean).toBeCloseTo((286 * 100 + 340) / 288, 9)
})

test('future emission is the prognosis of today by default', async () => {
  const { data } = await emission({ type: 'future' })
  expect(data).toMatchObject({
    lowest: { at: '2026-11-19T23:00:00.000Z', value: 50 },
    highest: { value: 249 },
    source: { dataset: 'CO2EmisProg', simulated: true },
  })
  expect(data.graph[0]?.x).toHaveLength(200)
})

test('a range of days is drawn as hourly means, and its own consumption by day', async () => {
  const start = new Date(dayBounds('2026-11-12').fromMs).toISOString()
  const week = { start, end: new Date(dayBounds('2026-11-20').fromMs).toISOString() }
  const { data } = await emission({ type: 'past', ...week })
  expect(data.graph[0]?.x).toHaveLength(24)
  expect(data.graph[0]?.y.slice(5, 7)).toEqual([100, 95])
  expect(data.lowest).toEqual({ at: '2026-11-19T05:00:00.000Z', value: 40 })
  const october = {
    start: new Date(dayBounds('2026-10-20').fromMs).toISOString(),
    end: new Date(dayBounds('2026-10-31').fromMs).toISOString(),
  }
  const own = await app.data(ownCarbon, { token, query: { area: 'DK2', ...october } })
  const day = await app.data(ownCarbon, { token, query: { area: 'DK2', date: long } })
  expect(own.graph[0]?.x).toHaveLength(11)
  expect(own).toMatchObject({ kgCo2: day.kgCo2, kwh: day.kwh })
  expect(own.graph[0]?.y.filter((kg) => kg !== null)).toEqual([expect.closeTo(day.kgCo2, 6)])
  const tooLong = await app.ask(ownCarbon, { token, query: { area: 'DK2', start, end: '2027-03-01T00:00:00Z' } })
  expect(tooLong).toMatchObject({ status: 400, body: { errors: { end: m.tooManyDays(limits.ownCarbonDays) } } })
})

test('a day without values is empty and its mean is unknown', async () => {
  for (const query of [{ date: '2026-11-18' }, { area: 'DK1' }] as Record<string, string>[])
    expect((await emission({ type: 'past', ...query })).data).toMatchObject({
      graph: [{ x: [], y: [] }],
      mean: null,
      lowest: null,
      highest: null,
    })
})

test('T1 an area not of the customer and an unknown area get the same 404 in every call', async () => {
  const unknown = await emission({ type: 'past', area: 'XX9' })
  expect(unknown.status).toBe(404)
  expect((await emission({ type: 'past', area: 'SE3' })).body).toEqual(unknown.body)
  for (const area of ['SE3', 'XX9']) {
    expect((await app.ask(carbonLastReported, { token, query: { type: 'past', area } })).body).toEqual(unknown.body)
    expect((await app.ask(ownCarbon, { token, query: { area } })).body).toEqual(unknown.body)
  }
})

test.each([
  [{ type: 'past', date: '2026-02-29' }, { date: 'Must be a date such as 2026-11-20' }],
  [{ type: 'past', date: '1999-12-31' }, { date: 'Must be a year from 2000 to 2099' }],
  [{ type: 'past', area: 'Denmark' }, { area: 'Not a price area' }],
  [{ type: 'now' }, { type: 'Must be one of past, future' }],
])('%j is refused', async (query, errors) => {
  const { status, body } = await emission(query)
  expect([status, body.errors]).toEqual([400, errors])
})

test('C4 the daily file is on the audit trail; an area without values has a header only', async () => {
  const lines = (await emission({ type: 'past', format: 'csv' })).text.trim().split('\r\n')
  expect(lines[0]).toBe('Time (Europe/Berlin),Time (UTC),CO₂ emission DK2 (g/kWh),Area,Source')
  expect(lines).toHaveLength(1 + 288)
  expect((await emission({ type: 'past', area: 'DK1', format: 'csv' })).text.trim().split('\r\n')).toHaveLength(1)
  const trail = await app.records.system((tx) =>
    tx.selectFrom('audit_entry').select('subject').where('action', '=', 'export').orderBy('entry_no').execute(),
  )
  expect(trail).toEqual([
    { subject: 'CO2 emission DK2 2026-11-19 00:00' },
    { subject: 'CO2 emission DK1 2026-11-19 00:00' },
  ])
})

test('measured values state the end of the newest one, the prognosis states its fetch time', async () => {
  const last = async (type: string, area: string) =>
    await app.data(carbonLastReported, { token, query: { type, area } })
  expect(await last('past', 'DK2')).toEqual({ carbon: { timestamp: '2026-11-20T11:25:00.000Z' } })
  expect(await last('future', 'DK2')).toEqual({ carbon: { timestamp: '2026-11-20T11:15:00.000Z' } })
  expect(await last('past', 'DK1')).toEqual({ carbon: { timestamp: null } })
})

const ownOf = async (query: Record<string, string>) => {
  const { status, body } = await app.ask(ownCarbon, { token, query: { area: 'DK2', ...query } })
  return { status, body, data: body.data }
}

test('own consumption of a day of 25 hours multiplies each hour by its emission factor, per instance and in total', async () => {
  const { data } = await ownOf({ date: long })
  expect(data.instances.map(({ name, kwh, kgCo2 }) => [name, kwh, Number(kgCo2?.toFixed(9))])).toEqual([
    ['North Cold', 2500, 250],
    ['North Heat', 10, 1],
  ])
  expect(data.kwh).toBeCloseTo(2510, 9)
  expect(data.kgCo2).toBeCloseTo(251, 9)
  expect(data.coverage).toBeCloseTo((2410 / 2510) * 100, 9)
  expect(data.instances.map(({ measured }) => measured)).toEqual([100, 8])
  expect(data.measured).toBe(54)
  const [kg, kwh] = data.graph
  expect(kg?.y).toHaveLength(25)
  expect(kg?.y.slice(0, 4).map((value) => value && Number(value.toFixed(9)))).toEqual([10, 11, 10, 20])
  expect(kg?.y.at(-1)).toBeNull()
  expect(kwh?.y.at(-1)).toBeCloseTo(100, 9)
})

test('own consumption of an unmeasured instance is unknown and not fully covered', async () => {
  const { data } = await ownOf({ date: long, instanceId: idOf('instance', 'north', 'heat') })
  expect(data.instances.map(({ name }) => name)).toEqual(['North Heat'])
  expect(data.coverage).toBe(100)
  expect((await ownOf({ date: '2026-10-20' })).data).toMatchObject({
    kwh: 0,
    kgCo2: 0,
    coverage: null,
    measured: 0,
  })
})

test('own consumption is that of yesterday by default, with 23 hours on a day in March', async () => {
  expect((await ownOf({})).data).toEqual((await ownOf({ date: '2026-11-19' })).data)
  expect((await ownOf({ date: '2026-03-29' })).data.graph[0]?.y).toHaveLength(23)
})

test('T1 an instance of another customer, of another area and an unknown one get the same 404', async () => {
  const unknown = await ownOf({ instanceId: '019a0000-0000-7000-8000-00000000dead' })
  expect(unknown.status).toBe(404)
  expect((await ownOf({ instanceId: west })).body).toEqual(unknown.body)
  expect((await ownOf({ instanceId: idOf('instance', 'north', 'cold'), area: 'DK1' })).body).toEqual(unknown.body)
})

test('C4 the own emission file of a day has a row per instance and hour and empty cells for unknown values', async () => {
  const answer = await app.ask(ownCarbon, { token, query: { area: 'DK2', date: long, format: 'csv' } })
  const [header, ...rows] = answer.text
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  expect(header?.slice(5)).toEqual([
    'Consumption (kWh)',
    'Emission of the grid (g/kWh)',
    'Own emission (kg CO2)',
    'Area',
    'Source of the emission',
  ])
  const name = rows[0]?.[0]
  const ofCold = rows.filter((row) => row[0] === name)
  expect(ofCold).toHaveLength(25)
  expect(ofCold[0]?.slice(2, 8)).toEqual([
    '2026-10-24T22:00:00.000Z',
    '2026-10-25 01:00:00',
    '2026-10-24T23:00:00.000Z',
    '100',
    '100',
    '10',
  ])
  expect(ofCold[3]?.slice(5, 8)).toEqual(['100', '200', '20'])
  expect(ofCold[24]?.slice(5, 8)).toEqual(['100', '', ''])
  const heat = rows.filter((row) => row[0] !== name)
  expect(heat[0]?.slice(5, 8)).toEqual(['0', '100', '0'])
  expect(heat[2]?.slice(5, 8)).toEqual(['', '100', ''])
  const trail = await storedRows(app.records, 'audit_entry', { action: 'export' }, ['subject'])
  expect(trail).toContainEqual({ subject: `Own CO2 emission DK2 ${long}` })
})

test('power and emission of a simulated edge are marked in the answer and the file', async () => {
  expect((await ownOf({ date: long })).data.simulated).toBe(false)
  await changeRows(app.records, 'edge', { key: 'north-edge' }, { simulated: true })
  expect((await ownOf({ date: long })).data.simulated).toBe(true)
  const { text } = await app.ask(ownCarbon, { token, query: { area: 'DK2', date: long, format: 'csv' } })
  const [head, row] = text.trim().split('\r\n')
  expect(head).toMatch(/,Source of the consumption$/)
  expect(row).toMatch(/,Simulated$/)
})
