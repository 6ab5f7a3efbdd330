import { handoff, login, loginLink, verify } from '@gridmast/contract/people/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { adminRoles } from '@gridmast/contract/roles.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { newTotpSecret } from '#access/second-factor.ts'
import { openTestApp } from '#testing/app.ts'
import { changeRows, storedRows } from '#testing/rows.ts'
import { makeLoginLink } from './sign-in.ts'

const app = await openTestApp({ ADMIN_PORTAL_URL: 'https://admin.operator.example/' })
afterAll(() => app.close())

const startMs = Date.parse('2026-11-20T08:00:00Z')
const after = (ms: number) => app.setNow(new Date(startMs + ms).toISOString())
beforeEach(() => after(0))

const link = (email = 'expert@north.example') => makeLoginLink(app.records, app.secret, email, startMs)
const follow = (id: string) => app.ask(loginLink, { body: { id } })
const signIn = (email: string) => app.ask(login, { body: { user: { email, password: 'gridmast-demo' } } })
const sessionCount = async () => (await storedRows(app.records, 'user_session')).length
const linkExpired = { status: 401, body: { success: false, message: m.linkExpired } }
const codeExpired = { status: 401, body: { success: false, message: 'The code has expired. Request a new one.' } }

describe('a sign-in link', () => {
  test('S5 C4 the link signs its user in once, and its creation and use are on the trail', async () => {
    const id = await link()
    const answer = await follow(id)
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Login Success', data: { user: { email: 'expert@north.example' } } },
    })
    expect((await app.ask(verify, { token: answer.body.data?.['token'] ?? '' })).status).toBe(200)
    expect(await follow(id)).toMatchObject(linkExpired)
    const rows = await app.records.system((tx) =>
      tx.selectFrom('audit_entry').select(['who', 'action', 'subject', 'after']).orderBy('entry_no').execute(),
    )
    expect(rows.slice(-2)).toEqual([
      { who: 'operator', action: 'auth.login-link', subject: 'expert@north.example', after: null },
      {
        who: 'expert@north.example',
        action: 'auth.login',
        subject: 'expert@north.example',
        after: { by: 'link' },
      },
    ])
    expect(JSON.stringify(rows)).not.toContain(id)
  })

  test('S5 C4 a link of the operator can remove a lost second factor, with an entry on the trail and a mail to the user', async () => {
    const email = 'auditor@north.example'
    const sealed = app.secret.seal(newTotpSecret())
    await changeRows(app.records, 'app_user', { email }, { totp_sealed: sealed, totp_confirmed_at: new Date(startMs) })
    const asked = await follow(await link(email))
    expect(asked.body.data).toMatchObject({ token: null, challenge: expect.any(String) })
    const id = await makeLoginLink(app.records, app.secret, email, startMs, { withoutSecondFactor: true })
    expect((await follow(id)).body.data).toMatchObject({ token: expect.stringMatching(/^gmp_/) })
    const { trail, mails } = await app.records.system(async (tx) => ({
      trail: await tx.selectFrom('audit_entry').select('who').where('action', '=', 'second-factor.off').execute(),
      mails: await tx.selectFrom('mail_outbox').select('subject').where('recipient', '=', email).execute(),
    }))
    expect(trail).toEqual([{ who: 'operator' }])
    expect(mails).toEqual([{ subject: 'Two-step sign-in was turned off' }])
  })

  test('S5 concurrent uses of a link create one session', async () => {
    const id = await link()
    const before = await sessionCount()
    const answers = await Promise.all(Array.from({ length: 8 }, () => follow(id)))
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 401),
    ])
    expect(await sessionCount()).toBe(before + 1)
  })

  test('S5 the link is valid for 10 minutes', async () => {
    const [early, late] = [await link(), await link()]
    after(599_999)
    expect((await follow(early)).status).toBe(200)
    after(600_000)
    expect(await follow(late)).toMatchObject(linkExpired)
  })

  test('S5 the link requires the second factor of its user', async () => {
    const email = 'auditor@north.example'
    await changeRows(
      app.records,
      'app_user',
      { email },
      { totp_sealed: app.secret.seal(newTotpSecret()), totp_confirmed_at: new Date() },
    )
    const answer = await follow(await link(email))
    expect(answer).toMatchObject({ status: 200, body: { message: m.secondFactorAsked } })
    expect(answer.body.data).toEqual({ token: null, user: null, challenge: expect.any(String) })
  })

  test('S5 the link of a disabled account is refused', async () => {
    const id = await link('sudoer@west.example')
    const set = (enabled: boolean) => changeRows(app.records, 'app_user', { email: 'sudoer@west.example' }, { enabled })
    await set(false)
    expect(await follow(id)).toMatchObject(linkExpired)
    await expect(link('sudoer@west.example')).rejects.toThrow('sudoer@west.example: no account that may sign in')
    await set(true)
  })

  test('S5 a link is created for existing accounts only', async () => {
    await expect(link('nobody@north.example')).rejects.toThrow('nobody@north.example: no account that may sign in')
  })

  test.each([
    [{ id: '' }, 400],
    [{ id: 'x'.repeat(101) }, 400],
    [{ id: 'x', next: 'https://evil.example' }, 400],
    [{ id: 'x' }, 401],
    [{ id: 'x'.repeat(100) }, 401],
  ])('S5 R3 %j is refused', async (body, status) => {
    const answer = await app.ask(loginLink, { body })
    expect(answer.status).toBe(status)
    if (status === 401) expect(answer.body).toEqual(linkExpired.body)
  })
})

