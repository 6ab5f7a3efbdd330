import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { call } from '@gridmast/contract/call.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openBareHttp } from '#testing/bare-http.ts'
import { makeRoute } from './route.ts'
import { openEventStream } from './streams.ts'

const slow = call({ method: 'POST', path: '/slow', summary: 'Slow', may: 'public', response: z.null() })
const endless = call({ method: 'GET', path: '/endless', summary: 'Endless', may: 'public', answer: 'events' })

const route = makeRoute<null, string>()

test('a stop waits for pending answers and closes streams', async () => {
  let begun = () => {}
  const isBegun = new Promise<void>((resolve) => (begun = resolve))
  const routes = [
    route(slow, async () => {
      begun()
      await pause(200)
      return null
    }),
    route(endless, async ({ reply }) => {
      openEventStream(reply, () => {}).send('hello', '{}')
      return { taken: true }
    }),
  ]
  const http = await openBareHttp({ routes })
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo // a TCP server's address is never a pipe's name
  const ask = async (method: string, path: string) => {
    const asked = request({ host: '127.0.0.1', port, method, path })
    asked.end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return answer
  }
  const stream = await ask('GET', '/api/endless')
  stream.on('error', () => {})
  const answered = ask('POST', '/api/slow').then(async (answer) => [answer.statusCode, await text(answer)])
  await isBegun
  const startedMs = performance.now()
  await http.close()
  expect(await answered).toEqual([200, '{"success":true,"data":null}'])
  expect(performance.now() - startedMs).toBeLessThan(3000)
})
