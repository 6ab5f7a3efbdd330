import { login, resendOtp, resetPassword, resetWithOtp, verify } from '@gridmast/contract/people/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { changeRows, storedRow, storedRows } from '#testing/rows.ts'

let before = ''
const app = await openTestApp()
beforeAll(async () => {
  const { password_hash: hash } = await storedRow(app.records, 'app_user', { email: owner }, ['password_hash'])
  before = hash
})
afterAll(() => app.close())

const startMs = Date.parse('2026-11-20T08:00:00Z')
const after = (seconds: number) => app.setNow(new Date(startMs + seconds * 1000).toISOString())
beforeEach(async () => {
  after(0)
  await app.records.system(async (tx) => {
    await tx.deleteFrom('attempt').execute()
    await tx.deleteFrom('one_time_code').execute()
    await tx.deleteFrom('mail_outbox').execute()
  })
})

const owner = 'expert@north.example'
const chosen = 'Ammoniak-4-kompressorer'
const ask = (email: string) => app.ask(resetPassword, { body: { email } })
const again = (email: string) => app.ask(resendOtp, { body: { email } })
const redeem = (email: string, otp: string, newPassword = chosen, confirmNewPassword = newPassword) =>
  app.ask(resetWithOtp, { body: { email, otp, newPassword, confirmNewPassword } })
const mails = () => app.records.system((tx) => tx.selectFrom('mail_outbox').selectAll().orderBy('created_at').execute())
const otpTo = async (email: string) =>
  /is (\d{8})$/m.exec((await mails()).findLast(({ recipient }) => recipient === email)?.body ?? '')?.[1] ?? ''
const lastOtp = () => otpTo(owner)
const wrong = (otp: string) => String((Number(otp) + 1) % 100_000_000).padStart(8, '0')

describe('a one-time code by mail', () => {
  test('S4 the code has 8 digits, is mailed to the owner only and stored as an HMAC', async () => {
    const answer = await ask('Expert@North.example')
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'OTP sent on your email!', data: { resendInS: 120 } },
    })
    const sent = await mails()
    expect(sent.map((mail) => mail.recipient)).toEqual([owner])
    const otp = await lastOtp()
    expect(otp).toMatch(/^\d{8}$/)
    const stored = await storedRows(app.records, 'one_time_code')
    expect(stored).toHaveLength(1)
    const trail = await storedRows(app.records, 'audit_entry')
    expect(JSON.stringify([stored, trail])).not.toContain(otp)
    expect(answer.text).not.toContain(otp)
  })

  test.each(['nobody@north.example', 'admin@north.example'])(
    'S4 %s gets the same answers at each step and no mail',
    async (email) => {
      const walk = async (whom: string) => {
        const answers: { status: number; body: object; headers: Record<string, unknown> }[] = [
          await ask(whom),
          await again(whom),
        ]
        after(120)
        answers.push(await again(whom))
        for (let i = 0; i < 6; i++) answers.push(await redeem(whom, '12345678'))
        after(720)
        answers.push(await redeem(whom, '12345678'))
        for (const seconds of [720, 840, 960, 1080]) {
          after(seconds)
          answers.push(await again(whom))
        }
        after(0)
        return answers.map(({ status, body, headers }) => ({ status, body, retry: headers['retry-after'] }))
      }
      const known = await walk(owner)
      expect((await mails()).length).toBe(5)
      expect(await walk(email)).toEqual(known)
      expect((await mails()).every((mail) => mail.recipient === owner)).toBe(true)
      expect(known.map((answer) => answer.status)).toEqual([
        200, 429, 200, 400, 400, 400, 400, 400, 400, 400, 200, 200, 200, 429,
      ])
    },
  )

  test('S4 a disabled account gets no mail', async () => {
    const set = (enabled: boolean) => changeRows(app.records, 'app_user', { email: owner }, { enabled })
    await set(false)
    expect((await ask(owner)).status).toBe(200)
    await set(true)
    expect(await mails()).toEqual([])
  })

  test('S4 a code can be sent again after 120 s, not after 119', async () => {
    await ask(owner)
    after(119)
    const early = await again(owner)
    expect(early).toMatchObject({ status: 429, body: { success: false, message: 'A new code can be sent in 1 s.' } })
    expect(early.headers['retry-after']).toBe('1')
    expect((await ask(owner)).status).toBe(429)
    after(120)
    const answer = await again(owner)
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'OTP re-sent on your email!', data: { resendInS: 120 } },
    })
    expect(await mails()).toHaveLength(2)
  })

  test('S4 at most five codes are sent in 24 hours', async () => {
    for (let sent = 0; sent < 5; sent++) {
      after(sent * 3600)
      expect((await ask(owner)).status, `code ${sent + 1}`).toBe(200)
    }
    after(23 * 3600 + 3599)
    const full = await ask(owner)
    expect(full).toMatchObject({ status: 429, body: { message: m.codesOfDay(1) } })
    expect(full.headers['retry-after']).toBe('1')
    after(24 * 3600)
    expect((await ask(owner)).status).toBe(200)
    expect(await mails()).toHaveLength(6)
  })

  test('S4 requests of other clients use up neither codes nor tries of the owner', async () => {
    const from = (address: string, call: typeof resetPassword | typeof resetWithOtp, payload: object) =>
      app.http.inject({ method: 'POST', url: `/api${call.path}`, remoteAddress: address, payload })
    for (let i = 0; i < 6; i++) {
      after(i * 120)
      await from('198.51.100.7', resetPassword, { email: owner })
    }
    expect((await ask(owner)).status).toBe(200)
    const otp = await lastOtp()
    const guess = { email: owner, otp: wrong(otp), newPassword: chosen, confirmNewPassword: chosen }
    for (let i = 0; i < 6; i++) await from('198.51.100.7', resetWithOtp, guess)
    await from('198.51.100.7', resetPassword, { email: owner })
    expect((await redeem(owner, otp)).status).toBe(200)
    await changeRows(app.records, 'app_user', { email: owner }, { password_hash: before })
  })

  test('S4 at most a hundred tries of unknown clients per day', async () => {
    await ask(owner)
    const statuses: string[] = []
    for (let i = 0; i < 25; i++)
      for (let n = 0; n < 5; n++) {
        const payload = { email: owner, otp: '00000000', newPassword: chosen, confirmNewPassword: chosen }
        const url = `/api${resetWithOtp.path}`
        const answer = await app.http.inject({ method: 'POST', url, remoteAddress: `10.1.${i}.1`, payload })
        statuses.push(answer.json<{ errors: { otp: string } }>().errors.otp)
      }
    expect(statuses.filter((one) => one === m.codeWrong)).toHaveLength(100)
  })

  test('S4 two concurrent requests send one code', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(owner)))
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 429),
    ])
    expect(await mails()).toHaveLength(1)
  })

  test('S4 one address prefix cannot send codes to many accounts', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 31; i++) statuses.push((await ask(`someone${i}@north.example`)).status)
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429])
  })
})