describe('an admin-type account', () => {
  test.each(adminRoles)('S6 %s gets a handoff code for the admin portal and no session', async (role) => {
    await changeRows(app.records, 'app_user', { email: 'admin@west.example' }, { role })
    const before = await sessionCount()
    const answer = await signIn('admin@west.example')
    const code = answer.body.data?.['token'] ?? ''
    expect(answer).toMatchObject({ status: 200, body: { message: 'Redirecting To Right Portal' } })
    expect(answer.body.data).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      user: null,
      redirect: ['https://admin.operator.example/auth/login', code].join('/'),
    })
    expect(await sessionCount()).toBe(before)
    expect((await app.ask(verify, { token: code })).body.message).toBe('jwt malformed')
    const who = await app.ask(handoff, { body: { code } })
    expect(who).toMatchObject({
      status: 200,
      body: { data: { email: 'admin@west.example', name: 'Admin', userRole: role, customerId: expect.any(String) } },
    })
    expect(Object.keys(who.body.data ?? {})).toEqual(['email', 'name', 'userRole', 'customerId'])
  })

  test('S6 the redirect target is never read from the request', async () => {
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/user/login?redirect=https://evil.example',
      payload: { user: { email: 'admin@north.example', password: 'gridmast-demo' } },
      headers: { origin: 'https://evil.example', referer: 'https://evil.example', host: 'evil.example' },
    })
    expect(answer.body).toContain('https://admin.operator.example/auth/login/')
    expect(answer.body).not.toContain('evil')
  })

  test('S6 a sign-in link of an admin-type account has the same result', async () => {
    const answer = await follow(await link('admin@north.example'))
    expect(answer).toMatchObject({ body: { message: 'Redirecting To Right Portal', data: { user: null } } })
  })

  test('S6 the code works once, also with concurrent requests', async () => {
    const code = (await signIn('admin@north.example')).body.data?.['token'] ?? ''
    const answers = await Promise.all([1, 2, 3].map(() => app.ask(handoff, { body: { code } })))
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 401, 401])
    expect(await app.ask(handoff, { body: { code } })).toMatchObject(codeExpired)
  })

  test('S6 the code is valid for 60 seconds', async () => {
    const [early, late] = [await signIn('admin@north.example'), await signIn('admin@north.example')]
    after(59_999)
    expect((await app.ask(handoff, { body: { code: early.body.data?.['token'] } })).status).toBe(200)
    after(60_000)
    expect(await app.ask(handoff, { body: { code: late.body.data?.['token'] } })).toMatchObject(codeExpired)
  })

  test('S6 codes of other purposes give no handoff, and a handoff code gives no session', async () => {
    expect(await app.ask(handoff, { body: { code: await link() } })).toMatchObject(codeExpired)
    const code = (await signIn('admin@north.example')).body.data?.['token'] ?? ''
    expect(await follow(code)).toMatchObject(linkExpired)
    expect((await app.ask(handoff, { body: { code: '' } })).status).toBe(400)
    expect((await app.ask(handoff, { body: { code: 'x', role: 'root' } })).body.errors).toEqual({
      role: 'Unknown field: role',
    })
  })
})
