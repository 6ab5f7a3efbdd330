import { call } from '@gridmast/contract/call.ts'
import { ticketHeader } from '@gridmast/contract/envelope.ts'
import { fileFormat } from '@gridmast/contract/series.ts'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openBareHttp } from '#testing/bare-http.ts'
import { makeRoute } from './route.ts'
import { newToken } from '#platform/security/token.ts'

const table = call({
  method: 'GET',
  path: '/table/{name}',
  summary: 'Rows',
  may: 'session.use',
  params: z.object({ name: z.string() }),
  query: z.object({ format: fileFormat }),
})
const ticket = 'T'.repeat(43)
const lines: string[] = []
let isBroken = false
const http = await openBareHttp({
  routes: [
    makeRoute<null, string>()(table, () => {
      if (isBroken) throw new Error('of a store')
      return Promise.resolve({ kept: { name: 'a.csv', content: 'a' } })
    }),
  ],
  log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
  publicUrl: 'https://portal.example',
  authenticate: () => Promise.resolve('anne'),
  ownOf: () => ({
    own: (work) => work({} as never, ''), // no rows are written
    recall: () => Promise.reject(new Error('no store')),
    audit: () => Promise.resolve(),
  }),
  tickets: { add: () => Promise.resolve(ticket), use: () => Promise.resolve({ viewer: 'anne' }) },
})
afterAll(() => http.close())

test('L5 S7 a ticket is in no log and no address, and over HTTPS its cookie is sent over HTTPS alone', async () => {
  const url = '/api/table/K%C3%B8l?format=csv'
  const { cookies } = await http.inject({
    url,
    headers: { authorization: `Bearer ${newToken('session')}`, [ticketHeader]: '1' },
  })
  expect(cookies).toMatchObject([{ value: ticket, path: '/api/table/K%C3%B8l', secure: true, httpOnly: true }])
  const name = cookies[0]?.name ?? ''
  expect((await http.inject({ url, cookies: { [name]: ticket } })).body).toBe('a')
  isBroken = true
  const failed = await http.inject({ url, cookies: { [name]: ticket } })
  expect([failed.statusCode, failed.headers['content-disposition']]).toEqual([500, undefined])
  expect(lines.join('\n')).toContain('request failed')
  expect(lines.join('\n')).not.toContain(ticket)
})
