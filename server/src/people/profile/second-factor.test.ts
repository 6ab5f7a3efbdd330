import { verify } from '@gridmast/contract/people/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor } from '@gridmast/contract/people/profile.ts'
import { systemStatus } from '@gridmast/contract/operator/system.ts'
import { Secret, TOTP } from 'otpauth'
import { afterAll, describe, expect, test } from 'vitest'
import { recoveryHmac } from '#access/one-time-codes.ts'
import { openTestApp } from '#testing/app.ts'
import { storedRow, storedRows } from '#testing/rows.ts'

const app = await openTestApp()
app.setNow(new Date().toISOString()) // codes belong to half a minute of this clock
afterAll(() => app.close())

const currentPassword = 'gridmast-demo'
const codeOf = (secret: string, atMs = app.clock.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs })
const begin = async (token: string) => {
  const answer = await app.ask(beginSecondFactor, { token, body: { currentPassword } })
  return answer.body.data
}
const confirm = (token: string, code: string) => app.ask(confirmSecondFactor, { token, body: { code } })
const codesIn = (answer: Awaited<ReturnType<typeof confirm>>) => answer.body.data.recoveryCodes
const rowOf = (email: string) => storedRow(app.records, 'app_user', { email })
const recoveryRows = (userId: string) =>
  storedRows(app.records, 'one_time_code', { user_id: userId, purpose: 'recovery' })
