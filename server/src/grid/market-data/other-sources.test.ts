import type { RequestListener } from 'node:http'
import { addDays, dayBounds, hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { findCoverage } from '#grid/published/coverage.ts'
import { openTestApp } from '#testing/app.ts'
import { serveUpstream } from '#testing/upstream.ts'
import { putPrices } from '#testing/prices.ts'
import { addRows, changeRows, storedRows } from '#testing/rows.ts'
import { missingFrom, runEntsoe, runExchangeRates, runFrequency } from './other-sources.ts'

const token = 'a-token-of-entsoe'
const startMs = Date.parse('2026-11-20T17:12:08.000Z')

const upstream = await serveUpstream()
const app = await openTestApp({
  EDS_URL: upstream.url,
  ENTSOE_URL: `${upstream.url}/entsoe`,
  ENTSOE_TOKEN: token,
  STATNETT_URL: `${upstream.url}/frequency`,
  FX_URL: `${upstream.url}/rates.xml`,
})
afterAll(async () => {
  await app.close()
  upstream.close()
})
beforeEach(async () => {
  upstream.asked = []
  app.setNow(new Date(startMs).toISOString())
  await app.records.system(async (tx) => {
    for (const table of ['connector_state', 'connector_run', 'market_price', 'exchange_rate', 'public_signal'] as const)
      await tx.deleteFrom(table).execute()
  })
})

const at = (ms: number) => app.setNow(new Date(startMs + ms).toISOString())
const states = () =>
  app.records.system((tx) => tx.selectFrom('connector_state').selectAll().orderBy('dataset').execute())
const runs = () => storedRows(app.records, 'connector_run')

describe('ENTSO-E', () => {
  const publication: RequestListener = (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x')
    const { fromMs, toMs } = dayBounds('2026-11-21')
    const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 16)}Z`
    response.end(
      `<Publication_MarketDocument><TimeSeries><in_Domain.mRID>${searchParams.get('in_Domain')}</in_Domain.mRID><contract_MarketAgreement.type>A01</contract_MarketAgreement.type><currency_Unit.name>EUR</currency_Unit.name><curveType>A03</curveType><Period><timeInterval><start>${iso(fromMs)}</start><end>${iso(toMs)}</end></timeInterval><resolution>PT15M</resolution><Point><position>1</position><price.amount>42.42</price.amount></Point></Period></TimeSeries></Publication_MarketDocument>`,
    )
  }
  const pricesOf = (area: string) => storedRows(app.records, 'market_price', { area })
  const todayEndsMs = dayBounds('2026-11-20').toMs
  const firstSource = async (
    fields: { last_error: string | null; last_success_at: Date },
    untilMs: Record<string, number>,
  ) => {
    await addRows(app.records, 'connector_state', {
      source: 'energi-data-service',
      dataset: 'DayAheadPrices',
      last_request_at: new Date(startMs),
      ...fields,
    })
    const rows = Object.entries(untilMs).map(([area, ms]) => ({ area, at: new Date(ms - hourMs).toISOString() }))
    const price = { market: 'day-ahead', unit: 'MWh', priceEur: '1' }
    await putPrices(
      app.records,
      rows.map((row) => ({ ...price, ...row })),
      '2026-11-20T12:00:00Z',
    )
  }
  const failing = { last_error: 'http: HTTP 500', last_success_at: new Date(startMs - hourMs) }
  const allUntil = (ms: number) => ({ DK1: ms, DK2: ms, SE3: ms, SE4: ms })

  test('ENTSO-E prices of SE1 and SE2 are stored in EUR with their source', async () => {
    upstream.answer = publication
    expect(await runEntsoe(app)).toBe(2 * 96)
    expect(upstream.asked.map((url) => url.searchParams.get('in_Domain'))).toEqual([
      '10Y1001A1001A44P',
      '10Y1001A1001A45N',
    ])
    expect(upstream.asked[0]?.searchParams.get('periodEnd')).toBe('202611212300')
    const rows = await pricesOf('SE1')
    expect(rows).toHaveLength(96)
    expect(rows[95]).toMatchObject({
      market: 'day-ahead',
      price_eur: '42.420000',
      price_dkk: null,
      source: 'entsoe',
      duration_s: 900,
    })
    expect(await runEntsoe(app)).toBe(0)
    expect(upstream.asked).toHaveLength(2)
  })

  test('L5 the token is in no run, state or error', async () => {
    upstream.answer = (_, response) => response.writeHead(401).end(token)
    await runEntsoe(app)
    upstream.answer = (request, response) => response.end(`<oops ${request.url}`)
    at(10 * minuteMs)
    await runEntsoe(app)
    const kept = JSON.stringify([await runs(), await states()])
    expect(upstream.asked[0]?.searchParams.get('securityToken')).toBe(token)
    expect(kept).toContain('securityToken=***')
    expect(kept).not.toContain(token)
  })

  test('ENTSO-E replaces the primary source for other areas only from the end of its data', async () => {
    upstream.answer = publication
    await firstSource(failing, allUntil(todayEndsMs))
    expect(await runEntsoe(app)).toBe(6 * 96)
    const added = (await pricesOf('DK1')).filter(({ source }) => source === 'entsoe')
    expect(Math.min(...added.map(({ starts_at }) => starts_at.getTime()))).toBe(todayEndsMs)
    expect(upstream.asked.map((url) => url.searchParams.get('periodStart')).at(-1)).toBe('202611202300')
  })

  test('ENTSO-E supplies one area that a successful primary source omits', async () => {
    upstream.answer = publication
    const tomorrowEndsMs = dayBounds('2026-11-21').toMs
    await firstSource(
      { last_error: null, last_success_at: new Date(startMs) },
      { ...allUntil(tomorrowEndsMs), DK1: todayEndsMs },
    )
    expect(await runEntsoe(app)).toBe(3 * 96)
    expect(upstream.asked.map((url) => url.searchParams.get('in_Domain'))).toContain('10YDK-1--------W')
    expect((await pricesOf('DK1')).filter(({ source }) => source === 'entsoe')).toHaveLength(96)
  })

  test('an answer without prices is a failure', async () => {
    upstream.answer = (_, response) =>
      response.end('<Acknowledgement_MarketDocument><Reason><code>999</code></Reason></Acknowledgement_MarketDocument>')
    expect(await runEntsoe(app)).toBe(0)
    expect(await states()).toMatchObject([
      { dataset: 'A44 SE1', last_success_at: null, last_error: expect.stringMatching(/^empty/) },
      { dataset: 'A44 SE2', last_success_at: null },
    ])
  })

  test('ENTSO-E is not requested while the primary source works, in its first hour of failure, and once tomorrow is stored', () => {
    const first = {
      isFailing: true,
      lastSuccessMs: startMs - hourMs,
      coveredUntilMs: Date.parse('2026-11-20T23:00:00Z'),
      newestMs: Date.parse('2026-11-20T23:00:00Z'),
      lastRequestMs: startMs,
    }
    expect(missingFrom(first, startMs)).toBe(first.coveredUntilMs)
    const inTimeMs = Date.parse('2026-11-20T13:29:59Z') // less than an hour after 13:30
    const lately = { ...first, lastSuccessMs: inTimeMs - hourMs + 1 }
    expect(missingFrom(lately, inTimeMs)).toBeNull()
    expect(missingFrom({ ...lately, isFailing: false }, inTimeMs + 1000)).toBe(first.coveredUntilMs)
    expect(missingFrom({ ...first, coveredUntilMs: dayBounds(addDays('2026-11-20', 1)).toMs }, startMs)).toBeNull()
    const early = Date.parse('2026-11-20T12:29:00Z')
    expect(missingFrom({ ...first, lastSuccessMs: early - 5 * hourMs }, early)).toBeNull()
    expect(missingFrom({ ...first, lastSuccessMs: early - 5 * hourMs }, early + minuteMs)).toBe(first.coveredUntilMs)
  })
})

describe('Nordic frequency', () => {
  const holeMs = startMs - 3 * hourMs
  const frequency: RequestListener = (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x')
    const [from, to] = ['From', 'To'].map((key) => Date.parse(searchParams.get(key) ?? ''))
    const values = Array.from({ length: ((to ?? 0) - (from ?? 0)) / 1000 }, (_, i) => {
      const ms = (from ?? 0) + i * 1000
      return ms > app.clock.now() - 3000 || (ms >= holeMs && ms < holeMs + hourMs) ? null : 50
    })
    response.end(JSON.stringify({ StartPointUTC: from, PeriodTickMs: 1000, Measurements: values }))
  }
  const signal = () => app.records.system((tx) => tx.selectFrom('public_signal').selectAll().executeTakeFirstOrThrow())

  test('the first run covers half an hour, the next one continues after the last stored second', async () => {
    upstream.answer = frequency
    expect(await runFrequency(app)).toBe(30 * 60 - 2)
    const found = await signal()
    expect(found).toMatchObject({ area: 'DK2', kind: 'frequency', unit: 'Hz', source: 'statnett' })
    expect(found.last_reported_at).toEqual(new Date(startMs - 2000))
    at(10_000)
    expect(await runFrequency(app)).toBeNull()
    at(60_000)
    expect(await runFrequency(app)).toBe(60)
    expect(upstream.asked.at(-1)?.searchParams.get('From')).toBe('2026-11-20T17:12:06Z')
  })

  test('after an outage each request covers one hour, and unmeasured seconds stay empty', async () => {
    upstream.answer = frequency
    await runFrequency(app)
    await changeRows(app.records, 'public_signal', {}, { last_reported_at: new Date(startMs - 4 * hourMs) })
    at(60_000)
    upstream.asked = []
    await runFrequency(app)
    expect(upstream.asked).toHaveLength(5)
    const { no } = await signal()
    const edgesMs = [-4, -3, -2, -1].map((hour) => startMs + hour * hourMs)
    const found = await app.readings.buckets({ signalNo: no, edgesMs })
    expect(found.map((bucket) => bucket.count)).toEqual([3600, 0, 3600])
  })

  test('L4 a partial failure keeps the received values and is retried', async () => {
    await addRows(app.records, 'public_signal', {
      area: 'DK2',
      kind: 'frequency',
      unit: 'Hz',
      source: 'statnett',
      dataset: 'BySecond',
      last_reported_at: new Date(startMs - 2 * hourMs),
    })
    upstream.answer = (request, response) =>
      upstream.asked.length < 2 ? frequency(request, response) : void response.writeHead(500).end()
    expect(await runFrequency(app)).toBe(0)
    expect((await states())[0]?.last_error).toBe('http: HTTP 500')
    const { no } = await signal()
    const [first] = await app.readings.buckets({ signalNo: no, edgesMs: [startMs - 2 * hourMs, startMs - hourMs] })
    expect(first?.count).toBe(3600)
  })

  test('five minutes without values are a failure', async () => {
    upstream.answer = frequency
    await runFrequency(app)
    upstream.answer = (request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://x')
      const [from = 0, to = 0] = ['From', 'To'].map((key) => Date.parse(searchParams.get(key) ?? ''))
      response.end(
        JSON.stringify({ StartPointUTC: from, PeriodTickMs: 1000, Measurements: Array((to - from) / 1000).fill(null) }),
      )
    }
    at(2 * minuteMs)
    await runFrequency(app)
    expect((await states())[0]?.last_error).toBeNull()
    at(6 * minuteMs)
    await runFrequency(app)
    expect((await states())[0]).toMatchObject({
      last_error: expect.stringMatching(/^empty/),
      last_success_at: new Date(startMs + 2 * minuteMs),
    })
  })

  test('without an address the source is off', async () => {
    expect(await runFrequency({ ...app, config: { ...app.config, STATNETT_URL: undefined } })).toBeNull()
    expect(upstream.asked).toEqual([])
  })
})

describe('exchange rates', () => {
  const rates = (...days: [string, string][]) =>
    `<Envelope><Cube>${days.map(([day, rate]) => `<Cube time="${day}"><Cube currency="DKK" rate="${rate}"/></Cube>`).join('')}</Cube></Envelope>`
  const stored = () => app.records.system((tx) => tx.selectFrom('exchange_rate').selectAll().orderBy('day').execute())

  test('rates of banking days are stored, and only changed rates are updated', async () => {
    upstream.answer = (_, response) => response.end(rates(['2026-11-19', '7.4740'], ['2026-11-20', '7.4745']))
    expect(await runExchangeRates(app)).toBe(2)
    expect(await stored()).toMatchObject([
      { currency: 'EUR', day: '2026-11-19', dkk_per_unit: '7.474000', source: 'european-central-bank' },
      { day: '2026-11-20', dkk_per_unit: '7.474500' },
    ])
    const coverage = await app.records.system((tx) =>
      findCoverage(tx, { source: 'european-central-bank', dataset: 'EUR' }),
    )
    expect(coverage.coveredUntilMs).toBe(Date.parse('2026-11-20T23:00:00Z'))
    upstream.answer = (_, response) => response.end(rates(['2026-11-20', '7.4746'], ['2026-11-19', '7.4740']))
    at(11 * hourMs)
    expect(await runExchangeRates(app)).toBeNull()
    at(12 * hourMs)
    expect(await runExchangeRates(app)).toBe(1)
  })

  test('rates are requested again after 16:15', async () => {
    upstream.answer = (_, response) => response.end(rates(['2026-11-20', '7.4745']))
    app.setNow('2026-11-20T09:00:00Z')
    await runExchangeRates(app)
    app.setNow('2026-11-20T15:14:00Z')
    expect(await runExchangeRates(app)).toBeNull()
    app.setNow('2026-11-20T15:15:00Z')
    expect(await runExchangeRates(app)).toBe(0)
    app.setNow('2026-11-20T15:20:00Z')
    expect(await runExchangeRates(app)).toBeNull()
  })

  test('L4 an invalid rate does not discard the valid ones', async () => {
    upstream.answer = (_, response) => response.end(rates(['2026-11-19', '7.4740']))
    await runExchangeRates(app)
    upstream.answer = (_, response) => response.end(rates(['2026-11-19', '7.4741'], ['2026-11-20', '74.7']))
    at(13 * hourMs)
    expect(await runExchangeRates(app)).toBe(0)
    expect(await stored()).toMatchObject([{ dkk_per_unit: '7.474000' }])
    expect((await states())[0]?.last_error).toBe('schema: not a rate of the krone: 74.7')
  })
})
