import { vi } from 'vitest'

type Answer = {
  status?: number
  message?: string
  data?: unknown
  errors?: Record<string, string>
  retryAfterS?: number
  /** The answer itself: of the live stream. */
  stream?: ReadableStream
}
type Asked = { call: string; body: unknown; token: string | null }

const bodyOf = (body: BodyInit | null | undefined): unknown => {
  if (body instanceof FormData) return Object.fromEntries(body)
  return typeof body === 'string' ? JSON.parse(body) : null
}
type Answers = Record<string, (asked: Asked) => Answer | Promise<Answer>>

/** Never answers; fails as a fetch that was cancelled does. */
const cancelled = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')))
  })

/** Answers calls of the API in place of the server; what was asked is kept in order. */
export const answerCalls = (answers: Answers): Asked[] => {
  const all: Asked[] = []
  vi.spyOn(window, 'fetch').mockImplementation(async (url, init) => {
    const { method, url: address } = new Request(url instanceof URL ? url.href : url, init)
    const call = `${method} ${new URL(address).pathname.replace('/api', '')}`
    const asked = {
      call,
      body: bodyOf(init?.body),
      token: new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? null,
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
      stream,
    } = await Promise.race([make(asked), cancelled(init?.signal)])
    if (stream) return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
    return Response.json(
      { success: status < 400, message, data, errors },
      { status, headers: retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) } },
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
