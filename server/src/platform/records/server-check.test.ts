import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { checkServer } from './server-check.ts'

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const int16 = (value: number) => Buffer.from([value >> 8, value & 255])
const int32 = (value: number) => Buffer.from([value >> 24, value >> 16, value >> 8, value])
const ready = message('Z', Buffer.from('I'))

/** One row of PostgreSQL's protocol; numbers are int4 (oid 23), everything else text (25). */
const row = (columns: Record<string, string | number>) => {
  const entries = Object.entries(columns)
  const fields = entries.map(([name, value]) =>
    Buffer.concat([
      Buffer.from(`${name}\0`),
      Buffer.alloc(6),
      int32(typeof value === 'number' ? 23 : 25),
      int16(0xffff),
      int32(-1),
      int16(0),
    ]),
  )
  const values = entries.map(([, value]) => Buffer.concat([int32(String(value).length), Buffer.from(String(value))]))
  return Buffer.concat([
    message('T', Buffer.concat([int16(entries.length), ...fields])),
    message('D', Buffer.concat([int16(entries.length), ...values])),
    message('C', Buffer.from('SELECT 1\0')),
    ready,
  ])
}

const closes: (() => void)[] = []
afterEach(() => {
  for (const close of closes.splice(0)) close()
})

/** A server, or a pooler whose connections have the session that `sessionOf` answers for each query. */
const fakeServer = async (version: [string, number], sessionOf: (connection: number, query: number) => number) => {
  const sockets = new Set<Socket>()
  let queries = 0
  const server = createServer((socket) => {
    const connection = sockets.add(socket).size
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]))
      socket.on('data', (bytes) => {
        if (bytes[0] !== 'Q'.charCodeAt(0)) return socket.end()
        const isSession = bytes.includes('pg_backend_pid')
        socket.write(
          row(isSession ? { pid: sessionOf(connection, queries++) } : { version: version[0], number: version[1] }),
        )
      })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closes.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `postgres://u@127.0.0.1:${(server.address() as AddressInfo).port}/db` // it listens on TCP
}

test('a PostgreSQL 15 with a session for each connection is accepted', async () => {
  await expect(checkServer(await fakeServer(['15.0', 150_000], (connection) => connection))).resolves.toBeUndefined()
})

test('an older PostgreSQL is refused with both versions', async () => {
  const url = await fakeServer(['14.19', 140_019], (connection) => connection)
  await expect(checkServer(url)).rejects.toThrow('PostgreSQL 14.19 is too old, Gridmast needs 15 or newer')
})

test.each([
  ['one session is that of two connections', () => 7],
  ['a connection changes its session', (connection: number, query: number) => connection * 10 + (query >> 2)],
])('a pooler by transaction is refused: %s', async (_why, sessionOf) => {
  await expect(checkServer(await fakeServer(['15.0', 150_000], sessionOf))).rejects.toThrow('pool_mode = session')
})
