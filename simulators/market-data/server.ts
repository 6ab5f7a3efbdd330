import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { minuteMs } from '@gridmast/contract/time.ts'
import type { Dataset, Row, Source } from './dataset.ts'
import { datasets, rowsWithin } from './datasets.ts'
import { openEloverblik } from './eloverblik.ts'
import { entsoeXml } from './other-sources.ts'
import { exchangeRatesXml } from './other-sources.ts'
import { bombOf, meetFaults, readFault, type Fault } from './faults.ts'
import { frequencyJson } from './other-sources.ts'
import { answer, BadRequest, readQuery } from './query.ts'

type Page = {
  name: string
  type: string
  body: (atMs: number, withoutNumbers: boolean) => Iterable<string>
  answer?: (met: ReadonlySet<string>) => [status: number, body: Iterable<string>]
}

const json = 'application/json; charset=utf-8'
const xml = 'application/xml; charset=utf-8'

export const openMarketData = (source: Source, now: () => number): Server => {
  const faults: Fault[] = []
  const eloverblik = openEloverblik(now)
  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent) return response.destroy()
      const status = error instanceof BadRequest ? 400 : 500
      sendJson(response, status, { statusCode: status, message: error instanceof Error ? error.message : 'failed' })
    })
  })

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/_faults') return control(request, response, faults)
    const [, metaName] = /^\/meta\/dataset\/([A-Za-z0-9]+)\/?$/.exec(url.pathname) ?? []
    const meta = metaName === undefined ? null : datasetNamed(metaName)
    if (meta) return sendJson(response, 200, metaOf(meta, now()))
    const page = pageAt(url, request, await bodyOf(request))
    if (!page) return sendJson(response, 404, { statusCode: 404, message: 'Not found' })
    if (request.method !== 'GET' && page.name !== 'eloverblik')
      return sendJson(response, 405, { statusCode: 405, message: 'Method not allowed' })

    const met = new Map(meetFaults(faults, page.name).map((fault) => [fault.kind, fault]))
    const limited = met.get('429')
    if (limited) {
      if (limited.retryAfterS > 0) response.setHeader('retry-after', limited.retryAfterS)
      return sendJson(response, 429, { statusCode: 429, message: 'Too many requests' })
    }
    if (met.has('down'))
      return sendJson(response, 503, { type: 'about:blank', title: 'Service Unavailable', status: 503 })
    if (met.has('refused')) return sendJson(response, 401, { type: 'about:blank', title: 'Unauthorized', status: 401 })
    if (met.has('500')) return sendJson(response, 500, { statusCode: 500, message: 'Internal server error' })
    if (met.has('no-filter') && url.searchParams.has('filter'))
      return sendJson(response, 403, { statusCode: 403, message: 'Forbidden' })
    if (met.has('empty') && page.name !== 'eloverblik')
      return sendJson(response, 200, { total: 0, dataset: page.name, records: [] })
    if (met.has('html')) {
      response.writeHead(200, { 'content-type': 'text/html' })
      return response.end('<!DOCTYPE html><html><head><title>Maintenance</title></head><body>Back soon</body></html>')
    }
    if (met.has('gzip-bomb')) {
      response.writeHead(200, { 'content-type': page.type, 'content-encoding': 'gzip' })
      return response.end(bombOf())
    }

    const lateMs = (met.get('late')?.lateMinutes ?? 0) * minuteMs
    const [status, whole] = page.answer
      ? page.answer(new Set(met.keys()))
      : [200, page.body(now() - lateMs, met.has('null-rows'))]
    const slow = met.get('slow')
    response.statusCode = status
    response.setHeader('content-type', page.type)
    if (met.has('huge')) return pipeline(Readable.from(hugeOf(whole)), response)
    if (met.has('truncated')) {
      const text = [...whole].join('')
      return response.end(text.slice(0, Math.floor(text.length * 0.6)))
    }
    if (slow) return drip(response, [...whole].join(''), slow.bytesPerSecond)
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return pipeline(Readable.from(whole), response)
    response.setHeader('content-encoding', 'gzip')
    return pipeline(Readable.from(whole), createGzip({ level: 1 }), response)
  }

  function pageAt({ pathname, searchParams }: URL, request: IncomingMessage, body: string): Page | null {
    if (pathname.startsWith('/eloverblik/'))
      return {
        name: 'eloverblik',
        type: json,
        body: () => [],
        answer: (met) => {
          const answer = eloverblik(
            {
              method: request.method ?? 'GET',
              path: pathname.replace('/eloverblik/', ''),
              token: /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '',
              body,
            },
            {
              half: met.has('half'),
              empty: met.has('empty'),
              corrected: met.has('correction'),
              listFails: met.has('no-list'),
              newMeter: met.has('new-meter'),
            },
          )
          return [answer.status, [JSON.stringify(answer.body)]]
        },
      }
    const [, name] = /^\/dataset\/([A-Za-z0-9]+)\/?$/.exec(pathname) ?? []
    const dataset = name === undefined ? null : datasetNamed(name)
    if (dataset)
      return {
        name: dataset.name,
        type: json,
        body: (atMs, withoutNumbers) => datasetBody(dataset, searchParams, atMs, withoutNumbers),
      }
    if (pathname === '/entsoe') {
      if (!searchParams.get('securityToken')) return null
      return { name: 'entsoe', type: xml, body: (atMs) => [understood(entsoeXml(source, searchParams, atMs))] }
    }
    if (pathname === '/frequency/BySecond')
      return { name: 'frequency', type: json, body: (atMs) => [understood(frequencyJson(searchParams, atMs))] }
    if (pathname === '/exchange-rates.xml')
      return { name: 'exchange-rates', type: xml, body: (atMs) => [exchangeRatesXml(atMs)] }
    return null
  }

  function datasetBody(dataset: Dataset, params: URLSearchParams, atMs: number, withoutNumbers: boolean) {
    const query = readQuery(params, dataset, now())
    const areas = query.filter.get('PriceArea')
    const page = answer(
      rowsWithin(dataset, source, query.span, (area) => areas?.has(area) ?? true, atMs),
      query,
    )
    return recordsOf(dataset, page.total, query, withoutNumbers ? page.records.map(withoutPrices) : page.records)
  }
}

