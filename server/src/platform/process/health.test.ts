import { setTimeout } from 'node:timers/promises'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { serveHealth, openMetrics } from './health.ts'

const metrics = openMetrics()
let failure: Error | null = null
let hangs = false
const probes = {
  records: async () => {
    if (failure) throw failure
    if (hangs) await new Promise(() => {})
  },
}
const server = await serveHealth({ probes, metrics, port: 0, host: '127.0.0.1' })
afterAll(() => server.close())

const get = (path: string) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`) // a TCP server's address is never a pipe's name

test('a process without the web role states whether it is ready and the reason', async () => {
  const ready = await get('/api/health')
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { version: expect.any(String), ready: true, parts: { records: { ready: true } } },
  ])
  failure = new Error('connection refused')
  const down = await get('/api/health')
  expect([down.status, await down.json()]).toMatchObject([
    503,
    { ready: false, parts: { records: { ready: false, detail: 'connection refused' } } },
  ])
  failure = null
})

test('a hanging part is named too', async () => {
  hangs = true
  const hanging = await get('/api/health')
  hangs = false
  expect([hanging.status, await hanging.json()]).toMatchObject([
    503,
    { ready: false, parts: { records: { ready: false, detail: 'no answer within 2 s' } } },
  ])
})

test('the metrics port serves metrics and nothing else', async () => {
  metrics.counter('gridmast_test_total', 'Test').inc()
  expect(await (await get('/metrics')).text()).toMatch(/^gridmast_test_total 1$/m)
  expect((await get('/api/user/profile')).status).toBe(404)
})

test('the event-loop delay covers the time since the last reading', async () => {
  const blockMs = 400
  await setTimeout(50) // time for the measuring timer to run
  for (const until = performance.now() + blockMs; performance.now() < until;);
  await setTimeout(50)
  const withBlock = metrics.loopDelayP99Ms()
  await expect.poll(() => metrics.loopDelayP99Ms()).toBeLessThan(withBlock)
})
