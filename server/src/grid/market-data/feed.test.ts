import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { slots } from '@gridmast/contract/slots.ts'
import { dayBounds, minuteMs } from '@gridmast/contract/time.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { datasets, type DatasetName } from '#connectors/energi-data-service/datasets.ts'
import { exampleRecords } from '#connectors/energi-data-service/records.fixture.ts'
import { openTestApp } from '#testing/app.ts'
import { json, serveUpstream } from '#testing/upstream.ts'
import { storedRow, storedRows } from '#testing/rows.ts'
import { runFeed } from './feed.ts'

const startMs = Date.parse('2026-11-20T17:12:08.000Z')

const upstream = await serveUpstream()
const app = await openTestApp({ DEMO: 'on', EDS_URL: upstream.url, EDS_SIMULATED: 'on' })
afterEach(() => {
  upstream.asked = []
})
afterAll(async () => {
  await app.close()
  upstream.close()
})

const at = (minutes: number) => app.setNow(new Date(startMs + minutes * minuteMs).toISOString())
const body = (records: readonly string[]) =>
  `{"total":${records.length},"filters":"","limit":0,"records":[${records.join(',')}]}`
const state = (dataset: DatasetName) =>
  app.records.system((tx) =>
    tx.selectFrom('connector_state').selectAll().where('dataset', '=', dataset).executeTakeFirst(),
  )
const forget = () =>
  app.records.system(async (tx) => {
    for (const table of [
      'connector_state',
      'connector_run',
      'market_price',
      'market_price_revision',
      'tariff',
    ] as const)
      await tx.deleteFrom(table).execute()
  })

const quarters = (dates: string[], price: (index: number) => string, area = 'DK2') =>
  dates.flatMap((date) =>
    slots('quarter', date).map(
      (slot) =>
        `{"TimeUTC":"${new Date(slot.fromMs).toISOString().slice(0, 19)}","PriceArea":"${area}","DayAheadPriceEUR":1.5,"DayAheadPriceDKK":${price(slot.index)}}`,
    ),
  )
const twoDays = body(quarters(['2026-11-20', '2026-11-21'], (index) => (index < 4 ? '-189.100001' : String(index))))

const pricesOf = (market: string) => storedRows(app.records, 'market_price', { market })

describe('request schedule', () => {
  beforeAll(forget)

  test('the next request is a minute later, and a data set that is not due is not requested', async () => {
    at(0)
    upstream.answer = json(
      body(datasets.DayAheadPrices.areas.flatMap((area) => quarters(['2026-11-20', '2026-11-21'], String, area))),
    )
    expect(await runFeed(app, 'DayAheadPrices')).toBe(4 * 192)
    at(0.5)
    expect(await runFeed(app, 'DayAheadPrices')).toBeNull()
    at(30)
    expect(await runFeed(app, 'DayAheadPrices')).toBeNull()
    at(61)
    expect(await runFeed(app, 'DayAheadPrices')).toBe(0)
    expect(upstream.asked).toHaveLength(2)
  })

  test('two processes on the same records send one request', async () => {
    at(200)
    const both = await Promise.all([runFeed(app, 'DayAheadPrices'), runFeed(app, 'DayAheadPrices')])
    expect(both).toEqual(expect.arrayContaining([0, null]))
    expect(upstream.asked).toHaveLength(1)
  })

  test('the first request of a day covers seven days, later ones two', async () => {
    const start = () => upstream.asked.at(-1)?.searchParams.get('start')
    at(12 * 60)
    await runFeed(app, 'DayAheadPrices')
    expect(start()).toBe('2026-11-13T23:00')
    at(14 * 60)
    await runFeed(app, 'DayAheadPrices')
    expect(start()).toBe('2026-11-18T23:00')
  })

  test('after an outage the request begins at the end of the stored data, at most 30 days ago', async () => {
    const start = () => upstream.asked.at(-1)?.searchParams.get('start')
    at(20 * 24 * 60)
    await runFeed(app, 'DayAheadPrices')
    expect(start()).toBe('2026-11-21T23:00')
    at(60 * 24 * 60)
    await runFeed(app, 'DayAheadPrices')
    expect(start()).toBe('2026-12-21T23:00')
  })
})

