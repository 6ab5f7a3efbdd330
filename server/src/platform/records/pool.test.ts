import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket, type Server } from 'node:net'
import { expect, test, afterEach } from 'vitest'
import { isUnavailable } from '#platform/http/errors.ts'
import { openPool, addressesOf, serverOf } from './pool.ts'
import { openRecords } from './records.ts'

test.each([
  ['postgres://u:p@a/db', ['postgres://u:p@a/db']],
  ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=%2Frun%2Fpostgresql']],
  ['postgres://u:p@a,b/db?target_session_attrs=read-write', ['postgres://u:p@a/db', 'postgres://u:p@b/db']],
  [
    'postgresql://a:5433,[::1]:5434/db?sslmode=require&target_session_attrs=primary',
    ['postgresql://a:5433/db?sslmode=require', 'postgresql://[::1]:5434/db?sslmode=require'],
  ],
])('the addresses of %s', (url, addresses) => expect(addressesOf(url)).toEqual(addresses))

test.each([
  ['mysql://a/db', 'postgres://'],
  ['postgres://a:port,b/db', 'expected hosts'],
  ['postgres://a,b/db?target_session_attrs=standby', 'target_session_attrs=standby'],
])('%s is refused', (url, why) => expect(() => addressesOf(url)).toThrow(why))

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

test('of several hosts the writable one is used, and another one after a failover', async () => {
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

test('without a writable host the error names each host and counts as an unavailable store', async () => {
  const [a, b] = [await fakeServer({ mode: 'a standby' }), await fakeServer({ mode: 'read only' })]
  b.close()
  const pool = openPool(serverOf(`postgres://u@127.0.0.1:${a.port},127.0.0.1:${b.port}/db`))
  await expect(pool.query('select')).rejects.toMatchObject({
    code: '25006',
    message: expect.stringMatching(/No host .*: a standby; .*ECONNREFUSED/),
  })
  await pool.end()
})

/** PostgreSQL protocol bytes: authenticated and ready for a query. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

test('settings are sent before the first statement of a connection and not at its startup, which poolers refuse', async () => {
  const received: string[] = []
  const server = createServer((socket) => {
    socket.on('data', (data: Buffer) => {
      received.push(data.toString('latin1'))
      const answered = Buffer.concat([Buffer.from('C\0\0\0\x08SET\0', 'latin1'), welcome.subarray(9)])
      socket.write(received.length === 1 ? welcome : answered)
    })
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's address is never a pipe's name
  const pool = openPool({ host: '127.0.0.1', port, user: 'x', database: 'x', ssl: false }, "set timezone = 'UTC'")
  await pool.query('select 1')
  expect(received[0]).not.toContain('options')
  expect(received.slice(1).map((text) => text.slice(5, -1))).toEqual(["set timezone = 'UTC'", 'select 1'])
  await pool.end()
  server.close()
})

test('a connection that dies in the middle of a transaction costs that transaction, not the process', async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.once('data', () => socket.write(welcome))
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's address is never a pipe's name
  const pool = openPool({ host: '127.0.0.1', port, user: 'x', database: 'x', ssl: false })
  // Without a listener of the pool the error would be unhandled and end the process.
  const between = await pool.connect()
  const ended = new Promise((resolve) => between.once('end', resolve))
  sockets[0]?.resetAndDestroy()
  await ended
  await expect(between.query('commit')).rejects.toThrow()
  between.release(true)

  const amid = await pool.connect()
  const answer = amid.query('select 1')
  sockets[1]?.resetAndDestroy()
  await expect(answer).rejects.toThrow()
  amid.release(true)
  await pool.end()
  server.close()
})

test('a server without an answer costs a transaction its time limit, and the rollback does not wait', async () => {
  let queries = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(welcome)
      socket.on('data', (bytes) => {
        // The settings of the connection are answered, the transaction is not.
        if (bytes[0] === 'Q'.charCodeAt(0) && ++queries === 1)
          socket.write(Buffer.concat([Buffer.from('C\0\0\0\x08SET\0', 'latin1'), welcome.subarray(9)]))
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's address is never a pipe's name
  const records = await openRecords({ url: `postgres://x@127.0.0.1:${port}/x`, longestQueryMs: 200 })
  const error = await records.system(async () => {}).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ message: 'Query read timeout' })
  expect(isUnavailable(error)).toBe(true)
  expect(queries).toBe(2)
  expect(records.connections()).toEqual({ used: 0, idle: 0, waiting: 0 })
  await records.close()
  server.close()
})
