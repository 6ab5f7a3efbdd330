import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openReadings } from './readings.ts'

test.each(['22.8.21.38', '24.7.1.1'])('ClickHouse %s is refused with both versions', async (version) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ meta: [], data: [[version]], rows: 1 }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP
  try {
    await expect(openReadings({ url })).rejects.toThrow(
      `ClickHouse ${version} is too old, Gridmast needs 24.8 or newer`,
    )
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
