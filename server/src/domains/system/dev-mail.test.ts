import { afterAll, beforeAll, expect, test } from 'vitest'
import { queueMail } from '#platform/mail.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ DEMO: 'on' })
})
afterAll(() => app.close())

test('a demo lists its mails, as text', async () => {
  expect((await app.http.inject({ url: '/dev/mail' })).body).toContain('No mail yet.')
  const mail = { to: 'ops@x.example', subject: '<b>Code</b>', text: '1234 <script>' }
  await app.records.system((tx) => queueMail(tx, null, mail))
  const { body } = await app.http.inject({ url: '/dev/mail' })
  expect(body).toContain('&lt;b&gt;Code&lt;/b&gt;')
  expect(body).toContain('1234 &lt;script&gt;')
})
