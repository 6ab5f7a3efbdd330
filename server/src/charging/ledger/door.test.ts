import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect as connectTcp, type AddressInfo, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { text } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { chargersServer } from '#roles/chargers.ts'
import { openTestApp } from '#testing/app.ts'
import { storedRow, storedRows } from '#testing/rows.ts'
import { isUnfit } from '#platform/http/errors.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import { openGroupCommit } from './group-commit.ts'
import { addChargers, basic, connectCharger, key, openDoor } from './charger.fixture.ts'

const app = await openTestApp()
await addChargers(app.records, [
  ...['one', 'two', 'three', 'noisy', 'live', 'quiet'].map((identity) => ({ identity })),
  { identity: 'cp-tls', profile: 2 },
  { identity: 'cp-cert', profile: 3 },
  { identity: 'cp-other', profile: 3 },
])
const door = await openDoor(app)
afterAll(async () => {
  await door.close()
  await app.close()
})

const upgrade = `GET /ocpp/one HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nAuthorization: ${basic('one', key)}\r\n`
const handshake = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13'

const generationOf = (identity: string) => storedRow(app.records, 'charger', { identity }, ['generation', 'online'])

test('D2 an unknown charger, a wrong key and a low security profile are refused before the handshake', async () => {
  for (const [identity, options, status] of [
    ['nobody', {}, '404'],
    ['one', { password: 'wrong' }, '401'],
    ['one', { headers: { authorization: basic('two', key) } }, '401'],
    ['cp-tls', {}, '403'],
    ['one', { path: '/ocpp/%' }, '400'],
    ['one', { path: '/other' }, '404'],
  ] as const)
    await expect(connectCharger(door.port, identity, options)).rejects.toThrow(status)
  expect(await generationOf('one')).toEqual({ generation: 0, online: false })
})

test('an unknown charger at the address of a customer is listed for that customer only', async () => {
  for (let i = 0; i < 3; i++) await connectCharger(door.port, 'new-1', { path: '/ocpp/north/new-1' }).catch(() => {})
  await connectCharger(door.port, 'new-2', { path: '/ocpp/nobody/new-2' }).catch(() => {})
  await door.flush()
  const found = await app.records.system((tx) =>
    tx
      .selectFrom('charger_unknown')
      .innerJoin('customer as c', 'c.customer_id', 'charger_unknown.customer_id')
      .select(['key', 'identity', 'tries'])
      .execute(),
  )
  expect(found).toEqual([{ key: 'north', identity: 'new-1', tries: 3 }])
})

