import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyCompress from '@fastify/compress'
import fastifyCookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import fastifyStatic from '@fastify/static'
import type { CallShape } from '@gridmast/contract/call.ts'
import type { Failure } from '@gridmast/contract/envelope.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { figuresOf, m } from '@gridmast/contract/messages.ts'
import type { FileFormat } from '@gridmast/contract/series.ts'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { forbidden, invalid, Refusal } from './errors.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { acceptMultipart, readBody } from './multipart.ts'
import { holdExport } from './one-export.ts'
import { isInstead, isSaid, readInput, type BoundRoute, type Own } from './route.ts'
import { answerHeaders, pageHeaders } from './security-headers.ts'
import { tableHeaders, tableStream, type TableFile } from './table-file.ts'
import { isToken } from './token.ts'

export type HttpOptions<Context, Viewer> = {
  routes: readonly BoundRoute[]
  context: Context
  log: Log
  metrics: Metrics
  /** The viewer behind a well-formed token, or null. */
  authenticate: (token: string) => Promise<Viewer | null>
  /** The sentence that refuses, or null when the viewer may. */
  refuse: (viewer: Viewer, call: CallShape) => string | null
  /** What handlers get of the viewer's own customer. */
  ownOf: (viewer: Viewer, at: { requestId: string; nowMs: number }) => Own
  now: () => number
  webRoot?: string
  /** The person behind a viewer: one file at a time for each. */
  userOf: (viewer: Viewer) => string
  requestsPerMinute: number
  /** Proxies whose X-Forwarded-For is believed; the loopback when not given. */
  trustProxy?: string
  /** Pages of the server itself beside the calls. */
  pages?: (http: FastifyInstance) => void
}

/** Only a refusal says when to come back: on every answer these cost a tenth of a small call (measured). */
const noHeaders = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }

/** Not `/apiKeys`, which is a page. */
const isCall = ({ url }: FastifyRequest) => url.startsWith('/api/') || url === '/api' || url.startsWith('/api?')

const filesPerCall = 20

