import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { openPool } from './pool.ts'

/** PostgreSQL protocol bytes: authenticated and ready for a query. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

test('settings are set on each new connection before any other statement, and are no part of the startup, which poolers refuse', async () => {
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