const requireOf = (email: string, required: boolean) =>
  app.records.system(async (tx) => {
    const { customer_id } = await tx
      .selectFrom('app_user')
      .select('customer_id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('customer')
      .set({ second_factor_required: required })
      .where('customer_id', '=', customer_id)
      .execute()
  })

describe('the second factor', () => {
  test('S3 a second factor is on after a confirmed code, and its recovery codes are shown once', async () => {
    const email = 'sudoer@north.example'
    const token = await app.tokenOf(email)
    const { secret, uri } = await begin(token)
    expect(uri).toContain('sudoer%40north.example')
    expect((await app.ask(verify, { token })).text).toContain('"secondFactor":false')
    expect(await confirm(token, '000000')).toMatchObject({ status: 400, body: { errors: { code: m.codeWrong } } })
    const answer = await confirm(token, codeOf(secret))
    expect(answer).toMatchObject({ status: 200, body: { message: 'Two-step sign-in is on' } })
    expect((await app.ask(verify, { token })).text).toContain('"secondFactor":true')

    const codes = codesIn(answer)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-TW-Z2-9]{4}-[A-HJKMNP-TW-Z2-9]{4}$/)
    const row = await rowOf(email)
    const rows = await recoveryRows(row.user_id)
    expect(rows.map((one) => Buffer.from(one.hmac).toString('hex')).toSorted()).toEqual(
      codes.map((code) => recoveryHmac(app.secret, row.user_id, ` ${code.toLowerCase()} `).toString('hex')).toSorted(),
    )
    expect(Number(row.totp_last_step)).toBe(Math.floor(app.clock.now() / 30_000))
    const stored = JSON.stringify([row, rows, await storedRows(app.records, 'audit_entry')])
    expect(stored).not.toContain(secret)
    for (const code of codes) expect(stored).not.toContain(code)
  })

  test('S3 a second factor stays valid until a new one is confirmed, which replaces its recovery codes', async () => {
    const email = 'expert@north.example'
    const token = await app.tokenOf(email)
    const first = (await begin(token)).secret
    const old = codesIn(await confirm(token, codeOf(first)))
    const inForce = app.secret.unseal((await rowOf(email)).totp_sealed ?? Buffer.alloc(0))
    const second = (await begin(token)).secret
    expect(app.secret.unseal((await rowOf(email)).totp_sealed ?? Buffer.alloc(0))).toBe(inForce)
    const codes = codesIn(await confirm(token, codeOf(second)))
    const row = await rowOf(email)
    expect(app.secret.unseal(row.totp_sealed ?? Buffer.alloc(0))).toBe(second)
    const stored = (await recoveryRows(row.user_id)).map((one) => Buffer.from(one.hmac).toString('hex'))
    expect(stored).toHaveLength(10)
    expect(stored).toContain(recoveryHmac(app.secret, row.user_id, codes[0] ?? '').toString('hex'))
    expect(stored).not.toContain(recoveryHmac(app.secret, row.user_id, old[0] ?? '').toString('hex'))
  })

  test('a code confirms a pending setup once and needs one', async () => {
    const token = await app.tokenOf('auditor@north.example')
    expect(await confirm(token, '123456')).toMatchObject({ status: 409, body: { message: m.secondFactorNotBegun } })
    const { secret } = await begin(token)
    const answers = await Promise.all([confirm(token, codeOf(secret)), confirm(token, codeOf(secret))])
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('S3 a pending setup expires after 15 minutes, and tries are limited', async () => {
    const token = await app.tokenOf('custom@west.example')
    const { secret } = await begin(token)
    const startMs = Date.now()
    for (let i = 0; i < 6; i++) await confirm(token, '000000')
    expect((await confirm(token, codeOf(secret))).status).toBe(429)
    app.setNow(new Date(startMs + 15 * 60_000 + 1000).toISOString())
    expect(await confirm(token, codeOf(secret))).toMatchObject({
      status: 409,
      body: { message: m.secondFactorNotBegun },
    })
    app.setNow(new Date().toISOString())
  })

  test('S3 setup and removal require the current password', async () => {
    const token = await app.tokenOf('custom@north.example')
    for (const call of [beginSecondFactor, removeSecondFactor])
      expect(await app.ask(call, { token, body: { currentPassword: 'not-this-one' } })).toMatchObject({
        status: 400,
        body: { errors: { currentPassword: m.wrongPassword } },
      })
    expect((await rowOf('custom@north.example')).totp_pending_sealed).toBeNull()
  })

  test('S3 removal deletes the recovery codes and is refused when the company requires a second factor', async () => {
    const email = 'sudoer@west.example'
    const token = await app.tokenOf(email)
    const { user_id } = await rowOf(email)
    const remove = () => app.ask(removeSecondFactor, { token, body: { currentPassword } })
    expect(await remove()).toMatchObject({ status: 409, body: { message: m.secondFactorNotOn } })
    await confirm(token, codeOf((await begin(token)).secret))
    await requireOf(email, true)
    expect(await remove()).toMatchObject({ status: 409, body: { message: m.secondFactorKept } })
    expect(await recoveryRows(user_id)).toHaveLength(10)
    await requireOf(email, false)
    expect(await remove()).toMatchObject({ status: 200, body: { message: 'Two-step sign-in is off' } })
    expect(await recoveryRows(user_id)).toHaveLength(0)
    expect(await rowOf(email)).toMatchObject({ totp_sealed: null, totp_confirmed_at: null, totp_last_step: null })
    expect(await app.signIn(email)).toMatch(/^gmp_/)
  })

  test('S3 a user with a required setup can do nothing else', async () => {
    const email = 'expert@west.example'
    const token = await app.tokenOf(email)
    await requireOf(email, true)
    app.setNow(new Date().toISOString())
    expect(await app.ask(systemStatus, { token })).toMatchObject({ status: 403, body: { message: m.secondFactorDue } })
    await confirm(token, codeOf((await begin(token)).secret))
    expect((await app.ask(systemStatus, { token })).status).toBe(200)
    await requireOf(email, false)
  })

  test('C4 each step is on the audit trail, and mailed', async () => {
    const entries = await app.records.system((tx) =>
      tx
        .selectFrom('audit_entry')
        .select('action')
        .where('who', '=', 'sudoer@west.example')
        .where('action', 'like', 'second-factor%')
        .orderBy('entry_no')
        .execute(),
    )
    expect(entries.map((entry) => entry.action)).toEqual([
      'second-factor.begin',
      'second-factor.on',
      'second-factor.off',
    ])
    const mails = await app.records.system((tx) =>
      tx
        .selectFrom('mail_outbox')
        .select('subject')
        .where('recipient', '=', 'sudoer@west.example')
        .orderBy('created_at')
        .execute(),
    )
    expect(mails.map((mail) => mail.subject)).toEqual(
      expect.arrayContaining(['Two-step sign-in is on', 'Two-step sign-in is off']),
    )
  })
})
