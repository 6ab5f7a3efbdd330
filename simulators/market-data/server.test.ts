import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { fetchDataset, type FetchRequest } from '../../server/src/connectors/energi-data-service/fetch.ts'
import { readSource } from './dataset.ts'
import { openMarketData } from './server.ts'

let nowMs = Date.parse('2026-11-20T13:00:00Z')

const server = openMarketData(readSource(join(import.meta.dirname, '../../demo/recorded')), () => nowMs)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
if (typeof address !== 'object' || !address) throw new Error('no address')
const baseUrl = `http://127.0.0.1:${address.port}`
afterAll(() => void server.close())
afterEach(async () => {
  nowMs = Date.parse('2026-11-20T13:00:00Z')
  await fetch(`${baseUrl}/_faults`, { method: 'DELETE' })
})

type Answer = { total: number; filters: string; limit: number; dataset: string; records: Record<string, unknown>[] }

const ask = async (path: string): Promise<Answer> => {
  const response = await fetch(`${baseUrl}${path}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Answer // the format under test
}

const ofDay = (date: string, nextDate: string, from = '23:00', to = '23:00') =>
  `/dataset/DayAheadPrices?timezone=UTC&limit=0&start=${date}T${from}&end=${nextDate}T${to}&filter=${encodeURIComponent('{"PriceArea":["DK2"]}')}`

describe('answers in the format of Energi Data Service', () => {
  test.each([
    ['2026-11-19', '2026-11-20', '23:00', '23:00', 96],
    ['2026-03-28', '2026-03-29', '23:00', '22:00', 92],
    ['2026-10-24', '2026-10-25', '22:00', '23:00', 100],
  ])('the local day from %s to %s has all its quarters', async (from, to, start, end, count) => {
    const answer = await ask(ofDay(from, to, start, end))
    expect(answer).toMatchObject({
      total: count,
      limit: 0,
      dataset: 'DayAheadPrices',
      filters: '{"PriceArea":["DK2"]}',
    })
    expect(answer.records).toHaveLength(count)
    expect(answer.records[0]?.['TimeUTC']).toBe(`${to}T${end === '23:00' ? '22' : '21'}:45:00`)
    expect(Object.keys(answer.records[0] ?? {})).toEqual([
      'TimeUTC',
      'TimeDK',
      'PriceArea',
      'DayAheadPriceEUR',
      'DayAheadPriceDKK',
    ])
  })

  test('dates without a zone are Danish, and without a range the newest 100 rows are returned', async () => {
    const danish = await ask('/dataset/DayAheadPrices?start=2026-11-20&end=2026-11-21&filter={"pricearea":"DK1"}')
    expect(danish.total).toBe(96)
    expect(danish.records.at(-1)).toMatchObject({ TimeUTC: '2026-11-19T23:00:00', TimeDK: '2026-11-20T00:00:00' })
    const bare = await ask('/dataset/dayaheadprices')
    expect(bare.records).toHaveLength(100)
    // 401 days, among them two of 25 hours and one of 23.
    expect(bare.total).toBe(401 * 6 * 96 + 2 * 24 - 24)
  })

  test('columns, sort, limit and offset', async () => {
    const answer = await ask(
      '/dataset/DayAheadPrices?start=2026-11-20&end=2026-11-21&columns=PriceArea,TimeDK&sort=PriceArea desc,TimeUTC&limit=2&offset=1',
    )
    expect(answer.records).toEqual([
      { PriceArea: 'SE4', TimeDK: '2026-11-20T00:15:00' },
      { PriceArea: 'SE4', TimeDK: '2026-11-20T00:30:00' },
    ])
    expect(answer.total).toBe(6 * 96)
  })

  test('relative dates', async () => {
    const answer = await ask('/dataset/DayAheadPrices?start=StartOfDay-P1D&end=now%2BPT1H&filter={"PriceArea":"DK2"}')
    expect(answer.records.at(-1)?.['TimeDK']).toBe('2026-11-19T00:00:00')
    expect(answer.records[0]?.['TimeDK']).toBe('2026-11-20T14:45:00')
  })

  test('hourly Elspot prices end with the first quarterly prices', async () => {
    const hourly = await ask('/dataset/Elspotprices?start=2025-09-30&end=2025-10-02&filter={"PriceArea":"DK2"}')
    expect(hourly.total).toBe(24)
    expect(hourly.records[0]?.['HourDK']).toBe('2025-09-30T23:00:00')
    const short = await ask('/dataset/Elspotprices?start=2025-03-30&end=2025-03-31&filter={"PriceArea":"DK2"}')
    expect(short.total).toBe(23)
    expect(short.records.at(-1)).toMatchObject({ HourUTC: '2025-03-29T23:00:00', PriceArea: 'DK2' })
  })

  test('tomorrow is published at 12:55, and the past is unchanged', async () => {
    const tomorrow = ofDay('2026-11-20', '2026-11-21')
    const today = ofDay('2026-11-19', '2026-11-20')
    nowMs = Date.parse('2026-11-20T11:54:00Z')
    expect((await ask(tomorrow)).total).toBe(0)
    const before = await ask(today)
    nowMs = Date.parse('2026-11-20T11:55:00Z')
    expect((await ask(tomorrow)).total).toBe(96)
    nowMs = Date.parse('2026-12-24T11:55:00Z')
    expect(await ask(today)).toEqual(before)
  })

  test('an invalid request is a 400, an unknown data set a 404', async () => {
    for (const query of ['start=foo', 'start=2026-02-30', 'filter={', 'filter={"Nope":1}', 'sort=Nope', 'limit=x'])
      expect((await fetch(`${baseUrl}/dataset/DayAheadPrices?${query}`)).status).toBe(400)
    expect((await fetch(`${baseUrl}/dataset/Nope`)).status).toBe(404)
    const meta = await fetch(`${baseUrl}/meta/dataset/Elspotprices`)
    expect(await meta.json()).toMatchObject({ resolution: '1 hour (PT1H)', filterColumn: 'HourUTC' })
  })
})

describe('the connector with the simulator', () => {
  const request = (): FetchRequest => ({
    dataset: 'DayAheadPrices',
    fromUtc: new Date('2026-11-19T23:00:00Z'),
    toUtc: new Date('2026-11-20T23:00:00Z'),
    areas: ['DK1', 'DK2'],
    baseUrl,
  })

  const breakWith = async (fault: object) => {
    const response = await fetch(`${baseUrl}/_faults`, { method: 'POST', body: JSON.stringify(fault) })
    expect(response.status).toBe(200)
  }

  test('a day of two areas is stored completely', async () => {
    const answer = await fetchDataset(request())
    expect(answer).toMatchObject({ ok: true, warnings: [] })
    expect(answer.ok && answer.prices.length).toBe(192)
  })

  test.each([
    [
      { kind: '429', retryAfterS: 7 },
      { ok: false, kind: 'rate-limited', retryAfterMs: 7000 },
    ],
    [
      { kind: '429', retryAfterS: 0 },
      { ok: false, kind: 'rate-limited', retryAfterMs: null },
    ],
    [{ kind: '500' }, { ok: false, kind: 'http', httpStatus: 500 }],
    [{ kind: 'html' }, { ok: false, kind: 'html' }],
    [
      { kind: 'truncated', dataset: 'dayaheadprices' },
      { ok: false, kind: 'truncated' },
    ],
    [{ kind: 'slow' }, { ok: false, kind: 'timeout' }],
    [{ kind: 'huge' }, { ok: false, kind: 'too-large' }],
    [{ kind: 'gzip-bomb' }, { ok: false, kind: 'too-large' }],
    [{ kind: 'null-rows' }, { ok: false, kind: 'empty', detail: '192 rows, none with a value' }],
    [{ kind: 'empty' }, { ok: false, kind: 'empty', detail: '0 rows, none with a value' }],
    [{ kind: 'no-filter' }, { ok: false, kind: 'forbidden', httpStatus: 403 }],
  ])('L4 %j is reported once as %j, then the source recovers', async (fault, expected) => {
    await breakWith(fault)
    const patience = fault.kind === 'slow' ? { timeoutMs: 500 } : {}
    expect(await fetchDataset({ ...request(), ...patience })).toMatchObject(expected)
    expect(await fetchDataset(request())).toMatchObject({ ok: true, warnings: [] })
  })

  test('a late publication leaves tomorrow empty until its time', async () => {
    await breakWith({ kind: 'late', lateMinutes: 90 })
    const tomorrow = {
      ...request(),
      fromUtc: new Date('2026-11-20T23:00:00Z'),
      toUtc: new Date('2026-11-21T23:00:00Z'),
    }
    nowMs = Date.parse('2026-11-20T13:24:00Z')
    expect(await fetchDataset(tomorrow)).toMatchObject({ ok: false, kind: 'empty' })
    nowMs = Date.parse('2026-11-20T13:25:00Z')
    const answer = await fetchDataset(tomorrow)
    expect(answer.ok && answer.prices.length).toBe(192)
  })

  test('a refused filter is repeated without it and returns the same rows', async () => {
    const filtered = await fetchDataset(request())
    await breakWith({ kind: 'no-filter', times: 0 })
    const unfiltered = await fetchDataset({ ...request(), withoutFilter: true })
    if (!filtered.ok || !unfiltered.ok) expect.fail('no answer')
    expect(unfiltered.prices).toEqual(filtered.prices)
    await fetch(`${baseUrl}/_faults`, { method: 'DELETE' })
  })

  test('a fault applies to its data set only, and an invalid one is refused', async () => {
    await breakWith({ kind: '500', dataset: 'Elspotprices' })
    expect(await fetchDataset(request())).toMatchObject({ ok: true })
    for (const body of ['{"kind":"earthquake"}', '{"kind":"slow","bytesPerSecond":"a"}', 'x'])
      expect((await fetch(`${baseUrl}/_faults`, { method: 'POST', body })).status).toBe(400)
  })
})
