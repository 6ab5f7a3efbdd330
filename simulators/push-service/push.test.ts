import { createECDH } from 'node:crypto'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { logout, sessions as listSessions } from '@gridmast/contract/people/auth.ts'
import * as contract from '@gridmast/contract/people/push-devices.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { queuePushes } from '../../server/src/people/push/queue.ts'
import { pushKind } from '../../server/src/people/push/send.ts'
import { openOutbox } from '../../server/src/platform/messaging/outbox.ts'
import { idOf } from '../../server/src/platform/records/ids.ts'
import { openTestApp, type TestApp } from '../../server/src/testing/app.ts'
import { addRows, changeRows, storedRows } from '../../server/src/testing/rows.ts'
import { openPushService, type Subscription } from './server.ts'

const start = '2026-11-20T08:00:00Z'
let nowMs = Date.parse(start)
/** The library signs with the clock of the machine. */
let serviceMs = () => Date.now()
const service = openPushService({ now: () => serviceMs() })
await service.listen(0)
const app = await openTestApp({ WEBHOOK_PRIVATE: 'on' })
const guarded = await openTestApp()
afterAll(async () => {
  service.close()
  await app.close()
  await guarded.close()
})

const customers = { north: idOf('customer', 'north'), west: idOf('customer', 'west') }
const at = (ms: number) => {
  nowMs = Date.parse(start) + ms
  app.setNow(new Date(nowMs).toISOString())
}
const drain = ({ records, log, clock }: TestApp = app, kinds = pushKind(app)) =>
  openOutbox({ records, clock, log, kinds }).drain()

const publicKey = async (token: string) => (await app.data(contract.findPushDevices, { token })).publicKey
const bodyOf = ({ endpoint, keys }: Subscription) => ({ endpoint, keys })
const subscribe = async (email: string) => {
  const token = await app.tokenOf(email)
  const browser = service.subscribe(await publicKey(token))
  const answer = await app.ask(contract.savePushDevice, { token, body: bodyOf(browser) })
  expect(answer.status).toBe(200)
  const messages = () => service.received(browser.id).map(({ text }) => JSON.parse(text) as Record<string, unknown>)
  return { token, browser, id: answer.body.data.device._id, messages }
}
const devicesOf = async (token: string) => (await app.data(contract.findPushDevices, { token })).devices

const instance = async (customerId: string) =>
  app.records.system(async (tx) => {
    const rows = tx.selectFrom('instance').select('instance_id').where('customer_id', '=', customerId)
    return (await rows.limit(1).executeTakeFirstOrThrow()).instance_id
  })
const instances = { north: await instance(customers.north), west: await instance(customers.west) }

type Kind = Parameters<typeof queuePushes>[1]
const push = (more: { kind?: Kind; of?: keyof typeof customers; topic?: string; body?: string } = {}) => {
  const { kind = 'alert', of = 'north', topic = 'alert 1', body = '412,5 kW' } = more
  const about = {
    customerId: customers[of],
    instanceId: instances[of],
    topic,
    title: { en: 'Alert: Cold', da: 'Alarm: Kulde' },
    body: { en: body, da: body },
    path: '/e3-Legacy/FFR?trigger=1',
    atMs: nowMs,
  }
  return app.records.system((tx) => queuePushes(tx, kind, [about], nowMs))
}
const waiting = async () => (await storedRows(app.records, 'outbox')).filter(({ next_attempt_at }) => next_attempt_at)

beforeEach(async () => {
  at(0)
  serviceMs = () => Date.now()
  await app.records.system(async (tx) => {
    await tx.deleteFrom('push_device').execute()
    await tx.deleteFrom('outbox').execute()
    await tx.deleteFrom('alert_mute').execute()
    await tx.updateTable('app_user').set({ enabled: true, language: null }).execute()
  })
})

