import { login, logout, verify } from '@gridmast/contract/people/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { profile } from '@gridmast/contract/people/profile.ts'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { storedRows } from '#testing/rows.ts'

const app = await openTestApp()
afterAll(() => app.close())

const attempt = (email: string, password: string, more: object = {}) =>
  app.ask(login, { body: { user: { email, password }, ...more } })

describe('POST /user/login', () => {
  test('the answer has a token and the user with the customer', async () => {
    const answer = await attempt('Sudoer@North.example', 'gridmast-demo')
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        message: 'Login Success',
        data: {
          token: expect.stringMatching(/^gmp_[\w-]{43}$/),
          user: {
            email: 'sudoer@north.example',
            userRole: 'sudoer',
            customerId: { name: 'North', trueGreen: { enabled: true } },
          },
        },
      },
    })
    expect(answer.text).not.toContain('password_hash')
    expect(answer.text).not.toContain('argon2id')
  })

  test('S3 a wrong password and an unknown e-mail get the same answer', async () => {
    const wrong = await attempt('sudoer@north.example', 'not-the-password')
    const unknown = await attempt('nobody@north.example', 'not-the-password')
    expect([wrong.status, wrong.body]).toEqual([401, { success: false, message: m.wrongCredentials }])
    expect(unknown.body).toEqual(wrong.body)
  })

  test('S6 an admin-type account gets no session', async () => {
    const answer = await attempt('admin@north.example', 'gridmast-demo')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      message: 'Redirecting To Right Portal',
      data: { token: expect.stringMatching(/^[\w-]{43}$/), user: null, redirect: null },
    })
    expect((await app.ask(verify, { token: answer.body.data?.['token'] ?? '' })).body.message).toBe('jwt malformed')
  })

  test('a sign-in is logged only after its commit', async () => {
    const info = vi.spyOn(app.log, 'info')
    const said = () => info.mock.calls.map(([details, text]) => [text, details])
    await app.records.script(`
      create function refuse_session() returns trigger language plpgsql as $$ begin raise exception 'not at the end'; end $$;
      create constraint trigger refuse_session after insert on user_session deferrable initially deferred
        for each row execute function refuse_session()`)
    expect((await attempt('sudoer@north.example', 'gridmast-demo')).status).toBe(500)
    expect(said()).toEqual([])
    await app.records.script('drop trigger refuse_session on user_session; drop function refuse_session')
    expect((await attempt('sudoer@north.example', 'gridmast-demo')).status).toBe(200)
    expect(said()).toEqual([['signed in', expect.objectContaining({ by: 'password', address: '127.0.0.1' })]])
    info.mockRestore()
  })

  test.each([
    [{}, { user: 'This field is required' }],
    [{ user: {} }, { 'user.email': 'This field is required', 'user.password': 'This field is required' }],
    [{ user: { email: 'x', password: 'y' } }, { 'user.email': 'Value must be a valid email' }],
    [
      { user: { email: '', password: '' } },
      { 'user.email': 'This field is required', 'user.password': 'This field is required' },
    ],
    [{ user: { email: 'a@b.dk', password: 'y', admin: true } }, { 'user.admin': 'Unknown field: admin' }],
    [{ user: { email: 'a@b.dk', password: 'y' }, redirect: 'x' }, { redirect: 'Unknown field: redirect' }],
    [{ user: { email: 'a@b.dk', password: 'y'.repeat(201) } }, { 'user.password': 'Must be at most 200 characters' }],
    [{ user: { email: `${'a'.repeat(250)}@b.dk`, password: 'y' } }, { 'user.email': 'Must be at most 254 characters' }],
  ])('R3 the body %j is refused with a message per field', async (body, errors) => {
    const answer = await app.ask(login, { body })
    expect([answer.status, answer.body.errors]).toEqual([400, errors])
  })

  test('R3 a password and an e-mail of the longest accepted length are only wrong', async () => {
    expect((await attempt('a@b.dk', 'y'.repeat(200))).status).toBe(401)
    expect((await attempt(`${'a'.repeat(64)}@${'b'.repeat(60)}.dk`, 'y')).status).toBe(401)
  })

  test('L1 invalid, too deep and too large JSON does not reach the handler or expose a stack', async () => {
    const send = (payload: string, type = 'application/json') =>
      app.http.inject({ method: 'POST', url: '/api/user/login', payload, headers: { 'content-type': type } })
    const answers = [
      await send('{"user":'),
      await send('hello', 'text/plain'),
      await send(`${'['.repeat(30)}${']'.repeat(30)}`),
      await send(JSON.stringify({ user: 'x'.repeat(1_100_000) })),
    ]
    expect(answers.map((answer) => answer.statusCode)).toEqual([400, 415, 400, 413])
    for (const answer of answers) {
      expect(answer.json()).toMatchObject({ success: false, message: expect.any(String) })
      expect(answer.body).not.toMatch(/\bat \w+ \(/)
    }
  })

  test('C4 successful and refused sign-ins are on the audit trail', async () => {
    const rows = await storedRows(app.records, 'audit_entry', { action: 'auth.login' }, ['action', 'result', 'subject'])
    expect(rows).toEqual(
      expect.arrayContaining([
        { action: 'auth.login', result: 'ok', subject: 'Sudoer@North.example' },
        { action: 'auth.login', result: 'refused', subject: 'sudoer@north.example' },
      ]),
    )
  })
})