describe('completeness of a day', () => {
  beforeEach(forget)
  const at13 = Date.parse('2026-11-20T12:00:00Z')
  const setNow = (ms: number) => app.setNow(new Date(ms).toISOString())
  const area = (name: string) => twoDays.replaceAll('"DK2"', `"${name}"`)
  const records = (text: string) => text.replace(/^.*"records":\[|\]\}$/g, '').split(/(?<=\}),/)

  test('a day without one of its areas is incomplete and is requested again', async () => {
    setNow(at13)
    const today = records(area('DK1')).filter((row) => row.includes('"2026-11-20T1'))
    upstream.answer = json(body([...['DK2', 'SE3', 'SE4'].flatMap((name) => records(area(name))), ...today]))
    await runFeed(app, 'DayAheadPrices')
    setNow(at13 + 2 * minuteMs)
    upstream.answer = json(body(['DK1', 'DK2', 'SE3', 'SE4'].flatMap((name) => records(area(name)))))
    expect(await runFeed(app, 'DayAheadPrices')).toBeGreaterThan(96)
    setNow(at13 + 4 * minuteMs)
    expect(await runFeed(app, 'DayAheadPrices')).toBeNull()
  })

  test('the early auction of tomorrow does not replace the late one', async () => {
    const reserve = (auction: string) =>
      datasets.FcrNdDK2.areas.flatMap((name) =>
        ['FCR-N', 'FCR-D upp', 'FCR-D ned'].flatMap((product) =>
          slots('hour', '2026-11-21').map(
            ({ fromMs }) =>
              `{"HourUTC":"${new Date(fromMs).toISOString().slice(0, 19)}","PriceArea":"${name}","ProductName":"${product}","AuctionType":"${auction}","PurchasedVolumeTotal":1,"PriceTotalEUR":2}`,
          ),
        ),
      )
    setNow(Date.parse('2026-11-20T17:59:00Z'))
    upstream.answer = json(body(reserve('D-1 early')))
    await runFeed(app, 'FcrNdDK2')
    setNow(Date.parse('2026-11-20T18:09:00Z'))
    upstream.answer = json(body(['D-1 early', 'D-1 late', 'Total'].flatMap(reserve)))
    expect(await runFeed(app, 'FcrNdDK2')).toBe(2 * 3 * 5 * 24)
    setNow(Date.parse('2026-11-20T18:30:00Z'))
    expect(await runFeed(app, 'FcrNdDK2')).toBeNull()
  })

  test.each(['DayAheadPrices', 'CO2Emis', 'DatahubPricelist'] as const)(
    'an empty answer of %s is a failure and is soon retried',
    async (dataset) => {
      setNow(at13)
      upstream.answer = json(body([]))
      expect(await runFeed(app, dataset)).toBe(0)
      expect(await state(dataset)).toMatchObject({
        last_success_at: null,
        failures: 1,
        last_error: 'empty: 0 rows, none with a value',
      })
      setNow(at13 + 2 * minuteMs)
      expect(await runFeed(app, dataset)).toBe(0)
      expect(upstream.asked).toHaveLength(2)
    },
  )

  test('a data set without daily publication may be empty', async () => {
    setNow(at13)
    upstream.answer = json(body([]))
    expect(await runFeed(app, 'MfrrCapacityMarketExtra')).toBe(0)
    expect(await state('MfrrCapacityMarketExtra')).toMatchObject({ last_error: null, last_success_at: new Date(at13) })
  })

  test('after a refused filter the day is requested without it and filtered locally', async () => {
    setNow(at13)
    const areas = ['DE', 'DK1', 'NO2', 'DK2'].flatMap((name) => records(area(name)))
    upstream.answer = (request, response) =>
      request.url?.includes('filter=') ? response.writeHead(403).end() : json(body(areas))(request, response)
    expect(await runFeed(app, 'DayAheadPrices')).toBe(0)
    expect((await state('DayAheadPrices'))?.last_error).toBe('forbidden: HTTP 403')
    setNow(at13 + 2 * minuteMs)
    expect(await runFeed(app, 'DayAheadPrices')).toBe(2 * 192)
    expect(new Set((await pricesOf('day-ahead')).map((row) => row.area))).toEqual(new Set(['DK1', 'DK2']))
    expect(await state('DayAheadPrices')).toMatchObject({ last_error: null })
    setNow(at13 + 5 * minuteMs)
    await runFeed(app, 'DayAheadPrices')
    expect(upstream.asked.map((url) => url.searchParams.has('filter'))).toEqual([true, false, false])
    setNow(at13 + 24 * 60 * minuteMs)
    await runFeed(app, 'DayAheadPrices')
    expect(upstream.asked.at(-1)?.searchParams.has('filter')).toBe(true)
  })

  test('subscriptions and fees of an unfiltered price list are dropped', async () => {
    setNow(at13)
    const [list = ''] = exampleRecords.DatahubPricelist
    upstream.answer = (request, response) =>
      request.url?.includes('filter=')
        ? response.writeHead(403).end()
        : json(body([list, list.replace('"ChargeType":"D03"', '"ChargeType":"D01"').replace('EA-001', '41004')]))(
            request,
            response,
          )
    await runFeed(app, 'DatahubPricelist')
    setNow(at13 + 2 * minuteMs)
    expect(await runFeed(app, 'DatahubPricelist')).toBe(1)
  })
})

