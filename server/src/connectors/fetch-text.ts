import { dayMs, minuteMs } from '@gridmast/contract/time.ts'

type Transport = (url: URL, init: RequestInit) => Promise<Response>

export type FailureKind =
  | 'html'
  | 'truncated'
  | 'not-json'
  | 'schema'
  | 'unreachable'
  | 'timeout'
  | 'too-large'
  | 'redirect'
  | 'rate-limited'
  | 'forbidden'
  | 'empty'
  | 'http'

const failureWords: Record<FailureKind, string> = {
  html: 'The source returned a web page instead of data',
  truncated: 'The response was cut off',
  'not-json': 'The response was not in the expected format',
  schema: 'The response was not as documented',
  unreachable: 'The source could not be reached',
  timeout: 'The source took too long',
  'too-large': 'The response was too large',
  redirect: 'The source moved to another address',
  'rate-limited': 'The source asked us to wait',
  forbidden: 'The source refused the request',
  empty: 'The source answered without data',
  http: 'The source returned an error',
}

const isKind = (text: string): text is FailureKind => Object.hasOwn(failureWords, text)

export const failureText = (error: string): string => {
  const [, kind = '', detail = ''] = /^([a-z-]+): ?([\s\S]*)$/.exec(error) ?? []
  return isKind(kind) ? `${failureWords[kind]}${detail ? ` (${detail})` : ''}` : error
}

export type Failure = {
  ok: false
  httpStatus: number | null
  kind: FailureKind
  detail: string
  retryAfterMs: number | null
}

export type Answer = { ok: true; httpStatus: number; text: string } | Failure

export type AskOptions = {
  transport?: Transport
  accept?: string
  headers?: Record<string, string>
  body?: object
  good?: readonly number[]
  /** Error text of a refusal's body, in one line; without it only the status is reported. */
  wordsOf?: (text: string) => string | null
  /** For the whole answer. Default 30 s. */
  timeoutMs?: number
  /** Size of the unpacked body. Default 10 MB. */
  maxBytes?: number
}

const maxErrorBytes = 20_000

export const failure = (
  kind: FailureKind,
  detail: string,
  httpStatus: number | null = null,
  retryAfterMs: number | null = null,
): Failure => ({ ok: false, httpStatus, kind, detail, retryAfterMs })

/** One request. Never throws: an incomplete answer, or one from another address, is a failure with a kind. */
export const ask = async (url: URL, options: AskOptions = {}): Promise<Answer> => {
  const {
    transport = fetch,
    accept = 'application/json',
    timeoutMs = 30_000,
    maxBytes = 10_000_000,
    body,
    good = [200],
  } = options
  let httpStatus: number | null = null
  try {
    const response = await transport(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        accept,
        'user-agent': 'Gridmast/0.1',
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...options.headers,
      },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    httpStatus = response.status
    if (!good.includes(response.status)) {
      const said = options.wordsOf && options.wordsOf((await readBody(response, maxErrorBytes)) ?? '')
      if (!options.wordsOf) await response.body?.cancel()
      const refused = refusedBy(response)
      return said ? { ...refused, detail: `${refused.detail}: ${said}` } : refused
    }
    const text = await readBody(response, maxBytes)
    if (text === null) return failure('too-large', `the body is larger than ${maxBytes} bytes`, httpStatus)
    return { ok: true, httpStatus, text }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      return failure('timeout', `no whole answer within ${timeoutMs} ms`, httpStatus)
    return failure('unreachable', reason(error), httpStatus)
  }
}

const refusedBy = (response: Response): Failure => {
  const { status } = response
  const wait = retryAfter(response.headers.get('retry-after'), Date.now())
  if (status === 429) return failure('rate-limited', 'too many requests', status, wait)
  if (status === 403) return failure('forbidden', 'HTTP 403', status, wait)
  if (status >= 300 && status < 400) return failure('redirect', `redirects are not followed (${status})`, status)
  return failure('http', `HTTP ${status}`, status, wait)
}

/** A `Retry-After` header (seconds or an HTTP date) in milliseconds from now, 24 hours at most; null when there is none. */
export const retryAfter = (header: string | null, nowMs: number): number | null => {
  if (!header) return null
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), dayMs)
}

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

type Outcome = { ok: true } | { ok: false; kind: FailureKind; retryAfterMs: number | null }

/** Request state of one dataset, stored where all workers see it. */
export type LimiterState = { lastRequestAtMs: number | null; notBeforeMs: number | null; failures: number }

export const freshState: LimiterState = { lastRequestAtMs: null, notBeforeMs: null, failures: 0 }

/** Energi Data Service accepts one request per dataset, minute and address, since 2025-08-26. */
const defaultMinIntervalMs = 61_000

const rateLimitedMs = 120_000
const longestWaitMs = 15 * minuteMs

/** Earliest instant of the next request; up to `nowMs` means now. A last request in the future (clock set back) counts as now. */
export const nextAllowed = (state: LimiterState, nowMs: number, minIntervalMs = defaultMinIntervalMs): number =>
  Math.max(
    state.lastRequestAtMs === null ? nowMs : Math.min(state.lastRequestAtMs, nowMs) + minIntervalMs,
    state.notBeforeMs ?? nowMs,
    nowMs,
  )

/** Stored before a request is sent, so that a crash in between does not repeat it. */
export const afterRequest = (state: LimiterState, nowMs: number): LimiterState => ({ ...state, lastRequestAtMs: nowMs })

/**
 * Success resets the wait. A failure waits as long as the server requires; else 120 s after a 429 and one interval after other failures,
 * doubled each time up to 15 minutes.
 */
export const afterAnswer = (
  state: LimiterState,
  answer: Outcome,
  nowMs: number,
  minIntervalMs = defaultMinIntervalMs,
): LimiterState => {
  if (answer.ok) return { ...state, notBeforeMs: null, failures: 0 }
  const failures = state.failures + 1
  const first = answer.kind === 'rate-limited' ? rateLimitedMs : minIntervalMs
  const backOffMs = Math.min(first * 2 ** Math.min(failures - 1, 20), longestWaitMs)
  return { ...state, failures, notBeforeMs: nowMs + (answer.retryAfterMs ?? backOffMs) }
}
