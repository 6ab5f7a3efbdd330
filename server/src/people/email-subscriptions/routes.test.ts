import * as alerts from '@gridmast/contract/delivery/alerts.ts'
import * as contract from '@gridmast/contract/people/email-subscriptions.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import * as statements from '@gridmast/contract/settlement/statements.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { mailActivations } from '#people/letters/activation-mail.ts'
import { mailKind } from '#platform/messaging/mail.ts'
import { openOutbox } from '#platform/messaging/outbox.ts'
import { openTestApp } from '#testing/app.ts'
import { confirmedByHand } from '#testing/confirmed.ts'
import { changeRows, storedRow } from '#testing/rows.ts'
import { idOf } from '#platform/records/ids.ts'

const north = {
  customerId: idOf('customer', 'north'),
  cold: idOf('instance', 'north', 'cold'),
  heat: idOf('instance', 'north', 'heat'),
}
const app = await openTestApp()
const sudoer = await app.tokenOf('sudoer@north.example')
const west = await app.tokenOf('sudoer@west.example')
afterAll(() => app.close())
beforeEach(async () => {
  app.sent.length = 0
  await app.records.system(async (tx) => {
    for (const table of ['outbox', 'activation_digest', 'email_subscription', 'address_confirmation'] as const)
      await tx.deleteFrom(table).execute()
    await confirmedByHand(tx, north.customerId, ['ops@plant.example', 'night@plant.example'])
  })
})

const form = (more: object = {}) => ({
  emails: ['ops@plant.example', 'Night@plant.example'],
  instanceId: north.cold,
  activation: true,
  bidResult: false,
  eventType: 'fcr_based',
  ...more,
})
const add = (more: object = {}, token = sudoer) => app.ask(contract.addEmailSubscriptions, { token, body: form(more) })
const find = async (query: Record<string, string> = {}, token = sudoer) =>
  await app.data(contract.findEmailSubscriptions, { token, query })
const set = (body: object, token = sudoer) => app.ask(contract.setEmailSubscription, { token, body })
const trail = async () => app.trail('email-subscription.%')

