import { logout, logoutAll, revokeSession, sessions, verify } from '@gridmast/contract/people/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'

const app = await openTestApp()
afterAll(() => app.close())

const lives = async (token: string) => (await app.ask(verify, { token })).status === 200
const list = async (token: string): Promise<Record<string, unknown>[]> =>
  (await app.data(sessions, { token }))?.['sessions'] ?? []
const trail = (action: string) =>
  app.records.system((tx) =>
    tx
      .selectFrom('audit_entry as a')
      .innerJoin('customer as c', 'c.customer_id', 'a.customer_id')
      .select(['c.key', 'a.who', 'a.action', 'a.subject'])
      .where('a.action', '=', action)
      .orderBy('c.key')
      .orderBy('a.entry_no')
      .execute(),
  )

test('a user sees the own active sessions only', async () => {
  app.setNow('2026-11-20T08:00:00Z')
  await app.signIn('custom@north.example') // 60 idle minutes later this session has ended
  await app.signIn('sudoer@north.example')
  app.setNow('2026-11-20T09:30:00Z')
  const ended = await app.signIn('custom@north.example')
  await app.ask(logout, { token: ended })
  const first = await app.signIn('custom@north.example')
  app.setNow('2026-11-20T09:31:00Z')
  const second = await app.signIn('custom@north.example')
  expect(await list(second)).toEqual([
    {
      _id: expect.any(String),
      current: true,
      createdAt: '2026-11-20T09:31:00.000Z',
      lastUsedAt: '2026-11-20T09:31:00.000Z',
      remembered: false,
      wall: null,
      wallShow: null,
      userAgent: 'lightMyRequest',
      address: '127.0.0.1',
    },
    expect.objectContaining({ current: false, createdAt: '2026-11-20T09:30:00.000Z' }),
  ])
  expect((await list(first)).map((session) => session['current'])).toEqual([false, true])
})

test('S1 C4 a user ends another own session, and the current one continues', async () => {
  const [here, there] = [await app.signIn('expert@north.example'), await app.signIn('expert@north.example')]
  const sessionId = String((await list(there)).find((session) => session['current'])?.['_id'])
  const answer = await app.ask(revokeSession, { token: here, params: { sessionId } })
  expect(answer).toMatchObject({ status: 200, body: { message: 'The session has ended' } })
  expect([await lives(here), await lives(there)]).toEqual([true, false])
  expect(await trail('auth.revoke-session')).toEqual([
    { key: 'north', who: 'expert@north.example', action: 'auth.revoke-session', subject: sessionId },
  ])
  expect((await app.ask(revokeSession, { token: here, params: { sessionId } })).status).toBe(404)
})

test.each(['sudoer@north.example', 'sudoer@west.example'])('T1 the session of %s cannot be ended', async (whose) => {
  const theirs = await app.signIn(whose)
  const sessionId = String((await list(theirs))[0]?.['_id'])
  const token = await app.signIn('expert@north.example')
  const other = await app.ask(revokeSession, { token, params: { sessionId } })
  const unknown = await app.ask(revokeSession, {
    token,
    params: { sessionId: '019a9f00-0000-7000-8000-000000000000' },
  })
  expect([other.status, other.text]).toEqual([404, unknown.text])
  expect(await lives(theirs)).toBe(true)
})

test('an invalid id is refused by field', async () => {
  const token = await app.signIn('expert@north.example')
  const answer = await app.ask(revokeSession, { token, params: { sessionId: 'x' } })
  expect(answer).toMatchObject({ status: 400, body: { errors: { sessionId: 'Not a valid id' } } })
})

test('S1 C4 logging out all accounts ends the given sessions of each customer, each on its own trail', async () => {
  const here = await app.signIn('sudoer@north.example')
  const colleague = await app.signIn('auditor@north.example')
  const elsewhere = await app.signIn('auditor@west.example')
  const untouched = await app.signIn('sudoer@west.example')
  const tokens = [colleague, elsewhere, elsewhere, here, 'x', `gmp_${'A'.repeat(43)}`, `gmk_${'A'.repeat(43)}`]
  const answer = await app.ask(logoutAll, { token: here, body: { tokens } })
  expect(answer).toMatchObject({ status: 200, body: { message: 'Logout Success!' } })
  expect(await Promise.all([here, colleague, elsewhere, untouched].map(lives))).toEqual([false, false, false, true])
  expect(await trail('auth.logout-all')).toMatchObject([{ key: 'north', who: 'sudoer@north.example' }])
  const ended = (await trail('auth.logout')).map((entry) => `${entry.key} ${entry.who}`)
  expect(ended).toEqual(['north custom@north.example', 'north auditor@north.example', 'west auditor@west.example'])
})

test('R3 at most 50 tokens of at most 200 characters', async () => {
  const token = await app.signIn('sudoer@north.example')
  const send = (tokens: unknown, more = {}) => app.ask(logoutAll, { token, body: { tokens, ...more } })
  expect((await send(Array.from({ length: 51 }, () => 'x'))).status).toBe(400)
  expect((await send(['x'.repeat(201)])).status).toBe(400)
  expect((await send(['x'], { all: true })).body.errors).toEqual({ all: 'Unknown field: all' })
  expect(await lives(token)).toBe(true)
  expect((await send(Array.from({ length: 50 }, () => 'x'.repeat(200)))).status).toBe(200)
})

test('S1 an ended or expired token is reported as such, and calls of a session need a token', async () => {
  const token = await app.signIn('sudoer@north.example')
  await app.ask(logout, { token })
  for (const call of [verify, sessions, logout]) {
    expect(await app.ask(call, { token })).toMatchObject({ status: 401, body: { message: m.sessionEnded } })
    expect(await app.ask(call, { token: 'x' })).toMatchObject({ status: 401, body: { message: 'jwt malformed' } })
  }
  expect((await app.ask(logoutAll, { body: { tokens: [] } })).body.message).toBe('jwt malformed')
})