describe('a message', () => {
  test('is encrypted for the device, opens its page, and its text leaves the outbox', async () => {
    const { browser, messages } = await subscribe('sudoer@north.example')
    await push()
    await drain()
    const message = { title: 'Alert: Cold', body: '412,5 kW', path: '/e3-Legacy/FFR?trigger=1', topic: 'alert 1' }
    expect(messages()).toEqual([{ ...message, atMs: nowMs }])
    expect(service.received(browser.id)).toMatchObject([{ ttlS: limits.pushLifeMs / 1000, urgency: 'high' }])
    const [sent] = await storedRows(app.records, 'outbox')
    expect(sent).toMatchObject({ kind: 'push', last_status: 201, last_error: null })
    expect(sent?.payload).not.toHaveProperty('title')
    expect(sent?.payload).not.toHaveProperty('body')
  })

  test('is in the language of its user', async () => {
    await changeRows(app.records, 'app_user', {}, { language: 'da' })
    const { messages } = await subscribe('sudoer@north.example')
    await push()
    await drain()
    expect(messages()).toMatchObject([{ title: 'Alarm: Kulde' }])
  })

  test('T5 is sent to devices of its company only, and to users who may read it', async () => {
    const sudoer = await subscribe('sudoer@north.example')
    const west = await subscribe('sudoer@west.example')
    const custom = await subscribe('custom@north.example')
    await changeRows(app.records, 'app_user', { email: 'custom@north.example' }, { allowed: '{"demandResponse":true}' })
    await push()
    await push({ kind: 'activation', topic: 'activation 1' })
    await drain()
    expect([sudoer, custom, west].map(({ messages }) => messages().length)).toEqual([2, 1, 0])
  })

  test('is not sent in a muted time, and afterwards also to an expired session', async () => {
    const { messages } = await subscribe('sudoer@north.example')
    const { user_id } = (await storedRows(app.records, 'push_device'))[0] ?? { user_id: '' }
    const mute = { customer_id: customers.north, mute_id: user_id, user_id, start_time: '08:30', end_time: '09:30' }
    await addRows(app.records, 'alert_mute', { ...mute, instance_id: null })
    await push() // 09:00 in Denmark
    expect(await waiting()).toEqual([])
    at(3_600_000)
    await push()
    await drain()
    expect(messages()).toHaveLength(1)
  })

  test('about the same topic is sent at most once in its interval', async () => {
    const { messages } = await subscribe('sudoer@north.example')
    await push({ body: 'first' })
    at(limits.pushEveryMs - 1)
    await push({ body: 'too soon' })
    await push({ body: 'another alert', topic: 'alert 2' })
    at(limits.pushEveryMs)
    await push({ body: 'later' })
    await drain()
    expect(new Set(messages().map(({ body }) => body))).toEqual(new Set(['another alert', 'first', 'later']))
  })

  test('of the longest texts fits into what a push service accepts', async () => {
    const { messages } = await subscribe('sudoer@north.example')
    await push({ body: 'å'.repeat(5000) })
    await drain()
    expect(messages()).toHaveLength(1)
  })

  test.each([-10, 10])('arrives when the clock of the push service differs by %s minutes', async (minutes) => {
    const { messages } = await subscribe('sudoer@north.example')
    serviceMs = () => Date.now() + minutes * 60_000
    await push()
    await drain()
    expect(messages()).toHaveLength(1)
  })
})

describe('S1 nothing is sent', () => {
  test('after a sign-out', async () => {
    const { token, messages } = await subscribe('sudoer@north.example')
    await push()
    await app.ask(logout, { token })
    await push({ topic: 'alert 2' })
    await drain()
    expect(messages()).toEqual([])
    expect(await devicesOf(await app.tokenOf('sudoer@north.example'))).toEqual([])
  })

  test('to a disabled user', async () => {
    const { messages } = await subscribe('expert@north.example')
    await push()
    await changeRows(app.records, 'app_user', { email: 'expert@north.example' }, { enabled: false })
    await push({ topic: 'alert 2' })
    await drain()
    expect(messages()).toEqual([])
  })

  test('when a message is older than its life', async () => {
    const { messages } = await subscribe('sudoer@north.example')
    await push()
    at(limits.pushLifeMs)
    await drain()
    expect([messages(), await waiting()]).toEqual([[], []])
  })
})

