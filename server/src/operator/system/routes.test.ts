import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { calls } from '@gridmast/contract/calls.ts'
import { readScopes } from '@gridmast/contract/roles.ts'
import { docs, health, openApi, systemStatus } from '@gridmast/contract/operator/system.ts'
import { afterAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { systemJobs } from './jobs.ts'
import { changeRows } from '#testing/rows.ts'
import { signalNo } from '#testing/signals.ts'

const app = await openTestApp()
afterAll(() => app.close())

test('health names each part; a failing part makes it 503, with the reason on this machine only', async () => {
  expect(await app.ask(health)).toMatchObject({
    status: 200,
    body: { data: { ready: true, parts: { records: { ready: true }, readings: { ready: true } } } },
  })
  app.parts['mqtt'] = () => Promise.reject(new Error('not listening'))
  const down = await app.ask(health)
  expect(down).toMatchObject({
    status: 503,
    body: { data: { ready: false, parts: { mqtt: { ready: false, detail: 'not listening' } } } },
  })
  expect(down.headers['retry-after']).toBe('5')
  for (const remoteAddress of ['192.0.2.1', '2001:db8::1']) {
    const stranger = await app.http.inject({ url: '/api/health', remoteAddress })
    expect(stranger.json()).toMatchObject({ data: { parts: { mqtt: { ready: false } } } })
    expect(stranger.body).not.toContain('not listening')
  }
  const proxied = { url: '/api/health', headers: { 'x-forwarded-for': '192.0.2.1' } }
  expect((await app.http.inject(proxied)).body).not.toContain('not listening')
  delete app.parts['mqtt']
})

test('the port of the portal reports to a balancer: live while the process runs, ready while its parts do', async () => {
  app.parts['mqtt'] = () => Promise.reject(new Error('not listening at 10.0.0.7'))
  const [live, ready] = [await app.http.inject('/live'), await app.http.inject('/ready')]
  expect([live.statusCode, live.json()]).toEqual([200, { live: true }])
  expect([ready.statusCode, ready.json(), ready.headers['retry-after']]).toEqual([503, { ready: false }, '5'])
  delete app.parts['mqtt']
  expect((await app.http.inject('/ready')).json()).toEqual({ ready: true })
})

test('the API has an OpenAPI 3.1 document with every call and a page without script', async () => {
  const document = JSON.parse((await app.ask(openApi)).text) as {
    openapi: string
    paths: Record<string, Record<string, { operationId: string }>>
  }
  expect(document.openapi).toBe('3.1.0')
  const named = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((operation) => operation.operationId),
  )
  expect(named.toSorted()).toEqual(Object.keys(calls).toSorted())
  const page = await app.ask(docs)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  for (const call of Object.values(calls)) expect(page.text).toContain(`<code>/api${call.path}</code>`)
  const heads = [...page.text.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, head]) => head)
  expect(heads[0]).toBe('api-key')
  expect(heads[1]).toMatch(/^Scope /)
  expect(heads.filter((head) => head?.startsWith('Scope '))).toHaveLength(readScopes.length)
  expect(page.text).not.toContain('<script')
})

test('L1 the documents of the API are built and compressed once', async () => {
  for (const { path } of [docs, openApi]) {
    const plain = await app.http.inject({ url: `/api${path}` })
    const packed = await app.http.inject({ url: `/api${path}`, headers: { 'accept-encoding': 'br, gzip' } })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(Number(packed.headers['content-length'])).toBe(packed.rawPayload.length) // a response that is compressed while it is sent has no length
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
    const other = await app.http.inject({ url: `/api${path}`, headers: { 'accept-encoding': 'deflate' } })
    expect(other.rawPayload.equals(plain.rawPayload)).toBe(true)
  }
})

test('an unknown call has the response shape of the API', async () => {
  for (const url of ['/api/nothing', '/api/user/login/extra', '/api']) {
    const answer = await app.http.inject({ method: 'GET', url })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ success: false, message: 'There is no such call' })
  }
})

