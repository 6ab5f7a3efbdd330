import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { call } from '@gridmast/contract/call.ts'
import type { Failure } from '@gridmast/contract/envelope.ts'
import { shortText } from '@gridmast/contract/fields.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openBareHttp } from '#testing/bare-http.ts'
import { isFull, isUnavailable } from './errors.ts'
import { makeRoute } from './route.ts'
import { newToken } from '#platform/security/token.ts'
import { securityHeaders } from './security-headers.ts'

const hello = call({ method: 'GET', path: '/hello', summary: 'Hello', may: 'public', response: z.null() })
const named = call({
  method: 'POST',
  path: '/named',
  summary: 'Named',
  may: 'public',
  body: z.object({ name: shortText }),
  response: z.null(),
})
let looked = 0
const entry = z.number().refine(() => ++looked > 0)
const wide = call({
  method: 'POST',
  path: '/wide',
  summary: 'Wide',
  may: 'session.use',
  body: z.strictObject({ list: z.array(entry).max(5) }),
})
const failing = call({
  method: 'POST',
  path: '/failing/{code}',
  summary: 'Failing',
  may: 'public',
  params: z.object({ code: z.string() }),
})
const searched = call({
  method: 'GET',
  path: '/searched',
  summary: 'Searched',
  may: 'public',
  query: z.strictObject({ who: shortText.optional() }),
})
const json = { 'content-type': 'application/json' }
const source = `export const text = '${'word '.repeat(1000)}'\n`

const webRoot = mkdtempSync(join(tmpdir(), 'gridmast-web-'))
writeFileSync(join(webRoot, 'index.html'), '<!doctype html>')
writeFileSync(join(webRoot, '.built'), 'x')
writeFileSync(join(webRoot, 'icon.js'), source)
writeFileSync(join(webRoot, 'icon.js.br'), brotliCompressSync(source))
writeFileSync(join(webRoot, 'icon.js.gz'), gzipSync(source))

const route = makeRoute<null, string>()
const routes = [
  route(hello, () => Promise.resolve(null)),
  route(named, () => Promise.resolve(null)),
  route(wide, () => Promise.resolve(undefined)),
  route(failing, ({ params: { code } }) => Promise.reject(Object.assign(new Error('of a store'), { code }))),
  route(searched, () => Promise.resolve(undefined)),
]
const counted = await openBareHttp({ routes, webRoot, requestsPerMinute: 3 })
const http = await openBareHttp({ routes, webRoot, authenticate: () => Promise.resolve('anne') })
await http.listen({ port: 0, host: '127.0.0.1' })
const { port } = http.server.address() as AddressInfo // a TCP server's address is never a pipe's name
afterAll(() => Promise.all([http.close(), counted.close()]))

const statusOf = async (url: string, remoteAddress = '192.0.2.1') =>
  (await counted.inject({ method: 'GET', url, remoteAddress })).statusCode

test('L1 calls per minute of an address are limited, and files of the app have a separate limit', async () => {
  const files = []
  for (let i = 0; i < 60; i++) files.push(await statusOf('/icon.js'))
  expect(new Set(files)).toEqual(new Set([200]))
  for (let i = 0; i < 3; i++) expect(await statusOf('/api/hello')).toBe(200)
  expect(await statusOf('/api/hello')).toBe(429)
  expect(await statusOf('/api/hello', '192.0.2.2')).toBe(200)
  expect(await statusOf('/icon.js')).toBe(429)
})

test.each([
  ['53100', 503, m.diskFull],
  ['ENOSPC', 503, m.diskFull],
  ['53300', 503, m.unavailable],
  ['25006', 503, m.unavailable],
  ['57P01', 503, m.unavailable],
  ['42601', 500, m.internal],
])('a store that fails with %s is answered %i: %s', async (code, status, message) => {
  const answer = await http.inject({ method: 'POST', url: `/api/failing/${code}` })
  expect([answer.statusCode, answer.json().message]).toEqual([status, message])
})

