import { randomUUID } from 'node:crypto'
import fastifyCompress from '@fastify/compress'
import fastifyCookie from '@fastify/cookie'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import {
  answerBroken,
  capBodies,
  capConnections,
  capRequests,
  headersMs,
  openGoodTokens,
  requestMs as defaultRequestMs,
} from './admission.ts'
import { bindRoute, type CallOptions } from './answer-call.ts'
import { drainAtClose } from './drain.ts'
import { failed, isAway, isFull, Refusal } from './errors.ts'
import type { Log } from '#platform/process/log.ts'
import type { Metrics } from '#platform/process/metrics.ts'
import { acceptMultipart } from './multipart.ts'
import type { BoundRoute } from './route.ts'
import { securityHeaders } from './security-headers.ts'
import { serveWebFiles } from './web-files.ts'

export type HttpOptions<Context, Viewer> = Omit<CallOptions<Context, Viewer>, 'goodTokens'> & {
  routes: readonly BoundRoute[]
  log: Log
  metrics: Metrics
  webRoot?: string
  requestsPerMinute: number
  /** Proxies whose X-Forwarded-For is believed; the loopback when not given. */
  trustProxy?: string
  /** Where people reach the portal; HTTPS there is kept to. */
  publicUrl?: string | undefined
  /** Milliseconds for all of a request to arrive. */
  requestMs?: number
  /** Pages of the server itself beside the calls. */
  pages?: (http: FastifyInstance) => void
}

/** Not `/apiKeys`, which is a page. */
const isCall = ({ url }: FastifyRequest) => url.startsWith('/api/') || url === '/api' || url.startsWith('/api?')

export const openHttp = async <Context, Viewer>(options: HttpOptions<Context, Viewer>): Promise<FastifyInstance> => {
  const logger: FastifyBaseLogger = options.log // a plain type here keeps Fastify's own types plain
  const trustProxy = options.trustProxy ?? 'loopback'
  const requestMs = options.requestMs ?? defaultRequestMs
  const http: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    requestTimeout: requestMs,
    http: {
      headersTimeout: Math.min(headersMs, requestMs),
      connectionsCheckingInterval: Math.min(5000, requestMs / 4),
    },
    genReqId: () => randomUUID(),
    childLoggerFactory: (logger) => logger, // lines name the request themselves: a logger for each costs more than all of its lines
    trustProxy,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: answerBroken,
    // An address that cannot be read is one that leads nowhere.
    frameworkErrors: (_error, request: FastifyRequest, reply: FastifyReply) => {
      void reply.headers(headersFor(request)).code(404).send(failed(m.notFound))
    },
  })
  capConnections(http.server, trustProxy)
  const publicIsHttps = options.publicUrl?.startsWith('https:') ?? false
  const headersFor = (request: FastifyRequest) =>
    securityHeaders(isCall(request) ? 'calls' : 'pages', publicIsHttps || request.protocol === 'https')
  http.removeContentTypeParser('text/plain') // calls take JSON; anything else is a 415
  http.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headersFor(request))
    done()
  })
  drainAtClose(http)
  capBodies(http)
  await http.register(fastifyCookie, { hook: false }) // read where they matter: with every request they cost more than its gate
  const goodTokens = openGoodTokens()
  const countRequest = await capRequests(http, { perMinute: options.requestsPerMinute, goodTokens, isCall })
  await http.register(fastifyCompress, {
    globalDecompression: false, // requests come as they are: nobody sends a few bytes that grow to gigabytes
    threshold: 1024,
    syncThreshold: 65_536, // that chart in 0.4 ms at once; a stream of its own takes three times as long (measured)
    encodings: ['gzip', 'deflate'],
    zlibOptions: { level: 3 }, // a chart of 1,500 points: half the time of the default for 14 % more bytes (measured)
  })
  http.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply))
  const sendPage = options.webRoot ? await serveWebFiles(http, options.webRoot) : null
  http.setNotFoundHandler({ preHandler: countRequest }, (request, reply) => {
    if (!isCall(request) && sendPage?.(request, reply)) return
    void reply.code(404).send(failed(isCall(request) ? m.unknownRoute : m.notFound))
  })
  http.addHook('onResponse', (request, reply, done) => {
    const call = request.routeOptions.url ?? 'unknown'
    options.metrics.requests.observe({ call, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    options.log.debug(
      { reqId: request.id, call, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
    done()
  })
  const callOptions = { ...options, goodTokens }
  for (const bound of options.routes) if (!bound.call.upload) bindRoute(http, bound, callOptions)
  await http.register(async (scope) => {
    await acceptMultipart(scope)
    for (const bound of options.routes) if (bound.call.upload) bindRoute(scope, bound, callOptions)
  })
  options.pages?.(http)
  return http
}

const byStatus: Record<number, string> = { 413: m.tooLarge, 415: m.unsupportedMedia, 429: m.tooMany }

const answerError = (error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply) => {
  if (error instanceof Refusal) {
    if (error.retryAfterS) void reply.header('retry-after', error.retryAfterS)
    return reply.code(error.status).send(failed(error.message, error.errors))
  }
  const status = error.statusCode ?? 500
  if (status < 500) return reply.code(status).send(failed(byStatus[status] ?? m.invalidInput))
  request.log.error(
    { reqId: request.id, error: { message: error.message, stack: error.stack }, url: request.routeOptions.url },
    'request failed',
  )
  if (isFull(error)) return reply.code(503).header('retry-after', 60).send(failed(m.diskFull))
  if (isAway(error)) return reply.code(503).header('retry-after', 5).send(failed(m.unavailable))
  return reply.code(500).send(failed(m.internal))
}
