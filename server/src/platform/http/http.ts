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
import { drainAtClose } from './streams.ts'
import { failed, isUnavailable, isFull, Refusal } from './errors.ts'
import type { Log } from '#platform/process/log.ts'
import type { Metrics } from '#platform/process/metrics.ts'
import { acceptMultipart } from './multipart.ts'
import type { BoundRoute } from './route.ts'
import { sendLinkPage } from './link-page.ts'
import { securityHeaders } from './security-headers.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'

export type HttpOptions<Context, Viewer> = Omit<CallOptions<Context, Viewer>, 'goodTokens'> & {
  routes: readonly BoundRoute[]
  log: Log
  metrics: Metrics
  webRoot?: string
  requestsPerMinute: number
  trustProxy?: string
  /** Public address of the portal; with HTTPS there, HSTS is sent. */
  publicUrl?: string | undefined
  requestMs?: number
  /** One line of the log for each request. */
  accessLog?: boolean
  pages?: (http: FastifyInstance) => void
}

/** `/apiKeys` is a page. */
const isCall = ({ url }: FastifyRequest) => url.startsWith('/api/') || url === '/api' || url.startsWith('/api?')

/** The id of a proxy, so that its log and this one name the same request. */
const requestIdOf = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' && /^[\w.:-]{1,64}$/.test(header) ? header : null

export const openHttp = async <Context, Viewer>(options: HttpOptions<Context, Viewer>): Promise<FastifyInstance> => {
  const seconds = options.metrics.histogram('gridmast_http_request_seconds')
  const logger: FastifyBaseLogger = options.log // a plain type keeps the types of Fastify plain
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
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']) ?? randomUUID(),
    childLoggerFactory: (logger) => logger, // one child logger per request costs more than all of its log lines
    trustProxy,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: answerBroken,
    frameworkErrors: (_error, request: FastifyRequest, reply: FastifyReply) => {
      void reply.headers(headersFor(request)).code(404).send(failed(m.notFound))
    },
  })
  capConnections(http.server, trustProxy)
  const publicIsHttps = options.publicUrl?.startsWith('https:') ?? false
  const headersFor = (request: FastifyRequest) =>
    securityHeaders(isCall(request) ? 'calls' : 'pages', publicIsHttps || request.protocol === 'https')
  http.removeContentTypeParser('text/plain') // calls accept JSON; anything else is a 415
  http.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headersFor(request)).header('x-request-id', request.id)
    done()
  })
  drainAtClose(http)
  capBodies(http)
  await http.register(fastifyCookie, { hook: false }) // cookies are parsed on demand: for every request that costs more than its admission
  const goodTokens = openGoodTokens()
  const countRequest = await capRequests(http, { perMinute: options.requestsPerMinute, goodTokens, isCall })
  await http.register(fastifyCompress, {
    globalDecompression: false, // compressed requests are not accepted: a few bytes could expand to gigabytes
    threshold: 1024,
    syncThreshold: 65_536, // a chart of 1,500 points takes 0.4 ms at once, as a stream three times as long (measured)
    encodings: ['gzip', 'deflate'],
    zlibOptions: { level: 3 }, // chart of 1,500 points: half the time of the default level for 14 % more bytes (measured)
  })
  http.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply))
  const sendPage = options.webRoot ? await serveWebFiles(http, options.webRoot) : null
  http.setNotFoundHandler({ preHandler: countRequest }, (request, reply) => {
    if (!isCall(request) && sendPage?.(request, reply)) return
    void reply.code(404).send(failed(isCall(request) ? m.unknownRoute : m.notFound))
  })
  http.addHook('onResponse', (request, reply, done) => {
    const call = request.routeOptions.url ?? 'unknown'
    const { method, ip, id: reqId } = request
    const { statusCode: status, elapsedTime: ms } = reply
    seconds.observe(ms / 1000, { call, status: String(status) })
    const answered = { reqId, method, call, status, ms: Math.round(ms), ip }
    if (options.accessLog) options.log.info(answered, 'answered')
    else options.log.debug(answered, 'answered')
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
    if (error.message === m.fileLinkEnded && request.headers.accept?.includes('text/html')) return sendLinkPage(reply)
    if (error.retryAfterS) void reply.header('retry-after', error.retryAfterS)
    return reply.code(error.status).send(failed(error.message, error.errors))
  }
  const status = error.statusCode ?? 500
  if (status < 500) return reply.code(status).send(failed(byStatus[status] ?? m.invalidInput))
  request.log.error({ reqId: request.id, err: error, url: request.routeOptions.url }, 'request failed')
  if (isFull(error)) return reply.code(503).header('retry-after', 60).send(failed(m.diskFull))
  if (isUnavailable(error)) return reply.code(503).header('retry-after', 5).send(failed(m.unavailable))
  return reply.code(500).send(failed(m.internal))
}

const isPagePath = (url: string): boolean => {
  const path = url.split('?')[0] ?? ''
  try {
    return !/\/\/|\p{Cc}|\.\w+$/u.test(decodeURIComponent(path))
  } catch {
    return false
  }
}

/**
 * The built portal: precompressed files, and index.html for page paths. Answers a function that sends the page, or false for other paths: a
 * missing file is a 404.
 */
const serveWebFiles = async (
  http: FastifyInstance,
  webRoot: string,
): Promise<((request: FastifyRequest, reply: FastifyReply) => boolean) | null> => {
  if (!existsSync(join(webRoot, 'index.html'))) return null
  await http.register(fastifyStatic, {
    root: webRoot,
    wildcard: false, // one route per built file; any other path is no file
    preCompressed: true,
    setHeaders: (reply, path) => {
      // Built files have a content hash in the name; index.html must be revalidated.
      void reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  return (request, reply) => {
    if (request.method !== 'GET' || !isPagePath(request.url)) return false
    void reply.sendFile('index.html')
    return true
  }
}
