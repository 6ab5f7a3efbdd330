import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestWorld } from '#testing/records.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import { secretOf } from '#platform/security/secret.ts'
import { openOutbox } from './outbox.ts'
import { newWebhookSecret, queueWebhook, waitsMs, webhookKind } from './webhook.ts'
import { addRows, changeRows } from '#testing/rows.ts'

type Received = { headers: IncomingMessage['headers']; body: string }
type Answering = (response: ServerResponse, received: Received) => void

const openReceiver = async () => {
  const got: Received[] = []
  let answering: Answering = (response) => response.end()
  const server: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const received = { headers: request.headers, body }
      got.push(received)
      answering(response, received)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has no other form
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    got,
    answer: (next: Answering) => (answering = next),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const customers = { north: idOf('customer', 'north'), west: idOf('customer', 'west') }
const secret = secretOf('the secret of a test installation')
const signingSecret = newWebhookSecret()
const start = Date.parse('2026-11-20T08:00:00Z')
let nowMs = start
const clock = { now: () => nowMs }
const log = pino({ level: 'silent' })
const receivers: Awaited<ReturnType<typeof openReceiver>>[] = []
const receiver = async () => {
  const opened = await openReceiver()
  receivers.push(opened)
  return opened
}
const open = (more: object = {}) => {
  const kinds = { webhook: webhookKind({ records, secret, clock, allowPrivate: true, ...more }) }
  return openOutbox({ records, clock, log, kinds })
}

const records = await openTestWorld()
afterAll(() => records.close())
beforeEach(async () => {
  nowMs = start
  await records.system((tx) => tx.deleteFrom('webhook').execute())
})
afterEach(() => {
  for (const one of receivers.splice(0)) one.close()
})

const hook = async (url: string, more: { customerId?: string; events?: string[]; enabled?: boolean } = {}) => {
  const webhook_id = newId()
  const { customerId = customers.north, events = ['alert'], enabled = true } = more
  await addRows(records, 'webhook', {
    customer_id: customerId,
    webhook_id,
    name: 'Hook',
    url,
    secret_sealed: secret.seal(signingSecret),
    events,
    enabled,
    created_at: new Date(nowMs),
  })
  return webhook_id
}
const queue = (customerId = customers.north, data: object = { value: 1 }) =>
  records.tenant(customerId, (tx) => queueWebhook(tx, customerId, 'alert', data, nowMs))
const queueTo = async (url: string) => {
  await hook(url)
  await queue()
}
const rows = () =>
  records.system((tx) => tx.selectFrom('webhook_delivery').selectAll().orderBy('delivery_id').execute())
const only = async () => {
  const [row, ...more] = await rows()
  if (!row || more.length > 0) throw new Error('expected one delivery')
  return row
}

describe('a delivery', () => {
  test('a delivery has the event and a verifiable signature', async () => {
    const { url, got } = await receiver()
    await hook(url)
    await queue(customers.north, { name: 'æøå', value: 412.5 })
    await open().drain()
    const [received] = got
    if (!received) throw new Error('nothing came')
    const { delivery_id } = await only()
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = received.headers
    const key = Buffer.from(signingSecret.replace('whsec_', ''), 'base64')
    const expected = createHmac('sha256', key)
      .update(`${String(id)}.${String(timestamp)}.${received.body}`)
      .digest('base64')
    expect(signature).toBe(`v1,${expected}`)
    expect([id, timestamp]).toEqual([delivery_id, String(start / 1000)])
    expect(received.headers['content-type']).toBe('application/json')
    expect(JSON.parse(received.body)).toEqual({
      id: delivery_id,
      type: 'alert',
      test: false,
      createdAt: '2026-11-20T08:00:00.000Z',
      customerId: customers.north,
      data: { name: 'æøå', value: 412.5 },
    })
    expect(await only()).toMatchObject({ attempts: 1, last_status: 200, last_error: null, next_attempt_at: null })
    expect((await only()).delivered_at).toEqual(new Date(start))
  })

  test('the code of docs/webhooks.md refuses changed, old and foreign deliveries', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/webhooks.md'), 'utf8')
    const code = /```js\n([^]*?)```/.exec(page)?.[1] ?? ''
    const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      isGenuine: (headers: object, body: string, secret: string) => boolean // as declared on the page
    }
    nowMs = Date.now()
    const { url, got } = await receiver()
    await queueTo(url)
    await open().drain()
    const { headers = {}, body = '' } = got[0] ?? {}
    expect(isGenuine(headers, body, signingSecret)).toBe(true)
    expect(isGenuine(headers, `${body} `, signingSecret)).toBe(false)
    expect(isGenuine(headers, body, newWebhookSecret())).toBe(false)
    expect(isGenuine({ ...headers, 'webhook-timestamp': String(nowMs / 1000 - 301) }, body, signingSecret)).toBe(false)
    expect(isGenuine({ ...headers, 'webhook-id': 'x' }, body, signingSecret)).toBe(false)
    expect(isGenuine({}, body, signingSecret)).toBe(false)
  })

  test('a delivery is queued for each enabled webhook of the event in the transaction of the change', async () => {
    const { url, got } = await receiver()
    await hook(url)
    await hook(url, { events: ['activation', 'alert'] })
    await hook(url, { events: ['bid-result'] })
    await hook(url, { enabled: false })
    const broken = records.tenant(customers.north, async (tx) => {
      await queueWebhook(tx, customers.north, 'alert', {}, nowMs)
      throw new Error('taken back')
    })
    await expect(broken).rejects.toThrow('taken back')
    expect(await rows()).toEqual([])
    await queue()
    await open().drain()
    expect(got).toHaveLength(2)
  })

  test('T5 a delivery is sent to receivers of its customer only', async () => {
    const [north, west] = [await receiver(), await receiver()]
    await hook(north.url)
    await hook(west.url, { customerId: customers.west })
    await queue(customers.north, { canary: 'of North' })
    await queue(customers.west, { canary: 'of West' })
    await open().drain()
    expect(north.got.map((one) => one.body).join()).toContain('of North')
    expect(north.got.map((one) => one.body).join()).not.toContain('of West')
    expect(west.got.map((one) => one.body).join()).not.toMatch(/of North/)
  })
})

