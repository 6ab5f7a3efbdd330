import { createServer, type RequestListener, type Server } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { retryAfter } from '#connectors/fetch-text.ts'
import { fetchDataset, requestUrl, type FetchRequest } from './fetch.ts'

let server: Server | undefined

const serve = async (listener: RequestListener): Promise<string> => {
  const opened = createServer(listener)
  server = opened
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve))
  const address = opened.address()
  if (typeof address !== 'object' || !address) throw new Error('no address')
  return `http://127.0.0.1:${address.port}`
}

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

const request: Omit<FetchRequest, 'baseUrl'> = {
  dataset: 'DayAheadPrices',
  fromUtc: new Date('2026-11-19T23:00:00Z'),
  toUtc: new Date('2026-11-20T23:00:00Z'),
  areas: ['DK1', 'DK2'],
}

const row =
  '{"TimeUTC":"2026-11-20T10:00:00","TimeDK":"2026-11-20T11:00:00","PriceArea":"DK1","DayAheadPriceEUR":186.37,"DayAheadPriceDKK":1393.15}'
const good = `{"total":1,"filters":"","limit":0,"dataset":"DayAheadPrices","records":[${row}]}`

describe('asking Energi Data Service', () => {
  test('asks in UTC for all areas at once, oldest first, and reads the rows', async () => {
    const asked: string[] = []
    const baseUrl = await serve((req, res) => {
      asked.push(req.url ?? '')
      res.setHeader('content-type', 'application/json').end(good)
    })
    const answer = await fetchDataset({ ...request, baseUrl })
    expect(answer).toMatchObject({ ok: true, httpStatus: 200, prices: [{ area: 'DK1', priceEur: '186.37' }] })
    const url = new URL(asked[0] ?? '', baseUrl)
    expect(url.pathname).toBe('/dataset/DayAheadPrices')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      timezone: 'UTC',
      start: '2026-11-19T23:00',
      end: '2026-11-20T23:00',
      columns: 'TimeUTC,PriceArea,DayAheadPriceEUR,DayAheadPriceDKK',
      filter: '{"PriceArea":["DK1","DK2"]}',
      sort: 'TimeUTC asc,PriceArea asc',
      limit: '0',
    })
  })

  test('a base address may have a path and a slash at its end', () => {
    const url = requestUrl({ ...request, baseUrl: 'https://proxy.example/eds/' })
    expect(url.href.startsWith('https://proxy.example/eds/dataset/DayAheadPrices?timezone=UTC&')).toBe(true)
  })

  test('a packed answer is unpacked', async () => {
    const baseUrl = await serve((_, res) => res.setHeader('content-encoding', 'gzip').end(gzipSync(good)))
    expect(await fetchDataset({ ...request, baseUrl })).toMatchObject({ ok: true, prices: [{ priceDkk: '1393.15' }] })
  })

  test('L4 a packed answer that unpacks past the limit is dropped', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000, ' '))
    const baseUrl = await serve((_, res) => res.setHeader('content-encoding', 'gzip').end(bomb))
    expect(await fetchDataset({ ...request, baseUrl })).toMatchObject({ ok: false, kind: 'too-large' })
  })

  test('L4 a redirect is not followed, so no other host is ever asked', async () => {
    const asked: string[] = []
    const baseUrl = await serve((req, res) => {
      asked.push(req.url ?? '')
      res.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect(await fetchDataset({ ...request, baseUrl })).toMatchObject({ ok: false, kind: 'redirect', httpStatus: 302 })
    expect(asked).toHaveLength(1)
  })

  test.each([
    [429, { 'retry-after': '90' }, 'rate-limited', 90_000],
    [429, {}, 'rate-limited', null],
    [500, {}, 'http', null],
    [503, { 'retry-after': '5' }, 'http', 5000],
    [403, {}, 'forbidden', null],
  ])('L4 HTTP %i with %j is %s', async (status, headers, kind, retryAfterMs) => {
    const baseUrl = await serve((_, res) => res.writeHead(status, headers).end('{"records":[]}'))
    expect(await fetchDataset({ ...request, baseUrl })).toMatchObject({
      ok: false,
      kind,
      httpStatus: status,
      retryAfterMs,
    })
  })

  test.each([
    ['html', '<html>gateway</html>'],
    ['truncated', good.slice(0, 120)],
    ['schema', '{"message":"ok"}'],
  ])('L4 a body that is %s is a failure', async (kind, text) => {
    const baseUrl = await serve((_, res) => res.end(text))
    expect(await fetchDataset({ ...request, baseUrl })).toMatchObject({ ok: false, kind, httpStatus: 200 })
  })

  test('L4 a connection that breaks in the middle of the body is a failure', async () => {
    const baseUrl = await serve((_, res) => {
      res.setHeader('content-length', good.length)
      res.write(good.slice(0, 50), () => res.destroy())
    })
    expect(await fetchDataset({ ...request, baseUrl })).toMatchObject({ ok: false, kind: 'unreachable' })
  })

  test('L4 bytes that drip too slowly end in a timeout', async () => {
    const baseUrl = await serve((_, res) => {
      const drip = setInterval(() => res.write(' '), 20)
      res.on('close', () => clearInterval(drip))
    })
    expect(await fetchDataset({ ...request, baseUrl, timeoutMs: 200 })).toMatchObject({ ok: false, kind: 'timeout' })
  })

  test('L4 nobody there is a failure with the reason', async () => {
    const baseUrl = await serve(() => {})
    server?.close()
    const answer = await fetchDataset({ ...request, baseUrl })
    expect(answer).toMatchObject({ ok: false, kind: 'unreachable', httpStatus: null })
    expect(answer.ok ? '' : answer.detail).toContain('ECONNREFUSED')
  })

  test('Retry-After in seconds, as a date, and nonsense', () => {
    const now = Date.parse('2026-11-20T10:00:00Z')
    expect(retryAfter('120', now)).toBe(120_000)
    expect(retryAfter('Fri, 20 Nov 2026 10:02:00 GMT', now)).toBe(120_000)
    expect(retryAfter('Fri, 20 Nov 2026 09:00:00 GMT', now)).toBe(0)
    expect(retryAfter('99999999', now)).toBe(86_400_000)
    expect(retryAfter('soon', now)).toBeNull()
    expect(retryAfter(null, now)).toBeNull()
  })
})
