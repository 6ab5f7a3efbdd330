import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/people/webhooks.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { openOutbox, tidyOutbox } from '#platform/messaging/outbox.ts'
import { webhookKind } from '#platform/messaging/webhook.ts'
import { openTestApp } from '#testing/app.ts'
import { changeRows, storedRows } from '#testing/rows.ts'
import { examples } from './examples.ts'

const app = await openTestApp()
let sudoer = await app.tokenOf('sudoer@north.example')
const west = await app.tokenOf('sudoer@west.example')
afterAll(() => app.close())

const form = { name: 'Plant', url: 'https://hooks.example/secret-path', events: ['alert'], enabled: true }
const add = async (more: object = {}, token = sudoer): Promise<{ webhook: contract.Webhook; secret: string }> => {
  const answer = await app.ask(contract.addWebhook, { token, body: { ...form, ...more } })
  expect(answer.status).toBe(200)
  return answer.body.data
}
const find = async (token = sudoer) => (await app.data(contract.findWebhooks, { token })).webhooks
const deliveriesOf = async (webhookId: string, query: Record<string, string> = {}) =>
  await app.data(contract.findWebhookDeliveries, { token: sudoer, params: { webhookId }, query })
const sendTest = async (webhookId: string, event = 'alert') =>
  (await app.data(contract.testWebhook, { token: sudoer, params: { webhookId }, body: { event } })).deliveryId
const remove = (webhookId: string, token = sudoer) => app.ask(contract.removeWebhook, { token, params: { webhookId } })
const trail = () => app.trail('webhook.%')
const drain = () => {
  const { records, clock, log } = app
  return openOutbox({ records, clock, log, kinds: { webhook: webhookKind({ ...app, allowPrivate: true }) } }).drain()
}

const receiveAt = async (webhookId: string, status: number) => {
  const got: string[] = []
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => got.push(chunk.toString()))
    request.on('end', () => response.writeHead(status).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has no other form
  await changeRows(app.records, 'webhook', { webhook_id: webhookId }, { url: `http://127.0.0.1:${port}/` })
  return { got, close: () => server.close() }
}

