import { addApiKey, findApiKeys } from '@gridmast/contract/people/api-keys.ts'
import { login, resetPassword, verify } from '@gridmast/contract/people/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { confirmEmail, undoEmail, updateProfile } from '@gridmast/contract/people/profile.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#testing/app.ts'

let app: TestApp
beforeEach(async () => {
  await app?.close()
  app = await openTestApp({ PUBLIC_URL: 'https://portal.example' })
})
afterAll(() => app.close())

const old = 'sudoer@north.example'
const next = 'mads@north.example'
const password = 'gridmast-demo'
const form = { name: 'Mads Holm', email: old, contact: '31 23 45 67', countryCode: '+45' }

const mailsTo = (recipient: string) =>
  app.records.system((tx) =>
    tx.selectFrom('mail_outbox').selectAll().where('recipient', '=', recipient).orderBy('created_at').execute(),
  )
const found = async (recipient: string, pattern: RegExp) =>
  pattern.exec((await mailsTo(recipient)).map(({ body }) => body).join('\n'))?.[1] ?? ''
const askFor = (token: string, email: string, currentPassword?: string) =>
  app.ask(updateProfile, { token, body: { ...form, email, ...(currentPassword ? { currentPassword } : {}) } })
const confirm = (token: string, code: string) => app.ask(confirmEmail, { token, body: { code } })
const codeTo = (email: string) => found(email, /Gridmast is (\d{8})/)
const signIn = (email: string) => app.ask(login, { body: { user: { email, password } } })

test.each([
  ['without the password', undefined, { currentPassword: m.required }],
  ['with a wrong password', 'not-the-password', { currentPassword: m.wrongPassword }],
])('S3 %s a session cannot change the email', async (_, given, errors) => {
  const token = await app.tokenOf(old)
  expect(await askFor(token, next, given)).toMatchObject({ status: 400, body: { errors } })
  expect(await mailsTo(next)).toEqual([])
  expect((await signIn(old)).status).toBe(200)
})

test('a new email is confirmed by a code sent to it; then other sessions end and both addresses are notified', async () => {
  const [token, other] = [await app.tokenOf(old), await app.tokenOf(old)]
  const asked = await askFor(token, next, password)
  expect(asked.body.data).toMatchObject({ emailToConfirm: next, user: { email: old, name: 'Mads Holm' } })
  expect((await signIn(next)).status).toBe(401)
  expect(await confirm(token, '00000000')).toMatchObject({ status: 400, body: { errors: { code: m.codeWrong } } })
  expect(await confirm(token, await codeTo(next))).toMatchObject({
    body: { message: m.emailConfirmed, data: { user: { email: next } } },
  })
  expect((await app.ask(verify, { token })).status).toBe(200)
  expect((await app.ask(verify, { token: other })).status).toBe(401)
  expect((await signIn(next)).status).toBe(200)
  expect((await signIn(old)).status).toBe(401)
  expect((await mailsTo(old)).map(({ subject }) => subject)).toContain('The email of your Gridmast account was changed')
  expect(await confirm(token, await codeTo(next))).toMatchObject({ status: 400 })
})

test('S4 the answer does not reveal whether another user has the address', async () => {
  const token = await app.tokenOf(old)
  for (const taken of ['sudoer@west.example', 'EXPERT@north.example']) {
    const answers = [await askFor(token, taken, password), await askFor(token, 'free@north.example', password)]
    const [first, second] = answers.map(({ status, text }) => ({ status, text: text.replaceAll(/[a-zA-Z]+@\w+/g, '') }))
    expect(first).toEqual(second)
    expect(await mailsTo(taken)).toEqual([])
  }
})

test('of two requests for one address the first confirmation gets it, and the other code is wrong', async () => {
  const people = [old, 'expert@west.example']
  const tokens = await Promise.all(people.map((email) => app.tokenOf(email)))
  for (const token of tokens) await askFor(token, next, password)
  const codes = (await mailsTo(next)).map(({ body }) => /is (\d{8})/.exec(body ?? '')?.[1] ?? '')
  const answers = await Promise.all(tokens.map((token, i) => confirm(token, codes[i] ?? '')))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  expect(answers.find(({ status }) => status === 400)?.body.errors).toEqual({ code: m.codeWrong })
})

test('S3 tries and codes per day are limited', async () => {
  const token = await app.tokenOf(old)
  for (let i = 0; i < 5; i++) expect((await askFor(token, next, password)).status).toBe(200)
  expect((await askFor(token, next, password)).status).toBe(429)
  for (let i = 0; i < 6; i++) await confirm(token, '00000000')
  expect((await confirm(token, await codeTo(next))).status).toBe(429)
})

test('the previous address recovers the account: all sessions, keys and passwords become invalid', async () => {
  const thief = await app.tokenOf(old)
  const made = await app.ask(addApiKey, {
    token: thief,
    body: { name: 'Mine', scopes: ['profile.read'], expiresInDays: null, currentPassword: password },
  })
  await askFor(thief, next, password)
  await confirm(thief, await codeTo(next))
  const link = await found(old, /https:\/\/portal\.example\/auth\/undo-email\/(\S+)/)
  expect(await app.ask(undoEmail, { body: { id: link } })).toMatchObject({
    status: 200,
    body: { message: m.emailUndone },
  })
  const { token: key } = made.body.data
  for (const token of [thief, key]) expect((await app.ask(verify, { token })).status).toBe(401)
  for (const email of [old, next]) expect((await signIn(email)).status).toBe(401)
  await app.ask(resetPassword, { body: { email: old } })
  expect(await found(old, /new password is (\d{8})/)).toMatch(/^\d{8}$/)
  expect(await app.ask(undoEmail, { body: { id: link } })).toMatchObject({
    status: 401,
    body: { message: m.undoExpired },
  })
  const sudoer = await app.tokenOf('sudoer@west.example')
  expect((await app.ask(findApiKeys, { token: sudoer })).status).toBe(200)
})

test('an invalid link changes nothing', async () => {
  expect(await app.ask(undoEmail, { body: { id: 'x'.repeat(43) } })).toMatchObject({ status: 401 })
})

test('the same address in another case is stored at once', async () => {
  const token = await app.tokenOf(old)
  const answer = await app.ask(updateProfile, { token, body: { ...form, email: 'Sudoer@North.example' } })
  expect(answer.body.data).toMatchObject({ emailToConfirm: null, user: { email: 'Sudoer@North.example' } })
})
