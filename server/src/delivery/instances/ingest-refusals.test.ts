import { createConnection } from 'node:net'
import { connect as open } from 'mqtt'
import { expect, test } from 'vitest'
import { batch, gone, ingestForTests, send } from './broker.fixture.ts'

const { at, broker, connect, stored } = ingestForTests()

test('D1: a wrong key, an unknown edge and an invalid name are refused', async () => {
  for (const options of [{ username: 'edge-1', password: 'wrong' }, { username: 'nobody' }, { username: 'a/b' }])
    await expect(connect(options.username, options)).rejects.toThrow()
  expect(at.refused).toEqual(['credentials', 'credentials', 'credentials'])
})

test('D1: another version of the protocol is refused', async () => {
  const socket = createConnection(broker().port, '127.0.0.1')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  // CONNECT of MQTT 3.1: its name, level 3, a clean session, 60 s, client `a`.
  socket.write(Buffer.from([0x10, 15, 0, 6, ...Buffer.from('MQIsdp'), 3, 2, 0, 60, 0, 1, 0x61]))
  await closed
  expect(at.refused).toEqual(['protocol'])
})

test('D1: connections above the limit of an edge are refused, and other edges are unaffected', async () => {
  const open = await Promise.all([1, 2, 3].map(() => connect('edge-12')))
  await expect(connect('edge-12')).rejects.toThrow()
  expect(at.refused).toEqual(['connections'])
  await connect('edge-1')
  const closed = gone(open[0] ?? (await connect('edge-1')))
  open[0]?.end(true)
  await closed
  await expect.poll(() => at.logged.filter((text) => /"edge-12".* edge disconnected$/.test(text)).length).toBe(1)
  await connect('edge-12')
})

test('connects, disconnects and refusals are logged up to a rate', async () => {
  const edge = await connect('edge-13')
  await edge.endAsync()
  const ofEdge = () => at.logged.filter((text) => text.includes('"edge":"edge-13","address":"127.0.0.1"'))
  await expect
    .poll(ofEdge)
    .toEqual([expect.stringMatching(/ edge connected$/), expect.stringMatching(/ edge disconnected$/)])
  for (let i = 0; i < 30; i++) await expect(connect('nobody')).rejects.toThrow()
  expect(at.refused.filter((why) => why === 'credentials' || why === 'tries')).toHaveLength(30)
  expect(at.logged.filter((text) => text.endsWith('edge refused: credentials')).length).toBeLessThanOrEqual(20)
  expect(at.logged.filter((text) => text.endsWith('edge refused: tries')).length).toBeLessThanOrEqual(20)
})

test.each([
  ['gm/v1/edge-8/telemetry/lab', 'foreign topic'],
  ['gm/v1/edge-7/config', 'foreign topic'],
  ['gm/v1/edge-7/cmd/req', 'foreign topic'],
  ['$SYS/x', 'foreign topic'],
  ['gm/v1/edge-7/telemetry/lab/more', 'foreign topic'],
])('D1: publishing to %s ends the connection', async (topic, why) => {
  const edge = await connect('edge-7')
  const closed = gone(edge)
  edge.publish(topic, JSON.stringify(batch()), { qos: 1 })
  await closed
  expect(at.refused).toEqual([why])
  expect(at.committed).toEqual([])
})

test('D1: an edge can subscribe to its own topics only', async () => {
  const edge = await connect('edge-7')
  const grants = await new Promise<number[]>((resolve) => {
    const topics = ['gm/v1/edge-7/#', 'gm/v1/edge-8/#', 'gm/v1/+/cmd/req', '#', '$SYS/#', 'gm/v1/edge-7/invented/1']
    edge.subscribe(topics, { qos: 1 }, (_error, _granted, packet) => resolve((packet?.granted ?? []).map(Number)))
  })
  expect(grants).toEqual([1, 128, 128, 128, 128, 128])
  const received: string[] = []
  edge.on('message', (topic) => received.push(topic))
  const other = await connect('edge-8')
  await send(other, 'gm/v1/edge-8/telemetry/lab', batch())
  await send(edge, 'gm/v1/edge-7/telemetry/lab', batch())
  await broker().publish('gm/v1/edge-8/config', { v: 1 })
  const config = new Promise((resolve) => edge.once('message', resolve))
  await broker().publish('gm/v1/edge-7/config', { v: 1 })
  await config
  expect(received).toEqual(['gm/v1/edge-7/config'])
})