describe('managing webhooks', () => {
  test('the secret is shown once and stored encrypted', async () => {
    const { webhook, secret } = await add()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await find()).toEqual([webhook])
    expect(JSON.stringify(await find())).not.toContain('whsec_')
    const row = await app.records.system((tx) => tx.selectFrom('webhook').selectAll().executeTakeFirstOrThrow())
    expect(Buffer.from(row.secret_sealed).toString('latin1')).not.toContain(secret.slice(6))
    expect(app.secret.unseal(row.secret_sealed)).toBe(secret)
    await remove(webhook._id)
  })

  test('C4 each change and test is on the trail with the host and without the path of the address', async () => {
    const { webhook, secret } = await add()
    const body = { ...form, url: 'https://hooks.example/other-path', enabled: false }
    const params = { webhookId: webhook._id }
    expect((await app.data(contract.saveWebhook, { token: sudoer, params, body })).webhook).toEqual({
      ...webhook,
      ...body,
    })
    await sendTest(webhook._id, 'bid-result')
    expect((await remove(webhook._id)).body.message).toBe('Webhook removed')
    const entries = (await trail()).slice(-4)
    const shown = { name: 'Plant', host: 'hooks.example', events: ['alert'], enabled: true }
    expect(entries).toMatchObject([
      { action: 'webhook.add', before: null, after: shown },
      { action: 'webhook.save', before: shown, after: { ...shown, enabled: false, url: 'changed' } },
      { action: 'webhook.test', after: { event: 'bid-result' } },
      { action: 'webhook.remove', before: { ...shown, enabled: false }, after: null },
    ])
    expect(JSON.stringify(entries)).not.toContain('path')
    expect(JSON.stringify(entries)).not.toContain(secret.slice(6))
  })

  test.each([
    'http://hooks.example/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f000001/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://user:password@hooks.example/',
    'ftp://hooks.example/',
    'javascript:alert(1)',
    'not an address',
  ])('the address %s is refused when it is added or saved', async (url) => {
    const { webhook } = await add()
    const added = await app.ask(contract.addWebhook, { token: sudoer, body: { ...form, url } })
    const params = { webhookId: webhook._id }
    const saved = await app.ask(contract.saveWebhook, { token: sudoer, params, body: { ...form, url } })
    for (const answer of [added, saved])
      expect(answer).toMatchObject({ status: 400, body: { errors: { url: m.webhookUrl } } })
    expect(await find()).toEqual([webhook])
    await remove(webhook._id)
  })

  test.each([
    [{ name: '' }, { name: m.required }],
    [{ name: 'x'.repeat(101) }, { name: 'Must be at most 100 characters' }],
    [{ url: '' }, { url: m.required }],
    [{ url: `https://hooks.example/${'x'.repeat(480)}` }, { url: 'Must be at most 500 characters' }],
    [{ events: [] }, { events: m.required }],
    [{ events: ['login'] }, { 'events.0': expect.anything() }],
    [{ enabled: 'yes' }, { enabled: expect.anything() }],
    [{ secret: 'whsec_x' }, { secret: 'Unknown field: secret' }],
  ])('R3 %j is refused', async (wrong, errors) => {
    const answer = await app.ask(contract.addWebhook, { token: sudoer, body: { ...form, ...wrong } })
    expect([answer.status, answer.body.errors]).toEqual([400, errors])
  })

  test('R4 a company has at most 20 webhooks, also with concurrent requests', async () => {
    const made: string[] = []
    for (let i = 0; i < limits.webhooks - 1; i++) made.push((await add()).webhook._id)
    const last = await Promise.all([1, 2].map(() => app.ask(contract.addWebhook, { token: sudoer, body: form })))
    expect(last.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(last.find((answer) => answer.status === 409)?.body.message).toBe(m.tooManyWebhooks(20))
    for (const { _id } of await find()) await remove(_id)
    expect(made).toHaveLength(19)
  })

  test('T1 another customer’s webhook is not found', async () => {
    const { webhook } = await add()
    const deliveryId = await sendTest(webhook._id)
    const params = { webhookId: webhook._id }
    const answers = [
      await app.ask(contract.saveWebhook, { token: west, params, body: form }),
      await app.ask(contract.testWebhook, { token: west, params, body: { event: 'alert' } }),
      await app.ask(contract.findWebhookDeliveries, { token: west, params }),
      await app.ask(contract.retryWebhookDelivery, { token: west, params: { ...params, deliveryId } }),
      await remove(webhook._id, west),
    ]
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 404, body: { success: false, message: 'Not found' } })
    expect(await find(west)).toEqual([])
    expect((await deliveriesOf(webhook._id)).totalCount).toBe(1)
    await remove(webhook._id)
  })
})

