import { calls } from '@gridmast/contract/calls.ts'
import type { CallShape } from '@gridmast/contract/call.ts'
import { findSavedViews } from '@gridmast/contract/people/saved-views.ts'
import { ticketHeader } from '@gridmast/contract/envelope.ts'
import { vi } from 'vitest'
import { z } from 'zod'

/** Errors of React, of libraries and of answers outside the contract; `setup.ts` fails a test with one. */
export const complaints: string[] = []

type Answer = {
  status?: number
  message?: string
  data?: unknown
  errors?: Record<string, string>
  retryAfterS?: number
  /** When the server answered, by its own clock. */
  atMs?: number
  /** The answer of the live stream. */
  stream?: ReadableStream
}
type SentCall = { call: string; body: unknown; token: string | null }

const bodyOf = (body: BodyInit | null | undefined): unknown => {
  if (body instanceof FormData) return Object.fromEntries(body)
  return typeof body === 'string' ? JSON.parse(body) : null
}
type Answers = Record<string, (sent: SentCall & { query: Record<string, string> }) => Answer | Promise<Answer>>

let ended = new AbortController()
/** Cancels the calls of a test that has ended. */
export const endCalls = () => {
  ended.abort()
  ended = new AbortController()
}

/** Never answers; fails like a cancelled fetch. */
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

/** Data parsed by the response schema of the call; other data fails the test. */
const checked = (name: string, data: unknown): unknown => {
  const call = patterns.find(({ pattern }) => pattern.test(name))?.call
  if (!call) complaints.push(`${name} is not a call of the contract`)
  if (!call?.response) return data
  const { success, error, data: parsed } = call.response.safeParse(data)
  if (!success) complaints.push(`${name}: the answer is not what the contract promises\n${z.prettifyError(error)}`)
  return success ? parsed : data
}

/** Answers calls of the API in place of the server; returns the requests in order. */
export const answerCalls = (answers: Answers): SentCall[] => {
  const all: SentCall[] = []
  vi.spyOn(window, 'fetch').mockImplementation(async (url, init) => {
    const { method, url: address } = new Request(url instanceof URL ? url.href : url, init)
    const headers = new Headers(init?.headers)
    const call = `${method} ${new URL(address).pathname.replace('/api', '')}`
    if (call === `GET ${findSavedViews.path}` && !answers[call])
      return Response.json({ success: true, data: { views: [] } })
    const request = {
      call,
      body: bodyOf(init?.body),
      token: headers.get('authorization')?.replace('Bearer ', '') ?? null,
    }
    all.push(request)
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
      make({ ...request, query: Object.fromEntries(new URL(address).searchParams) }),
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

/** A live stream for an answer, and `tell`, which sends an event on it. */
export const openStream = () => {
  let to: ReadableStreamDefaultController | undefined
  const stream = new ReadableStream({ start: (controller) => void (to = controller) })
  const tell = (event: string, data: object) =>
    to?.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
  return { stream, tell }
}

/** Only the first request is answered. */
export const answerOnce = (data: unknown) => {
  let requests = 0
  return (): Answer | Promise<Answer> => (requests++ === 0 ? { data } : new Promise(() => {}))
}

/** Fetched addresses, in order. */
export const fetched = (): string[] =>
  vi
    .mocked(window.fetch)
    .mock.calls.map(([url]) => new Request(url instanceof URL ? url.href : url).url.replace(location.origin, ''))
