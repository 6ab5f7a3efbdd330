import type { Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { FetchOptions } from '../../server/src/connectors/fetch-text.ts'
import { fetchDayAhead } from '../../server/src/connectors/entsoe/fetch.ts'
import { fetchRates } from '../../server/src/connectors/exchange-rates/fetch.ts'
import { fetchFrequency } from '../../server/src/connectors/statnett-frequency/fetch.ts'
import { openMarketData } from './server.ts'
import { readSource } from './dataset.ts'

let nowMs = 0

const server: Server = openMarketData(readSource(join(import.meta.dirname, '../../demo/recorded')), () => nowMs)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
if (typeof address !== 'object' || !address) throw new Error('no address')
const baseUrl: string = `http://127.0.0.1:${address.port}`
nowMs = Date.parse('2026-11-20T13:00:00Z')
afterAll(() => void server.close())
afterEach(async () => {
  nowMs = Date.parse('2026-11-20T13:00:00Z')
  await fetch(`${baseUrl}/_faults`, { method: 'DELETE' })
})

const dayAhead = (area: 'SE1' | 'DK2', from: string, to: string, options: FetchOptions = {}) =>
  fetchDayAhead({
    baseUrl: `${baseUrl}/entsoe`,
    token: 'simulated',
    area,
    fromMs: Date.parse(from),
    toMs: Date.parse(to),
    ...options,
  })
const frequency = (options: FetchOptions = {}) =>
  fetchFrequency({ baseUrl: `${baseUrl}/frequency`, fromMs: nowMs - 60_000, toMs: nowMs, ...options })
const rates = (options: FetchOptions = {}) => fetchRates(`${baseUrl}/exchange-rates.xml`, options)

describe('ENTSO-E', () => {
  test.each([
    ['2026-11-19T23:00Z', '2026-11-20T23:00Z', 96],
    ['2026-03-28T23:00Z', '2026-03-29T22:00Z', 92],
    ['2026-10-24T22:00Z', '2026-10-25T23:00Z', 100],
  ])(
    'the day from %s to %s has all its quarters, repeated ones included, and no intraday prices',
    async (from, to, count) => {
      const answer = await dayAhead('DK2', from, to)
      expect(answer.ok && answer.rows.map((row) => row.startsAtMs)).toEqual(
        Array.from({ length: count }, (_, i) => Date.parse(from) + i * 900_000),
      )
      expect(answer.ok && answer.rows.some((row) => row.priceEur === '999')).toBe(false)
    },
  )

  test('tomorrow is empty before 12:55 and complete from then on', async () => {
    nowMs = Date.parse('2026-11-20T11:54:00Z')
    expect(await dayAhead('SE1', '2026-11-20T23:00Z', '2026-11-21T23:00Z')).toMatchObject({ ok: true, rows: [] })
    nowMs = Date.parse('2026-11-20T11:55:00Z')
    const answer = await dayAhead('SE1', '2026-11-20T23:00Z', '2026-11-21T23:00Z')
    expect(answer.ok && answer.rows.length).toBe(96)
  })
})

test('the frequency has a value per second, without the last two', async () => {
  const answer = await frequency()
  if (!answer.ok) throw new Error(answer.detail)
  expect(answer.samples).toHaveLength(60)
  expect(answer.samples.slice(-3).map((one) => one.hz === null)).toEqual([false, true, true])
  for (const { hz } of answer.samples.slice(0, -2)) expect(Math.abs((hz ?? 0) - 50)).toBeLessThan(0.5)
})

test('exchange rates have banking days, newest first, today from 16:00', async () => {
  const before = await rates()
  expect(before.ok && before.rates[0]?.day).toBe('2026-11-19')
  nowMs = Date.parse('2026-11-22T15:00:00Z') // a Sunday
  const after = await rates()
  expect(after.ok && after.rates[0]?.day).toBe('2026-11-20')
})

describe('faults on request', () => {
  const kinds = [
    ['429', 'rate-limited'],
    ['500', 'http'],
    ['html', /html|schema/],
    ['truncated', /schema/],
    ['huge', 'too-large'],
    ['gzip-bomb', 'too-large'],
    ['slow', 'timeout'],
  ] as const
  const sources = [
    ['entsoe', (options?: FetchOptions) => dayAhead('SE1', '2026-11-19T23:00Z', '2026-11-20T23:00Z', options)],
    ['frequency', frequency],
    ['exchange-rates', rates],
  ] as const
  for (const [dataset, ask] of sources)
    test.each(kinds)(`L4 ${dataset}: %s is reported once as %s, then the source recovers`, async (kind, expected) => {
      await fetch(`${baseUrl}/_faults`, { method: 'POST', body: JSON.stringify({ kind, dataset, bytesPerSecond: 50 }) })
      const answer = await ask(kind === 'slow' ? { timeoutMs: 500 } : {})
      expect(answer.ok ? '' : answer.kind).toMatch(expected)
      expect((await ask()).ok).toBe(true)
    })
})
