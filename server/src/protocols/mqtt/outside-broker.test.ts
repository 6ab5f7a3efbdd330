import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { Aedes } from 'aedes'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EdgeAck } from '@gridmast/contract/delivery/edge.ts'
import type { EdgeMessage } from './topics.ts'
import { joinBroker, type OutsideBroker, pubackQueue } from './outside-broker.ts'

let aedes: Aedes
let server: Server
let port: number
let joined: OutsideBroker
let edge: MqttClient
let onMessage: (message: EdgeMessage) => Promise<void>
let said: string[]
const acks: EdgeAck[] = []
const sockets = new Set<Socket>()

const listen = (at: number) =>
  new Promise<number>((resolve) => {
    server = createServer((socket) => {
      sockets.add(socket)
      aedes.handle(socket)
    })
    server.listen(at, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)) // listening on TCP
  })
const goAway = async () => {
  server.close()
  for (const socket of sockets) socket.destroy()
  sockets.clear()
}
const join = (inFlight = 1000) => {
  const note = (_details: object, text: string) => void said.push(text)
  const log = { info: note, warn: note }
  const url = `mqtt://127.0.0.1:${port}`
  return joinBroker({ url, clientId: 'server', onMessage: (message) => onMessage(message), log, retryMs: 20, inFlight })
}
const isJoined = () => expect.poll(() => joined.trouble()).toBeNull()

beforeEach(async () => {
  acks.length = 0
  said = []
  aedes = await Aedes.createBroker()
  port = await listen(0)
  joined = join()
  await isJoined()
  edge = await connectAsync(`mqtt://127.0.0.1:${port}`, { protocolVersion: 4 })
  edge.on('error', () => {})
  await edge.subscribeAsync('gm/v1/edge-1/ack', { qos: 1 })
  edge.on('message', (_topic, payload) => acks.push(JSON.parse(payload.toString())))
})
afterEach(async () => {
  edge.end(true)
  await joined.close()
  await goAway()
  await new Promise<void>((resolve) => aedes.close(resolve))
})

const t0 = '2026-11-20T12:00:00.000Z'
const send = (seq: number, group = 'lab') =>
  edge.publishAsync(`gm/v1/edge-1/telemetry/${group}`, JSON.stringify({ v: 1, seq, t0 }), { qos: 1 })
const named = () => acks.flatMap(({ stored }) => stored.map((name) => ('seq' in name ? name.seq : null)))
const soon = { timeout: 10_000, interval: 5 }

test('D1: with an outside broker exactly what is committed is named, whatever is still on its way', async () => {
  const commits = new Map<number, () => void>()
  onMessage = ({ payload }) => new Promise((resolve) => commits.set(JSON.parse(payload.toString()).seq, resolve))
  for (const seq of [1, 2, 3]) await send(seq)
  await expect.poll(() => commits.size, soon).toBe(3)
  commits.get(3)?.()
  await expect.poll(named, soon).toEqual([3])
  commits.get(1)?.()
  await expect.poll(named, soon).toEqual([3, 1])
  commits.get(2)?.()
  await expect.poll(named, soon).toEqual([3, 1, 2])
  expect(acks[0]).toEqual({ v: 1, groupId: 'lab', stored: [{ seq: 3, t0 }] })
})

test('D1: meter readings, events and command logs are named too once they are committed, by what tells them apart', async () => {
  let commit = () => {}
  const committed = new Promise<void>((resolve) => (commit = resolve))
  let seen = 0
  onMessage = () => (seen++, committed)
  const id = '0b0e5d0c-6a43-4a6e-9d0f-0f3a5f0e7c11'
  const messages = {
    meter: { v: 1, ts: t0, kWh: 18233.4, quality: 'measured' },
    event: { v: 1, id, market: 'FCR', direction: 'increased', start: t0, end: null },
    log: { v: 1, ts: t0, deviceId: 'compressor-2', command: 'setPoint=40' },
  }
  for (const [kind, message] of Object.entries(messages))
    await edge.publishAsync(`gm/v1/edge-1/${kind}/lab`, JSON.stringify(message), { qos: 1 })
  // A message without a valid id is never acknowledged by name, so no edge waits for it.
  await edge.publishAsync('gm/v1/edge-1/event/lab', '{"v":1,"id":"no uuid","end":null}', { qos: 1 })
  await expect.poll(() => seen, soon).toBe(4)
  expect(acks).toEqual([])
  commit()
  const stored = [
    { kind: 'meter', ts: t0 },
    { kind: 'event', id, end: null },
    { kind: 'log', ts: t0, deviceId: 'compressor-2', command: 'setPoint=40' },
  ]
  await expect.poll(() => acks, soon).toEqual([{ v: 1, groupId: 'lab', stored }])
})

test('D1: what is committed together is one ack a group', async () => {
  let commit = () => {}
  const committed = new Promise<void>((resolve) => (commit = resolve))
  let seen = 0
  onMessage = () => (seen++, committed)
  for (const group of ['lab', 'lab', 'hall']) await send(seen, group)
  await expect.poll(() => seen, soon).toBe(3)
  commit()
  await expect
    .poll(() => acks.map(({ groupId, stored }) => [groupId, stored.length]), soon)
    .toEqual([
      ['lab', 2],
      ['hall', 1],
    ])
})

