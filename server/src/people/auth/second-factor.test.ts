import { login, loginSecondFactor, verify } from '@gridmast/contract/people/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { TOTP, Secret } from 'otpauth'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { renewRecoveryCodes } from '#access/one-time-codes.ts'
import { newTotpSecret } from '#access/second-factor.ts'
import { endSessionsOf } from '#access/sessions.ts'
import { openTestApp } from '#testing/app.ts'
import { changeRows, storedRow, storedRows } from '#testing/rows.ts'

const secret = newTotpSecret()
let recoveryCodes: string[] = []
const owner = 'expert@north.example'

const startMs = Date.parse('2026-11-20T08:00:00Z')
let nowMs = startMs
const at = (ms: number) => {
  nowMs = ms
  app.setNow(new Date(ms).toISOString())
}
const totpCode = (ofMs = nowMs) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: ofMs })
const wrongCode = () => String((Number(totpCode()) + 1) % 1_000_000).padStart(6, '0')

const app = await openTestApp()
await app.records.system(async (tx) => {
  const person = await tx
    .updateTable('app_user')
    .set({ totp_sealed: app.secret.seal(secret), totp_confirmed_at: new Date(startMs) })
    .where('email', '=', owner)
    .returning(['customer_id', 'user_id'])
    .executeTakeFirstOrThrow()
  recoveryCodes = await renewRecoveryCodes(tx, app.secret, person, startMs)
})
afterAll(() => app.close())
beforeEach(async () => {
  at(nowMs + 3_600_000) // codes of an earlier test are no longer the newest
  await app.records.system((tx) => tx.deleteFrom('attempt').execute())
})

const begin = async (): Promise<string> => {
  const answer = await app.ask(login, { body: { user: { email: owner, password: 'gridmast-demo' } } })
  return answer.body.data?.['challenge'] ?? ''
}
const finish = (challenge: string, code: string, more: object = {}) =>
  app.ask(loginSecondFactor, { body: { challenge, code, ...more } })
const wrong = {
  status: 401,
  body: { success: false, message: m.codeWrong, errors: { code: 'The code is not correct' } },
}
const expired = { status: 401, body: { message: 'The code has expired. Request a new one.' } }
const sessionsOf = () =>
  app.records.system((tx) =>
    tx
      .selectFrom('user_session as s')
      .innerJoin('app_user as u', 'u.user_id', 's.user_id')
      .select(['s.session_id', 's.remembered'])
      .where('u.email', '=', owner)
      .execute(),
  )

describe('a sign-in with a second factor', () => {
  test('S3 the password alone gives a challenge, and the code of the app gives the session', async () => {
    const asked = await app.ask(login, { body: { user: { email: owner, password: 'gridmast-demo' } } })
    expect(asked).toMatchObject({ status: 200, body: { message: 'Enter the code from your authenticator app' } })
    expect(asked.body.data).toEqual({ token: null, user: null, challenge: expect.stringMatching(/^[\w-]{43}$/) })
    expect(asked.headers['set-cookie']).toBeUndefined()
    expect(await sessionsOf()).toEqual([])

    const done = await finish(asked.body.data?.['challenge'] ?? '', totpCode(), { remember: true })
    expect(done).toMatchObject({ status: 200, body: { message: 'Login Success', data: { user: { email: owner } } } })
    expect((await app.ask(verify, { token: done.body.data?.['token'] ?? '' })).status).toBe(200)
    expect(done.headers['set-cookie']).toMatch(/^gm_device_/)
    expect((await sessionsOf()).map((session) => session.remembered)).toEqual([true])
  })

  test('S3 a wrong password has the same answer as for any account', async () => {
    const answer = await app.ask(login, { body: { user: { email: owner, password: 'wrong' } } })
    expect(answer).toMatchObject({ status: 401, body: { success: false, message: m.wrongCredentials } })
  })

  test('S3 a challenge works once', async () => {
    const challenge = await begin()
    expect((await finish(challenge, totpCode())).status).toBe(200)
    expect(await finish(challenge, totpCode(nowMs + 30_000))).toMatchObject(expired)
  })

  test('S3 a challenge is valid for 5 minutes', async () => {
    const [early, late] = [await begin(), await begin()]
    at(nowMs + 299_999)
    expect((await finish(early, totpCode())).status).toBe(200)
    at(nowMs + 1)
    expect(await finish(late, totpCode(nowMs + 30_000))).toMatchObject(expired)
  })

  test('S3 five wrong codes end the challenge, the fifth try may be correct', async () => {
    const over = await begin()
    for (let i = 0; i < 5; i++) expect(await finish(over, wrongCode())).toMatchObject(wrong)
    expect(await finish(over, totpCode())).toMatchObject(expired)
    const just = await begin()
    for (let i = 0; i < 4; i++) expect(await finish(just, wrongCode())).toMatchObject(wrong)
    expect((await finish(just, totpCode())).status).toBe(200)
  })

  test('S3 concurrent wrong codes are all counted', async () => {
    const challenge = await begin()
    const answers = await Promise.all(Array.from({ length: 20 }, () => finish(challenge, wrongCode())))
    expect(answers.filter((answer) => answer.body.message === m.codeWrong)).toHaveLength(5)
  })

  test('S3 after ten wrong codes each further try waits, also with a new challenge', async () => {
    const outcomes: number[] = []
    for (let i = 0; i < 3; i++) {
      const challenge = await begin()
      for (let j = 0; j < 5; j++) outcomes.push((await finish(challenge, wrongCode())).status)
    }
    expect(outcomes).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429, 429, 429, 429])
  })

  test('S3 concurrent uses of one code on two challenges create one session', async () => {
    const before = (await sessionsOf()).length
    const challenges = [await begin(), await begin(), await begin()]
    const code = totpCode()
    const answers = await Promise.all(challenges.map((challenge) => finish(challenge, code)))
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 401, 401])
    expect(await sessionsOf()).toHaveLength(before + 1)
  })

  test('S3 a used code and an older one are refused', async () => {
    expect((await finish(await begin(), totpCode())).status).toBe(200)
    const next = await begin()
    expect(await finish(next, totpCode())).toMatchObject(wrong)
    expect(await finish(next, totpCode(nowMs - 30_000))).toMatchObject(wrong)
    expect((await finish(next, totpCode(nowMs + 30_000))).status).toBe(200)
  })
})

