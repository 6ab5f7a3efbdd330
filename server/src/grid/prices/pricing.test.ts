import { demandResponseLastReported, lastPrices, pricing, signalTypes } from '@gridmast/contract/grid/prices.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { slots } from '@gridmast/contract/slots.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { putPrices, putRates } from '#testing/prices.ts'
import { changeRows, storedRows } from '#testing/rows.ts'

const now = '2026-11-20T17:12:08.000Z'
const published = '2026-11-19T18:01:00.000Z'
const hour = '2026-11-20T10:00:00.000Z'

let token: string
const app = await openTestApp()
app.setNow(now)
await app.records.system(async (tx) => {
  await tx
    .updateTable('customer')
    .set({ bidding_markets: ['FCR', 'FCR-D-DEC', 'aFRR', 'aFRR-DK1-INC', 'FFR', 'DC-PLANNER'] })
    .where('key', '=', 'north')
    .execute()
  await tx
    .updateTable('customer')
    .set({ areas: ['SE3'] })
    .where('key', '=', 'west')
    .execute()
})
await putRates(app.records, { '2026-11-19': '7.4745' })
const down = { market: 'FCR-D-DEC', area: 'DK2', at: hour }
await putPrices(
  app.records,
  [
    { ...down, auction: 'D-1 early', priceEur: '3.5', volumeMw: '430' },
    { ...down, auction: 'D-1 late', priceEur: '1.0', volumeMw: '144' },
    { ...down, auction: 'Total', priceEur: '2.872822', volumeMw: '574' },
    { ...down, at: '2023-05-20T10:00:00.000Z', auction: 'D-2', priceEur: '9' },
    { ...down, at: '2023-05-20T10:00:00.000Z', auction: 'D-1', priceEur: '8' },
    { ...down, auction: 'D-2', priceEur: '99' },
    { ...down, area: 'SE3', auction: 'Total', priceEur: '77' },
    { market: 'FFR', area: 'DK2', at: hour, priceEur: '0', priceDkk: '0' },
    { market: 'mFRR-INC', area: 'DK2', at: hour, priceDkk: '1' },
    { market: 'aFRR-INC', area: 'DK1', at: hour, priceEur: '-1.5', priceDkk: '-11.21' },
    { market: 'aFRR-INC', area: 'DK1', at: hour, product: 'extra', priceEur: '5', priceDkk: '55' },
    ...slots('hour', '2026-11-20').map((slot) => ({
      market: 'FCR',
      area: 'DK1',
      at: new Date(slot.fromMs).toISOString(),
      priceEur: '11.62',
      priceDkk: '86.88',
    })),
  ],
  published,
)
beforeEach(async () => {
  token = await app.tokenOf('sudoer@north.example')
})
afterAll(() => app.close())

const ask = async (id: string, query: Record<string, string> = {}) => {
  const { status, body, text, headers } = await app.ask(pricing, { token, params: { id }, query })
  return { status, body, text, headers, data: body.data }
}

test('a range has the prices of each of its days, in 31 days at most', async () => {
  const range = { start: '2026-11-18T12:00:00Z', end: '2026-11-20T12:00:00Z' }
  const { data } = await ask('FCR-D-DEC:DK2', range)
  const days = await Promise.all(
    ['2026-11-18', '2026-11-19', '2026-11-20'].map((date) => ask('FCR-D-DEC:DK2', { date })),
  )
  expect(data.prices).toEqual(days.flatMap((day) => day.data.prices))
  expect(data.prices.length).toBeGreaterThan(0)
  expect(data.exchange).toBeNull()
  const tooLong = await ask('FCR-D-DEC:DK2', { ...range, end: '2026-12-31T12:00:00Z' })
  expect(tooLong).toMatchObject({ status: 400, body: { errors: { end: m.tooManyDays(limits.priceDays) } } })
})