test('D1: a client id of another edge does not replace its connection', async () => {
  const first = await connect('edge-1', { clientId: 'gateway' })
  await connect('edge-2', { clientId: 'gateway' })
  await send(first, 'gm/v1/edge-1/status', { v: 1, online: true })
  expect(broker().isConnected('edge-1') && broker().isConnected('edge-2')).toBe(true)
})

test('D1: an edge has as many stored sessions as it may have connections', async () => {
  const visit = async (clientId: string) => {
    const { port } = broker()
    const edge = open({ host: '127.0.0.1', port, username: 'edge-14', password: 'key', clientId, clean: false })
    const sessionPresent = await new Promise((resolve) =>
      edge.once('connect', (connack) => resolve(connack.sessionPresent)),
    )
    await edge.subscribeAsync('gm/v1/edge-14/cmd/req', { qos: 1 })
    const closed = gone(edge)
    edge.end(true)
    await closed
    await expect.poll(() => broker().isConnected('edge-14')).toBe(false)
    return sessionPresent
  }
  for (const id of ['a', 'b', 'c', 'd', 'e']) await visit(id)
  expect([await visit('a'), await visit('c'), await visit('d'), await visit('e')]).toEqual([true, true, false, false])
})

test.each([0, 2] as const)('D1: quality of service %d is refused', async (qos) => {
  const edge = await connect('edge-7')
  const closed = gone(edge)
  edge.publish('gm/v1/edge-7/telemetry/lab', JSON.stringify(batch()), { qos })
  await closed
  expect(at.refused).toEqual(['qos'])
})

test('D1: an oversized payload is refused, also by its announced length', async () => {
  const edge = await connect('edge-7')
  const closed = gone(edge)
  edge.publish('gm/v1/edge-7/telemetry/lab', ' '.repeat(8500), { qos: 1 })
  await closed
  const stranger = createConnection(broker().port, '127.0.0.1')
  const ended = new Promise((resolve) => stranger.once('close', resolve))
  stranger.on('error', () => {})
  stranger.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f, 0x00])) // CONNECT of 256 MB
  await ended
  expect(at.refused).toEqual(['oversize', 'oversize'])
})

test('D1: too many messages end the connection, also after a reconnect', async () => {
  const edge = await connect('edge-9')
  const closed = gone(edge)
  for (let i = 0; i < 250; i++) edge.publish('gm/v1/edge-9/status', '{"v":1,"online":true}', { qos: 1 })
  await closed
  const again = await connect('edge-9')
  const closedAgain = gone(again)
  for (let i = 0; i < 5; i++) again.publish('gm/v1/edge-9/status', '{"v":1,"online":true}', { qos: 1 })
  await closedAgain
  expect(at.refused).toEqual(['rate', 'rate'])
  expect(at.logged.filter((text) => text.endsWith('edge refused: rate'))).toHaveLength(2)
})

test.each([
  ['pings', Buffer.from([0xc0, 0])],
  ['subscriptions', Buffer.from([0x82, 8, 0, 1, 0, 3, ...Buffer.from('a/b'), 1])],
  ['ends of subscriptions', Buffer.from([0xa2, 7, 0, 1, 0, 3, ...Buffer.from('a/b')])],
])('D1: a flood of %s ends the connection, and telemetry and other edges are unaffected', async (_, packet) => {
  const other = await connect('edge-10')
  const edge = await connect('edge-9')
  const closed = gone(edge)
  edge.stream.write(Buffer.concat(Array.from({ length: 250 }, () => packet)))
  await closed
  expect(at.refused.filter((why) => why === 'rate')).toEqual(['rate'])
  await send(other, 'gm/v1/edge-10/telemetry/lab', batch())
  const again = await connect('edge-9')
  await send(again, 'gm/v1/edge-9/telemetry/lab', batch())
  expect(at.committed).toHaveLength(2)
})

test('D1: an edge that does not read delays no other', async () => {
  const stalled = await connect('edge-10')
  await stalled.subscribeAsync('gm/v1/edge-10/#', { qos: 0 })
  stalled.stream.pause()
  const big = { v: 1, text: 'x'.repeat(100_000) }
  const pushed = Array.from({ length: 300 }, () =>
    broker()
      .publish('gm/v1/edge-10/config', big)
      .catch(() => {}),
  )
  const edge = await connect('edge-11')
  for (const seq of [1, 2, 3]) await send(edge, 'gm/v1/edge-11/telemetry/lab', batch({ seq }))
  expect(await stored(111)).toHaveLength(3)
  stalled.end(true)
  await Promise.all(pushed)
})
