import { findAudit } from '@gridmast/contract/people/audit.ts'
import { logout } from '@gridmast/contract/people/auth.ts'
import { ticketHeader } from '@gridmast/contract/envelope.ts'
import { m } from '@gridmast/contract/messages.ts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'

const app = await openTestApp()
app.setNow('2026-11-20T12:00:00Z')
const token = await app.tokenOf('sudoer@north.example')
afterAll(() => app.close())

const file = '/api/client/audit?format=csv'

const ticket = async (url = file, as = token) => {
  const answer = await app.http.inject({ url, headers: { authorization: `Bearer ${as}`, [ticketHeader]: '1' } })
  const [cookie] = answer.cookies
  return { answer, cookie: cookie ? { [cookie.name]: cookie.value } : {} }
}
const follow = (cookies: Record<string, string>, url = file, method: 'GET' | 'HEAD' = 'GET') =>
  app.http.inject({ method, url, cookies })
const exports = () =>
  app.records.system(async (tx) => {
    const { rows } = await sql<{ who: string }>`select who from audit_entry where action = 'export'`.execute(tx)
    return rows.map(({ who }) => who)
  })

test('S1 S7 a link downloads the file once: the ticket is a cookie of that address, and is stored as an HMAC', async () => {
  const before = (await exports()).length
  const { answer, cookie } = await ticket()
  expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, data: null }])
  expect(answer.headers['set-cookie']).toMatch(
    /^gm_file_\w{16}=[\w-]{43}; Max-Age=60; Path=\/api\/client\/audit; HttpOnly; SameSite=Strict$/,
  )
  const rows = await app.records.system((tx) =>
    tx.selectFrom('one_time_code').selectAll().where('purpose', '=', 'file').execute(),
  )
  expect(JSON.stringify(rows)).not.toContain(Object.values(cookie)[0])
  expect((await exports()).length).toBe(before)
  const read = await follow(cookie)
  expect(read.statusCode).toBe(200)
  expect(read.headers['content-disposition']).toMatch(/^attachment; filename="Audit_trail.*\.csv"$/)
  expect(read.headers['set-cookie']).toMatch(/^gm_file_\w{16}=; Max-Age=0; Path=\/api\/client\/audit;/)
  expect((await exports()).slice(before)).toEqual(['sudoer@north.example'])
  expect(await refusalOf(follow(cookie))).toEqual([404, m.fileLinkEnded])
})

const refusalOf = async (answer: ReturnType<typeof follow>) => {
  const { statusCode, headers, ...rest } = await answer
  expect(headers['content-disposition']).toBeUndefined()
  return [statusCode, rest.json<{ message: string }>().message]
}

test('S1 a ticket opens no other address, and a HEAD does not use it up', async () => {
  const { cookie } = await ticket()
  const [value = ''] = Object.values(cookie)
  expect(await refusalOf(follow(cookie, '/api/client/audit'))).toEqual([401, m.jwtMalformed])
  expect((await follow(cookie, file, 'HEAD')).statusCode).toBe(401)
  expect((await follow(cookie)).statusCode).toBe(200)
  const other = '/api/client/audit?format=xlsx'
  const [name = ''] = Object.keys((await ticket(other)).cookie)
  expect(await refusalOf(follow({ [name]: value }, other))).toEqual([404, m.fileLinkEnded])
  const fresh = await ticket()
  expect(await refusalOf(follow({ [name]: Object.values(fresh.cookie)[0] ?? '' }, other))).toEqual([
    404,
    m.fileLinkEnded,
  ])
})

test('S1 a link that was used, or is opened in another browser, answers a page with one plain sentence', async () => {
  const open = (cookies: Record<string, string>) =>
    app.http.inject({ url: file, cookies, headers: { accept: 'text/html,application/xhtml+xml' } })
  const { cookie } = await ticket()
  expect((await open(cookie)).statusCode).toBe(200)
  for (const answer of [await open(cookie), await open({})]) {
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'")
    expect(answer.body).toContain(`<h1>${m.fileLinkEnded}</h1>`)
  }
  const list = await app.http.inject({ url: '/api/client/audit', headers: { accept: 'text/html' } })
  expect(list.json().message).toBe(m.jwtMalformed)
})

test.each<[string, (as: string) => unknown]>([
  ['after 60 seconds', () => app.setNow('2026-11-20T12:01:01Z')],
  ['after its session was signed out', (as) => app.ask(logout, { token: as })],
  [
    'after its user was disabled',
    () =>
      app.byHand((tx) =>
        tx.updateTable('app_user').set({ enabled: false }).where('email', '=', 'expert@north.example').execute(),
      ),
  ],
])('S1 a ticket opens nothing %s', async (_, end) => {
  app.setNow('2026-11-20T12:00:00Z')
  const as = await app.tokenOf('expert@north.example')
  const url = '/api/client/data/eConomics?format=csv'
  const { cookie } = await ticket(url, as)
  await end(as)
  expect(await refusalOf(follow(cookie, url))).toEqual([404, m.fileLinkEnded])
  app.setNow('2026-11-20T12:00:00Z')
  await app.byHand((tx) => tx.updateTable('app_user').set({ enabled: true }).execute())
})

test('T1 R1 a ticket is of its own customer, and a role that lost the call is refused', async () => {
  const west = await app.tokenOf('sudoer@west.example')
  const { cookie } = await ticket(file, west)
  expect((await follow(cookie)).body).not.toContain('north.example')
  const late = await ticket(file, west)
  await app.byHand((tx) =>
    tx.updateTable('app_user').set({ role: 'expert' }).where('email', '=', 'sudoer@west.example').execute(),
  )
  expect((await refusalOf(follow(late.cookie)))[0]).toBe(403)
})

test('what a file is refused for is answered before there is a ticket', async () => {
  const expert = await app.tokenOf('expert@north.example')
  const refused = [
    await ticket(file, expert),
    await ticket('/api/client/audit?format=pdf'),
    await ticket('/api/client/bid-request/export?market=none&format=csv'),
  ]
  expect(refused.map(({ answer, cookie }) => [answer.statusCode, cookie])).toEqual([
    [403, {}],
    [400, {}],
    [404, {}],
  ])
  const list = await ticket('/api/client/audit')
  expect([list.answer.json().data.entries.length > 0, list.cookie]).toEqual([true, {}])
  expect((await app.ask(findAudit, { token, query: { format: 'csv' } })).status).toBe(200)
})