describe('a push service that does not accept', () => {
  test.each([404, 410])('with %s: the device is removed', async (status) => {
    const { token, browser } = await subscribe('sudoer@north.example')
    service.answer(browser.id, status)
    await push()
    await drain()
    expect([await devicesOf(token), await waiting()]).toEqual([[], []])
  })

  test.each([429, 503])('with %s: the message is sent later', async (status) => {
    const { browser, messages } = await subscribe('sudoer@north.example')
    service.answer(browser.id, status)
    await push()
    await drain()
    expect(await waiting()).toMatchObject([{ attempts: 1, last_status: status, last_error: `Answered ${status}` }])
    service.answer(browser.id, 201)
    at(10_000)
    await drain()
    expect(messages()).toHaveLength(1)
  })

  test('away for long: the message is given up', async () => {
    const { browser } = await subscribe('sudoer@north.example')
    service.answer(browser.id, 500)
    await push()
    for (const minutes of [0, 1, 3, 10, 60, 200]) {
      at(minutes * 60_000)
      await drain()
    }
    expect(await waiting()).toEqual([])
    expect(await storedRows(app.records, 'outbox')).toMatchObject([{ attempts: 6, done_at: null }])
  })
})

describe('an endpoint', () => {
  const key = createECDH('prime256v1')
  key.generateKeys()
  const keys = { p256dh: key.getPublicKey('base64url'), auth: Buffer.alloc(16).toString('base64url') }

  test.each([
    'http://push.example/a',
    'https://127.0.0.1/a',
    'https://10.0.0.1/a',
    'https://[::1]/a',
    'https://169.254.169.254/a',
    'https://localhost/a',
    'https://user:password@push.example/a',
    'ftp://push.example/a',
    'no address',
    `https://push.example/${'a'.repeat(1000)}`,
  ])('%s is refused', async (endpoint) => {
    const token = await guarded.tokenOf('sudoer@north.example')
    const answer = await guarded.ask(contract.savePushDevice, { token, body: { endpoint, keys } })
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.errors ?? {})).toEqual(['endpoint'])
    expect(await storedRows(guarded.records, 'push_device')).toEqual([])
  })

  test('whose name leads to a private address receives nothing', async () => {
    const token = await guarded.tokenOf('sudoer@north.example')
    const { port } = new URL(service.subscribe('').endpoint)
    const body = { endpoint: `https://push.example:${port}/push/1`, keys }
    const { device } = await guarded.data(contract.savePushDevice, { token, body })
    expect((await guarded.ask(contract.testPushDevice, { token, params: { id: device._id } })).status).toBe(200)
    const resolve = ((_name: string, _options: object, callback: (...found: unknown[]) => void) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }])) as never // the shape of `dns.lookup`
    await drain(guarded, pushKind({ ...guarded, resolve }))
    expect(await storedRows(guarded.records, 'outbox')).toMatchObject([{ last_error: 'Not a public address' }])
  })

  test('with keys that are no point of the curve is refused', async () => {
    const token = await guarded.tokenOf('sudoer@north.example')
    const p256dh = `B${'A'.repeat(86)}`
    const body = { endpoint: 'https://push.example/b', keys: { ...keys, p256dh } }
    const answer = await guarded.ask(contract.savePushDevice, { token, body })
    expect([answer.status, answer.body.errors]).toEqual([400, { 'keys.p256dh': m.pushKeys }])
  })
})