describe('a new password by code', () => {
  test('S1 S4 C4 the new password is stored, all sessions end, the owner is notified, and it is on the trail', async () => {
    const token = await app.signIn('auditor@north.example')
    await ask('auditor@north.example')
    const otp = await otpTo('auditor@north.example')
    const done = await redeem('Auditor@North.example', otp)
    expect(done).toMatchObject({ status: 200, body: { message: 'Password reset successfully!' } })
    expect((await app.ask(verify, { token })).status).toBe(401)
    const signIn = (password: string) =>
      app.ask(login, { body: { user: { email: 'auditor@north.example', password } } })
    expect((await signIn('gridmast-demo')).status).toBe(401)
    expect((await signIn(chosen)).body.data?.['user']?.['passwordUpdatedOn']).toBe('2026-11-20T08:00:00.000Z')
    expect((await mails()).map(({ recipient, subject }) => [recipient, subject])).toContainEqual([
      'auditor@north.example',
      'Your password was changed',
    ])
    const trail = await storedRows(app.records, 'audit_entry', {
      action: 'auth.reset-password',
      who: 'auditor@north.example',
    })
    expect(trail).toMatchObject([{ who: 'auditor@north.example', result: 'ok' }])
    expect(JSON.stringify(trail)).not.toContain(chosen)
    expect(await redeem('auditor@north.example', otp, 'blåbærgrød på fredag')).toMatchObject({
      status: 400,
      body: { errors: { otp: 'The code has expired. Request a new one.' } },
    })
  })

  test('S4 five wrong codes invalidate the code; the fifth try may be correct', async () => {
    await ask(owner)
    const otp = await lastOtp()
    for (let i = 0; i < 5; i++)
      expect((await redeem(owner, wrong(otp))).body, `try ${i + 1}`).toEqual({
        success: false,
        message: 'The code is not correct',
        errors: { otp: 'The code is not correct' },
      })
    const over = await redeem(owner, otp)
    expect(over).toMatchObject({ status: 400, body: { errors: { otp: 'The code has expired. Request a new one.' } } })

    after(120)
    await again(owner)
    const fresh = await lastOtp()
    for (let i = 0; i < 4; i++) await redeem(owner, wrong(fresh))
    expect((await redeem(owner, fresh, 'en anden god sætning')).status).toBe(200)
  })

  test('S4 concurrent wrong codes are all counted', async () => {
    await ask(owner)
    const otp = await lastOtp()
    const answers = await Promise.all(Array.from({ length: 12 }, () => redeem(owner, wrong(otp))))
    const said = answers.map((answer) => answer.body.message)
    expect(said.filter((message) => message === m.codeWrong)).toHaveLength(5)
    expect(said.filter((message) => message === m.codeExpired)).toHaveLength(7)
  })

  test('S4 of two concurrent uses one sets the password', async () => {
    await ask(owner)
    const otp = await lastOtp()
    const answers = await Promise.all([
      redeem(owner, otp, 'den ene gode sætning'),
      redeem(owner, otp, 'den anden gode sætning'),
    ])
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect((await mails()).filter((mail) => mail.subject === 'Your password was changed')).toHaveLength(1)
  })

  test('S4 the code is valid for 10 minutes', async () => {
    await ask(owner)
    const otp = await lastOtp()
    after(600)
    expect((await redeem(owner, otp)).body.errors).toEqual({ otp: m.codeExpired })
    after(599)
    expect((await redeem(owner, otp, 'sætning nummer tre')).status).toBe(200)
  })

  test('S4 a newer code replaces the older one', async () => {
    await ask(owner)
    const older = await lastOtp()
    after(120)
    await again(owner)
    const newer = await lastOtp()
    expect((await redeem(owner, older)).body.errors).toEqual({ otp: m.codeExpired })
    expect((await redeem(owner, newer, 'sætning nummer fire')).status).toBe(200)
  })

  test('S4 T1 the code of another user is a wrong code', async () => {
    await ask('sudoer@north.example')
    await ask('sudoer@west.example')
    const otherOtp = await otpTo('sudoer@west.example')
    expect((await redeem('sudoer@north.example', otherOtp)).body.errors).toEqual({ otp: m.codeWrong })
  })

  test('S2 an easy password and the current one are refused without counting a try', async () => {
    await ask('custom@north.example')
    const otp = await otpTo('custom@north.example')
    for (let i = 0; i < 6; i++)
      expect((await redeem('custom@north.example', otp, 'password1')).body.errors).toEqual({
        newPassword: 'This password is too easy to guess',
      })
    expect((await redeem('custom@north.example', otp, chosen)).status).toBe(200)
    after(120)
    await again('custom@north.example')
    const next = await otpTo('custom@north.example')
    for (let i = 0; i < 6; i++)
      expect((await redeem('custom@north.example', next, chosen)).body.errors).toEqual({
        newPassword: 'The new password must differ from the current one',
      })
    expect((await redeem('custom@north.example', next, 'sætning nummer fem')).status).toBe(200)
  })

  const good = { email: owner, otp: '12345678', newPassword: 'x'.repeat(8), confirmNewPassword: 'x'.repeat(8) }
  const long = 'abcdefgh'.repeat(5)
  test.each([
    [{ newPassword: 'abcdefg', confirmNewPassword: 'abcdefg' }, { newPassword: 'Must be at least 8 characters' }],
    [{ newPassword: `${long}x`, confirmNewPassword: `${long}x` }, { newPassword: 'Must be at most 40 characters' }],
    [
      { newPassword: '', confirmNewPassword: '' },
      { newPassword: m.required, confirmNewPassword: m.required },
    ],
    [{ confirmNewPassword: 'abcdefgh' }, { confirmNewPassword: "Passwords don't match" }],
    [{ otp: 'abc' }, { otp: 'Must be a number' }],
    [{ otp: '1'.repeat(13) }, { otp: 'Must be at most 12 characters' }],
    [{ otp: '' }, { otp: m.required }],
    [{ email: 'x' }, { email: 'Value must be a valid email' }],
    [{ userId: 'x' }, { userId: 'Unknown field: userId' }],
  ])('R3 %j is refused with its message', async (part, errors) => {
    const answer = await app.ask(resetWithOtp, { body: { ...good, ...part } })
    expect(answer).toMatchObject({ status: 400, body: { errors } })
  })

  test.each(['abcdefgh', long])('a password %s of the shortest or longest length is accepted', async (password) => {
    expect((await redeem(owner, '12345678', password)).body.errors).toEqual({ otp: m.codeExpired })
  })

  test.each([resetPassword, resendOtp])('R3 $path accepts an e-mail and nothing else', async (call) => {
    expect((await app.ask(call, { body: {} })).body.errors).toEqual({ email: m.required })
    expect((await app.ask(call, { body: { email: 'x@' } })).body.errors).toEqual({ email: m.email })
    expect((await app.ask(call, { body: { email: owner, role: 'x' } })).body.errors).toEqual({
      role: 'Unknown field: role',
    })
  })
})
