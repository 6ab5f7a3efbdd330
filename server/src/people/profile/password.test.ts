import { addApiKey } from '@gridmast/contract/people/api-keys.ts'
import { login, logoutAll, verify } from '@gridmast/contract/people/auth.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { beginSecondFactor, confirmSecondFactor, profile, updatePassword } from '@gridmast/contract/people/profile.ts'
import { systemStatus } from '@gridmast/contract/operator/system.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { changeRows, storedRows } from '#testing/rows.ts'

const app = await openTestApp()
afterAll(() => app.close())

const signIn = async (email: string, password: string, remember = false) => {
  const answer = await app.ask(login, { body: { user: { email, password }, remember } })
  return answer.body.data?.token ?? ''
}
const change = (token: string, currentPassword: string, newPassword: string, confirmNewPassword = newPassword) =>
  app.ask(updatePassword, { token, body: { currentPassword, newPassword, confirmNewPassword } })
const tokenIn = (answer: Awaited<ReturnType<typeof change>>) => answer.body.data.token

describe('PUT /user/update-password', () => {
  test('S1 all sessions end, and the current one gets a new token', async () => {
    const email = 'auditor@north.example'
    const [own, other] = [await signIn(email, 'gridmast-demo', true), await signIn(email, 'gridmast-demo')]
    const answer = await change(own, 'gridmast-demo', 'blåbærgrød på fredag')
    expect(answer).toMatchObject({ status: 200, body: { message: 'Password updated successfully!' } })
    for (const token of [own, other]) expect((await app.ask(verify, { token })).status).toBe(401)
    expect((await app.ask(verify, { token: tokenIn(answer) })).status).toBe(200)
    expect(await signIn(email, 'gridmast-demo')).toBe('')
    expect(await signIn(email, 'blåbærgrød på fredag')).toMatch(/^gmp_/)

    const sessions = await app.records.system((tx) =>
      tx.selectFrom('user_session').select(['remembered', 'ended_at']).orderBy('session_id').execute(),
    )
    expect(sessions.map((row) => [row.remembered, row.ended_at !== null])).toEqual([
      [true, true],
      [false, true],
      [true, false],
      [false, false],
    ])
  })

  test('C4 the change is on the audit trail and mailed without a password', async () => {
    const [entry] = await storedRows(app.records, 'audit_entry', { action: 'profile.password' })
    expect(entry).toMatchObject({ who: 'auditor@north.example', result: 'ok', after: { sessions: 2, apiKeys: 0 } })
    const [mail] = await storedRows(app.records, 'mail_outbox', { recipient: 'auditor@north.example' })
    expect(mail?.subject).toBe('Your Gridmast password was changed')
    expect(JSON.stringify([entry, mail])).not.toMatch(/gridmast-demo|blåbær/)
  })

  test.each([
    ['x'.repeat(7), 'Must be at least 8 characters'],
    [`${'y'.repeat(40)}z`, 'Must be at most 40 characters'],
    ['', 'This field is required'],
    ['password1', m.commonPassword],
    ['gridmast-2026', m.commonPassword],
  ])('S2 the new password %j is refused', async (newPassword, message) => {
    const token = await signIn('custom@north.example', 'gridmast-demo')
    const answer = await change(token, 'gridmast-demo', newPassword)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject({ newPassword: message })
  })

  test('the shortest and longest passwords are accepted, the current one and a different confirmation are refused', async () => {
    const short = 'kold7bar'
    const long = 'lang adgangskode '.repeat(3).slice(0, 40)
    let token = tokenIn(await change(await signIn('custom@north.example', 'gridmast-demo'), 'gridmast-demo', short))
    token = tokenIn(await change(token, short, long))
    expect((await change(token, long, long)).body.errors).toEqual({ newPassword: m.samePassword })
    expect((await change(token, long, 'noget helt andet', 'noget tredje')).body.errors).toEqual({
      confirmNewPassword: "Passwords don't match!",
    })
  })

  test('a wrong current password is reported under its field', async () => {
    const token = await signIn('sudoer@west.example', 'gridmast-demo')
    const answer = await change(token, 'not-this-one', 'noget helt andet')
    expect(answer).toMatchObject({ status: 400, body: { errors: { currentPassword: m.wrongPassword } } })
    expect((await app.ask(verify, { token })).status).toBe(200)
  })

  test('S3 tries of the current password are delayed, correct ones too, and other users are not', async () => {
    const token = await signIn('expert@west.example', 'gridmast-demo')
    const statuses: number[] = []
    for (let i = 0; i < 7; i++) statuses.push((await change(token, `guess ${i}`, 'noget helt andet')).status)
    expect(statuses).toContain(429)
    const answer = await change(token, 'gridmast-demo', 'noget helt andet')
    expect(answer.status).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    const other = await signIn('auditor@west.example', 'gridmast-demo')
    expect((await change(other, 'gridmast-demo', 'noget helt andet')).status).toBe(200)
  })

  test('S1 of two concurrent changes one is stored', async () => {
    const token = await signIn('custom@west.example', 'gridmast-demo')
    const answers = await Promise.all([
      change(token, 'gridmast-demo', 'den ene adgangskode'),
      change(token, 'gridmast-demo', 'den anden adgangskode'),
    ])
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  })

  test('S1 API keys are revoked with the password only on request', async () => {
    const sudoer = await app.tokenOf('sudoer@west.example')
    const made = await app.ask(addApiKey, {
      token: sudoer,
      body: { name: 'Meter', scopes: ['profile.read'], expiresInDays: null, currentPassword: 'gridmast-demo' },
    })
    const { token: key } = made.body.data
    const keyWorks = async () => (await app.ask(profile, { token: key })).status === 200
    const changed = await change(sudoer, 'gridmast-demo', 'Ammoniak-4-kompressorer')
    expect(await keyWorks()).toBe(true)
    const { token } = changed.body.data
    const body = {
      currentPassword: 'Ammoniak-4-kompressorer',
      newPassword: 'gammel-ost-9',
      confirmNewPassword: 'gammel-ost-9',
    }
    await app.ask(updatePassword, { token, body: { ...body, revokeApiKeys: true } })
    expect(await keyWorks()).toBe(false)
  })

  test('S2 after 7,890,000 s a password change is the only permitted action besides the profile', async () => {
    const email = 'expert@north.example'
    const nowMs = Date.now()
    const updatedAt = (ms: number) =>
      changeRows(app.records, 'app_user', { email }, { password_updated_at: new Date(ms) })
    app.setNow(new Date(nowMs).toISOString())
    await updatedAt(nowMs - limits.passwordExpiryS * 1000)
    const token = await signIn(email, 'gridmast-demo')
    expect((await app.ask(systemStatus, { token })).status).toBe(200)
    await updatedAt(nowMs - limits.passwordExpiryS * 1000 - 1000)
    app.setNow(new Date(nowMs).toISOString())
    expect(await app.ask(systemStatus, { token })).toMatchObject({
      status: 403,
      body: { message: 'You need to change your password due to expiration.' },
    })
    expect((await app.ask(profile, { token })).status).toBe(200)
    for (const call of [beginSecondFactor, confirmSecondFactor, logoutAll])
      expect((await app.ask(call, { token, body: {} })).status).toBe(403)
    const fresh = tokenIn(await change(token, 'gridmast-demo', 'noget helt andet'))
    expect((await app.ask(systemStatus, { token: fresh })).status).toBe(200)
  })
})
