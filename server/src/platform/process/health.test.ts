import { setTimeout } from 'node:timers/promises'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { serveHealth } from './health.ts'
import { openMetrics } from './metrics.ts'

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

test('a process is live while a part of it is not ready', async () => {
  failure = new Error('connection refused')
  expect([(await get('/live')).status, (await get('/ready')).status]).toEqual([200, 503])
  failure = null
  expect((await get('/ready')).status).toBe(200)
})

test('the metrics port serves metrics and no calls', async () => {
  metrics.counter('gridmast_edge_samples_total').inc({}, 3)
  expect(await (await get('/metrics')).text()).toMatch(/^gridmast_edge_samples_total 3$/m)
  expect((await get('/api/user/profile')).status).toBe(404)
})

test('a metric that hangs has no value, the others have theirs', async () => {
  let isHanging = true
  metrics.gauge('gridmast_outbox_items', () => (isHanging ? new Promise(() => {}) : []))
  metrics.gauge('gridmast_live_streams', () => 2)
  const text = await (await get('/metrics')).text()
  isHanging = false
  expect(text).toMatch(/^gridmast_live_streams 2$/m)
  expect(text).not.toMatch(/^gridmast_outbox_items\b/m)
})

test('the event-loop delay covers the time since the last scrape', async () => {
  const delayS = async () => {
    const text = await metrics.text()
    return Number(/^gridmast_event_loop_delay_p99_seconds (.+)$/m.exec(text)?.[1])
  }
  const blockMs = 400
  await setTimeout(50) // time for the measuring timer to run
  for (const until = performance.now() + blockMs; performance.now() < until;);
  await setTimeout(50)
  const withBlock = await delayS()
  await expect.poll(delayS).toBeLessThan(withBlock)
})

test('a metric with a failed read has no value, the others have theirs', async () => {
  const some = openMetrics()
  some.gauge('gridmast_live_streams', () => Promise.reject(new Error('no store')))
  some.gauge('gridmast_marks', () => [{ labels: { table: 'settlement_due' }, value: 2 }])
  const text = await some.text()
  expect(text).not.toMatch(/^gridmast_live_streams /m)
  expect(text).toMatch(/^gridmast_marks\{table="settlement_due"\} 2$/m)
})