const datasetNamed = (name: string) => datasets.find((one) => one.name.toLowerCase() === name.toLowerCase()) ?? null

const understood = (text: string | null): string => {
  if (text === null) throw new BadRequest('a parameter is missing or makes no sense')
  return text
}

const withoutPrices = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? null : value]))

/** The wrapper of the service, a few hundred records at a time, so that a year of prices does not fill the memory. */
function* recordsOf(dataset: Dataset, total: number, query: { filterText: string; limit: number }, records: Row[]) {
  const head = { total, filters: query.filterText, limit: query.limit, dataset: dataset.name }
  yield `${JSON.stringify(head).slice(0, -1)},"records":[`
  for (let i = 0; i < records.length; i += 500) {
    const part = records.slice(i, i + 500).map((row) => JSON.stringify(row))
    yield `${i > 0 ? ',' : ''}${part.join(',')}`
  }
  yield ']}'
}

function* hugeOf(whole: Iterable<string>) {
  for (let i = 0; i < 20; i++) yield ' '.repeat(1_000_000)
  yield* whole
}

const drip = (response: ServerResponse, text: string, bytesPerSecond: number) => {
  let at = 0
  const step = Math.max(1, Math.round(bytesPerSecond / 10))
  const timer = setInterval(() => {
    if (at >= text.length || response.destroyed) {
      clearInterval(timer)
      return void response.end()
    }
    response.write(text.slice(at, at + step))
    at += step
  }, 100)
}

const metaOf = (dataset: Dataset, nowMs: number) => ({
  datasetName: dataset.name,
  title: dataset.title,
  resolution: dataset.resolution,
  dataFrom: `${dataset.days(nowMs)[0]}T00:00:00`,
  filterColumn: dataset.timeColumn,
  columns: dataset.columns,
})

const sendJson = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { 'content-type': json })
  response.end(JSON.stringify(body))
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > 10_000) throw new BadRequest('the body is too large')
  }
  return text
}

const control = async (request: IncomingMessage, response: ServerResponse, faults: Fault[]) => {
  if (request.method === 'POST') {
    const fault = readFault(parse(await bodyOf(request)))
    if (typeof fault === 'string') return sendJson(response, 400, { message: fault })
    faults.push(fault)
  } else if (request.method === 'DELETE') faults.length = 0
  sendJson(response, 200, { faults })
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
