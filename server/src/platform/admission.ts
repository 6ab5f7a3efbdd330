import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { m } from '@gridmast/contract/messages.ts'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { countedAs, proxiesOf } from './address.ts'
import { failed, Refusal } from './errors.ts'
import { openPlaces } from './places.ts'

/** How long the server waits for a request, and how much of it one caller may take: connections, bodies on their way, requests a minute. */

export const headersMs = 10_000
/** A picture of 2 MB in this time is 270 kbit/s. */
export const requestMs = 60_000

const connectionsPerAddress = 512
const bodiesPerAddress = 16

/** Connections per address. Those of a proxy are of everyone behind it, and the proxy has limits of its own. */
export const capConnections = (server: Server, trustProxy: string, most = connectionsPerAddress): void => {
  const isProxy = proxiesOf(trustProxy)
  const places = openPlaces(most)
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (isProxy(address)) return
    const giveBack = places.take(countedAs(address))
    if (giveBack) socket.once('close', giveBack)
    else socket.destroy()
  })
}

/** Bodies on their way per address, as the proxy in front names it: a few that never end are no reason to wait for more. */
export const capBodies = (http: FastifyInstance, most = bodiesPerAddress): void => {
  const places = openPlaces(most)
  http.addHook('onRequest', (request, reply, done) => {
    const { headers, raw } = request
    if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return done()
    const giveBack = places.take(countedAs(request.ip))
    if (!giveBack) {
      void reply.header('connection', 'close')
      return done(new Refusal(429, m.tooMany, { retryAfterS: 5 }))
    }
    raw.once('end', giveBack)
    reply.raw.once('close', giveBack)
    done()
  })
}

const bearer = 'Bearer '

export const bearerOf = ({ headers: { authorization } }: FastifyRequest): string | undefined =>
  authorization?.startsWith(bearer) ? authorization.slice(bearer.length) : undefined

export type GoodTokens = ReturnType<typeof openGoodTokens>

const tokensKept = 10_000

/** The tokens that stood for somebody the last time: only those are counted by themselves, so that invented ones gain nothing. */
export const openGoodTokens = () => {
  const known = new Set<string>()
  return {
    has: (token: string): boolean => known.has(token),
    learn: (token: string): void => {
      if (known.has(token)) return
      const [oldest] = known.size >= tokensKept ? known : []
      if (oldest !== undefined) known.delete(oldest)
      known.add(token)
    },
    forget: (token: string): void => void known.delete(token),
  }
}

/** Only a refusal says when to come back: on every answer these cost a tenth of a small call (measured). */
const noHeaders = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }
const filesPerCall = 20

/** Requests a minute: of each session, however many share its address, and of each address without one. */
export const capRequests = (
  http: FastifyInstance,
  options: { perMinute: number; goodTokens: GoodTokens; isCall: (request: FastifyRequest) => boolean },
) =>
  http.register(rateLimit, {
    keyGenerator: (request) => {
      // The files of the app are counted for themselves: one visit loads dozens, and they cost next to nothing.
      if (!options.isCall(request)) return `files ${countedAs(request.ip)}`
      const token = bearerOf(request)
      return token && options.goodTokens.has(token) ? token : countedAs(request.ip)
    },
    max: (request) => options.perMinute * (options.isCall(request) ? 1 : filesPerCall),
    timeWindow: 60_000,
    hook: 'onRequest',
    addHeadersOnExceeding: noHeaders,
  })

const brokenBy: Record<string, [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, m.tooSlow],
  HPE_HEADER_OVERFLOW: [431, m.tooLarge],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, m.tooLarge],
}

/** What is no HTTP, or did not come in time, is answered in the portal's own shape, and the connection ends. */
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