test('a connection without a common version is closed after the handshake', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${door.port}/ocpp/one`, {
    headers: { authorization: basic('one', key) },
  })
  await once(socket, 'open')
  const [code] = await once(socket, 'close')
  expect(code).toBe(1002)
  expect(await generationOf('one')).toEqual({ generation: 0, online: false })
})

test('D2 the newest socket replaces the previous one only with the right key, and a late close sets no charger offline', async () => {
  const first = await connectCharger(door.port, 'two')
  await first.boot()
  await expect(connectCharger(door.port, 'two', { password: 'wrong' })).rejects.toThrow('401')
  expect((await first.call('Heartbeat', {})).error).toBeNull()
  const second = await connectCharger(door.port, 'two', { version: ['ocpp2.0.1', 'ocpp1.6'] })
  expect(await first.closed).toBe(1012)
  expect(second.socket.protocol).toBe('ocpp2.0.1')
  expect((await second.call('Heartbeat', {})).payload).toEqual({ currentTime: expect.stringMatching(/Z$/) })
  expect(await generationOf('two')).toEqual({ generation: 2, online: true })
  await second.close()
  await expect.poll(() => generationOf('two')).toEqual({ generation: 2, online: false })
})

test('an invalid message is counted and answered by the rules of its version, and an oversized one closes the socket', async () => {
  const old = await connectCharger(door.port, 'noisy')
  for (const text of [
    '',
    '{',
    'null',
    '[2]',
    '[9,"x"]',
    `[2,"deep","Heartbeat",${'['.repeat(5000)}${']'.repeat(5000)}]`,
  ])
    old.socket.send(text)
  old.socket.send(Buffer.from([1, 2, 3]))
  expect((await old.call('Heartbeat', {})).error).toBeNull()
  expect(old.said).toHaveLength(1)
  old.socket.send('x'.repeat(300_000))
  expect(await old.closed).toBe(1009)
  const modern = await connectCharger(door.port, 'noisy', { version: 'ocpp2.0.1' })
  modern.socket.send('{')
  await modern.call('Heartbeat', {})
  expect(modern.said[0]).toContain('[4,"-1","RpcFrameworkError"')
  await modern.close()
})

test('an invalid handshake is closed, and the next charger connects', async () => {
  const socket = connectTcp(door.port, '127.0.0.1')
  socket.on('error', () => {}).resume()
  socket.write('GET /ocpp/one HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
  await once(socket, 'close')
  const other = await connectCharger(door.port, 'three')
  expect((await other.boot()).payload).toMatchObject({ status: 'Accepted', interval: expect.any(Number) })
  await other.close()
})

test('messages of a charger are answered in their order', async () => {
  const charger = await connectCharger(door.port, 'live')
  const ids = Array.from({ length: 200 }, (_, i) => `h-${i}`)
  await Promise.all(
    ids.map((id) => charger.call(Number(id.slice(2)) % 3 ? 'Heartbeat' : 'Authorize', { idTag: 'X' }, id)),
  )
  expect(charger.said.map((text) => (JSON.parse(text) as [number, string])[1])).toEqual(ids)
  await charger.close()
})

describe('the server for chargers', () => {
  let folder: string
  const servers: Server[] = []
  const openssl = (args: string) => execFileSync('openssl', args.split(' '), { cwd: folder, stdio: 'ignore' })
  const curve = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
  const sign = (file: string, name: string, by: string) => {
    openssl(`req ${curve} -keyout ${file}.key -out ${file}.csr -subj /O=North/CN=${name}`)
    openssl(`x509 -req -in ${file}.csr -CA ${by}.pem -CAkey ${by}.key -CAcreateserial -days 2 -out ${file}.pem`)
  }
  const read = (name: string) => readFileSync(join(folder, name))
  const listen = async (waitMs?: number, most?: number) => {
    const tls = { cert: read('server.pem'), key: read('server.key'), ca: read('ours.pem') }
    const server = chargersServer('10.0.0.1', { ...tls, requestCert: true, rejectUnauthorized: false }, waitMs, most)
    door.attach(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    return { server, port: (server.address() as AddressInfo).port } // it listens on TCP
  }
  const open = (port: number, identity: string, certificate: string | null) =>
    new WebSocket(`wss://127.0.0.1:${port}/ocpp/${identity}`, 'ocpp1.6', {
      rejectUnauthorized: false,
      headers: { authorization: basic(identity, key) },
      ...(certificate ? { cert: read(`${certificate}.pem`), key: read(`${certificate}.key`) } : {}),
    })
  const tlsTo = (port: number) => connectTls({ port, rejectUnauthorized: false })
  const firstLine = (socket: Socket) => {
    socket.on('error', () => {})
    return text(socket).then((all) => all.split('\r\n')[0])
  }
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gridmast-ca-'))
    for (const ca of ['ours', 'theirs'])
      openssl(`req -x509 ${curve} -days 2 -keyout ${ca}.key -out ${ca}.pem -subj /CN=${ca}`)
    sign('server', 'localhost', 'ours')
    sign('own', 'cp-cert', 'ours')
    sign('foreign', 'cp-cert', 'theirs')
  })
  afterAll(() => {
    for (const server of servers) server.close()
    rmSync(folder, { recursive: true })
  })

  test.each([
    ['cp-cert', 'own', 'open'],
    ['cp-other', 'own', '403'],
    ['cp-cert', 'foreign', '403'],
    ['cp-cert', null, '403'],
    ['cp-tls', null, 'open'],
  ])('D2 profile 3: %s with the certificate %s: %s', async (identity, certificate, expected) => {
    const { port } = await listen()
    const socket = open(port, identity, certificate)
    const answer = await new Promise<string>((resolve) => {
      socket.on('error', () => {})
      socket.once('unexpected-response', (_, response) => resolve(String(response.statusCode)))
      socket.once('open', () => resolve('open'))
    })
    socket.close()
    expect(answer).toBe(expected)
  })

  test('a request that is no upgrade is a 404, and a connection without a request is closed', async () => {
    const asking = tlsTo((await listen()).port)
    asking.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await firstLine(asking)).toBe('HTTP/1.1 404 Not Found')
    const { server, port } = await listen(1000)
    const silent = [connectTcp(port, '127.0.0.1'), tlsTo(port)].map(firstLine)
    expect(await Promise.all(silent)).toEqual(['', 'HTTP/1.1 408 Request Timeout'])
    const deaf = tlsTo(port)
    await once(deaf, 'secureConnect')
    await expect.poll(() => promisify(server.getConnections.bind(server))()).toBe(0)
    deaf.destroy()
  })

  test('connections of an address above the limit are closed, without counting connected chargers', async () => {
    const { port } = await listen(undefined, 3)
    const upgraded = open(port, 'cp-tls', null)
    await once(upgraded, 'open')
    const waiting = Array.from({ length: 3 }, () => connectTcp(port, '127.0.0.1'))
    await Promise.all(waiting.map((socket) => once(socket, 'connect')))
    expect(await firstLine(connectTcp(port, '127.0.0.1'))).toBe('')
    expect([upgraded.readyState, ...waiting.map(({ readyState }) => readyState)]).toEqual([
      WebSocket.OPEN,
      ...waiting.map(() => 'open'),
    ])
    for (const socket of waiting) socket.destroy()
    upgraded.close()
  })
})