describe('a receiver that fails', () => {
  test('a failed delivery is retried after 10 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h with the same id, then given up', async () => {
    const { url, got, answer } = await receiver()
    answer((response) => response.writeHead(500).end())
    await queueTo(url)
    const sender = open()
    const waits: number[] = []
    for (;;) {
      await sender.drain()
      const { next_attempt_at: next } = await only()
      if (!next) break
      waits.push(next.getTime() - nowMs)
      nowMs = next.getTime() - 1
      await sender.drain() // before it is due: nothing is sent
      nowMs++
    }
    expect(waits).toEqual([10_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000, 86_400_000])
    expect(waits).toEqual(waitsMs)
    expect(got).toHaveLength(8)
    expect(new Set(got.map((one) => one.headers['webhook-id'])).size).toBe(1)
    expect(new Set(got.map((one) => one.body)).size).toBe(1)
    expect(new Set(got.map((one) => one.headers['webhook-signature'])).size).toBe(8)
    expect(await only()).toMatchObject({
      attempts: 8,
      delivered_at: null,
      last_status: 500,
      last_error: 'Answered 500',
    })
    nowMs += 30 * 86_400_000
    await sender.drain()
    expect(got).toHaveLength(8)
  })

  test('a receiver that recovers gets the delivery', async () => {
    const { url, answer } = await receiver()
    answer((response) => response.writeHead(503).end())
    await queueTo(url)
    const sender = open()
    await sender.drain()
    expect(await only()).toMatchObject({ attempts: 1, last_status: 503 })
    answer((response) => response.writeHead(204).end())
    nowMs += 10_000
    await sender.drain()
    expect(await only()).toMatchObject({ attempts: 2, last_status: 204, last_error: null, next_attempt_at: null })
  })

  test.each([
    ['does not answer in time', () => {}, 'No answer within 0.2 s', null],
    ['breaks the connection', (response: ServerResponse) => response.destroy(), 'ECONNRESET', null],
    ['answers 410', (response: ServerResponse) => response.writeHead(410).end(), 'Answered 410', 410],
  ])('a delivery is retried when the receiver %s', async (_, answering, error, status) => {
    const { url, answer } = await receiver()
    answer(answering)
    await queueTo(url)
    await open({ timeoutMs: error.startsWith('No answer') ? 200 : 10_000 }).drain()
    expect(await only()).toMatchObject({ attempts: 1, last_status: status, last_error: error, delivered_at: null })
    expect((await only()).next_attempt_at).toEqual(new Date(start + 10_000))
  })

  test('a delivery to a closed port is retried', async () => {
    const { url, close } = await receiver()
    close()
    await queueTo(url)
    await open().drain()
    expect(await only()).toMatchObject({ last_status: null, last_error: 'ECONNREFUSED' })
  })

  test('a redirect is not followed', async () => {
    const [first, second] = [await receiver(), await receiver()]
    first.answer((response) => response.writeHead(307, { location: second.url }).end())
    await queueTo(first.url)
    await open().drain()
    expect(second.got).toEqual([])
    expect(await only()).toMatchObject({ last_status: 307, last_error: 'Answered 307', delivered_at: null })
  })

  test('of an endless answer only the status is read', async () => {
    const { url, answer } = await receiver()
    let written = 0
    answer((response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) written += 16_384
      }
      response.on('drain', more)
      more()
    })
    await queueTo(url)
    await open({ timeoutMs: 5000 }).drain()
    expect(await only()).toMatchObject({ last_status: 200, last_error: null })
    expect(written).toBeLessThan(32 * 1024 * 1024)
  })
})

