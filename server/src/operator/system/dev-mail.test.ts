import { afterAll, expect, test } from 'vitest'
import { queueMail } from '#platform/messaging/mail.ts'
import { openTestApp } from '#testing/app.ts'

const app = await openTestApp({ DEMO: 'on' })
await app.records.system(async (tx) => {
  const words = { subject: '<b>Code</b>', text: '1234 <script>' }
  const letter = { en: words, da: words }
  await tx.updateTable('customer').set({ demo: true }).where('key', '=', 'north').execute()
  for (const { customer_id, key } of await tx.selectFrom('customer').select(['customer_id', 'key']).execute())
    await queueMail(
      tx,
      { customerId: customer_id, to: key === 'north' ? 'ops@x.example' : 'real@west.example' },
      letter,
    )
  await queueMail(tx, { customerId: null, to: 'operator@x.example' }, letter)
})
afterAll(() => app.close())

const devMail = (from: { remoteAddress?: string; headers?: Record<string, string> } = {}) =>
  app.http.inject({ url: '/dev/mail', ...from })

test('T5 a demo lists the mails of its own customers, as text', async () => {
  const { body } = await devMail()
  expect(body).toContain('&lt;b&gt;Code&lt;/b&gt;')
  expect(body).toContain('1234 &lt;script&gt;')
  expect(body).not.toMatch(/real@west|operator@x/)
})

test('S4 codes in mails are visible on this machine only: not remotely, through a proxy or under another host name', async () => {
  const elsewhere: Parameters<typeof devMail>[0][] = [
    { remoteAddress: '192.0.2.7' },
    { remoteAddress: '::ffff:192.0.2.7' },
    { headers: { 'x-forwarded-for': '127.0.0.1' } },
    { headers: { forwarded: 'for=127.0.0.1' } },
    { headers: { host: 'rebound.example:3000' } },
  ]
  for (const from of elsewhere) {
    const { statusCode, body } = await devMail(from)
    expect(statusCode).toBe(404)
    expect(body).not.toContain('1234')
  }
  for (const from of [
    { remoteAddress: '::1' },
    { remoteAddress: '::ffff:127.0.0.1' },
    { headers: { host: '[::1]:3000' } },
  ])
    expect((await devMail(from)).statusCode).toBe(200)
})