test('D1: a store that refuses is asked again until it takes the message, and one line says so', async () => {
  let refusals = 3
  onMessage = async () => {
    if (refusals-- > 0) throw new Error('disk full')
  }
  await send(7)
  await expect.poll(named, soon).toEqual([7])
  expect(said).toEqual(['joined the MQTT broker', 'message not stored, trying again'])
})

test('D1: the broker keeps what was not committed and sends it again after a reconnect', async () => {
  let isTaking = false
  const seen: number[] = []
  onMessage = async ({ payload }) => {
    if (!isTaking) throw new Error('the store is away')
    seen.push(JSON.parse(payload.toString()).seq)
  }
  await send(1)
  await send(2)
  await joined.close()
  isTaking = true
  joined = join()
  await isJoined()
  await expect.poll(() => seen, soon).toEqual([1, 2])
  await expect.poll(named, soon).toEqual([1, 2])
})

test('no more than the window is taken from the broker at once', async () => {
  await joined.close()
  joined = join(2)
  await isJoined()
  const commits: (() => void)[] = []
  onMessage = () => new Promise((resolve) => commits.push(resolve))
  for (const seq of [1, 2, 3, 4]) await send(seq)
  await expect.poll(() => commits.length, soon).toBe(2)
  commits[0]?.()
  await expect.poll(() => commits.length, soon).toBe(3)
  for (const commit of commits) commit()
  await expect.poll(() => commits.length, soon).toBe(4)
  commits[3]?.()
  await expect.poll(() => named().length, soon).toBe(4)
})

test('a broker that is not there is joined when it comes, with a line at each change', async () => {
  await joined.close()
  await goAway()
  said = []
  joined = join()
  const words = /^No connection to the MQTT broker at 127\.0\.0\.1:\d+: .*ECONNREFUSED/
  await expect.poll(() => joined.trouble(), soon).toMatch(words)
  await listen(port)
  await isJoined()
  await goAway()
  await expect.poll(() => joined.trouble(), soon).not.toBeNull()
  expect(said.slice(0, 3)).toEqual([
    expect.stringMatching(words),
    'joined the MQTT broker',
    expect.stringMatching(/^(Lost the|No) connection to the MQTT broker/),
  ])
})

test.each([
  [1, 'Unacceptable protocol version'],
  [3, 'Server unavailable'],
  [4, 'Bad username or password'],
  [5, 'Not authorized'],
])('a broker that refuses this server (return code %i) is one line with the reason', async (code, reason) => {
  await joined.close()
  const refusing = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.from([0x20, 2, 0, code]))) // CONNACK
  })
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', () => resolve()))
  const working = port
  port = (refusing.address() as AddressInfo).port // listening on TCP
  said = []
  joined = join()
  port = working
  await expect.poll(() => joined.trouble(), soon).toContain(`Connection refused: ${reason}`)
  expect(said).toEqual([
    expect.stringMatching(/^No connection to the MQTT broker at 127\.0\.0\.1:\d+: Connection refused: /),
  ])
  await new Promise<void>((resolve) => refusing.close(() => resolve()))
})

test('messages of other kinds and topics arrive or are passed over', async () => {
  const seen: string[] = []
  onMessage = async ({ kind, groupId }) => void seen.push(`${kind} ${groupId}`)
  await edge.publishAsync('gm/v1/edge-1/status', '{}', { qos: 1 })
  await edge.publishAsync('gm/v1/edge-1/telemetry/a/b', '{}', { qos: 1 })
  await edge.publishAsync('gm/v1/edge-1/cmd/res', '{}', { qos: 1 })
  await expect.poll(() => seen, soon).toEqual(['status null', 'cmd/res null'])
})

test('an empty message, with which the server removes a retained one, is no message of an edge', async () => {
  const seen: string[] = []
  onMessage = async ({ topic }) => void seen.push(topic)
  await edge.publishAsync('gm/v1/edge-1/status', '{"v":1}', { qos: 1, retain: true })
  await joined.publish('gm/v1/edge-1/status', null, { retain: true })
  await edge.publishAsync('gm/v1/edge-2/status', '{"v":1}', { qos: 1 })
  await expect.poll(() => seen).toEqual(['gm/v1/edge-1/status', 'gm/v1/edge-2/status'])
})

test('PUBACKs leave in the order of arrival', () => {
  const queue = pubackQueue()
  const [first, second, none, last] = [queue.add(1), queue.add(2), queue.add(undefined), queue.add(0x1234)]
  expect(second?.()).toEqual(Buffer.alloc(0))
  expect(none?.()).toEqual(Buffer.alloc(0))
  expect(first?.()).toEqual(Buffer.from([0x40, 2, 0, 1, 0x40, 2, 0, 2]))
  expect(last?.()).toEqual(Buffer.from([0x40, 2, 0x12, 0x34]))
})
