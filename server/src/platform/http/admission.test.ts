import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { call } from '@gridmast/contract/call.ts'
import { shortText } from '@gridmast/contract/fields.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openBareHttp } from '#testing/bare-http.ts'
import { capConnections } from './admission.ts'
import { makeRoute } from './route.ts'
import { type EventStream, openEventStream } from './streams.ts'
import { newToken } from '#platform/security/token.ts'
import { ticketHeader } from '@gridmast/contract/envelope.ts'
import { fileFormat } from '@gridmast/contract/series.ts'
import { pino } from 'pino'

const own = { summary: 'A call', may: 'session.use' } as const
const hello = call({ ...own, method: 'GET', path: '/hello', response: z.null() })
const stranger = call({ ...own, may: 'public', method: 'GET', path: '/stranger', response: z.null() })
const named = call({
  ...own,
  may: 'public',
  method: 'POST',
  path: '/named',
  body: z.strictObject({ name: shortText }),
  response: z.null(),
})
const events = call({ ...own, method: 'GET', path: '/events', answer: 'events' })

const tokens = { anne: newToken('session'), anneElsewhere: newToken('session'), bo: newToken('session') }
const good = new Set(Object.values(tokens))
const streams: EventStream[] = []
const route = makeRoute<null, string>()
const nothing = () => Promise.resolve(null)
const open = (more: { requestMs?: number; requestsPerMinute?: number }) =>
  openBareHttp({
    routes: [
      route(hello, nothing),
      route(stranger, nothing),
      route(named, nothing),
      route(events, async ({ reply }) => {
        streams.push(openEventStream(reply, () => {}))
        return { taken: true }
      }),
    ],
    authenticate: (token) => Promise.resolve(good.has(token) ? token : null),
    userOf: (token) => (token === tokens.anneElsewhere ? tokens.anne : token),
    ...more,
  })

describe('requests per minute', () => {
  let http: FastifyInstance
  beforeAll(async () => {
    http = await open({ requestsPerMinute: 4 })
    http.post('/told/:id', () => ({}))
    http.get('/assets/app.js', () => '')
  })
  afterAll(() => http.close())
  const ask = (url: string, remoteAddress: string, token?: string) =>
    http.inject({ url, remoteAddress, headers: token ? { authorization: `Bearer ${token}` } : {} })
  const statuses = async (times: number, ...rest: Parameters<typeof ask>) => {
    const all = []
    for (let i = 0; i < times; i++) all.push((await ask(...rest)).statusCode)
    return all
  }

  test('L1 users at one address are counted separately, each with all sessions', async () => {
    expect(await statuses(4, '/api/hello', '192.0.2.1', tokens.anne)).toEqual([200, 200, 200, 200])
    expect(await statuses(3, '/api/hello', '192.0.2.1', tokens.bo)).toEqual([200, 200, 200])
    expect(await statuses(2, '/api/hello', '192.0.2.1', tokens.anne)).toEqual([200, 429])
    expect(await statuses(1, '/api/hello', '198.51.100.9', tokens.anne)).toEqual([429])
    // A token counts for its user from the second call on.
    expect(await statuses(2, '/api/hello', '198.51.100.8', tokens.anneElsewhere)).toEqual([200, 429])
  })

  test('L1 unknown calls are counted like any other', async () => {
    expect(await statuses(5, '/api/no-such-call', '192.0.2.77')).toEqual([404, 404, 404, 404, 429])
    expect(await statuses(1, '/api/stranger', '192.0.2.77')).toEqual([429])
  })

  test('L1 invalid tokens and ended sessions share the count of their address', async () => {
    for (let i = 0; i < 4; i++) expect(await statuses(1, '/api/hello', '192.0.2.2', newToken('session'))).toEqual([401])
    expect(await statuses(1, '/api/hello', '192.0.2.2', newToken('session'))).toEqual([429])
    const ended = newToken('session')
    good.add(ended)
    expect(await statuses(2, '/api/hello', '192.0.2.3', ended)).toEqual([200, 200])
    good.delete(ended)
    expect(await statuses(5, '/api/hello', '192.0.2.3', ended)).toEqual([401, 401, 401, 401, 429])
  })

  test('L1 files have a separate count, and a write outside the API counts as a call', async () => {
    const post = (remoteAddress: string) => http.inject({ method: 'POST', url: '/told/x', remoteAddress })
    const all = []
    for (let i = 0; i < 5; i++) all.push((await post('192.0.2.7')).statusCode)
    expect(all).toEqual([200, 200, 200, 200, 429])
    expect(new Set(await statuses(6, '/assets/app.js', '192.0.2.7'))).toEqual(new Set([200]))
    expect(await statuses(1, '/api/stranger', '192.0.2.7')).toEqual([429])
  })

  test('L1 a /64 counts as one address, and the refusal has Retry-After', async () => {
    for (let i = 1; i <= 4; i++) expect(await statuses(1, '/api/stranger', `2001:db8::${i}`)).toEqual([200])
    const refused = await ask('/api/stranger', '2001:db8::ffff:1')
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toEqual({ success: false, message: m.tooMany })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await statuses(1, '/api/stranger', '2001:db8:0:1::1')).toEqual([200])
  })
})

