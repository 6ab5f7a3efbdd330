import { datasets, type DatasetName } from './datasets.ts'
import { parsePrices, type Asked, type ParseFailure, type PriceRow } from './parse.ts'

export const sourceName = 'energi-data-service'

/** `fetch` of the platform, or a stand-in in tests. */
type Transport = (url: URL, init: RequestInit) => Promise<Response>

type FailureKind = ParseFailure['kind'] | 'unreachable' | 'timeout' | 'too-large' | 'redirect' | 'rate-limited' | 'http'

type FetchSuccess = {
  ok: true
  url: string
  httpStatus: number
  fetchedAtMs: number
  rows: PriceRow[]
  warnings: string[]
}
type FetchFailure = {
  ok: false
  url: string
  httpStatus: number | null
  fetchedAtMs: number
  kind: FailureKind
  /** One line for the log and the status page. */
  detail: string
  /** How long the server asked to wait, when it said so. */
  retryAfterMs: number | null
}
export type Fetched = FetchSuccess | FetchFailure

export type FetchRequest = {
  dataset: DatasetName
  fromUtc: Date
  /** Exclusive. */
  toUtc: Date
  areas: readonly string[]
  /** EDS_URL: the only host that is ever asked. */
  baseUrl: string
  transport?: Transport
  /** For the whole answer, first byte to last. Default 30 s. */
  timeoutMs?: number
  /** Of the unpacked body. Default 10 MB. */
  maxBytes?: number
}

/** The address of one request; `start` and `end` are UTC to the minute. One request asks for all areas, since the limit is one a minute. */
export const requestUrl = (request: Pick<FetchRequest, 'dataset' | 'fromUtc' | 'toUtc' | 'areas' | 'baseUrl'>): URL => {
  const { timeColumn, areaColumn } = datasets[request.dataset]
  const url = new URL(`${request.baseUrl.replace(/\/$/, '')}/dataset/${request.dataset}`)
  const minute = (at: Date) => at.toISOString().slice(0, 16)
  url.search = new URLSearchParams({
    timezone: 'UTC',
    start: minute(request.fromUtc),
    end: minute(request.toUtc),
    filter: JSON.stringify({ [areaColumn]: request.areas }),
    sort: `${timeColumn} asc,${areaColumn} asc`,
    limit: '0',
  }).toString()
  return url
}

/** Asks once and never throws: what cannot be trusted comes back as a failure with a kind. Waiting between requests is the limiter's part. */
export const fetchDataset = async (request: FetchRequest): Promise<Fetched> => {
  const url = requestUrl(request)
  const { transport = fetch, timeoutMs = 30_000, maxBytes = 10_000_000 } = request
  let httpStatus: number | null = null
  const failed = (kind: FailureKind, detail: string, retryAfterMs: number | null = null): FetchFailure => ({
    ok: false,
    url: url.href,
    httpStatus,
    fetchedAtMs: Date.now(),
    kind,
    detail,
    retryAfterMs,
  })
  try {
    const response = await transport(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json', 'user-agent': 'Gridmast/0.1' },
    })
    httpStatus = response.status
    if (response.status !== 200) {
      await response.body?.cancel()
      return refusedBy(response, failed)
    }
    const text = await readBody(response, maxBytes)
    if (text === null) return failed('too-large', `the body is larger than ${maxBytes} bytes`)
    const asked: Asked = { fromMs: request.fromUtc.getTime(), toMs: request.toUtc.getTime(), areas: request.areas }
    const parsed = parsePrices(text, datasets[request.dataset], asked)
    if (!parsed.ok) return failed(parsed.kind, parsed.detail)
    return {
      ok: true,
      url: url.href,
      httpStatus,
      fetchedAtMs: Date.now(),
      rows: parsed.rows,
      warnings: parsed.warnings,
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      return failed('timeout', `no whole answer within ${timeoutMs} ms`)
    return failed('unreachable', reason(error))
  }
}

const refusedBy = (
  response: Response,
  failed: (kind: FailureKind, detail: string, retryAfterMs?: number | null) => FetchFailure,
): FetchFailure => {
  const { status } = response
  const wait = retryAfter(response.headers.get('retry-after'), Date.now())
  if (status === 429) return failed('rate-limited', 'too many requests', wait)
  if (status >= 300 && status < 400) return failed('redirect', `redirects are not followed (${status})`)
  return failed('http', `HTTP ${status}`, wait)
}

/** A `Retry-After` header (seconds or an HTTP date) in milliseconds from now, 24 hours at most; null when there is none. */
export const retryAfter = (header: string | null, nowMs: number): number | null => {
  if (!header) return null
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), 86_400_000)
}

/** The whole body as text, or null as soon as it grows past the limit. */
const readBody = async (response: Response, maxBytes: number): Promise<string | null> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) return null // leaving the loop cancels the stream
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

const reason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}
