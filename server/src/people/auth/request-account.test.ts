import { requestAccount } from '@gridmast/contract/people/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { storedRows } from '#testing/rows.ts'

const app = await openTestApp({ OPERATOR_EMAIL: 'hello@operator.example' })
afterAll(() => app.close())
beforeEach(async () => {
  app.setNow('2026-11-20T08:00:00Z')
  await app.records.system(async (tx) => {
    await tx.deleteFrom('attempt').execute()
    await tx.deleteFrom('mail_outbox').execute()
  })
})

const form = {
  name: 'Ida Berg',
  company: 'Sydkyst Køl',
  email: 'ida@sydkyst.example',
  message: 'Two cold stores in DK1',
}
const send = async (part: object = {}, remoteAddress = '192.0.2.7') => {
  const answer = await app.http.inject({
    method: 'POST',
    url: `/api${requestAccount.path}`,
    payload: { ...form, ...part },
    remoteAddress,
  })
  return { status: answer.statusCode, body: answer.json() }
}
const mails = () => storedRows(app.records, 'mail_outbox')
const thanks = { status: 200, body: { success: true, message: 'Thank you. We will be in touch.', data: null } }

test('the operator receives a mail with the form and the reply address', async () => {
  expect(await send()).toEqual(thanks)
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ recipient: 'hello@operator.example', customer_id: null })
  for (const typed of Object.values(form)) expect(mail?.body).toContain(typed)
  expect(mail?.subject).not.toContain('Sydkyst')
})

test('the answer is the same for an existing account', async () => {
  expect(await send({ email: 'sudoer@north.example' })).toEqual(thanks)
})

test('three requests a day per e-mail are mailed, and the fourth gets the same answer', async () => {
  for (let i = 0; i < 4; i++) expect(await send({ email: i % 2 ? 'IDA@sydkyst.example' : form.email })).toEqual(thanks)
  expect(await mails()).toHaveLength(3)
  app.setNow('2026-11-21T08:00:00Z')
  await send()
  expect(await mails()).toHaveLength(4)
})

test('ten requests a day per address prefix are mailed, and other prefixes are not affected', async () => {
  for (let i = 0; i < 12; i++) expect(await send({ email: `a${i}@x.example` }, `192.0.2.${i}`)).toEqual(thanks)
  expect(await mails()).toHaveLength(10)
  await send({ email: 'b@x.example' }, '198.51.100.1')
  expect(await mails()).toHaveLength(11)
})

test.each([
  [{ name: ' ' }, { name: m.required }],
  [{ company: 'x'.repeat(101) }, { company: 'Must be at most 100 characters' }],
  [{ message: '' }, { message: m.required }],
  [{ message: 'x'.repeat(2001) }, { message: 'Must be at most 2000 characters' }],
  [{ email: 'ida' }, { email: m.email }],
  [{ email: 'a@b.dk\nBcc: all@x.dk' }, { email: m.email }],
  [{ admin: true }, { admin: 'Unknown field: admin' }],
])('R3 L3 %j is refused with its message and without a mail', async (part, errors) => {
  expect(await send(part)).toMatchObject({ status: 400, body: { errors } })
  expect(await mails()).toEqual([])
})

test('R3 the longest texts are accepted', async () => {
  expect(await send({ name: 'x'.repeat(100), company: 'x'.repeat(100), message: 'x'.repeat(2000) })).toEqual(thanks)
})
