import { once } from 'node:events'
import { get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { addChargers, key } from '../../server/src/charging/ledger/charger.fixture.ts'
import { openChargers } from '../../server/src/roles/chargers.ts'
import { openTestApp } from '../../server/src/testing/app.ts'
import { deployedNginx, startNginx } from '../nginx.ts'
import { hasProgram } from './programs.ts'

const statusOf = (port: number, path: string) =>
  new Promise<number>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, rejectUnauthorized: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    }).once('error', reject)
  })

test.skipIf(!hasProgram('nginx'))(
  'nginx accepts the documented configuration, and a charger connects through it',
  async () => {
    const app = await openTestApp()
    const chargers = await openChargers(app, app.http.server)
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const { port: own } = app.http.server.address() as AddressInfo // a TCP server's address is never a pipe's name
    const box = (name: string) => deployedNginx(`box/${name}`).replaceAll('127.0.0.1:3000', `127.0.0.1:${own}`)
    const { port, stop } = await startNginx(box('http.conf'), { stream: box('stream.conf') })
    await addChargers(app.records, [{ identity: 'NH-01', profile: 2 }])
    try {
      // answered by the process, and refused by the proxy
      expect(await Promise.all(['/api/health', '/live', '/ready'].map((path) => statusOf(port, path)))).toEqual([
        200, 404, 404,
      ])
      const socket = new WebSocket(`wss://127.0.0.1:${port}/ocpp/NH-01`, ['ocpp1.6'], {
        rejectUnauthorized: false,
        auth: `NH-01:${key}`,
      })
      await once(socket, 'open')
      const boot = { chargePointVendor: 'X', chargePointModel: 'Y' }
      socket.send(JSON.stringify([2, '1', 'BootNotification', boot]))
      const [answer] = (await once(socket, 'message')) as [Buffer]
      expect(JSON.parse(answer.toString())).toMatchObject([3, '1', { status: 'Accepted' }])
      socket.close()
    } finally {
      await stop()
      await chargers.close()
      await app.close()
    }
  },
)
