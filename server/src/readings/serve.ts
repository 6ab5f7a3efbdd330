import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { minuteMs } from '@gridmast/contract/time.ts'
import type { Session } from 'chdb'
import { guardDisk } from './disk-guard.ts'
import { embedded } from './engine.ts'
import { checkAnswerFormat, checkOwnTablesOnly, checkSetting } from './own-tables-only.ts'
import { schemaStatements } from './schema.ts'

type Options = {
  dataDir: string
  port: number
  host?: string
  /** Basic authentication or `X-ClickHouse-Key`, with any user name. */
  password: string
  minFreeBytes?: number
  log?: Record<'error' | 'info', (details: object, message: string) => void>
}

type Place = { session: Session; set: Map<string, string> }

/** Concurrent queries; an export uses its session until it is read. */
const sessionCount = 8
const longestBody = 256 * 1024 * 1024

/** Parameters of the HTTP interface, unknown to the engine. */
const notSettings = new Set([
  'query',
  'database',
  'query_id',
  'default_format',
  'user',
  'password',
  'session_id',
  'session_timeout',
  'role',
  'wait_end_of_query',
  'enable_http_compression',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'compress',
  'decompress',
  'buffer_size',
])

/**
 * Streamed. Other statements are answered at the end: writes, and formats that are one document, which the engine would produce once per
 * piece.
 */
const isRead = /^[\s(]*(select|with)\b/i
const byRow = /^(TabSeparated|TSV|CSV|JSONEachRow|JSONCompactEachRow|JSONStringsEachRow)$/i
const formatOf = (sql: string) => /\bformat\s+(\w+)[\s;]*$/i.exec(sql)?.[1]

/**
 * chDB behind the part of ClickHouse's HTTP interface in @clickhouse/client 1.23: one engine for several processes of one machine, and for
 * tests. It has no users, replicas or quotas; formats are text, because a body becomes part of the statement.
 */
export const serveReadings = async ({ dataDir, port, host = '127.0.0.1', password, minFreeBytes, log }: Options) => {
  const schema = await schemaStatements()
  const engine = await embedded(dataDir, { minFreeBytes })
  const control = engine.openSession()
  const disk = await guardDisk({
    folder: dataDir,
    minFreeBytes,
    onChange: async (trouble) => {
      await control.queryAsync(`system ${trouble ? 'stop' : 'start'} merges`)
      if (trouble) log?.error({}, trouble)
      else log?.info({}, 'Disk space is sufficient again: inserts are accepted')
    },
  })
  const free = Array.from({ length: sessionCount }, (): Place => ({ session: engine.openSession(), set: new Map() }))
  const waiting: ((place: Place) => void)[] = []
  const release = (place: Place) => {
    const next = waiting.shift()
    if (next) next(place)
    else free.push(place)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { searchParams, pathname } = new URL(request.url ?? '/', 'http://localhost')
    // DNS rebinding: a web page whose name resolves to the loopback sends that name as Host.
    if (isLoopback(host) && !isLoopback(hostOf(request))) return refuse(response, 403, 'This Host is not served here')
    if (pathname === '/ping') return void response.end('Ok.\n')
    if (!isRight(request, password))
      return refuse(
        response,
        403,
        'Code: 516. DB::Exception: default: Authentication failed: password is incorrect. (AUTHENTICATION_FAILED)',
      )
    const body = await readBody(request)
    const sql = [searchParams.get('query'), body].filter(Boolean).join('\n')
    checkOwnTablesOnly(sql, schema)
    const settings = new Map([...searchParams].filter(([name]) => !notSettings.has(name)))
    for (const [name, value] of settings) checkSetting(name, value)
    const format = searchParams.get('default_format') ?? 'TabSeparated'
    checkAnswerFormat(format)
    const trouble = disk.trouble()
    if (trouble && /^\s*insert\b/i.test(sql))
      throw new Error(`Code: 243. DB::Exception: ${trouble}. (NOT_ENOUGH_SPACE)`)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const place = free.pop() ?? (await new Promise<Place>((resolve) => waiting.push(resolve)))
    try {
      if (gone.signal.aborted) return
      await applySettings(place, settings)
      const accepted = String(request.headers['accept-encoding'])
      const zip = searchParams.get('enable_http_compression') === '1' && /\bgzip\b/.test(accepted)
      response.setHeader('X-ClickHouse-Query-Id', searchParams.get('query_id') ?? randomUUID())
      await send(response, await run(place.session, sql, { format, signal: gone.signal }), zip)
    } finally {
      release(place)
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // After a partial answer the connection is closed, so that the reader does not accept it as complete.
      if (response.headersSent) response.destroy()
      else refuse(response, 500, error instanceof Error ? error.message : String(error))
    })
  })
  server.keepAliveTimeout = minuteMs
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port, // a TCP server's address is never a pipe's name
    close: async () => {
      server.close()
      server.closeAllConnections()
      while (free.length < sessionCount) await new Promise((resolve) => setTimeout(resolve, 20))
      await disk.close()
      for (const { session } of free) session.close()
      control.close()
      await engine.release()
    },
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

export const isLoopback = (host: string): boolean => ['127.0.0.1', 'localhost', '::1', '[::1]'].includes(host)
const hostOf = ({ headers }: IncomingMessage): string => (headers.host ?? '').replace(/:\d+$/, '')

const isRight = ({ headers }: IncomingMessage, password: string): boolean => {
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1]
  const given =
    headers['x-clickhouse-key'] ??
    (basic &&
      Buffer.from(basic, 'base64')
        .toString()
        .replace(/^[^:]*:/, ''))
  return timingSafeEqual(sha256(String(given ?? '')), sha256(password))
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  const source = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request
  for await (const chunk of source as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longestBody) throw new Error('Code: 241. DB::Exception: The body is too long. (MEMORY_LIMIT_EXCEEDED)')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Settings remain in a session: those of the previous request are reset. */
const applySettings = async ({ session, set }: Place, wanted: Map<string, string>) => {
  const statements: string[] = []
  for (const [name, value] of wanted) if (set.get(name) !== value) statements.push(`set ${name} = ${value}`)
  for (const name of set.keys()) if (!wanted.has(name)) statements.push(`set ${name} = default`)
  for (const statement of statements) await session.queryAsync(statement)
  set.clear()
  for (const [name, value] of wanted) set.set(name, value)
}

const run = async (
  session: Session,
  sql: string,
  options: { format: string; signal: AbortSignal },
): Promise<Readable> => {
  if (!isRead.test(sql) || !byRow.test(formatOf(sql) ?? options.format))
    return Readable.from([(await session.queryAsync(sql, options)).bytes()])
  const chunks = session.queryStream(sql, options)[Symbol.asyncIterator]()
  const first = await chunks.next()
  return Readable.from(
    (async function* () {
      try {
        for (let next = first; !next.done; next = await chunks.next()) yield next.value.raw()
      } finally {
        await chunks.return?.()
      }
    })(),
  )
}

const send = async (response: ServerResponse, bytes: Readable, zip: boolean) => {
  response.setHeader('Content-Type', 'text/plain; charset=UTF-8')
  if (!zip) return pipeline(bytes, response)
  response.setHeader('Content-Encoding', 'gzip')
  return pipeline(bytes, createGzip({ level: 3 }), response)
}

const refuse = (response: ServerResponse, status: number, message: string) => {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': /Code: (\d+)/.exec(message)?.[1] ?? '1001',
  })
  response.end(`${message}\n`)
}
