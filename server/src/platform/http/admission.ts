import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { m } from '@gridmast/contract/messages.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify'
import { countedAs, proxiesOf } from './address.ts'
import { failed, Refusal } from './errors.ts'
import { concurrencyLimit } from './limits.ts'
import { hash } from 'node:crypto'

export const headersMs = 10_000
/** A picture of 2 MB in this time is 270 kbit/s. */
export const requestMs = minuteMs

const connectionsPerAddress = 512
const bodiesPerAddress = 16

/** Limits connections per address, except those of a proxy, which carry many users. Answers a function that stops counting a connection. */
export const capConnections = (server: Server, trustProxy: string, most = connectionsPerAddress) => {
  const isProxy = proxiesOf(trustProxy)
  const acquire = concurrencyLimit(most)
  /** Address and port, because the TLS socket is a different object than the accepted one. */
  const releases = new Map<string, () => void>()
  const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (isProxy(address)) return
    const release = acquire(countedAs(address))
    if (!release) return socket.destroy()
    const name = nameOf(socket)
    releases.set(name, release)
    socket.once('close', () => {
      release()
      releases.delete(name)
    })
  })
  return (socket: Socket): void => releases.get(nameOf(socket))?.()
}

/** Limits request bodies in transit per client address, so that a few endless ones cannot exhaust the server. */
export const capBodies = (http: FastifyInstance, most = bodiesPerAddress): void => {
  const acquire = concurrencyLimit(most)
  http.addHook('onRequest', (request, reply, done) => {
    const { headers, raw } = request
    if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return done()
    const release = acquire(countedAs(request.ip))
    if (!release) {
      void reply.header('connection', 'close')
      return done(new Refusal(429, m.tooMany, { retryAfterS: 5 }))
    }
    raw.once('end', release)
    reply.raw.once('close', release)
    done()
  })
}

const bearer = 'Bearer '

export const bearerOf = ({ headers: { authorization } }: FastifyRequest): string | undefined =>
  authorization?.startsWith(bearer) ? authorization.slice(bearer.length) : undefined

export type GoodTokens = ReturnType<typeof openGoodTokens>

const maxTokens = 10_000

/** Users of recently valid tokens; only they have a limit of their own, so invented tokens gain nothing. */
export const openGoodTokens = () => {
  const users = new Map<string, string>()
  return {
    userOf: (token: string): string | undefined => users.get(token),
    add: (token: string, user: string): void => {
      if (users.has(token)) return
      const [oldest] = users.size >= maxTokens ? users.keys() : []
      if (oldest !== undefined) users.delete(oldest)
      users.set(token, user)
    },
    remove: (token: string): void => void users.delete(token),
  }
}

/** Only refusals carry retry headers: on every answer they cost a tenth of a small call (measured). */
const noHeaders = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }
const filesPerCall = 20

const isFile = (request: FastifyRequest, isCall: (request: FastifyRequest) => boolean): boolean =>
  !isCall(request) && (request.method === 'GET' || request.method === 'HEAD')

/** Requests per minute: per user over all sessions, and per address without a session. Answers the hook for requests without a route. */
export const capRequests = async (
  http: FastifyInstance,
  options: { perMinute: number; goodTokens: GoodTokens; isCall: (request: FastifyRequest) => boolean },
) => {
  await http.register(rateLimit, {
    keyGenerator: (request) => {
      // Static files have a limit of their own: one visit loads dozens.
      if (isFile(request, options.isCall)) return `files ${countedAs(request.ip)}`
      const token = bearerOf(request) ?? ticketOf(request)
      const user = token && options.goodTokens.userOf(token)
      return user ? `user ${user}` : countedAs(request.ip)
    },
    max: (request) => options.perMinute * (isFile(request, options.isCall) ? filesPerCall : 1),
    timeWindow: minuteMs,
    hook: 'onRequest',
    addHeadersOnExceeding: noHeaders,
  })
  return http.rateLimit()
}

const brokenBy: Record<string, [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, m.tooSlow],
  HPE_HEADER_OVERFLOW: [431, m.tooLarge],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, m.tooLarge],
}

/** Malformed HTTP and timeouts are answered in the portal's envelope, and the connection is closed. */
export const answerBroken = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, message] = brokenBy[error.code ?? ''] ?? [400, m.invalidInput]
  const body = JSON.stringify(failed(message))
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`
  socket.write(
    `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
  socket.destroySoon()
}

/** The one-time ticket of a file is a cookie for the path of that file, so no URL and no log contains it (security rules S7, L5). */
const form = /^[\w-]{43}$/

/** One name per URL, because downloads run in parallel. */
const nameOf = (url: string) => `gm_file_${hash('sha256', url).slice(0, 16)}`
const pathOf = (url: string) => url.split('?', 1)[0] ?? url

/** HEAD requests and calls with a token use up no ticket. */
export const ticketOf = ({ method, url, headers, server }: FastifyRequest): string | undefined => {
  if (method !== 'GET' || headers.authorization !== undefined || headers.cookie === undefined) return undefined
  const value = server.parseCookie(headers.cookie)[nameOf(url)]
  return value !== undefined && form.test(value) ? value : undefined
}

export const setTicket = (reply: FastifyReply, ticket: string, isHttps: boolean): void => {
  const { url } = reply.request
  const scope = { path: pathOf(url), maxAge: 60, httpOnly: true, sameSite: 'strict', secure: isHttps } as const
  void reply.setCookie(nameOf(url), ticket, scope)
}

export const clearTicket = (reply: FastifyReply): void => {
  const { url } = reply.request
  void reply.clearCookie(nameOf(url), { path: pathOf(url) })
}