describe('connections', () => {
  let http: FastifyInstance
  let port = 0
  beforeAll(async () => {
    http = await open({ requestMs: 2000 })
    await http.listen({ port: 0, host: '127.0.0.1' })
    port = (http.server.address() as AddressInfo).port // a TCP server's address is never a pipe's name
  })
  afterAll(() => http.close())

  const dial = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  const talk = async (bytes: string | Buffer): Promise<string> => {
    const socket = await dial()
    socket.write(bytes)
    return text(socket)
  }
  const slowBody =
    'POST /api/named HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'

  test('L1 unfinished bodies are aborted, excess ones at once, while streams continue', async () => {
    const stream = await fetch(`http://127.0.0.1:${port}/api/events`, {
      headers: { authorization: `Bearer ${tokens.anne}` },
    })
    const answers = await Promise.all(Array.from({ length: 20 }, () => talk(slowBody)))
    const count = (status: string) => answers.filter((answer) => answer.startsWith(`HTTP/1.1 ${status}`)).length
    expect({ late: count('408'), refused: count('429') }).toEqual({ late: 16, refused: 4 })
    expect(answers.find((answer) => answer.includes(' 408 '))).toContain(
      JSON.stringify({ success: false, message: m.tooSlow }),
    )
    expect((await fetch(`http://127.0.0.1:${port}/api/stranger`)).status).toBe(200)
    streams.at(-1)?.send('still', 'here')
    streams.at(-1)?.end()
    expect(await stream.text()).toContain('event: still\ndata: here')
  })

  test('L1 an unfinished request line is aborted', async () => {
    expect(await talk('GET /api/stranger HTTP/1.1\r\nHost: x\r\n')).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('L1 a silent connection is closed, whether or not its client reads', async () => {
    const silent = await open({ requestMs: 200 })
    await silent.listen({ port: 0, host: '127.0.0.1' })
    const { port: to } = silent.server.address() as AddressInfo
    let accepted = 0
    silent.server.on('connection', () => accepted++)
    const [reading, deaf] = [connect(to, '127.0.0.1'), connect(to, '127.0.0.1')]
    const held = () => promisify(silent.server.getConnections.bind(silent.server))()
    await Promise.all([reading, deaf].map((socket) => once(socket, 'connect')))
    await expect.poll(() => accepted).toBe(2)
    expect(await text(reading)).toMatch(/^HTTP\/1\.1 408 /)
    await expect.poll(held).toBe(0)
    deaf.destroy()
    await silent.close()
  })

  test.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a chunk without a size', `${slowBody.split('Content-Length')[0]}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    [
      'a chunk with a wrong length',
      `${slowBody.split('Content-Length')[0]}Transfer-Encoding: chunked\r\n\r\n2\r\n{}}}}}\r\n`,
      400,
    ],
    ['two lengths', slowBody.replace('\r\n\r\n', '\r\nContent-Length: 3\r\n\r\n'), 400],
    ['a length and chunks', slowBody.replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n'), 400],
    ['a negative length', slowBody.replace('100', '-1'), 400],
    ['a header with NUL', 'GET /api/stranger HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n', 400],
    ['a header without end', `GET /api/stranger HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a thousand headers', `GET /api/stranger HTTP/1.1\r\nHost: x\r\n${'X: 1234567890\r\n'.repeat(2000)}\r\n`, 431],
    ['an address without end', `GET /api/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['a TLS hello', Buffer.from('16030100c8010000c40303', 'hex'), 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ])('L1 %s is answered in the response shape of the API, and the connection closes', async (_, bytes, status) => {
    const answer = await talk(bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ success: false })
  })

  test('L1 a user has at most 20 live streams, and a closed one makes room', async () => {
    const listen = async () => {
      const stop = new AbortController()
      const headers = { authorization: `Bearer ${tokens.bo}` }
      const answer = await fetch(`http://127.0.0.1:${port}/api/events`, { headers, signal: stop.signal })
      return { answer, stop }
    }
    const first = await listen()
    for (let i = 1; i < limits.streamsPerUser; i++) expect((await listen()).answer.status).toBe(200)
    const { answer } = await listen()
    expect(answer.status).toBe(429)
    expect(await answer.json()).toEqual({ success: false, message: m.tooManyStreams })
    first.stop.abort()
    await expect.poll(async () => (await listen()).answer.status).toBe(200)
  })

  test('L1 connections per address are limited, except those of a proxy', async () => {
    const bare = await open({})
    capConnections(bare.server, '10.0.0.1', 2)
    await bare.listen({ port: 0, host: '127.0.0.1' })
    const { port: to } = bare.server.address() as AddressInfo
    const held = [connect(to, '127.0.0.1'), connect(to, '127.0.0.1')]
    await Promise.all(held.map((socket) => once(socket, 'connect')))
    const third = connect(to, '127.0.0.1')
    third.on('error', () => {})
    await once(third, 'close')
    held[0]?.destroy()
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${to}/api/stranger`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)
    held[1]?.destroy()
    await bare.close()
  })
})

const table = call({
  method: 'GET',
  path: '/table/{name}',
  summary: 'Rows',
  may: 'session.use',
  params: z.object({ name: z.string() }),
  query: z.object({ format: fileFormat }),
})
const ticket = 'T'.repeat(43)
const lines: string[] = []
let isBroken = false
const http = await openBareHttp({
  routes: [
    makeRoute<null, string>()(table, () => {
      if (isBroken) throw new Error('of a store')
      return Promise.resolve({ kept: { name: 'a.csv', content: 'a' } })
    }),
  ],
  log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
  publicUrl: 'https://portal.example',
  authenticate: () => Promise.resolve('anne'),
  ownOf: () => ({
    own: (work) => work({} as never, ''), // no rows are written
    readCached: () => Promise.reject(new Error('no store')),
    audit: () => Promise.resolve(),
  }),
  tickets: { add: () => Promise.resolve(ticket), use: () => Promise.resolve({ viewer: 'anne' }) },
})
afterAll(() => http.close())

test('L5 S7 a ticket is in no log or address, and its cookie is limited to HTTPS there', async () => {
  const url = '/api/table/K%C3%B8l?format=csv'
  const { cookies } = await http.inject({
    url,
    headers: { authorization: `Bearer ${newToken('session')}`, [ticketHeader]: '1' },
  })
  expect(cookies).toMatchObject([{ value: ticket, path: '/api/table/K%C3%B8l', secure: true, httpOnly: true }])
  const name = cookies[0]?.name ?? ''
  expect((await http.inject({ url, cookies: { [name]: ticket } })).body).toBe('a')
  isBroken = true
  const failed = await http.inject({ url, cookies: { [name]: ticket } })
  expect([failed.statusCode, failed.headers['content-disposition']]).toEqual([500, undefined])
  expect(lines.join('\n')).toContain('request failed')
  expect(lines.join('\n')).not.toContain(ticket)
})
