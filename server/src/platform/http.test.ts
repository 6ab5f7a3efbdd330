import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call } from '@gridmast/contract/call.ts'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openHttp } from './http.ts'
import { openMetrics } from './metrics.ts'
import { makeRoute } from './route.ts'

const hello = call({ method: 'GET', path: '/hello', summary: 'Hello', may: 'public', response: z.null() })
const webRoot = mkdtempSync(join(tmpdir(), 'gridmast-web-'))
writeFileSync(join(webRoot, 'index.html'), '<!doctype html>')
writeFileSync(join(webRoot, 'icon.js'), 'export {}')

const route = makeRoute<null, string>()
const http = await openHttp<null, string>({
  routes: [route(hello, () => Promise.resolve(null))],
  context: null,
  log: pino({ level: 'silent' }),
  metrics: openMetrics(),
  authenticate: () => Promise.resolve(null),
  refuse: () => null,
  userOf: (user) => user,
  webRoot,
  requestsPerMinute: 3,
})
afterAll(() => http.close())

const statusOf = async (url: string, remoteAddress = '192.0.2.1') =>
  (await http.inject({ method: 'GET', url, remoteAddress })).statusCode

test('L1 an address has so many calls a minute; the files of the app do not count among them, and have a limit of their own', async () => {
  const files = []
  for (let i = 0; i < 60; i++) files.push(await statusOf('/icon.js'))
  expect(new Set(files)).toEqual(new Set([200]))
  for (let i = 0; i < 3; i++) expect(await statusOf('/api/hello')).toBe(200)
  expect(await statusOf('/api/hello')).toBe(429)
  expect(await statusOf('/api/hello', '192.0.2.2')).toBe(200)
  expect(await statusOf('/icon.js')).toBe(429)
})