test('a PostgreSQL with a full disk ends new connections without a code of it', () => {
  const error = Object.assign(new Error('could not write init file'), { code: 'XX000' })
  expect([isFull(error), isUnavailable(error)]).toEqual([true, true])
})

test('a request has the id of the proxy, or a new one, in its answer and its log line', async () => {
  const lines: { reqId: string; call: string; status: number; msg: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const logging = await openBareHttp({ routes, log, accessLog: true })
  const ask = async (id: string) =>
    String(
      (await logging.inject({ url: '/api/hello?who=secret', headers: { 'x-request-id': id } })).headers['x-request-id'],
    )
  expect(await ask('edge-7:41')).toBe('edge-7:41')
  expect(lines).toMatchObject([{ reqId: 'edge-7:41', method: 'GET', call: '/api/hello', status: 200, msg: 'answered' }])
  expect(JSON.stringify(lines)).not.toContain('secret')
  for (const bad of ['', 'x'.repeat(65), 'a b', '"}{', '<script>']) expect(await ask(bad)).toMatch(/^[0-9a-f-]{36}$/)
  await logging.close()
  lines.length = 0
  const silent = await openBareHttp({ routes, log })
  await silent.inject('/api/hello')
  expect(lines).toEqual([])
  await silent.close()
})

test('a refusal lists the values of its message for translation', async () => {
  const refused = await http.inject({
    method: 'POST',
    url: '/api/named',
    remoteAddress: '192.0.2.3',
    payload: { name: 'x'.repeat(101) },
  })
  const text = 'Must be at most 100 characters'
  expect(refused.json()).toMatchObject({
    errors: { name: text },
    figures: { [text]: { key: 'Must be at most {{n}} characters', values: { n: 100 } } },
  })
})

test('L1 a call without a session accepts at most 16 kB', async () => {
  const post = (payload: string) =>
    http.inject({ method: 'POST', url: '/api/named', remoteAddress: '192.0.2.4', headers: json, payload })
  expect((await post(`{"name":"x"${' '.repeat(16_000)}}`)).statusCode).toBe(200)
  const large = await post(`{"name":"x"${' '.repeat(17_000)}}`)
  expect(large.statusCode).toBe(413)
  expect(large.json()).toEqual({ success: false, message: m.tooLarge })
})

describe('cost of a body of a million bytes', () => {
  const bodyOf = (bytes: number, part: (i: number) => string) => {
    const parts: string[] = []
    for (let left = bytes; left > 0; left -= part(parts.length).length + 1) parts.push(part(parts.length))
    return parts.join(',')
  }
  const megabyte = 1_000_000
  const ask = async (payload: string) => {
    const answer = await http.inject({
      method: 'POST',
      url: '/api/wide',
      remoteAddress: '192.0.2.5',
      headers: { ...json, authorization: `Bearer ${newToken('session')}` },
      payload,
    })
    return { status: answer.statusCode, bytes: answer.rawPayload.length, said: answer.json<Failure>() }
  }

  test('L1 unknown keys', async () => {
    const { status, bytes, said } = await ask(`{"list":[],${bodyOf(megabyte, (i) => `"k${i}":1`)}}`)
    expect(status).toBe(400)
    expect(bytes).toBeLessThan(16_000)
    expect(said.errors).toEqual({ '': m.tooManyValues(limits.jsonValues) })
  })

  test('L1 the maximum of examined unknown keys', async () => {
    const { bytes, said } = await ask(`{"list":[],${bodyOf(80_000, (i) => `"k${i}":1`)}}`)
    expect(bytes).toBeLessThan(16_000)
    expect(Object.keys(said.errors ?? {})).toHaveLength(20)
  })

  test('L1 a flat, a nested and a deep list', async () => {
    expect((await ask(`{"list":[${bodyOf(megabyte, () => '1')}]}`)).said.errors).toEqual({
      '': m.tooManyValues(limits.jsonValues),
    })
    expect((await ask(`{"list":[${bodyOf(megabyte, () => '[[[]]]')}]}`)).bytes).toBeLessThan(16_000)
    expect((await ask(`{"list":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)).said.errors).toEqual({
      '': m.tooDeep(limits.jsonDepth),
    })
  })

  test('L1 the schema is not evaluated for an oversized body', async () => {
    looked = 0
    await ask(`{"list":[${bodyOf(megabyte, () => '1')}]}`)
    expect(looked).toBe(0)
    await ask('{"list":[1,2,3]}')
    expect(looked).toBe(3)
  })
})

test('L1 a query of many keys is answered quickly', async () => {
  const query = Array.from({ length: 2000 }, (_, i) => `k${i}`).join('&')
  const answer = await http.inject({ url: `/api/searched?${query}`, remoteAddress: '192.0.2.6' })
  expect(answer.statusCode).toBe(400)
  expect(answer.rawPayload.length).toBeLessThan(16_000)
})

test('S7 answers of calls are not cached, and HTTPS is enforced after its first use', async () => {
  const of = (url: string, headers = {}) => http.inject({ url, headers, remoteAddress: '127.0.0.1' })
  expect((await of('/api/hello')).headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  expect((await of('/api/none')).headers['cache-control']).toBe('no-store')
  expect(securityHeaders('pages', false)['permissions-policy']).toContain('geolocation=()')
  const plain = await of('/')
  expect(plain.headers).not.toHaveProperty('strict-transport-security')
  expect(plain.headers).not.toHaveProperty('x-frame-options')
  const behindTls = await of('/', { 'x-forwarded-proto': 'https' })
  expect(behindTls.headers['strict-transport-security']).toBe('max-age=31536000')
  const forged = await http.inject({ url: '/', headers: { 'x-forwarded-proto': 'https' }, remoteAddress: '192.0.2.7' })
  expect(forged.headers).not.toHaveProperty('strict-transport-security')
  const known = await openBareHttp({ routes: [], publicUrl: 'https://portal.example' })
  expect((await known.inject('/api/x')).headers['strict-transport-security']).toBe('max-age=31536000')
  await known.close()
})

test.each([
  '/api/%ff',
  '/%ff',
  '/%00',
  '/%0a',
  '//',
  '//icon.js',
  '/a//b',
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/.built',
  '/api/none',
  '/api/hello%00',
  '/api//hello',
])('an unknown address is a 404 in the response shape of the API: %s', async (path) => {
  const asked = request({ port, path, host: '127.0.0.1' }).end() // unchanged: fetch and inject would normalise the path
  const [answer] = (await once(asked, 'response')) as [IncomingMessage] // the arguments of the event
  expect(answer.statusCode).toBe(404)
  expect(JSON.parse(await text(answer))).toEqual({ success: false, message: expect.any(String) })
  const source = /^\/api(\/|$)/.test(path) ? "'none'" : "'self'"
  expect(answer.headers['content-security-policy']).toContain(`default-src ${source}`)
})

test('files of the build are sent in their precompressed form', async () => {
  const script = (encoding: string) =>
    http.inject({ url: '/icon.js', remoteAddress: '192.0.2.9', headers: { 'accept-encoding': encoding } })
  const [br, gzip, plain] = [await script('gzip, br'), await script('gzip'), await script('')]
  expect(br.headers).toMatchObject({ 'content-encoding': 'br', 'content-type': expect.stringContaining('javascript') })
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(source)
  expect(gzip.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(source)
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(plain.payload).toBe(source)
  const page = await http.inject({
    url: '/frequency',
    remoteAddress: '192.0.2.9',
    headers: { 'accept-encoding': 'br' },
  })
  expect(page.headers).toMatchObject({
    'content-type': expect.stringContaining('text/html'),
    'cache-control': 'no-cache',
  })
})
