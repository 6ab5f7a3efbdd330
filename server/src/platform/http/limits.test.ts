import { expect, test, afterAll, beforeEach } from 'vitest'
import { ratesOf, limitPerUser } from './limits.ts'
import { EventEmitter } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { call } from '@gridmast/contract/call.ts'
import { fileFormat } from '@gridmast/contract/series.ts'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { openBareHttp } from '#testing/bare-http.ts'
import type { Tx } from '#platform/records/records.ts'
import { makeRoute } from './route.ts'
import { newToken } from '#platform/security/token.ts'

test('L1 a full bucket is forgotten, a filling one is kept', () => {
  let nowMs = 0
  const kept = new Map()
  const mayPass = ratesOf(2, 60, () => nowMs, kept)
  for (let i = 0; i < 1000; i++) mayPass(`192.0.2.${i}`)
  expect(kept.size).toBe(1000)
  nowMs = 25_000
  for (let i = 0; i < 60; i++) expect(mayPass('busy')).toBe(true)
  expect(mayPass('busy')).toBe(false)
  nowMs = 30_000
  mayPass('next')
  expect([...kept.keys()]).toEqual(['busy', 'next'])
  for (let i = 0; i < 10; i++) expect(mayPass('busy')).toBe(true)
  expect(mayPass('busy')).toBe(false)
})

const shape = { method: 'GET', summary: 'Rows', may: 'session.use' } as const
const list = call({ ...shape, path: '/list', query: z.object({ format: fileFormat.optional() }), response: z.null() })
const table = call({ ...shape, path: '/table', query: z.object({ format: fileFormat.optional() }) })

let gate: { open: () => void; opened: Promise<void> }
let waiting = 0
beforeEach(() => {
  waiting = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  gate = { open: resolve, opened: promise }
})
let ofAnne = 0
let maxOfAnne = 0
const file = async ({ viewer }: { viewer: string }) => {
  waiting++
  if (viewer === 'anne') maxOfAnne = Math.max(maxOfAnne, ++ofAnne)
  await gate.opened
  await new Promise((resolve) => setTimeout(resolve, 5))
  if (viewer === 'anne') ofAnne--
  return { file: { fileName: 'x', sheet: 'x', columns: [{ header: 'A' }], rows: [['1']] } }
}

const route = makeRoute<null, string>()
const people = { anne: newToken('session'), bo: newToken('session') }
const http = await openBareHttp({
  routes: [route(list, (own) => (own.query.format ? file(own) : Promise.resolve(null))), route(table, file)],
  authenticate: (token) => Promise.resolve(token === people.anne ? 'anne' : 'bo'),
  ownOf: () => ({
    own: (work) => work({} as Tx, ''),
    readCached: (read, ...of) => read({} as Tx, '', ...of),
    audit: () => Promise.resolve(),
  }),
})
await http.listen({ port: 0, host: '127.0.0.1' })
const { port } = http.server.address() as AddressInfo // a TCP server's address is never a pipe's name
afterAll(() => http.close())

const ask = (token: string, path: string) =>
  fetch(`http://127.0.0.1:${port}/api${path}`, { headers: { authorization: `Bearer ${token}` } })
const underWay = (count: number) => expect.poll(() => waiting).toBe(count)

test('L1 a user has one file at a time, other calls and users continue', async () => {
  const first = ask(people.anne, '/list?format=csv')
  await underWay(1)
  const next = ['/list?format=xlsx', '/table', '/table', '/table'].map((path) => ask(people.anne, path))
  const refused = await Promise.race(next)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(await refused.json()).toEqual({
    success: false,
    message: 'Your other files are still being prepared. Try again when they are ready.',
  })
  expect((await ask(people.anne, '/list')).status).toBe(200)
  const other = ask(people.bo, '/table')
  await underWay(2)
  gate.open()
  const answers = await Promise.all([first, ...next, other])
  const sent = answers.filter((answer) => answer !== refused)
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  for (const answer of sent) expect(await answer.text()).toContain('A')
  expect(maxOfAnne).toBe(1)
})

test('L1 a caller that disconnects, running or waiting, releases the next one', async () => {
  const leave = await Promise.all(
    [1, 2].map(async () => {
      const socket = connect(port, '127.0.0.1')
      socket.write(`GET /api/table HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${people.anne}\r\n\r\n`)
      await underWay(1)
      return () => socket.destroy()
    }),
  )
  const next = ask(people.anne, '/table')
  leave.forEach((go) => go())
  gate.open()
  expect((await next).status).toBe(200)
})

test('L1 a disconnected caller keeps its turn until its work has ended', async () => {
  const raw = Object.assign(new EventEmitter(), { closed: false })
  const reply = { raw } as unknown as FastifyReply // the part that limitPerUser reads
  const request = { call: table, query: {}, userId: 'cleo', reply }
  const { promise, resolve } = Promise.withResolvers<void>()
  const begun: number[] = []
  const work = (n: number, ended?: Promise<void>) => () => {
    begun.push(n)
    return ended ?? Promise.resolve()
  }
  const first = limitPerUser(request, work(1, promise))
  await expect.poll(() => begun).toEqual([1])
  const second = limitPerUser({ ...request, reply: { raw: new EventEmitter() } as unknown as FastifyReply }, work(2)) // as above
  raw.closed = true
  raw.emit('close')
  await new Promise((next) => setImmediate(next))
  expect(begun).toEqual([1])
  resolve()
  await Promise.all([first, second])
  expect(begun).toEqual([1, 2])
})