describe('managing subscriptions', () => {
  test('C4 several addresses are added at once, toggled and removed one by one, each on the trail', async () => {
    const added = await add()
    expect(added.body).toMatchObject({ message: 'Subscription Emails Added!' })
    const { subscriptions, totalCount } = await find()
    expect(totalCount).toBe(2)
    expect(
      subscriptions.map(({ email, instanceName, activation, bidResult }) => [
        email,
        instanceName,
        activation,
        bidResult,
      ]),
    ).toEqual([
      ['Night@plant.example', 'North Cold', true, false],
      ['ops@plant.example', 'North Cold', true, false],
    ])
    const [night] = subscriptions
    const id = night?._id ?? ''
    const answer = await set({ _id: id, type: 'bidResult', value: true })
    expect(answer.body).toMatchObject({
      message: 'Update success!',
      data: { subscription: { ...night, bidResult: true } },
    })
    await set({ _id: id, type: 'activation', value: false })
    expect((await find()).subscriptions[0]).toEqual({ ...night, activation: false, bidResult: true })
    const removed = await app.ask(contract.removeEmailSubscription, { token: sudoer, params: { id } })
    expect([removed.status, (await find()).totalCount]).toEqual([200, 1])
    expect((await trail()).slice(-4)).toMatchObject([
      { action: 'email-subscription.add', subject: 'North Cold', after: { emails: form().emails } },
      { action: 'email-subscription.set', before: { bidResult: false }, after: { bidResult: true } },
      { action: 'email-subscription.set', before: { activation: true }, after: { activation: false } },
      { action: 'email-subscription.remove', subject: 'Night@plant.example', before: { bidResult: true } },
    ])
  })

  test.each<[string, object, Record<string, string>]>([
    ['no address', { emails: [] }, { emails: m.required }],
    ['an empty address', { emails: [''] }, { 'emails.0': m.required }],
    ['a wrong address', { emails: ['ops@plant.example', 'ops'] }, { 'emails.1': m.email }],
    ['an address twice', { emails: ['ops@plant.example', 'OPS@plant.example'] }, { 'emails.1': m.emailTwice }],
    ['a header in an address', { emails: ['ops@plant.example\r\nBcc: x@y.example'] }, { 'emails.0': m.email }],
    ['51 addresses', { emails: Array.from({ length: 51 }, (_, i) => `o${i}@plant.example`) }, { emails: m.most(50) }],
    ['no instance', { instanceId: undefined }, { instanceId: m.required }],
    ['an instance without such events', { eventType: 'frr_based' }, { instanceId: m.notOfEventType }],
    ['another kind of event', { eventType: 'mfrr' }, { eventType: expect.anything() }],
    ['another field', { owner: 'me' }, { owner: m.unknownField('owner') }],
  ])('R3 %s is refused', async (_, more, errors) => {
    const { status, body } = await add(more)
    expect([status, body.errors]).toEqual([400, errors])
    expect((await find()).totalCount).toBe(0)
  })

  test('an existing address is reported in any case, and nothing is added', async () => {
    await add({ emails: ['ops@plant.example'] })
    const { status, body } = await add({ emails: ['new@plant.example', 'OPS@plant.example'] })
    expect([status, body.errors]).toEqual([409, { 'emails.1': m.alreadySubscribed }])
    expect((await find()).totalCount).toBe(1)
    expect((await add({ emails: ['ops@plant.example'], instanceId: north.heat })).status).toBe(200)
  })

  test('R4 concurrent additions of one address store it once', async () => {
    const answers = await Promise.all([1, 2].map(() => add({ emails: ['ops@plant.example'] })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await find()).totalCount).toBe(1)
  })

  test('an instance out of use is marked when it is added and in the table', async () => {
    await add({ emails: ['ops@plant.example'] })
    const enable = (enabled: boolean) => changeRows(app.records, 'instance', { instance_id: north.cold }, { enabled })
    await enable(false)
    const sentence = `Details for Instance ${north.cold} is not available`
    const { status, body } = await add()
    const { subscriptions } = await find()
    const csv = await app.ask(contract.findEmailSubscriptions, { token: sudoer, query: { format: 'csv' } })
    await enable(true)
    expect([status, body.message]).toEqual([404, sentence])
    expect(subscriptions[0]?.instanceName).toBeNull()
    expect(csv.text).toContain(sentence)
  })

  test('instance, event type and page filter the list, and the file has all matching rows', async () => {
    await add({ emails: ['a@plant.example', 'b@plant.example', '5_off@plant.example'] })
    await add({ emails: ['c@other.example'], instanceId: north.heat })
    const emails = async (query: Record<string, string>) =>
      (await find(query)).subscriptions.map(({ email }) => email.split('@')[0])
    expect(await emails({ filter: 'PLANT' })).toEqual(['5_off', 'a', 'b'])
    expect(await emails({ filter: '_' })).toEqual(['5_off'])
    expect(await emails({ filter: 'north heat' })).toEqual(['c'])
    expect(await emails({ eventType: 'frr_based' })).toEqual([])
    expect(await emails({ limit: '2', skip: '1' })).toEqual(['a', 'b'])
    expect((await find({ limit: '2', skip: '1' })).totalCount).toBe(4)
    const file = await app.ask(contract.findEmailSubscriptions, {
      token: sudoer,
      query: { format: 'csv', filter: 'plant', limit: '1' },
    })
    expect(file.text.trim().split('\r\n')).toEqual([
      'S.No,Email,Instance,Event type,Activation,Bid Result',
      '1,5_off@plant.example,North Cold,fcr_based,Yes,No',
      '2,a@plant.example,North Cold,fcr_based,Yes,No',
      '3,b@plant.example,North Cold,fcr_based,Yes,No',
    ])
  })

  test('a company has at most 2,000 subscriptions', async () => {
    await app.records.system((tx) =>
      sql`insert into email_subscription (customer_id, subscription_id, email, event_type, instance_id, activation, bid_result, created_at)
        select ${north.customerId}, gen_random_uuid(), 'n' || n || '@plant.example', 'fcr_based', ${north.cold}, true, false, now()
        from generate_series(1, ${limits.emailSubscriptions - 1}) n`.execute(tx),
    )
    const { status, body } = await add()
    expect([status, body.message]).toEqual([409, 'There can be at most 2000 subscriptions. Remove some first.'])
    expect((await add({ emails: ['ops@plant.example'] })).status).toBe(200)
  })

  test('T1 another customer cannot see, toggle or remove them', async () => {
    await add()
    const [one] = (await find()).subscriptions
    const params = { id: one?._id ?? '' }
    expect(await find({}, west)).toEqual({ subscriptions: [], totalCount: 0 })
    expect((await set({ _id: one?._id, type: 'activation', value: false }, west)).status).toBe(404)
    expect((await app.ask(contract.removeEmailSubscription, { token: west, params })).status).toBe(404)
    expect((await find()).subscriptions).toContainEqual(one)
  })
})