describe('several at once', () => {
  test('a stalled receiver delays no other receiver', async () => {
    const [slow, fast] = [await receiver(), await receiver()]
    const stalled: ServerResponse[] = []
    slow.answer((response) => void stalled.push(response))
    await hook(slow.url)
    await hook(fast.url)
    for (let i = 0; i < 3; i++) await queue()
    const sender = open({ timeoutMs: 60_000 })
    const drained = sender.drain()
    await expect.poll(() => fast.got.length).toBe(3)
    expect(slow.got).toHaveLength(1)
    await queue()
    void sender.drain()
    await expect.poll(() => fast.got.length).toBe(4)
    slow.answer((response) => response.end())
    for (const response of stalled) response.end()
    await sender.close()
    await drained
  })

  test('two processes send each delivery once', async () => {
    const { url, got } = await receiver()
    await hook(url)
    await hook(url)
    for (let i = 0; i < 10; i++) await queue()
    await Promise.all([open().drain(), open().drain()])
    expect(got).toHaveLength(20)
    expect(new Set(got.map((one) => one.headers['webhook-id'])).size).toBe(20)
  })

  test('a delivery of a dead process is sent again after a minute', async () => {
    const { url, got } = await receiver()
    await queueTo(url)
    await changeRows(records, 'outbox', {}, { attempts: 1, leased_until: new Date(start + 60_000) })
    await open().drain()
    expect(got).toEqual([])
    nowMs += 60_000
    await open().drain()
    expect(got).toHaveLength(1)
    expect(await only()).toMatchObject({ attempts: 2, next_attempt_at: null })
  })

  test('deliveries of a disabled webhook wait and are sent when it is enabled', async () => {
    const { url, got } = await receiver()
    await queueTo(url)
    await changeRows(records, 'webhook', {}, { enabled: false })
    await open().drain()
    expect(got).toEqual([])
    await changeRows(records, 'webhook', {}, { enabled: true })
    await open().drain()
    expect(got).toHaveLength(1)
  })

  test('an unreadable secret fails its delivery only', async () => {
    const { url, got } = await receiver()
    await queueTo(url)
    await open({ secret: secretOf('another key of another installation') }).drain()
    expect(got).toEqual([])
    expect(await only()).toMatchObject({ attempts: 1, last_error: 'It could not be sent' })
  })
})

describe('an address that is not public', () => {
  const resolving = (address: string) => ({
    allowPrivate: false,
    resolve: (_: string, __: object, found: (error: null, all: object[]) => void) =>
      found(null, [{ address, family: address.includes(':') ? 6 : 4 }]),
  })

  test.each(['http://127.0.0.1:PORT/', 'https://127.0.0.1:PORT/', 'https://localhost:PORT/', 'https://[::1]:PORT/'])(
    '%s is refused at delivery',
    async (address) => {
      const { port, got } = await receiver()
      await queueTo(address.replace('PORT', String(port)))
      await open({ allowPrivate: false }).drain()
      expect(got).toEqual([])
      expect(await only()).toMatchObject({ last_status: null, last_error: 'Not a public https address' })
    },
  )

  test.each(['127.0.0.1', '10.0.0.7', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00::1'])(
    'a host name with the address %s is refused',
    async (address) => {
      const { port, got } = await receiver()
      await queueTo(`https://hooks.example:${port}/`)
      await open(resolving(address)).drain()
      expect(got).toEqual([])
      expect(await only()).toMatchObject({ last_status: null, last_error: 'Not a public address' })
    },
  )
})
