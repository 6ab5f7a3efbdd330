import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call } from '@gridmast/contract/call.ts'
import { shortText } from '@gridmast/contract/fields.ts'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openBareHttp } from '#testing/bare-http.ts'
import { makeRoute } from './route.ts'

const hello = call({ method: 'GET', path: '/hello', summary: 'Hello', may: 'public', response: z.null() })
const named = call({
  method: 'POST',
  path: '/named',
  summary: 'Named',
  may: 'public',
  body: z.object({ name: shortText }),
  response: z.null(),
})
const webRoot = mkdtempSync(join(tmpdir(), 'gridmast-web-'))
writeFileSync(join(webRoot, 'index.html'), '<!doctype html>')
writeFileSync(join(webRoot, 'icon.js'), 'export {}')

const route = makeRoute<null, string>()
const http = await openBareHttp({
  routes: [route(hello, () => Promise.resolve(null)), route(named, () => Promise.resolve(null))],
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

test('a refusal names the figures of its sentences, so that another language need not read the English', async () => {
  const refused = await http.inject({
    method: 'POST',
    url: '/api/named',
    remoteAddress: '192.0.2.3',
    payload: { name: 'x'.repeat(101) },
  })
  const text = 'Must be at most 100 characters'
  expect(refused.json()).toMatchObject({
    errors: { name: text },
    figures: { [text]: { key: 'Must be at most {{n}} characters', values: { n: 100 } } },
  })
})
