import { calls } from '@gridmast/contract/calls.ts'
import type { CallShape } from '@gridmast/contract/call.ts'
import { ticketHeader } from '@gridmast/contract/envelope.ts'
import { vi } from 'vitest'
import { z } from 'zod'

/** What React, a library or an answer outside the contract complains of: `setup.ts` fails a test that has one. */
export const complaints: string[] = []

type Answer = {
  status?: number
  message?: string
  data?: unknown
  errors?: Record<string, string>
  retryAfterS?: number
  /** When the server answered, by its own clock. */
  atMs?: number
  /** The answer itself: of the live stream. */
  stream?: ReadableStream
}
type Asked = { call: string; body: unknown; token: string | null }

const bodyOf = (body: BodyInit | null | undefined): unknown => {
  if (body instanceof FormData) return Object.fromEntries(body)
  return typeof body === 'string' ? JSON.parse(body) : null
}
type Answers = Record<string, (asked: Asked & { query: Record<string, string> }) => Answer | Promise<Answer>>

let ended = new AbortController()
/** Calls of a test that has ended are cancelled: the page is the next test's. */
export const endCalls = () => {
  ended.abort()
  ended = new AbortController()
}

/** Never answers; fails as a fetch that was cancelled does. */
const cancelled = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => {
    const end = () => reject(new DOMException('cancelled', 'AbortError'))
    signal?.addEventListener('abort', end)
    ended.signal.addEventListener('abort', end)
  })

/** The calls of the contract, those with the fewest names in braces first: `/a/b` is not `/a/{x}`. */
const patterns = Object.values(calls)
  .map((call: CallShape) => ({ call, path: call.path.replaceAll(/\{\w+\}/g, '[^/]+') }))
  .toSorted((one, other) => one.path.split('[^/]+').length - other.path.split('[^/]+').length)
  .map(({ call, path }) => ({ call, pattern: new RegExp(`^${call.method} ${path}$`) }))

/** Data in the shape that the contract promises for a call; anything else fails the test. */
const checked = (asked: string, data: unknown): unknown => {
  const call = patterns.find(({ pattern }) => pattern.test(asked))?.call
  if (!call) complaints.push(`${asked} is not a call of the contract`)
  if (!call?.response) return data
  const { success, error, data: parsed } = call.response.safeParse(data)
  if (!success) complaints.push(`${asked}: the answer is not what the contract promises\n${z.prettifyError(error)}`)
  return success ? parsed : data
}

/** Answers calls of the API in place of the server; what was asked is kept in order. */
export const answerCalls = (answers: Answers): Asked[] => {
  const all: Asked[] = []
  vi.spyOn(window, 'fetch').mockImplementation(async (url, init) => {
    const { method, url: address } = new Request(url instanceof URL ? url.href : url, init)
    const headers = new Headers(init?.headers)
    const call = `${method} ${new URL(address).pathname.replace('/api', '')}`
    const asked = {
      call,
      body: bodyOf(init?.body),
      token: headers.get('authorization')?.replace('Bearer ', '') ?? null,
    }
    all.push(asked)
    const make = answers[call]
    if (!make) throw new TypeError(`no answer for ${call}`)
    const {
      status = 200,
      message,
      data,
      errors,
      retryAfterS,
      atMs,
      stream,
    } = await Promise.race([
      make({ ...asked, query: Object.fromEntries(new URL(address).searchParams) }),
      cancelled(init?.signal),
    ])
    if (stream) return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
    return Response.json(
      {
        success: status < 400,
        message,
        data: status < 400 && !headers.has(ticketHeader) ? checked(call, data) : data,
        errors,
      },
      {
        status,
        headers: {
          ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
          ...(atMs === undefined ? {} : { date: new Date(atMs).toUTCString() }),
        },
      },
    )
  })
  return all
}

/** A live stream, for an answer, and what tells those that hear it. */
export const openStream = () => {
  let to: ReadableStreamDefaultController | undefined
  const stream = new ReadableStream({ start: (controller) => void (to = controller) })
  const tell = (event: string, data: object) =>
    to?.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
  return { stream, tell }
}

/** The first ask is answered, each later one is not. */
export const answerOnce = (data: unknown) => {
  let asked = 0
  return (): Answer | Promise<Answer> => (asked++ === 0 ? { data } : new Promise(() => {}))
}

/** The addresses that were fetched, in order. */
export const fetched = (): string[] =>
  vi
    .mocked(window.fetch)
    .mock.calls.map(([url]) => new Request(url instanceof URL ? url.href : url).url.replace(location.origin, ''))
