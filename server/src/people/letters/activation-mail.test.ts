import { minuteMs } from '@gridmast/contract/time.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { idOf, newId } from '#platform/records/ids.ts'
import { mailKind } from '#platform/messaging/mail.ts'
import { openOutbox } from '#platform/messaging/outbox.ts'
import { openTestApp } from '#testing/app.ts'
import { addRows, changeRows } from '#testing/rows.ts'
import { mailActivations, type ActivationForMail, useStopToken, withdrawActivationMail } from './activation-mail.ts'

const t0Ms = Date.parse('2026-11-20T13:00:00Z')

const app = await openTestApp({ PUBLIC_URL: 'https://portal.example/' })
const ids = { customerId: idOf('customer', 'north'), cold: idOf('instance', 'north', 'cold') }
afterAll(() => app.close())
beforeEach(async () => {
  app.sent.length = 0
  await app.records.system(async (tx) => {
    for (const table of ['outbox', 'activation_digest', 'email_subscription'] as const)
      await tx.deleteFrom(table).execute()
    await tx.updateTable('app_user').set({ language: null }).execute()
    await tx.updateTable('customer').set({ language: 'en' }).execute()
  })
})

const subscribe = (email: string, more: { event_type?: string; activation?: boolean } = {}) =>
  addRows(app.records, 'email_subscription', {
    customer_id: ids.customerId,
    subscription_id: newId(),
    instance_id: ids.cold,
    email,
    event_type: 'fcr_based',
    activation: true,
    bid_result: false,
    created_at: new Date(t0Ms),
    ...more,
  })
const activation = (startMs: number, more: Partial<ActivationForMail> = {}): ActivationForMail => ({
  customerId: ids.customerId,
  instanceId: ids.cold,
  market: 'FCR-D-INC',
  direction: 'increased',
  startMs,
  endMs: startMs + 30_000,
  deltaLoad: 34,
  late: false,
  ...more,
})
const tell = (one: ActivationForMail, atMs: number) => app.records.system((tx) => mailActivations(tx, app, [one], atMs))
const sentBy = async (atMs: number) => {
  const { records, log } = app
  await openOutbox({ records, clock: { now: () => atMs }, log, kinds: { mail: mailKind(app.send) } }).drain()
  return app.sent
}

test('the first activation is mailed at once in the language of the reader, with links to the page and to unsubscribe', async () => {
  await subscribe('Ops@north.example')
  await tell(activation(t0Ms), t0Ms + 31_000)
  const [mail, ...others] = await sentBy(t0Ms + 31_000)
  expect(others).toEqual([])
  expect(mail).toMatchObject({
    to: 'Ops@north.example',
    subject: 'North Cold: activated in FCR-D-INC',
    unsubscribe: expect.stringMatching(/^https:\/\/portal\.example\/auth\/unsubscribe\/[\w-]{64}$/),
  })
  expect(mail?.text.split('\n\n')).toEqual([
    'North Cold was activated.',
    '20.11.2026 14:00:00 to 14:00:30\nFCR-D-INC, increased, delta load 34 %',
    'Times are Danish.',
    'Manage the recipients of these emails:\nhttps://portal.example/emailSubscriptions',
    `Unsubscribe without signing in:\n${mail?.unsubscribe}`,
    'Gridmast',
  ])
})

test('an address gets one mail per instance in 15 minutes, and later activations are in the next mail', async () => {
  await subscribe('ops@north.example')
  await tell(activation(t0Ms), t0Ms)
  expect(await sentBy(t0Ms)).toHaveLength(1)
  await tell(activation(t0Ms + 2 * minuteMs), t0Ms + 2 * minuteMs)
  await tell(activation(t0Ms + 9 * minuteMs, { deltaLoad: 12.54 }), t0Ms + 9 * minuteMs)
  expect(await sentBy(t0Ms + 15 * minuteMs - 1)).toHaveLength(1)
  const [, digest, ...others] = await sentBy(t0Ms + 15 * minuteMs)
  expect(others).toEqual([])
  expect(digest?.subject).toBe('North Cold: 2 activations')
  expect(digest?.text).toContain('14:02:00 to 14:02:30\nFCR-D-INC, increased, delta load 34 %')
  expect(digest?.text).toContain('14:09:00 to 14:09:30\nFCR-D-INC, increased, delta load 12,5 %')
  await tell(activation(t0Ms + 20 * minuteMs), t0Ms + 20 * minuteMs)
  expect(await sentBy(t0Ms + 30 * minuteMs - 1)).toHaveLength(2)
  expect(await sentBy(t0Ms + 30 * minuteMs)).toHaveLength(3)
})

test('a repeated activation is mailed once, with its newest values while the mail waits', async () => {
  await subscribe('ops@north.example')
  await tell(activation(t0Ms, { endMs: null }), t0Ms)
  await tell(activation(t0Ms, { deltaLoad: 70 }), t0Ms + 31_000)
  await tell(activation(t0Ms - 3000, { deltaLoad: 70 }), t0Ms + 60_000)
  const [mail, ...others] = await sentBy(t0Ms + minuteMs)
  expect(others).toEqual([])
  expect(mail?.text).toContain('20.11.2026 13:59:57 to 14:00:27\nFCR-D-INC, increased, delta load 70 %')
  await tell(activation(t0Ms - 5000, { endMs: t0Ms + 600_000, deltaLoad: 90 }), t0Ms + 2 * minuteMs)
  expect(await sentBy(t0Ms + 40 * minuteMs)).toHaveLength(1)
})