test('last seen is the time of the last message, not of the disconnect', async () => {
  const seenAt = async () => {
    await door.flush()
    const rows = await storedRows(app.records, 'charger', { identity: 'quiet' }, ['last_seen_at', 'online'])
    return rows.map((row) => [row.last_seen_at?.toISOString(), row.online])
  }
  const charger = await connectCharger(door.port, 'quiet')
  app.setNow('2027-01-10T10:00:07Z')
  await charger.call('Heartbeat', {})
  expect(await seenAt()).toEqual([['2027-01-10T10:00:07.000Z', true]])
  app.setNow('2027-01-10T10:03:00Z')
  await charger.close()
  await expect.poll(seenAt).toEqual([['2027-01-10T10:00:07.000Z', false]])
})

test('a message that the store rejects fails alone in its group, without a transaction for each of the others', async () => {
  const system = vi.fn(app.records.system)
  const group = openGroupCommit({ ...app.records, system: system as Records['system'] }, { append: async () => {} })
  const saved = (name: string, watts: string) => (tx: Tx) =>
    tx.updateTable('charger').set({ name, max_kw: watts }).where('identity', '=', 'quiet').execute()
  const given = Array.from({ length: 200 }, (_, i) =>
    group.commit(saved(`name ${i}`, i === 50 ? '-1' : '22')).then(
      () => 'saved',
      (error: unknown) => (isUnfit(error) ? 'unfit' : error),
    ),
  )
  const counts = Map.groupBy(await Promise.all(given), (one) => one)
  expect([counts.get('saved')?.length, counts.get('unfit')?.length]).toEqual([199, 1])
  expect(system.mock.calls.length).toBeLessThanOrEqual(5)
})

test('a connection that breaks between sign-in and upgrade leaves the charger offline', async () => {
  const attempts = {
    'no handshake': 'Sec-WebSocket-Version: 7',
    'gone before it': handshake,
  }
  const server = createServer()
  door.attach(server)
  let isBroken = false
  server.on('upgrade', (_, socket: Socket) => isBroken && setImmediate(() => socket.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  for (const [name, headers] of Object.entries(attempts)) {
    isBroken = name === 'gone before it'
    const { generation } = await generationOf('one')
    const socket = connectTcp(port, '127.0.0.1')
    socket.on('error', () => {}).resume()
    socket.write(`${upgrade}Sec-WebSocket-Protocol: ocpp1.6\r\n${headers}\r\n\r\n`)
    await once(socket, 'close')
    await expect
      .poll(() => generationOf('one'), { message: name })
      .toEqual({ generation: generation + 1, online: false })
  }
  server.close()
})

test('an invalid frame of a charger without a common version closes its own socket only', async () => {
  const socket = connectTcp(door.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`${upgrade}${handshake}\r\n\r\n`)
  await once(socket, 'data')
  socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff]))
  socket.resume()
  await once(socket, 'close')
  await (await connectCharger(door.port, 'three')).close()
})
