import { createServer, type AddressInfo, type Server } from 'node:net'
import { Aedes } from 'aedes'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EdgeMessage } from './edge-messages.ts'
import { ackKeeper, joinBroker, type OutsideBroker } from './outside-broker.ts'

let aedes: Aedes
let server: Server
let joined: OutsideBroker
let edge: MqttClient
let onMessage: (message: EdgeMessage) => Promise<void>
const acks: { groupId: string; seq: number }[] = []

beforeEach(async () => {
  acks.length = 0
  aedes = await Aedes.createBroker()
  server = createServer((socket) => void aedes.handle(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}` // listening on TCP
  joined = await joinBroker({ url, onMessage: (message) => onMessage(message), retryMs: 20 })
  edge = await connectAsync(url, { protocolVersion: 4 })
  await edge.subscribeAsync('gm/v1/edge-1/ack', { qos: 1 })
  edge.on('message', (_topic, payload) => acks.push(JSON.parse(payload.toString())))
})
afterEach(async () => {
  edge.end(true)
  await joined.close()
  server.close()
  await new Promise<void>((resolve) => aedes.close(resolve))
})

const send = (seq: number, group = 'lab') =>
  edge.publishAsync(`gm/v1/edge-1/telemetry/${group}`, JSON.stringify({ v: 1, seq }), { qos: 1 })
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('D1: with an outside broker only what is committed without a hole is named', async () => {
  const commits = new Map<number, () => void>()
  onMessage = ({ payload }) => new Promise((resolve) => commits.set(JSON.parse(payload.toString()).seq, resolve))
  for (const seq of [1, 2, 3]) await send(seq)
  await until(() => commits.size === 3)
  commits.get(3)?.()
  commits.get(1)?.()
  await until(() => acks.length === 2)
  commits.get(2)?.()
  await until(() => acks.length === 3)
  // 0 while 1 is under way, 1 while 2 is, then all.
  expect(acks.map(({ seq }) => seq)).toEqual([0, 1, 3])
})

test('D1: a store that refuses is asked again until it takes the message', async () => {
  let refusals = 3
  onMessage = async () => {
    if (refusals-- > 0) throw new Error('disk full')
  }
  await send(7)
  await until(() => acks.length === 1)
  expect(acks).toEqual([{ v: 1, groupId: 'lab', seq: 7 }])
})

test('messages of other kinds and topics arrive or are passed over', async () => {
  const seen: string[] = []
  onMessage = async ({ kind, groupId }) => void seen.push(`${kind} ${groupId}`)
  await edge.publishAsync('gm/v1/edge-1/status', '{}', { qos: 1 })
  await edge.publishAsync('gm/v1/edge-1/telemetry/a/b', '{}', { qos: 1 })
  await edge.publishAsync('gm/v1/edge-1/cmd/res', '{}', { qos: 1 })
  await until(() => seen.length === 2)
  expect(seen).toEqual(['status null', 'cmd/res null'])
  expect(joined.isConnected()).toBe(true)
})

test('groups count for themselves, and a replayed old message names the newest again', () => {
  const keeper = ackKeeper()
  keeper.began('e', 'a', 5)
  keeper.began('e', 'b', 9)
  expect(keeper.ended('e', 'a', 5)).toBe(5)
  expect(keeper.ended('e', 'b', 9)).toBe(9)
  keeper.began('e', 'a', 2)
  expect(keeper.ended('e', 'a', 2)).toBe(5)
})