describe('the unsubscribe link of a mail', () => {
  const t0Ms = Date.parse('2026-11-20T13:00:00Z')
  const tell = (startMs: number) =>
    app.records.system((tx) => {
      const told = { market: 'FCR-D-INC', direction: 'increased', deltaLoad: 34, late: false } as const
      const one = { ...told, customerId: north.customerId, instanceId: north.cold, startMs, endMs: startMs + 1 }
      return mailActivations(tx, app, [one], startMs)
    })
  const sentBy = async (atMs: number) => {
    const { records, log } = app
    await openOutbox({ records, clock: { now: () => atMs }, log, kinds: { mail: mailKind(app.send) } }).drain()
    return app.sent
  }
  const linkOf = (mail: { unsubscribe?: string } | undefined) => new URL(mail?.unsubscribe ?? '').pathname
  const idOf = (mail: { unsubscribe?: string } | undefined) => linkOf(mail).split('/').at(-1) ?? ''
  const states = async () => (await find()).subscriptions.map(({ email, activation }) => [email, activation])

  test('S5 C4 the link stops these mails for its address only, works once and is on the trail', async () => {
    await add()
    await tell(t0Ms)
    const mail = (await sentBy(t0Ms)).find(({ to }) => to === 'Night@plant.example')
    await tell(t0Ms + 2 * minuteMs)
    const use = () => app.ask(contract.unsubscribe, { body: { id: idOf(mail) } })
    const first = await use()
    expect(first.body).toEqual({ success: true, message: 'You will get no more of these emails', data: null })
    expect(await states()).toEqual([
      ['Night@plant.example', false],
      ['ops@plant.example', true],
    ])
    expect((await sentBy(t0Ms + 15 * minuteMs)).slice(2).map(({ to }) => to)).toEqual(['ops@plant.example'])
    expect((await use()).body.message).toBe('This link has expired or was used')
    expect((await trail()).at(-1)).toMatchObject({
      action: 'email-subscription.unsubscribe',
      who: 'night@plant.example',
      subject: 'North Cold',
    })
  })

  test('a new subscription receives mails, and old links stay invalid', async () => {
    await add({ emails: ['ops@plant.example'] })
    await tell(t0Ms)
    const [mail] = await sentBy(t0Ms)
    await app.ask(contract.unsubscribe, { body: { id: idOf(mail) } })
    const [one] = (await find()).subscriptions
    await set({ _id: one?._id, type: 'activation', value: true })
    expect((await app.ask(contract.unsubscribe, { body: { id: idOf(mail) } })).status).toBe(401)
    expect(await states()).toEqual([['ops@plant.example', true]])
  })

  test.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
  ])('S5 a mail program unsubscribes without a session (RFC 8058), by %s', async (type, payload) => {
    await add({ emails: ['ops@plant.example'] })
    await tell(t0Ms)
    const [mail] = await sentBy(t0Ms)
    const post = () =>
      app.http.inject({ method: 'POST', url: linkOf(mail), headers: { 'content-type': type }, payload })
    const answer = await post()
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, message: m.unsubscribed }])
    expect(await states()).toEqual([['ops@plant.example', false]])
    expect((await post()).statusCode).toBe(401)
  })

  test('L1 the posted body is short and must have a valid token', async () => {
    const post = (id: string, payload: string) =>
      app.http.inject({
        method: 'POST',
        url: `/auth/unsubscribe/${id}`,
        payload,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await post('x', 'x'.repeat(20_000))).statusCode).toBe(413)
    for (const id of ['x', 'A'.repeat(64), '%00', "'"]) {
      const { statusCode, body } = await post(id, 'List-Unsubscribe=One-Click')
      expect([statusCode, JSON.parse(body)]).toEqual([401, { success: false, message: m.undoExpired }])
    }
  })
})