test('a transaction that is rolled back mails nothing', async () => {
  await subscribe('ops@north.example')
  await app.records
    .system(async (tx) => {
      await mailActivations(tx, app, [activation(t0Ms)], t0Ms)
      throw new Error('killed before the commit')
    })
    .catch(() => {})
  expect(await sentBy(t0Ms + minuteMs)).toEqual([])
  await tell(activation(t0Ms), t0Ms)
  expect(await sentBy(t0Ms + minuteMs)).toHaveLength(1)
})

test.each<[string, Partial<ActivationForMail>, number]>([
  ['9.9 % of FCR-D', { deltaLoad: 9.9 }, 0],
  ['10 % of FCR-D', { deltaLoad: 10 }, 1],
  ['3 % of aFRR', { market: 'aFRR', deltaLoad: 3 }, 1],
  ['an activation reported late', { late: true }, 0],
])('mail for an activation of %s', async (_, more, mails) => {
  await subscribe('ops@north.example')
  await subscribe('ops@north.example', { event_type: 'frr_based' })
  await tell(activation(t0Ms, more), t0Ms)
  expect(await sentBy(t0Ms)).toHaveLength(mails)
})

test('only subscribers of the event type are notified, and an address with both types gets one mail in 15 minutes', async () => {
  await subscribe('off@north.example', { activation: false })
  await subscribe('frr@north.example', { event_type: 'frr_based' })
  await subscribe('both@north.example')
  await subscribe('BOTH@north.example', { event_type: 'frr_based' })
  await tell(activation(t0Ms), t0Ms)
  expect((await sentBy(t0Ms)).map(({ to }) => to)).toEqual(['both@north.example'])
  await tell(activation(t0Ms + minuteMs, { market: 'aFRR' }), t0Ms + minuteMs)
  expect((await sentBy(t0Ms + minuteMs)).slice(1).map(({ to }) => to)).toEqual(['frr@north.example'])
  expect((await sentBy(t0Ms + 15 * minuteMs)).slice(2).map(({ to }) => to)).toEqual(['BOTH@north.example'])
})

test('a user has the language chosen in the portal, other readers that of the customer', async () => {
  await subscribe('expert@north.example')
  await subscribe('ops@north.example')
  const languageOf = async (columns: { customer: string; expert: string | null }) => {
    await app.records.system(async (tx) => {
      await tx.updateTable('customer').set({ language: columns.customer }).execute()
      await tx
        .updateTable('app_user')
        .set({ language: columns.expert })
        .where('email', '=', 'expert@north.example')
        .execute()
      await tx.deleteFrom('activation_digest').execute()
    })
    app.sent.length = 0
    await tell(activation(t0Ms), t0Ms)
    return (await sentBy(t0Ms)).map(({ text }) => text.split('\n\n')[1] ?? '').toSorted((a, b) => a.localeCompare(b))
  }
  const english = '20.11.2026 14:00:00 to 14:00:30\nFCR-D-INC, increased, delta load 34 %'
  const danish = '20.11.2026 14:00:00 til 14:00:30\nFCR-D-INC, opregulering, lastændring 34 %'
  expect(await languageOf({ customer: 'da', expert: null })).toEqual([danish, danish])
  expect(await languageOf({ customer: 'en', expert: 'da' })).toEqual(
    [english, danish].toSorted((a, b) => a.localeCompare(b)),
  )
})

test('a mail states simulated equipment and lists at most fifty activations', async () => {
  await subscribe('ops@north.example')
  await changeRows(app.records, 'edge', { customer_id: ids.customerId }, { simulated: true })
  for (let i = 0; i < 52; i++) {
    const startMs = t0Ms + i * 2 * minuteMs
    await tell(activation(startMs), startMs)
  }
  const [mail] = await sentBy(t0Ms + 120 * minuteMs)
  expect(mail?.subject).toBe('North Cold: 52 activations')
  expect(mail?.text.match(/FCR-D-INC, increased/g)).toHaveLength(50)
  expect(mail?.text).toContain('And 2 more, listed in the portal.')
  expect(mail?.text).toContain('Simulated: nothing behind these figures was measured.')
})

test('a waiting mail is cancelled when its last subscription ends', async () => {
  await subscribe('ops@north.example')
  await tell(activation(t0Ms), t0Ms)
  await sentBy(t0Ms)
  await tell(activation(t0Ms + 2 * minuteMs), t0Ms + 2 * minuteMs)
  const withdraw = () =>
    app.records.system((tx) => withdrawActivationMail(tx, ids.customerId, ids.cold, 'Ops@north.example'))
  await withdraw()
  expect(await sentBy(t0Ms + 14 * minuteMs)).toHaveLength(1)
  await changeRows(app.records, 'email_subscription', {}, { activation: false })
  await withdraw()
  expect(await sentBy(t0Ms + 30 * minuteMs)).toHaveLength(1)
})

test('S5 the link of a mail works once and does not expose its address', async () => {
  await subscribe('ops@north.example')
  await tell(activation(t0Ms), t0Ms)
  const token = (await sentBy(t0Ms))[0]?.unsubscribe?.split('/').at(-1) ?? ''
  const use = (text: string) => app.records.system((tx) => useStopToken(tx, app.secret, text))
  const flipped = Buffer.from(token, 'base64url')
  flipped[47] = (flipped[47] ?? 0) ^ 1
  expect(await use(flipped.toString('base64url'))).toBeNull()
  expect(await use(`${token}AAAA`)).toBeNull()
  expect(await use('')).toBeNull()
  expect(await use(token)).toMatchObject({ email: 'ops@north.example', instance_id: ids.cold })
  expect(await use(token)).toBeNull()
})
