import { gunzipSync } from 'node:zlib'
import { powerCost, powerCostDownload } from '@gridmast/contract/grid/prices.ts'
import { slots, type SlotKind } from '@gridmast/contract/slots.ts'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { putPrices, putRates } from '#testing/prices.ts'
import { storedRows } from '#testing/rows.ts'
import { idOf } from '#platform/records/ids.ts'

const now = '2026-11-20T17:12:08.000Z'
const published = '2026-11-19T12:00:00.000Z'

const app = await openTestApp()
app.setNow(now)
const priceSignal = idOf('price-signal', 'north', 'dk2')
const token = await app.tokenOf('sudoer@north.example')
afterAll(() => app.close())

const ask = async (query: Record<string, string> = {}) => {
  const { status, body } = await app.ask(powerCost, { token, query })
  return { status, body, data: body.data }
}

const putDay = (date: string, kind: SlotKind, price: (index: number) => { dkk?: string; eur?: string }) =>
  putPrices(
    app.records,
    slots(kind, date).map((slot) => ({
      market: 'day-ahead',
      area: 'DK2',
      at: new Date(slot.fromMs).toISOString(),
      durationS: (slot.toMs - slot.fromMs) / 1000,
      unit: 'MWh',
      priceDkk: price(slot.index).dkk ?? null,
      priceEur: price(slot.index).eur ?? null,
    })),
    published,
  )

test('EUR prices state the rate used and its day: the last stored rate, or the central rate without one', async () => {
  await putDay('2026-11-18', 'quarter', () => ({ eur: '-10' }))
  expect((await ask({ date: '2026-11-18' })).data).toMatchObject({
    basis: 'derived',
    exchange: { dkkPerEur: '7.46038', day: null },
    prices: expect.arrayContaining([expect.objectContaining({ price: '-74.6038', priceTaxIncluded: '44.3962' })]),
  })
  await putRates(app.records, { '2026-11-16': '7.4745', '2026-11-19': '7.5' })
  expect((await ask({ date: '2026-11-18', resolution: 'quarter' })).data).toMatchObject({
    exchange: { dkkPerEur: '7.4745', day: '2026-11-16' },
    prices: expect.arrayContaining([expect.objectContaining({ price: '-74.745' })]),
  })
  await putDay('2026-11-19', 'quarter', (index) => (index === 0 ? { eur: '1' } : { dkk: '5', eur: '1' }))
  expect((await ask({ date: '2026-11-19' })).data).toMatchObject({
    basis: 'derived',
    exchange: { dkkPerEur: '7.5', day: '2026-11-19' },
    lastReported: published,
  })
})

test('a compressed answer has the same content', async () => {
  await putDay('2026-11-16', 'quarter', (index) => ({ dkk: String(index) }))
  const url = '/api/client/data/power-cost?date=2026-11-16&resolution=quarter'
  const headers = { authorization: `Bearer ${token}` }
  const plain = await app.http.inject({ url, headers })
  const packed = await app.http.inject({ url, headers: { ...headers, 'accept-encoding': 'gzip' } })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.payload)
})

test('prices with a DKK column need no rate', async () => {
  await putDay('2026-11-17', 'quarter', () => ({ dkk: '541.65', eur: '72.5' }))
  expect((await ask({ date: '2026-11-17' })).data).toMatchObject({ basis: 'dataset', exchange: null, tax: '119' })
})

test.each([
  ['2026-03-29', 23],
  ['2026-10-25', 25],
])('%s has %i hourly means of its quarters, negative ones included', async (date, hours) => {
  await putDay(date, 'quarter', (index) => ({ dkk: String((index % 4) - 10.5) }))
  const { data } = await ask({ date })
  expect(data.prices).toHaveLength(hours)
  expect(new Set(data.prices.map(({ price }) => price))).toEqual(new Set(['-9']))
  const starts = data.graph[0]?.x ?? []
  expect(new Set(starts.slice(1).map((start, i) => start - (starts[i] ?? 0)))).toEqual(new Set([3_600_000]))
  expect(data.prices.at(-1)?.end_time).toBe(new Date((starts[0] ?? 0) + hours * 3_600_000).toISOString())
})

test('a day before quarterly prices keeps its hours', async () => {
  const date = '2025-10-17'
  await putDay(date, 'hour', (index) => ({ dkk: String(index) }))
  expect((await ask({ date })).data.prices.map(({ price }) => price)).toEqual(
    Array.from({ length: 24 }, (_, i) => String(i)),
  )
})