describe('deliveries', () => {
  test.each(contract.webhookEvents)('a test of %s is sent as an example marked as a test', async (event) => {
    const { webhook } = await add({ enabled: false })
    const { got, close } = await receiveAt(webhook._id, 200)
    const deliveryId = await sendTest(webhook._id, event)
    expect((await find())[0]?.lastDelivery?.state).toBe('waiting')
    await drain()
    close()
    expect(JSON.parse(got.join(''))).toMatchObject({
      id: deliveryId,
      type: event,
      test: true,
      data: examples[event],
    })
    expect((await find())[0]?.lastDelivery?.state).toBe('delivered')
    const { deliveries, totalCount } = await deliveriesOf(webhook._id)
    expect(totalCount).toBe(1)
    expect(deliveries[0]).toMatchObject({
      _id: deliveryId,
      event,
      test: true,
      state: 'delivered',
      attempts: 1,
      nextAttemptAt: null,
      status: 200,
      error: null,
      payload: got.join(''),
    })
    await remove(webhook._id)
  })

  test('deliveries are listed newest first, by page', async () => {
    const { webhook } = await add()
    const ids: string[] = []
    const startMs = Date.now()
    for (let i = 0; i < 5; i++) {
      app.setNow(new Date(startMs + i).toISOString())
      ids.push(await sendTest(webhook._id))
    }
    const page = await deliveriesOf(webhook._id, { limit: '2', skip: '1' })
    expect(page.totalCount).toBe(5)
    expect(page.deliveries.map((one) => one._id)).toEqual([ids[3], ids[2]])
    await remove(webhook._id)
    expect(await storedRows(app.records, 'webhook_delivery')).toEqual([])
  })

  test('L1 at most ten tests are sent per minute', async () => {
    const { webhook } = await add()
    const test = () =>
      app.ask(contract.testWebhook, { token: sudoer, params: { webhookId: webhook._id }, body: { event: 'alert' } })
    const startMs = Date.now()
    app.setNow(new Date(startMs).toISOString())
    for (let i = 0; i < limits.webhookTestsPerMinute; i++) expect((await test()).status).toBe(200)
    const refused = await test()
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
    expect((await deliveriesOf(webhook._id)).totalCount).toBe(limits.webhookTestsPerMinute)
    app.setNow(new Date(startMs + 60_001).toISOString())
    expect((await test()).status).toBe(200)
    await remove(webhook._id)
  })

  test('a failed delivery is sent again on request, a queued one is not sent twice', async () => {
    const start = Date.parse('2026-11-20T08:00:00Z')
    app.setNow(new Date(start).toISOString())
    sudoer = await app.tokenOf('sudoer@north.example')
    const { webhook } = await add()
    const { got, close } = await receiveAt(webhook._id, 500)
    const params = { webhookId: webhook._id, deliveryId: await sendTest(webhook._id) }
    const retry = () => app.ask(contract.retryWebhookDelivery, { token: sudoer, params })
    const next = async () => (await deliveriesOf(webhook._id)).deliveries[0]?.nextAttemptAt
    await drain()
    expect(await next()).toBe('2026-11-20T08:00:10.000Z')
    const set = (columns: { next_attempt_at: Date | null; leased_until?: Date }) =>
      app.records.system((tx) => tx.updateTable('outbox').set(columns).execute())
    await set({ next_attempt_at: new Date(start), leased_until: new Date(start + 1) })
    await retry()
    const before = got.length
    await drain()
    expect(got.length).toBe(before)
    await set({ next_attempt_at: new Date(start), leased_until: new Date(start) })
    for (const at of [new Date(start + 10_000), null]) {
      await set({ next_attempt_at: at })
      const before = got.length
      expect(await retry()).toMatchObject({ status: 200, body: { message: 'On its way' } })
      expect(await next()).toBe('2026-11-20T08:00:00.000Z')
      await drain()
      expect(got.length).toBe(before + 1)
    }
    close()
    const unknown = { ...params, deliveryId: '018f0000-0000-7000-8000-000000000000' }
    expect((await app.ask(contract.retryWebhookDelivery, { token: sudoer, params: unknown })).status).toBe(404)
    await remove(webhook._id)
    app.setNow(new Date().toISOString())
    sudoer = await app.tokenOf('sudoer@north.example')
  })

  test('deliveries older than 30 days are deleted daily', async () => {
    const { webhook } = await add()
    const [old, kept] = [await sendTest(webhook._id), await sendTest(webhook._id)]
    const nowMs = app.clock.now()
    const ageOf = (id: string, ms: number) =>
      changeRows(app.records, 'webhook_delivery', { delivery_id: id }, { created_at: new Date(nowMs - ms) })
    await ageOf(old, 30 * 86_400_000 + 1)
    await ageOf(kept, 30 * 86_400_000)
    const before = new Date(nowMs - 30 * 86_400_000)
    await app.records.system((tx) => tidyOutbox(tx, { mailBefore: before, before }))
    const { deliveries } = await deliveriesOf(webhook._id)
    expect(deliveries.map((one) => one._id)).toEqual([kept])
    await remove(webhook._id)
  })
})

test('WEBHOOK_PRIVATE allows a private network address without a password in it', async () => {
  app.config.WEBHOOK_PRIVATE = 'on'
  const statusOf = async (url: string) =>
    (await app.ask(contract.addWebhook, { token: sudoer, body: { ...form, url } })).status
  expect(await statusOf('http://192.168.1.10:8080/hook')).toBe(200)
  expect(await statusOf('http://user:password@192.168.1.10/')).toBe(400)
  app.config.WEBHOOK_PRIVATE = 'off'
  expect(await statusOf('http://192.168.1.10:8080/hook')).toBe(400)
})
