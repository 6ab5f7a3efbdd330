import { createHmac, randomBytes } from 'node:crypto'
import type { WebhookEvent } from '@gridmast/contract/people/webhooks.ts'
import { minuteMs, hourMs, dayMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { Clock } from '#platform/process/clock.ts'
import { newId } from '#platform/records/ids.ts'
import { type Kind, queueItems } from './outbox.ts'
import { type Resolve, isPublicAddress, literalAddress, NotPublic, publicLookup } from '#platform/http/address.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import { findRow } from '#platform/records/rows.ts'
import type { Secret } from '#platform/security/secret.ts'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { version } from '#platform/process/version.ts'

/** Largest answer that is read; its content is discarded. */
const answerBytes = 64 * 1024

type Target = {
  url: string
  headers: Record<string, string>
  body: string | Buffer
  timeoutMs: number
  /** Allows private and loopback addresses and plain http: for a demo, a test or a private network. */
  allowPrivate: boolean
  resolve?: Resolve
}

/** https, without a password, and without a literal private address. */
export const isWebhookUrl = (text: string, allowPrivate: boolean): boolean => {
  const url = new URL(text)
  if (url.username || url.password) return false
  if (allowPrivate) return true
  const address = literalAddress(url)
  const isLocalName = /(^|\.)localhost\.?$/i.test(url.hostname)
  return url.protocol === 'https:' && !isLocalName && (address === null || isPublicAddress(address))
}

const wordsOf = (error: Error, timeoutMs: number): string => {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return `No answer within ${timeoutMs / 1000} s`
  if (error instanceof NotPublic) return error.message
  return 'code' in error && typeof error.code === 'string' ? error.code : 'The request failed'
}

/** Posts once and follows no redirect; JSON unless `headers` state otherwise. `status` is null without an answer. */
export const postOnce = (target: Target): Promise<{ status: number | null; error: string | null }> => {
  if (!isWebhookUrl(target.url, target.allowPrivate))
    return Promise.resolve({ status: null, error: 'Not a public https address' })
  const url = new URL(target.url)
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: false,
      ...(target.allowPrivate ? {} : { lookup: publicLookup(target.resolve) }),
      signal: AbortSignal.timeout(target.timeoutMs),
      headers: {
        'content-type': 'application/json',
        ...target.headers,
        'content-length': Buffer.byteLength(target.body),
        'user-agent': `Gridmast/${version}`,
      },
    })
    request.once('response', (response) => {
      const status = response.statusCode ?? 0
      const isDelivered = status >= 200 && status < 300
      const done = () => resolve({ status, error: isDelivered ? null : `Answered ${status}` })
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > answerBytes) response.destroy()
      })
      response.on('error', done) // the status decides; an aborted body changes nothing
      response.once('close', done)
    })
    request.on('error', (error) => resolve({ status: null, error: wordsOf(error, target.timeoutMs) }))
    request.end(target.body)
  })
}

const prefix = 'whsec_'

/** 256 random bits in the format of the Standard Webhooks specification. */
export const newWebhookSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`

/** Headers that prove origin, integrity and age of a delivery (standardwebhooks.com). */
const signedHeaders = (secret: string, delivery: { id: string; body: string; nowMs: number }) => {
  const timestamp = String(Math.floor(delivery.nowMs / 1000))
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${delivery.id}.${timestamp}.${delivery.body}`).digest('base64')
  return { 'webhook-id': delivery.id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

type Queued = { event: WebhookEvent; data: object; test: boolean; nowMs: number }

const deliveryOf = (customerId: string, webhookId: string, { event, data, test, nowMs }: Queued) => {
  const id = newId(nowMs)
  const payload = { id, type: event, test, createdAt: new Date(nowMs).toISOString(), customerId, data }
  return { id, customerId, kind: 'webhook', webhookId, payload, nowMs }
}

/** Queues one delivery in the caller's transaction. Answers its id, which is the same for every attempt. */
export const queueDelivery = async (tx: Tx, customerId: string, webhookId: string, queued: Queued): Promise<string> => {
  const delivery = deliveryOf(customerId, webhookId, queued)
  await queueItems(tx, [delivery])
  return delivery.id
}

export const queueWebhooks = async (
  tx: Tx,
  event: WebhookEvent,
  changes: readonly { customerId: string; data: object }[],
  nowMs: number,
): Promise<void> => {
  if (changes.length === 0) return
  const webhooks = await tx
    .selectFrom('webhook')
    .select(['customer_id', 'webhook_id'])
    .where('customer_id', '=', sql<string>`any(${[...new Set(changes.map(({ customerId }) => customerId))]})`)
    .where('enabled', '=', true)
    .where(sql<boolean>`${event} = any(events)`)
    .execute()
  const items = changes.flatMap(({ customerId, data }) =>
    webhooks
      .filter(({ customer_id }) => customer_id === customerId)
      .map(({ webhook_id }) => deliveryOf(customerId, webhook_id, { event, data, test: false, nowMs })),
  )
  await queueItems(tx, items)
}

export const queueWebhook = (tx: Tx, customerId: string, event: WebhookEvent, data: object, nowMs: number) =>
  queueWebhooks(tx, event, [{ customerId, data }], nowMs)

/** Waits between attempts; after the last one a delivery is given up. */
export const waitsMs = [10_000, 30_000, 2 * minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, dayMs]

const getTarget = (records: Records, customerId: string, webhookId: string) =>
  records.tenant(customerId, (tx) =>
    findRow(tx, customerId, 'webhook', { webhook_id: webhookId }, ['url', 'secret_sealed']),
  )

export const webhookKind = (from: {
  records: Records
  secret: Secret
  clock: Clock
  allowPrivate: boolean
  timeoutMs?: number
  resolve?: Resolve
}): Kind => ({
  deliver: async ({ id, customerId, webhookId, payload }) => {
    const target = customerId && webhookId ? await getTarget(from.records, customerId, webhookId) : undefined
    if (!target) return { error: 'The webhook was removed' }
    const body = JSON.stringify(payload)
    return postOnce({
      url: target.url,
      body,
      headers: signedHeaders(from.secret.unseal(target.secret_sealed), { id, body, nowMs: from.clock.now() }),
      timeoutMs: from.timeoutMs ?? 10_000,
      allowPrivate: from.allowPrivate,
      ...(from.resolve ? { resolve: from.resolve } : {}),
    })
  },
  waitMs: (attempts) => waitsMs[attempts - 1] ?? null,
  atOnce: 100,
})