export const openHttp = async <Context, Viewer>(options: HttpOptions<Context, Viewer>): Promise<FastifyInstance> => {
  const logger: FastifyBaseLogger = options.log // a plain type here keeps Fastify's own types plain
  const http: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    genReqId: () => randomUUID(),
    childLoggerFactory: (logger) => logger, // lines name the request themselves: a logger for each costs more than all of its lines
    trustProxy: options.trustProxy ?? 'loopback',
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
  })
  http.removeContentTypeParser('text/plain') // calls take JSON; anything else is a 415
  http.addHook('onRequest', (request, reply, done) => {
    void reply.headers(isCall(request) ? answerHeaders : pageHeaders)
    done()
  })
  await http.register(fastifyCookie)
  await http.register(rateLimit, {
    // The files of the app are counted for themselves: one visit loads dozens, and they cost next to nothing.
    keyGenerator: (request) => (isCall(request) ? request.ip : `files ${request.ip}`),
    max: (request) => options.requestsPerMinute * (isCall(request) ? 1 : filesPerCall),
    timeWindow: 60_000,
    hook: 'onRequest',
    addHeadersOnExceeding: noHeaders,
  })
  await http.register(fastifyCompress, {
    globalDecompression: false, // requests come as they are: nobody sends a few bytes that grow to gigabytes
    threshold: 1024,
    syncThreshold: 65_536, // that chart in 0.4 ms at once; a stream of its own takes three times as long (measured)
    encodings: ['gzip', 'deflate'],
    zlibOptions: { level: 3 }, // a chart of 1,500 points: half the time of the default for 14 % more bytes (measured)
  })
  http.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply))
  http.setNotFoundHandler((request, reply) => {
    if (isCall(request)) return void reply.code(404).send(failed(m.unknownRoute))
    return sendApp(options.webRoot, request, reply)
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
  for (const bound of options.routes) if (!bound.call.upload) bindRoute(http, bound, options)
  await http.register(async (scope) => {
    await acceptMultipart(scope)
    for (const bound of options.routes) if (bound.call.upload) bindRoute(scope, bound, options)
  })
  options.pages?.(http)
  if (options.webRoot && existsSync(options.webRoot))
    await http.register(fastifyStatic, {
      root: options.webRoot,
      setHeaders: (reply, path) => {
        // Built files carry their content's hash in the name; index.html must be fresh.
        void reply.header(
          'cache-control',
          path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
      },
    })
  return http
}

const failed = (message: string, errors: Record<string, string> = {}): Failure => {
  const figures = Object.fromEntries(
    [message, ...Object.values(errors)].flatMap((text) => {
      const figured = figuresOf(text)
      return figured ? [[text, figured]] : []
    }),
  )
  return {
    success: false,
    message,
    ...(Object.keys(errors).length > 0 ? { errors } : {}),
    ...(Object.keys(figures).length > 0 ? { figures } : {}),
  }
}

const bindRoute = <Context, Viewer>(
  http: FastifyInstance,
  bound: BoundRoute,
  options: HttpOptions<Context, Viewer>,
) => {
  const { call, handle } = bound
  http.route({
    method: call.method,
    url: `/api${call.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    handler: async (request, reply) => {
      const viewer = call.may === 'public' ? null : await viewerOf(request, call, options)
      const { body, file } = await readBody(request, call.upload)
      if (tooDeep(body)) throw invalid({ '': `JSON nested deeper than ${limits.jsonDepth}` })
      const input = readInput(call, request, body)
      if (viewer) holdExport(call, input.query, options.userOf(viewer), reply)
      const at = { requestId: request.id, nowMs: options.now() }
      const own = viewer && options.ownOf(viewer, at)
      const ask = { ...input, file, app: options.context, viewer, ...at, ...own, request, reply }
      const answer = await handle(ask as never) // route() tied the handler to this very call's types
      if (isInstead(answer)) return 'file' in answer ? sendFile(answer.file, input.query, own, reply) : reply
      if (formatOf(input.query)) throw new Error(`${call.path} was asked for a file and answered without one`)
      const said = isSaid(answer) ? answer : { message: call.ok, data: answer }
      return { success: true, ...(said.message ? { message: said.message } : {}), data: said.data ?? null }
    },
  })
}

const formatOf = (query: { format?: FileFormat }): FileFormat | undefined => query.format

/** Every file that leaves the portal is on the audit trail first (security rule C4). */
const sendFile = async (file: TableFile, query: object, own: Own | null, reply: FastifyReply) => {
  await own?.own((tx) => own.audit(tx, 'export', file.fileName))
  const format = formatOf(query) ?? 'xlsx'
  return reply.headers(tableHeaders(file, format)).send(tableStream(file, format))
}

const viewerOf = async <Context, Viewer>(
  request: FastifyRequest,
  call: CallShape,
  options: HttpOptions<Context, Viewer>,
) => {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (!token || !isToken(token)) throw new Refusal(401, m.jwtMalformed)
  const viewer = await options.authenticate(token)
  if (!viewer) throw new Refusal(401, m.sessionEnded)
  const refused = options.refuse(viewer, call)
  if (refused) throw forbidden(refused)
  return viewer
}

const tooDeep = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth >= limits.jsonDepth || Object.values(value).some((item) => tooDeep(item, depth + 1)))

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
  return reply.code(500).send(failed(m.internal))
}

/** Any other address is the portal's: the page decides what to show. Files that are missing stay missing. */
const sendApp = async (webRoot: string | undefined, request: FastifyRequest, reply: FastifyReply) => {
  const page = webRoot && join(webRoot, 'index.html')
  const wantsPage = request.method === 'GET' && !/\.\w+$/.test(request.url.split('?')[0] ?? '')
  if (!page || !wantsPage || !existsSync(page)) return reply.code(404).send(failed(m.notFound))
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .send(await readFile(page))
}