describe('a recovery code', () => {
  test('a recovery code works once, in any case, with or without its hyphen, and its owner is notified', async () => {
    const [first = '', second = '', third = ''] = recoveryCodes
    expect((await finish(await begin(), first)).status).toBe(200)
    expect(await finish(await begin(), first)).toMatchObject(wrong)
    expect((await finish(await begin(), second.toLowerCase())).status).toBe(200)
    expect((await finish(await begin(), ` ${third.replace('-', '')} `)).status).toBe(200)
    const mails = await storedRows(app.records, 'mail_outbox', {}, ['recipient', 'subject'])
    expect(mails).toEqual(Array.from({ length: 3 }, () => ({ recipient: owner, subject: 'A recovery code was used' })))
  })

  test('concurrent uses of a recovery code create one session', async () => {
    const challenges = [await begin(), await begin()]
    const answers = await Promise.all(challenges.map((challenge) => finish(challenge, recoveryCodes[3] ?? '')))
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 401])
  })
})

test.each([
  [{}, { challenge: expect.any(String), code: 'This field is required' }],
  [{ challenge: 'x', code: ' ' }, { code: 'This field is required' }],
  [{ challenge: 'x', code: '1'.repeat(21) }, { code: 'Must be at most 20 characters' }],
  [{ challenge: 'x'.repeat(101), code: '1' }, { challenge: expect.any(String) }],
  [{ challenge: 'x', code: '1', token: 'x' }, { token: 'Unknown field: token' }],
])('R3 the body %j is refused with a message per field', async (body, errors) => {
  const answer = await app.ask(loginSecondFactor, { body })
  expect([answer.status, answer.body.errors]).toEqual([400, errors])
})

test('S3 an unknown challenge has expired', async () => {
  expect(await finish('x', '123456')).toMatchObject(expired)
  expect(await finish('x'.repeat(100), '1'.repeat(20))).toMatchObject(expired)
})

test('S3 a disabled account cannot continue an earlier challenge', async () => {
  const challenge = await begin()
  const set = (enabled: boolean) => changeRows(app.records, 'app_user', { email: owner }, { enabled })
  await set(false)
  expect(await finish(challenge, totpCode())).toMatchObject(expired)
  await set(true)
})

test('S1 a changed password ends earlier challenges', async () => {
  const challenge = await begin()
  const person = await storedRow(app.records, 'app_user', { email: owner }, ['customer_id', 'user_id'])
  await app.records.tenant(person.customer_id, (tx) => endSessionsOf(tx, person, nowMs))
  expect(await finish(challenge, totpCode())).toMatchObject(expired)
})

test('S6 an admin-type account gets its handoff code only after its second factor', async () => {
  const set = (role: string) => changeRows(app.records, 'app_user', { email: owner }, { role })
  await set('admin')
  const before = (await sessionsOf()).length
  const answer = await finish(await begin(), totpCode())
  expect(answer).toMatchObject({ status: 200, body: { message: 'Redirecting To Right Portal', data: { user: null } } })
  expect(await sessionsOf()).toHaveLength(before)
  await set('expert')
})

test('C4 each sign-in and refusal is on the trail with its method and without codes', async () => {
  const rows = await storedRows(app.records, 'audit_entry', { who: owner }, ['action', 'result', 'after', 'who'])
  expect(rows).toEqual(
    expect.arrayContaining([
      { action: 'auth.challenge', result: 'ok', after: { by: 'password' }, who: owner },
      { action: 'auth.login', result: 'ok', after: { by: 'authenticator' }, who: owner },
      { action: 'auth.login', result: 'ok', after: { by: 'recovery code' }, who: owner },
      { action: 'auth.login', result: 'refused', after: { by: 'second factor' }, who: owner },
    ]),
  )
  for (const code of recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code)
})