describe('addresses outside the company', () => {
  const kinds: Record<string, (email: string) => Promise<{ unconfirmed?: boolean | undefined } | undefined>> = {
    subscription: async (email) => (await add({ emails: [email] })).body.data.subscriptions[0],
    alert: async (email) => {
      const { licence_id } = await storedRow(app.records, 'instance', { instance_id: north.cold }, ['licence_id'])
      const properties = { notification: true, group: north.cold, type: 'power', alertInterval: 5 }
      const body = { alert: { name: 'Cold', criteria: 'gt', value: 400, email, properties } }
      const call = alerts.createAlert
      return (await app.data(call, { token: sudoer, params: { id: licence_id }, body })).alert
    },
    reader: async (email) =>
      (await app.data(statements.addStatementReader, { token: sudoer, body: { email, kind: 'settlement' } })).reader,
  }
  const waiting = () =>
    app.records.system((tx) =>
      tx
        .selectFrom('outbox')
        .select(['outbox_id', sql<string>`payload ->> 'to'`.as('to'), sql<string>`payload ->> 'text'`.as('text')])
        .where('kind', '=', 'mail')
        .orderBy('created_at')
        .orderBy('outbox_id')
        .execute(),
    )
  const confirm = (id: string) => app.ask(contract.confirmAddress, { body: { id } })
  const tokenIn = (text: string | undefined) => /confirm-address\/([\w-]{43})/.exec(text ?? '')?.[1] ?? ''

  test.each(Object.entries(kinds))(
    'L3 %s: requested once, unconfirmed until its owner confirms it',
    async (kind, make) => {
      const email = `${kind}@elsewhere.example`
      expect((await make(email))?.unconfirmed).toBe(true)
      await add({ emails: [email.toUpperCase()], instanceId: north.heat })
      const mails = await waiting()
      expect(mails.map(({ to }) => to)).toEqual([email])
      const token = tokenIn(mails[0]?.text)
      expect(await readersOf(email)).toBe(0)
      expect([(await confirm('A'.repeat(43))).status, (await confirm(token)).status]).toEqual([401, 200])
      expect((await confirm(token)).status).toBe(401)
      expect((await add({ emails: [email], eventType: 'fcr_based', instanceId: north.heat })).status).toBe(409)
      expect((await find({ filter: email })).subscriptions.every(({ unconfirmed }) => !unconfirmed)).toBe(true)
      expect(await readersOf(email)).toBe(1)
      expect((await trail()).at(-1)).toMatchObject({ action: 'email-subscription.confirm', who: email })
    },
  )

  const readersOf = async (email: string) => {
    const before = (await waiting()).length
    await app.records.system((tx) =>
      mailActivations(
        tx,
        { config: app.config, secret: app.secret },
        [
          {
            customerId: north.customerId,
            instanceId: north.heat,
            market: 'FCR-D-DEC',
            direction: 'increased',
            startMs: app.clock.now(),
            endMs: null,
            deltaLoad: 50,
            late: false,
          },
        ],
        app.clock.now(),
      ),
    )
    return (await waiting()).slice(before).filter(({ to }) => to.toLowerCase() === email).length
  }

  test('an expired link confirms nothing; a day later another one is sent, within the limit of the company', async () => {
    const email = 'late@elsewhere.example'
    await add({ emails: [email], activation: false })
    const first = tokenIn((await waiting())[0]?.text)
    await changeRows(
      app.records,
      'address_confirmation',
      { email },
      { expires_at: new Date(0), requested_at: new Date(0) },
    )
    expect((await confirm(first)).status).toBe(401)
    const [row] = (await find({ filter: email })).subscriptions
    await set({ _id: row?._id, type: 'activation', value: true })
    expect((await waiting()).map(({ to }) => to)).toEqual([email, email])
    expect((await confirm(tokenIn((await waiting())[1]?.text))).status).toBe(200)
    for (let i = 0; i < 3; i++) await add({ emails: Array.from({ length: 50 }, (_, n) => `n${i}-${n}@many.example`) })
    expect((await waiting()).length).toBeLessThanOrEqual(2 + limits.confirmationsADay)
  })

  test('an address at a company domain needs no confirmation, unless it is a public mail provider', async () => {
    expect((await add({ emails: ['anyone@North.example'] })).body.data.subscriptions[0]?.unconfirmed).toBeUndefined()
    const user = (email: string, from: string) =>
      app.byHand((tx) => tx.updateTable('app_user').set({ email }).where('email', '=', from).execute())
    await user('someone@gmail.com', 'auditor@north.example')
    const added = (await add({ emails: ['someone@gmail.com', 'other@gmail.com'] })).body.data.subscriptions
    expect(added.map(({ unconfirmed = false }) => unconfirmed)).toEqual([false, true])
    await user('auditor@north.example', 'someone@gmail.com')
  })
})