test('S7 headers: strict policy without inline script, no sniffing, no framing, no referrer', async () => {
  const page = await app.ask(docs)
  expect(page.headers['content-security-policy']).toMatch(/script-src 'self'(;|$)/)
  const data = await app.ask(health)
  expect(data.headers['content-security-policy']).toMatch(/default-src 'none'(;|$)/)
  for (const { headers } of [page, data]) {
    expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  }
})

test('a failing handler answers 500 with one sentence and no stack', async () => {
  const broken = app.records.tenant
  app.records.tenant = () => Promise.reject(new Error('secret detail at /srv/x.ts:1'))
  const answer = await app.http.inject({
    url: '/api/client/customer/system-status',
    headers: { authorization: `Bearer ${await tokenWith(broken)}` },
  })
  app.records.tenant = broken
  expect(answer.statusCode).toBe(500)
  expect(answer.json()).toEqual({ success: false, message: 'Internal server error!' })
})

const tokenWith = async (working: TestApp['records']['tenant']) => {
  const breaking = app.records.tenant
  app.records.tenant = working
  const token = await app.tokenOf('sudoer@north.example')
  app.records.tenant = breaking
  return token
}

test('system status: storage, instances and the freshness of the edges of the customer', async () => {
  const { status, text, body } = await app.ask(systemStatus, { token: await app.tokenOf('sudoer@west.example') })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({
    instanceCount: 2,
    storage: 0, // West has sent nothing, whatever others store (T5)
    sources: [{ source: 'Edge west-edge', lastSuccess: null, lagS: null, simulated: false }],
  })
  expect(text).not.toContain('north')
  await changeRows(app.records, 'edge', { key: 'west-edge' }, { simulated: true })
  const marked = await app.ask(systemStatus, { token: await app.tokenOf('sudoer@west.example') })
  expect(marked.body.data.sources).toMatchObject([{ simulated: true }])
})

test('T5 storage counts the series of the customer only', async () => {
  const no = await signalNo(app.records, 'north', 'cold', 'power')
  const hours = Array.from({ length: 20 }, (_, hour) => Date.parse('2026-11-20T00:00:00Z') + hour * 3_600_000)
  const values = () => Array.from({ length: 3600 }, () => Math.random())
  await app.readings.insert(hours.map((t0Ms) => ({ signalNo: no, t0Ms, dtMs: 1000, values: values() })))
  const storageOf = async (email: string) => (await app.data(systemStatus, { token: await app.tokenOf(email) })).storage
  expect(await storageOf('sudoer@north.example')).toBeGreaterThan(0)
  expect(await storageOf('sudoer@west.example')).toBe(0)
})

test('an unavailable store is a 503 with Retry-After', async () => {
  const working = app.records.tenant
  app.records.tenant = () => Promise.reject(new Error('Connection terminated unexpectedly'))
  const answer = await app.http.inject({
    url: '/api/client/customer/system-status',
    headers: { authorization: `Bearer ${await tokenWith(working)}` },
  })
  app.records.tenant = working
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
  expect(answer.json()).toEqual({ success: false, message: 'Not available right now. Try again in a moment.' })
})

test('without a demo there is no page of mails', async () => {
  expect((await app.http.inject({ url: '/dev/mail' })).statusCode).toBe(404)
})

test('mail files are deleted after two days', async () => {
  const folder = join(app.config.dataDir, 'mail')
  mkdirSync(folder, { recursive: true })
  const nowMs = app.clock.now()
  for (const [name, ageDays] of [
    ['old.eml', 2.1],
    ['new.eml', 1.9],
  ] as const) {
    writeFileSync(join(folder, name), 'code 1234')
    const at = new Date(nowMs - ageDays * 86_400_000)
    utimesSync(join(folder, name), at, at)
  }
  await systemJobs.find(({ name }) => name === 'tidy')?.run(app)
  expect(readdirSync(folder)).toEqual(['new.eml'])
})
