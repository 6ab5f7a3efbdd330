import { powerCost } from '@gridmast/contract/grid/prices.ts'
import { slots } from '@gridmast/contract/slots.ts'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { json, serveUpstream } from '#testing/upstream.ts'
import { runFeed } from '#testing/published.ts'

const now = '2026-11-20T17:12:08.000Z'

const recordsOf = (dates: string[], price: (index: number) => string) =>
  dates.flatMap((date) =>
    slots('quarter', date).map(
      (slot) =>
        `{"TimeUTC":"${new Date(slot.fromMs).toISOString().slice(0, 19)}","TimeDK":"x","PriceArea":"DK2","DayAheadPriceEUR":1.5,"DayAheadPriceDKK":${price(slot.index)}}`,
    ),
  )
const bodyOf = (records: string[]) =>
  `{"total":${records.length},"filters":"","limit":0,"dataset":"DayAheadPrices","records":[${records.join(',')}]}`
const twoDays = bodyOf(recordsOf(['2026-11-20', '2026-11-21'], (index) => (index < 4 ? '-189.100001' : String(index))))

const upstream = await serveUpstream()
const app = await openTestApp({ DEMO: 'on', EDS_URL: upstream.url, EDS_SIMULATED: 'on' })
app.setNow(now)
afterEach(() => {
  upstream.asked = []
})
afterAll(async () => {
  await app.close()
  upstream.close()
})

// The clock jumps beyond a session's lifetime: each call signs in.
const ask = async (query: Record<string, string> = {}, email = 'sudoer@north.example') =>
  app.ask(powerCost, { token: await app.tokenOf(email), query })

test('without published prices the chart is empty and has no publication time', async () => {
  expect((await ask()).body.data).toMatchObject({
    prices: [],
    basis: null,
    lastReported: null,
    unit: 'DKK/MWh',
    area: 'DK2',
  })
})

test('prices of the day pass the connector exactly, as hourly means or as published', async () => {
  upstream.answer = json(twoDays)
  expect(await runFeed(app, 'DayAheadPrices')).toBe(192)
  expect(upstream.asked[0]?.href).toMatch(
    /^http:\/\/x\/dataset\/DayAheadPrices\?timezone=UTC&start=2026-11-12T23%3A00&end=2026-11-21T23%3A00/,
  )
  const hours = (await ask()).body.data
  expect(hours.prices).toHaveLength(24)
  expect(hours.prices[0]).toEqual({
    start_time: '2026-11-19T23:00:00.000Z',
    end_time: '2026-11-20T00:00:00.000Z',
    price: '-189.100001',
    priceTaxIncluded: '-70.100001',
  })
  expect(hours.prices[1]?.price).toBe('5.5')
  expect(hours).toMatchObject({ basis: 'dataset', source: { name: 'Energi Data Service', simulated: true } })
  const quarters = (await ask({ date: '2026-11-21', resolution: 'quarter' })).body.data
  expect(quarters.prices).toHaveLength(96)
})

test('R1 a custom user sees prices only with the permission', async () => {
  const refused = await ask({}, 'custom@north.example')
  expect(refused).toMatchObject({
    status: 403,
    body: { success: false, message: 'Oops! You are not authorized to access this!' },
  })
})

test('the daily file states the zone in its header and that it is simulated', async () => {
  const { text } = await ask({ date: '2026-11-20', format: 'csv' })
  const lines = text.trim().split('\r\n')
  expect(lines[0]).toBe(
    'Start (Europe/Berlin),Start (UTC),End (Europe/Berlin),End (UTC),Price (DKK/MWh),DKK per EUR,Market,Area,Unit,Source',
  )
  expect(lines[1]).toBe(
    '2026-11-20 00:00:00,2026-11-19T23:00:00.000Z,2026-11-20 01:00:00,2026-11-20T00:00:00.000Z,-189.100001,,day-ahead,DK2,DKK/MWh,Simulated (DayAheadPrices)',
  )
  expect(lines).toHaveLength(25)
})