test('the signals of the own markets and areas are listed once per market with their auctions', async () => {
  const { body } = await app.ask(signalTypes, { token })
  const all = ['Total', 'D-1', 'D-2']
  const one = (market: string, area: string, priceTypes: string[]) => ({
    _id: `${market}:${area}`,
    name: `${market} ${area}`,
    area,
    priceTypes,
  })
  expect(body.data).toEqual({
    groups: [
      { market: 'FCR', signals: [one('FCR', 'DK1', ['Total'])] },
      { market: 'FCR-D-DEC', signals: [one('FCR-D-DEC', 'DK2', all)] },
      { market: 'aFRR-INC', signals: [one('aFRR-INC', 'DK1', ['Total']), one('aFRR-INC', 'DK2', ['Total'])] },
      { market: 'aFRR-DEC', signals: [one('aFRR-DEC', 'DK1', ['Total']), one('aFRR-DEC', 'DK2', ['Total'])] },
      { market: 'FFR', signals: [one('FFR', 'DK2', ['Total'])] },
    ],
  })
})

test.each([
  ['Total', '21.472908', '2.872822', '574', 'Total'],
  ['D-1', '7.4745', '1', '144', 'D-1 late'],
  ['D-2', '26.16075', '3.5', '430', 'D-1 early'],
])(
  'the %s price is that of its auction, converted to DKK by the rate of the day',
  async (priceType, price, priceEur, volumeMw, auction) => {
    const { data } = await ask('FCR-D-DEC:DK2', { priceType })
    expect(data).toMatchObject({
      unit: 'DKK/MW',
      market: 'FCR-D-DEC',
      area: 'DK2',
      basis: 'derived',
      exchange: { dkkPerEur: '7.4745', day: '2026-11-19' },
      lastReported: published,
      source: { name: 'Energi Data Service', dataset: 'FcrNdDK2', simulated: false },
    })
    expect(data.prices).toEqual([
      { start_time: hour, end_time: '2026-11-20T11:00:00.000Z', price, priceEur, volumeMw, auction },
    ])
  },
)

test('the default auction is Total', async () => {
  expect((await ask('FCR-D-DEC:DK2')).data).toEqual((await ask('FCR-D-DEC:DK2', { priceType: 'Total' })).data)
})

test.each([
  ['D-1', '8'],
  ['D-2', '9'],
])('before 2023-06-01 the %s auction is stored under its former name', async (priceType, priceEur) => {
  const { data } = await ask('FCR-D-DEC:DK2', { priceType, date: '2023-05-20' })
  expect(data.prices.map((price) => price.priceEur)).toEqual([priceEur])
})

test('prices with a DKK column are shown as published, zero and negative ones included, without extra auctions', async () => {
  expect((await ask('FFR:DK2')).data).toMatchObject({ basis: 'dataset', exchange: null, prices: [{ price: '0' }] })
  expect((await ask('aFRR-INC:DK1')).data.prices.map(({ price }) => price)).toEqual(['-11.21'])
})

test('an FCR price in DK1 is the published one, with a unit per block', async () => {
  const { data } = await ask('FCR:DK1')
  expect(data).toMatchObject({ unit: 'DKK/MW per block of 4 h' })
  expect(new Set(data.prices.map(({ price }) => price))).toEqual(new Set(['86.88']))
})

test.each([
  ['2026-03-29', 23],
  ['2026-10-25', 25],
])('%s has %i hours', async (date, hours) => {
  await putPrices(
    app.records,
    slots('hour', date).map((slot) => ({
      market: 'FFR',
      area: 'DK2',
      at: new Date(slot.fromMs).toISOString(),
      priceDkk: '3',
    })),
    published,
  )
  expect((await ask('FFR:DK2', { date })).data.graph[0]?.x).toHaveLength(hours)
})

test('a day without prices is an empty chart', async () => {
  const { status, data } = await ask('FFR:DK2', { date: '2026-11-21' })
  expect(status).toBe(200)
  expect(data).toMatchObject({ prices: [], basis: null, exchange: null, lastReported: null })
})