describe('a session', () => {
  test('S1 without a valid token the message is exactly jwt malformed', async () => {
    for (const token of [undefined, 'x', 'gmp_short']) {
      const answer = await app.ask(verify, token ? { token } : {})
      expect([answer.status, answer.body]).toEqual([401, { success: false, message: 'jwt malformed' }])
    }
    const unknown = await app.ask(verify, { token: `gmp_${'A'.repeat(43)}` })
    expect(unknown).toMatchObject({ status: 401, body: { message: m.sessionEnded } })
  })

  test('the store has a hash of the token and not the token', async () => {
    const token = await app.signIn('sudoer@north.example')
    const rows = await storedRows(app.records, 'user_session')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token.slice(4))
  })

  test('T1 verify and profile show the own user and customer', async () => {
    const token = await app.signIn('auditor@west.example')
    const [verified, read] = [await app.ask(verify, { token }), await app.ask(profile, { token })]
    expect(verified.status).toBe(200)
    expect(verified.body).toEqual({ success: true, data: { user: read.body.data?.['user'], due: null } })
    expect(verified.text).toContain('West Cold')
    expect(verified.text).not.toContain('North')
  })

  test('S1 logout ends the session', async () => {
    const token = await app.signIn('expert@north.example')
    expect((await app.ask(logout, { token })).body).toMatchObject({ success: true, message: 'Logout Success!' })
    expect((await app.ask(verify, { token })).status).toBe(401)
  })

  test('S1 a session ends after 60 idle minutes, and after 12 hours of use', async () => {
    const start = Date.parse('2026-11-20T08:00:00Z')
    const at = (minutes: number) => app.setNow(new Date(start + minutes * 60_000).toISOString())
    at(0)
    const idle = await app.signIn('expert@north.example')
    const busy = await app.signIn('expert@north.example')
    for (let minutes = 50; minutes < 720; minutes += 50) {
      at(minutes)
      expect((await app.ask(verify, { token: busy })).status, `${minutes} min`).toBe(200)
      if (minutes > 60) expect((await app.ask(verify, { token: idle })).status).toBe(401)
    }
    at(721)
    expect((await app.ask(verify, { token: busy })).status).toBe(401)
    app.setNow(new Date().toISOString())
  })
})

test('L5 sign-ins and refusals are logged with user and address, without typed texts', async () => {
  const info = vi.spyOn(app.log, 'info')
  await app.signIn('expert@north.example')
  await app.ask(login, { body: { user: { email: 'expert@north.example', password: 'wrong-secret' } } })
  await app.ask(login, { body: { user: { email: 'typed-secret', password: 'x' } } })
  await app.ask(login, { body: { user: { email: 'nobody@north.example', password: 'wrong-secret' } } })
  const lines = info.mock.calls.map(([details, message]) => {
    // `omitted` counts suppressed lines and depends on the speed of the earlier tests.
    const { omitted: _, ...rest } = details as { omitted?: number }
    return { ...rest, message }
  })
  info.mockRestore()
  const about = {
    user: expect.any(String),
    customer: expect.any(String),
    address: '127.0.0.1',
    reqId: expect.any(String),
  }
  expect(lines).toEqual([
    { ...about, by: 'password', message: 'signed in' },
    { ...about, by: 'password', message: 'sign-in refused' },
    { ...about, user: null, customer: null, by: 'password', message: 'sign-in refused' },
  ])
  expect(JSON.stringify(lines)).not.toMatch(/secret|@/)
})