describe('L4 invalid upstream data keeps the last valid prices, marks the source and is recovered from', () => {
  beforeAll(async () => {
    await forget()
    at(0)
    upstream.answer = json(twoDays)
    await runFeed(app, 'DayAheadPrices')
  })

  const bomb = gzipSync(Buffer.alloc(20_000_000, ' '))
  const faults: [string, RequestListener, RegExp][] = [
    ['HTML', (_, response) => response.writeHead(200).end('<html>maintenance</html>'), /^html/],
    ['truncated', json(twoDays.slice(0, 5000)), /^truncated/],
    ['wrong schema', json('{"records":[{"Time":"now"}]}'), /^schema/],
    ['half the rows', json(twoDays.replace('"total":192', '"total":300')), /^schema/],
    ['500', (_, response) => response.writeHead(500).end('{}'), /^http: HTTP 500/],
    ['429', (_, response) => response.writeHead(429, { 'retry-after': '120' }).end(), /^rate-limited/],
    ['a redirect', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), /^redirect/],
    ['11 MB', (_, response) => response.writeHead(200).end(`{"records":[${' '.repeat(11_000_000)}]}`), /^too-large/],
    ['a gzip bomb', (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb), /^too-large/],
    ['a broken line', (_, response) => void response.write('{"total"', () => response.destroy()), /^unreachable/],
  ]
  test.each(faults.map((fault, i) => [...fault, i] as const))('%s', async (_name, listener, error, i) => {
    upstream.answer = listener
    at(200 + i * 200)
    expect(await runFeed(app, 'DayAheadPrices')).toBe(0)
    expect((await state('DayAheadPrices'))?.last_error).toMatch(error)
    expect(await pricesOf('day-ahead')).toHaveLength(192)
  })

  test('null prices keep the stored prices', async () => {
    upstream.answer = json(
      twoDays
        .replaceAll('"DayAheadPriceEUR":1.5', '"DayAheadPriceEUR":null')
        .replaceAll(/"DayAheadPriceDKK":-?[\d.]+/g, '"DayAheadPriceDKK":null'),
    )
    at(2400)
    expect(await runFeed(app, 'DayAheadPrices')).toBe(0)
    expect(await pricesOf('day-ahead')).toHaveLength(192)
  })

  test('Retry-After is respected, also when it is longer than the interval', async () => {
    upstream.answer = (_, response) => response.writeHead(503, { 'retry-after': '3600' }).end()
    at(2600)
    expect(await runFeed(app, 'DayAheadPrices')).toBe(0)
    at(2655)
    expect(await runFeed(app, 'DayAheadPrices')).toBeNull()
  })

  test('recovery clears the error, and every run is recorded', async () => {
    upstream.answer = json(twoDays.replaceAll('-189.100001', '-190'))
    at(2661)
    expect(await runFeed(app, 'DayAheadPrices')).toBe(8)
    expect(await state('DayAheadPrices')).toMatchObject({ last_error: null, failures: 0 })
    const runs = await app.records.system((tx) =>
      tx.selectFrom('connector_run').select(['error', 'changed_count']).orderBy('started_at').execute(),
    )
    expect(runs.filter((run) => run.error)).toHaveLength(faults.length + 2)
    const revisions = await storedRows(app.records, 'market_price_revision')
    expect(revisions).toHaveLength(8)
    expect(revisions[0]?.price_dkk).toBe('-189.100001')
  })
})