test('a day of past years is answered from the data set of that time', async () => {
  await putDay('2021-03-01', 'hour', (index) => ({ dkk: String(index) }))
  const { status, data } = await ask({ date: '2021-03-01' })
  expect([status, data.prices.length]).toEqual([200, 24])
  expect(data.source).toMatchObject({ name: 'Energi Data Service', dataset: 'Elspotprices' })
})

test.each([
  ['2026-02-29', 'Must be a date such as 2026-11-20'],
  ['2026-13-01', 'Must be a date such as 2026-11-20'],
  ['20-11-2026', 'Must be a date such as 2026-11-20'],
  ['1999-12-31', 'Must be a year from 2000 to 2099'],
])('the date %s is refused', async (date, message) => {
  const { status, body } = await ask({ date })
  expect([status, body.errors]).toEqual([400, { date: message }])
})

const month = async (query: Record<string, string>, email?: string) =>
  app.ask(powerCostDownload, {
    token: email ? await app.tokenOf(email) : token,
    query: { priceSignal, ...query },
  })

test('C4 the monthly file has spot, tax and total per quarter and is on the audit trail', async () => {
  for (const date of ['2026-09-30', '2026-10-01', '2026-10-25', '2026-10-31', '2026-11-01'])
    await putDay(date, 'quarter', (index) => ({ dkk: index === 0 ? '-100.25' : '10.5' }))
  const { status, text, headers } = await month({ month: '2026-10', format: 'csv' })
  expect(status).toBe(200)
  expect(headers['content-disposition']).toBe('attachment; filename="Power_cost_tax_included_DK2_2026-10.csv"')
  const lines = text.trim().split('\r\n')
  expect(lines[0]).toBe(
    'Start (Europe/Berlin),Start (UTC),End (Europe/Berlin),End (UTC),Spot (DKK/MWh),Tax (DKK/MWh),Tax included (DKK/MWh),DKK per EUR,Market,Area,Unit,Source',
  )
  expect(lines).toHaveLength(1 + 96 + 100 + 96)
  expect(lines[1]).toBe(
    '2026-10-01 00:00:00,2026-09-30T22:00:00.000Z,2026-10-01 00:15:00,2026-09-30T22:15:00.000Z,-100.25,119,18.75,,day-ahead,DK2,DKK/MWh,"Energi Data Service, DayAheadPrices · Energinet CC BY 4.0"',
  )
  expect(lines.at(-1)).toEqual(
    expect.stringMatching(/^2026-10-31 23:45:00,2026-10-31T22:45:00.000Z,.*,10.5,119,129.5,,/),
  )
  expect(lines.filter((line) => line.startsWith('2026-10-25 02:00:00'))).toHaveLength(2)
  const trail = await storedRows(app.records, 'audit_entry', { action: 'export' }, ['action', 'subject', 'who'])
  expect(trail).toEqual([
    { action: 'export', subject: 'Power cost tax included DK2 2026-10', who: 'sudoer@north.example' },
  ])
})

test('the monthly file is a spreadsheet by default', async () => {
  const { headers } = await month({ month: '2026-10' })
  expect(headers['content-disposition']).toMatch(/\.xlsx"$/)
})

test.each([
  [{}, { month: 'This field is required' }],
  [{ month: '2026-13' }, { month: 'Must be a month such as 2026-11' }],
  [{ month: '2026-00' }, { month: 'Must be a month such as 2026-11' }],
  [{ month: '2026-10', priceSignal: 'x' }, { priceSignal: 'Not a valid id' }],
])('the month %j is refused', async (query, errors) => {
  const { status, body } = await month(query)
  expect([status, body.errors]).toEqual([400, errors])
})

test('several days are answered as one file only', async () => {
  for (const date of ['2026-03-28', '2026-03-29', '2026-03-30']) await putDay(date, 'quarter', () => ({ dkk: '7.5' }))
  const { status, text, headers } = await app.ask(powerCost, {
    token,
    query: { priceSignal, date: '2026-03-28', days: '3', resolution: 'quarter', format: 'csv' },
  })
  expect(status).toBe(200)
  expect(headers['content-disposition']).toContain('Power_cost_DK2_2026-03-28--2026-03-30.csv')
  const lines = text.trim().split('\r\n')
  expect(lines).toHaveLength(1 + 96 + 92 + 96)
  expect(new Set(lines.slice(1)).size).toBe(96 + 92 + 96)
  const chart = await ask({ date: '2026-03-28', days: '2' })
  expect([chart.status, chart.body.errors]).toEqual([
    400,
    { days: 'Several days are available as a file only: add format' },
  ])
  expect((await ask({ date: '2026-03-28', days: '4', format: 'csv' })).status).toBe(400)
})