test('T1 a market or area not of the customer and an unknown one get the same 404', async () => {
  const unknown = await ask('XYZ:DK2')
  expect(unknown.status).toBe(404)
  for (const id of ['FCR-D-INC:DK2', 'mFRR-INC:DK2', 'FCR-D-DEC:SE3', 'FCR-D-DEC:DK1', 'FCR:DK2']) {
    expect((await ask(id)).body, id).toEqual(unknown.body)
    const last = await app.ask(demandResponseLastReported, { token, query: { signal: id } })
    expect(last.body, id).toEqual(unknown.body)
  }
})

test.each([
  ['FFR:DK2', { priceType: 'D-1' }, { priceType: 'This market has no such auction' }],
  ['FFR:DK2', { date: '2026-11-31' }, { date: 'Must be a date such as 2026-11-20' }],
  ['not a signal', {}, { id: 'Not a price signal' }],
])('%s with %j is refused', async (id, query, errors) => {
  const { status, body } = await ask(id, query)
  expect([status, body.errors]).toEqual([400, errors])
})

test('C4 the daily file is on the audit trail', async () => {
  const { text } = await ask('FCR-D-DEC:DK2', { priceType: 'D-2', format: 'csv' })
  expect(text.trim().split('\r\n')).toEqual([
    'Start (Europe/Berlin),Start (UTC),End (Europe/Berlin),End (UTC),Price (DKK/MW),DKK per EUR,Market,Area,Auction,Unit,Source',
    '2026-11-20 11:00:00,2026-11-20T10:00:00.000Z,2026-11-20 12:00:00,2026-11-20T11:00:00.000Z,26.16075,7.4745,FCR-D-DEC,DK2,D-2,DKK/MW,"Energi Data Service, FcrNdDK2 · Energinet CC BY 4.0"',
  ])
  const trail = await storedRows(app.records, 'audit_entry', { action: 'export' }, ['subject'])
  expect(trail).toEqual([{ subject: 'FCR-D-DEC pricing DK2 D-2 2026-11-20' }])
})

test('R1 the latest price of each reserve signal, and the current day-ahead price for permitted viewers', async () => {
  const quarter = { market: 'day-ahead', area: 'DK2', durationS: 900, unit: 'MWh' }
  await putPrices(
    app.records,
    [
      { ...quarter, at: '2026-11-20T17:00:00.000Z', priceDkk: '500' },
      { ...quarter, at: '2026-11-20T17:15:00.000Z', priceDkk: '600' },
    ],
    published,
  )
  const last = async (as: string) => await app.data(lastPrices, { token: as })
  const reserves = [
    { signal: 'FCR:DK1', start_time: '2026-11-20T22:00:00.000Z', price: '86.88', unit: 'DKK/MW per block of 4 h' },
    { signal: 'FCR-D-DEC:DK2', start_time: hour, price: '21.472908', unit: 'DKK/MW' },
    { signal: 'aFRR-INC:DK1', start_time: hour, price: '-11.21', unit: 'DKK/MW' },
    { signal: 'FFR:DK2', start_time: hour, price: '0', unit: 'DKK/MW' },
  ]
  const now = { start_time: '2026-11-20T17:00:00.000Z', price: '500', unit: 'DKK/MWh' }
  expect((await last(token)).prices).toEqual([expect.objectContaining(now), ...reserves])
  await changeRows(
    app.records,
    'app_user',
    { email: 'custom@north.example' },
    { allowed: JSON.stringify({ demandResponse: true }) },
  )
  expect((await last(await app.tokenOf('custom@north.example'))).prices).toEqual(reserves)
})

test('an expired day-ahead price is not the current price', async () => {
  app.setNow('2026-11-20T17:30:00.000Z')
  const { body } = await app.ask(lastPrices, { token: await app.tokenOf('sudoer@north.example') })
  app.setNow(now)
  expect(JSON.stringify(body.data)).not.toContain('DKK/MWh')
})

test('the last publication time of a market, or none', async () => {
  const last = async (signal: string) => (await app.ask(demandResponseLastReported, { token, query: { signal } })).body
  expect((await last('FCR-D-DEC:DK2')).data).toEqual({ lastReported: published })
  expect((await last('aFRR-DEC:DK2')).data).toEqual({ lastReported: null })
})
