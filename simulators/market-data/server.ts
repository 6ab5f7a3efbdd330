import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { datasets, rowsWithin, type Dataset, type Row } from './datasets.ts'
import { meetFaults, readFault, type Fault } from './faults.ts'
import { answer, BadRequest, readQuery } from './query.ts'
import type { Recorded } from './recorded.ts'

/** Energi Data Service as the connector sees it, from recorded prices. `now` is the clock. */
export const openMarketData = (recorded: Recorded, now: () => number): Server => {
  const faults: Fault[] = []
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
    const [, kind, name] = /^\/(dataset|meta\/dataset)\/([A-Za-z0-9]+)\/?$/.exec(url.pathname) ?? []
    const dataset = datasets.find((one) => one.name.toLowerCase() === name?.toLowerCase())
    if (!kind || !dataset) return sendJson(response, 404, { statusCode: 404, message: 'Not found' })
    if (request.method !== 'GET') return sendJson(response, 405, { statusCode: 405, message: 'Method not allowed' })
    if (kind !== 'dataset') return sendJson(response, 200, metaOf(dataset, now()))

    const met = new Map(meetFaults(faults, dataset.name).map((fault) => [fault.kind, fault]))
    const limited = met.get('429')
    if (limited) {
      if (limited.retryAfterS > 0) response.setHeader('retry-after', limited.retryAfterS)
      return sendJson(response, 429, { statusCode: 429, message: 'Too many requests' })
    }
    if (met.has('500')) return sendJson(response, 500, { statusCode: 500, message: 'Internal server error' })
    if (met.has('html')) {
      response.writeHead(200, { 'content-type': 'text/html' })
      return response.end('<!DOCTYPE html><html><head><title>Maintenance</title></head><body>Back soon</body></html>')
    }

    const lateMs = (met.get('late')?.lateMinutes ?? 0) * 60_000
    const query = readQuery(url.searchParams, dataset, now())
    const areas = query.filter.get('PriceArea')
    const rows = rowsWithin(
      dataset,
      recorded,
      query.span,
      (area) => areas?.has(area) ?? true,
      dataset.days(now(), lateMs),
    )
    const page = answer(rows, query)
    const records = met.has('null-rows') ? page.records.map(withoutPrices) : page.records
    const whole = bodyOf(dataset, page.total, query, records)
    const slow = met.get('slow')
    response.setHeader('content-type', 'application/json; charset=utf-8')
    if (met.has('truncated')) {
      const text = [...whole].join('')
      return response.end(text.slice(0, Math.floor(text.length * 0.6)))
    }
    if (slow) return drip(response, [...whole].join(''), slow.bytesPerSecond)
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return pipeline(Readable.from(whole), response)
    response.setHeader('content-encoding', 'gzip')
    return pipeline(Readable.from(whole), createGzip({ level: 1 }), response)
  }
}

const withoutPrices = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? null : value]))

/** The wrapper of the service, a few hundred records at a time so that a year of prices does not fill the memory. */
function* bodyOf(dataset: Dataset, total: number, query: { filterText: string; limit: number }, records: Row[]) {
  const head = { total, filters: query.filterText, limit: query.limit, dataset: dataset.name }
  yield `${JSON.stringify(head).slice(0, -1)},"records":[`
  for (let i = 0; i < records.length; i += 500) {
    const part = records.slice(i, i + 500).map((row) => JSON.stringify(row))
    yield `${i > 0 ? ',' : ''}${part.join(',')}`
  }
  yield ']}'
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
  dataFrom: `${dataset.days(nowMs, 0)[0]}T00:00:00`,
  filterColumn: dataset.timeColumn,
  columns: dataset.columns,
})

const sendJson = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

/** POST adds a fault, DELETE clears all, GET lists them. */
const control = async (request: IncomingMessage, response: ServerResponse, faults: Fault[]) => {
  if (request.method === 'POST') {
    let text = ''
    for await (const chunk of request) {
      text += String(chunk)
      if (text.length > 10_000) return sendJson(response, 413, { message: 'too large' })
    }
    const fault = readFault(parse(text))
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