describe('every data set through its connector', () => {
  beforeEach(async () => {
    await forget()
    app.setNow('2026-09-15T21:59:00.000Z')
    upstream.asked = []
  })

  test.each<[DatasetName, number]>([
    ['FcrDK1', 1],
    ['FcrNdDK2', 3],
    ['AfrrReservesNordic', 2],
    ['MfrrCapacityMarket', 2],
    ['MfrrCapacityMarketExtra', 1],
    ['FfrDK2', 1],
    ['ImbalancePrice', 2],
    ['MfrrEnergyActivationMarket', 2],
    ['DatahubPricelist', 2],
  ])('%s stores %i rows, and none for the same answer', async (dataset, count) => {
    upstream.answer = json(body(exampleRecords[dataset]))
    expect(await runFeed(app, dataset)).toBe(count)
    expect(upstream.asked[0]?.href).toContain(`/dataset/${dataset}?timezone=UTC`)
    app.setNow('2026-09-17T21:59:00.000Z')
    expect(await runFeed(app, dataset)).toBe(0)
  })

  test('volume and auction are stored with the price', async () => {
    upstream.answer = json(body(exampleRecords.FcrNdDK2))
    await runFeed(app, 'FcrNdDK2')
    expect((await pricesOf('FCR-D-DEC')).toSorted((a, b) => (a.auction < b.auction ? -1 : 1))).toMatchObject([
      {
        auction: 'D-1 early',
        price_eur: '3.500000',
        price_dkk: null,
        volume_mw: '430.000',
        duration_s: 3600,
        unit: 'MW',
      },
      { auction: 'D-1 late', volume_mw: '144.000' },
      { auction: 'Total', price_eur: '2.872822' },
    ])
  })

  test('a tariff keeps its 24 hours exactly, and a changed one is updated', async () => {
    upstream.answer = json(body(exampleRecords.DatahubPricelist))
    await runFeed(app, 'DatahubPricelist')
    const code = (text: string) => storedRow(app.records, 'tariff', { code: text })
    const radius = await code('DT_C_01')
    expect(radius).toMatchObject({ valid_from: '2026-10-01', valid_to: null })
    expect(radius.prices.map(String)[17]).toBe('0.303600')
    upstream.answer = json(body(exampleRecords.DatahubPricelist).replace('"Price1":0.008', '"Price1":0.009'))
    app.setNow('2026-09-17T21:59:00.000Z')
    expect(await runFeed(app, 'DatahubPricelist')).toBe(1)
    expect((await code('EA-001')).prices.map(String)[0]).toBe('0.009000')
  })

  test('emission is stored as a series per area, and a null keeps the stored value', async () => {
    const five = (minute: string, value: string) =>
      `{"Minutes5UTC":"2026-09-15T21:${minute}:00","PriceArea":"DK1","CO2Emission":${value}}`
    upstream.answer = json(body([five('40', '90.5'), five('45', '91'), five('55', '88.0')]))
    expect(await runFeed(app, 'CO2Emis')).toBe(3)
    upstream.answer = json(body([five('40', 'null'), five('50', '89')]))
    app.setNow('2026-09-15T22:09:00.000Z')
    expect(await runFeed(app, 'CO2Emis')).toBe(1)
    const signal = await storedRow(app.records, 'public_signal', {})
    expect(signal).toMatchObject({ area: 'DK1', kind: 'co2', unit: 'g/kWh', dataset: 'CO2Emis' })
    expect(signal.last_reported_at).toEqual(new Date('2026-09-15T22:00:00Z'))
    const fromMs = Date.parse('2026-09-15T21:40:00Z')
    const edgesMs = [0, 5, 10, 15, 20].map((minute) => fromMs + minute * minuteMs)
    const found = await app.readings.buckets({ signalNo: signal.no, edgesMs })
    expect(found.map((bucket) => bucket.first)).toEqual([90.5, 91, 89, 88])
    expect(await state('CO2Emis')).toMatchObject({ failures: 0 })
  })

  test('one invalid record prevents the whole import', async () => {
    upstream.answer = json(
      body([...exampleRecords.AfrrReservesNordic, '{"TimeUTC":"2026-09-15T20:00:00","PriceArea":"DK1"}']),
    )
    expect(await runFeed(app, 'AfrrReservesNordic')).toBe(0)
    expect(await pricesOf('aFRR-INC')).toEqual([])
    expect((await state('AfrrReservesNordic'))?.last_error).toBe(
      'schema: record 1: UpPriceEUR: expected a number or null',
    )
  })
})

test('a request is limited to the required areas and columns', async () => {
  await forget()
  app.setNow('2026-09-15T21:59:00.000Z')
  upstream.answer = json(body(exampleRecords.FcrNdDK2))
  await runFeed(app, 'FcrNdDK2')
  const query = (name: string) => upstream.asked[0]?.searchParams.get(name)
  expect(JSON.parse(query('filter') ?? '')).toEqual({ PriceArea: datasets.FcrNdDK2.areas })
  expect(query('columns')).toBe('HourUTC,PriceArea,ProductName,AuctionType,PriceTotalEUR,PurchasedVolumeTotal')
  expect(query('end')).toBe(new Date(dayBounds('2026-09-16').toMs).toISOString().slice(0, 16))
})
