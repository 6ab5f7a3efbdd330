import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { addressesOf, serverOf } from './hosts.ts'
import { openPool } from './pool.ts'

test.each([
  ['postgres://u:p@a/db', ['postgres://u:p@a/db']],
  ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=%2Frun%2Fpostgresql']],
  ['postgres://u:p@a,b/db?target_session_attrs=read-write', ['postgres://u:p@a/db', 'postgres://u:p@b/db']],
  [
    'postgresql://a:5433,[::1]:5434/db?sslmode=require&target_session_attrs=primary',
    ['postgresql://a:5433/db?sslmode=require', 'postgresql://[::1]:5434/db?sslmode=require'],
  ],
])('%s', (url, addresses) => expect(addressesOf(url)).toEqual(addresses))

test.each([
  ['mysql://a/db', 'postgres://'],
  ['postgres://a:port,b/db', 'expected hosts'],
  ['postgres://a,b/db?target_session_attrs=standby', 'target_session_attrs=standby'],
])('%s is refused', (url, why) => expect(() => addressesOf(url)).toThrow(why))

/** A server that accepts every sign-in and answers each simple query with one row of one text. */
const servers = new Set<{ close: () => void }>()
const fakeServer = async (state: { mode: string | null }, port = 0) => {
  const sockets = new Set<Socket>()
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5)
    head.write(type)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const ready = message('Z', Buffer.from('I'))
  const row = (text: string | null) => {
    const column = Buffer.concat([
      Buffer.from([0, 1]),
      Buffer.from('mode\0'),
      Buffer.alloc(6),
      Buffer.from([0, 0, 0, 25]),
      Buffer.from([255, 255]),
      Buffer.from([255, 255, 255, 255]),
      Buffer.from([0, 0]),
    ])
    const length = Buffer.alloc(4)
    length.writeInt32BE(text === null ? -1 : text.length)
    return Buffer.concat([
      message('T', column),
      message('D', Buffer.concat([Buffer.from([0, 1]), length, Buffer.from(text ?? '')])),
      message('C', Buffer.from('SELECT 1\0')),
      ready,
    ])
  }
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]))
      socket.on('data', (bytes) => {
        const isProbe = bytes.includes('pg_is_in_recovery')
        if (bytes[0] === 'Q'.charCodeAt(0))
          socket.write(row(isProbe ? state.mode : String((server.address() as AddressInfo).port)))
      })
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const one = {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  servers.add(one)
  return one
}
afterEach(() => {
  for (const one of servers) one.close()
})

test('of several hosts connections go to the one that takes writes, and to another after a failover', async () => {
  const [first, second] = [{ mode: 'a standby' as string | null }, { mode: null as string | null }]
  const [a, b] = [await fakeServer(first), await fakeServer(second)]
  const pool = openPool(serverOf(`postgres://u@127.0.0.1:${a.port},127.0.0.1:${b.port}/db`))
  const reached = async () => Number((await pool.query<{ mode: string }>('select')).rows[0]?.mode)
  expect(await reached()).toBe(b.port)
  b.close()
  first.mode = null
  await expect.poll(() => reached().catch(() => null), { timeout: 5000 }).toBe(a.port)
  first.mode = 'read only'
  await pool.end()
})

test('where no host takes writes the error names each, as of a store that is away', async () => {
  const [a, b] = [await fakeServer({ mode: 'a standby' }), await fakeServer({ mode: 'read only' })]
  b.close()
  const pool = openPool(serverOf(`postgres://u@127.0.0.1:${a.port},127.0.0.1:${b.port}/db`))
  await expect(pool.query('select')).rejects.toMatchObject({
    code: '25006',
    message: expect.stringMatching(/No host .*: a standby; .*ECONNREFUSED/),
  })
  await pool.end()
})