describe('devices', () => {
  test('a session has one device, and the same endpoint stays one device with a new session', async () => {
    const before = (await app.trail('push-device.add')).length
    const first = await subscribe('sudoer@north.example')
    const rotated = service.subscribe(await publicKey(first.token))
    await app.ask(contract.savePushDevice, { token: first.token, body: bodyOf(rotated) })
    const token = await app.tokenOf('sudoer@north.example')
    await app.ask(contract.savePushDevice, { token, body: bodyOf(rotated) })
    expect(await devicesOf(token)).toMatchObject([{ current: true }])
    const sessionOf = async (of: string) => (await app.data(contract.findPushDevices, { token: of })).session
    const { sessions } = await app.data(listSessions, { token })
    expect(await sessionOf(token)).toBe(sessions.find(({ current }) => current)?._id)
    expect(await sessionOf(first.token)).not.toBe(await sessionOf(token))
    expect(await storedRows(app.records, 'push_device')).toMatchObject([{ endpoint: rotated.endpoint }])
    expect(await app.trail('push-device.add')).toHaveLength(before + 2)
  })

  test('T5 an endpoint has one owner: the latest user, also of another company', async () => {
    const north = await subscribe('sudoer@north.example')
    const phone = await subscribe('sudoer@north.example')
    const colleague = await app.tokenOf('expert@north.example')
    const west = await app.tokenOf('sudoer@west.example')
    for (const token of [colleague, west]) {
      const answer = await app.ask(contract.savePushDevice, { token, body: bodyOf(north.browser) })
      expect([answer.status, (await devicesOf(token)).length]).toEqual([200, 1])
    }
    expect(await devicesOf(north.token)).toMatchObject([{ _id: phone.id }])
    expect(await devicesOf(colleague)).toEqual([])
    await push()
    await drain()
    expect([north, phone].map(({ messages }) => messages().length)).toEqual([0, 1])
    await push({ of: 'west', topic: 'alert 2' })
    await drain()
    expect(north.messages()).toMatchObject([{ topic: 'alert 2' }])
  })

  test('a user has a bounded number of them', async () => {
    const devices = []
    for (let i = 0; i < limits.pushDevices; i++) devices.push(await subscribe('sudoer@north.example'))
    const token = await app.tokenOf('sudoer@north.example')
    const body = bodyOf(service.subscribe(await publicKey(token)))
    expect(await app.ask(contract.savePushDevice, { token, body })).toMatchObject({
      status: 409,
      body: { message: m.tooManyPushDevices(limits.pushDevices) },
    })
    await app.ask(contract.removePushDevice, { token, params: { id: devices[0]?.id ?? '' } })
    expect((await app.ask(contract.savePushDevice, { token, body })).status).toBe(200)
  })

  test('of a colleague are neither listed, removed nor tested', async () => {
    const { id } = await subscribe('sudoer@north.example')
    const token = await app.tokenOf('expert@north.example')
    expect(await devicesOf(token)).toEqual([])
    for (const call of [contract.removePushDevice, contract.testPushDevice])
      expect((await app.ask(call, { token, params: { id } })).status).toBe(404)
  })

  test('a test arrives, and the next one waits', async () => {
    const { token, id, messages } = await subscribe('sudoer@north.example')
    const send = () => app.ask(contract.testPushDevice, { token, params: { id } })
    expect((await send()).status).toBe(200)
    expect(await send()).toMatchObject({ status: 429, headers: { 'retry-after': '10' } })
    await drain()
    expect(messages()).toMatchObject([{ title: 'Gridmast', path: '/profile' }])
  })

  test('the private key is sealed, and one pair serves all', async () => {
    const [one, other] = await Promise.all(
      ['sudoer@north.example', 'sudoer@west.example'].map((email) => app.tokenOf(email)),
    )
    expect(await publicKey(one ?? '')).toBe(await publicKey(other ?? ''))
    const [stored, ...more] = await storedRows(app.records, 'push_key')
    expect(more).toEqual([])
    const privateKey = app.secret.unseal(stored?.private_sealed ?? Buffer.alloc(0))
    expect(Buffer.from(privateKey, 'base64url')).toHaveLength(32)
  })
})
