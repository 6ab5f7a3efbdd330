import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/people/webhooks.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { invalid, Refusal, notFound } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import { isWebhookUrl, newWebhookSecret, queueDelivery } from '#platform/messaging/webhook.ts'
import { type App, route } from '#context.ts'
import {
  addWebhook,
  countTestsSince,
  countWebhooks,
  findDeliveries,
  findWebhooks,
  getWebhook,
  lockWebhook,
  removeWebhook,
  retryDelivery,
  saveWebhook,
} from './queries.ts'
import { examples } from './examples.ts'

type Form = { name: string; url: string; events: readonly string[]; enabled: boolean }

/** The audit trail has the host only, because many receivers have a secret in the path of their URL. */
const withoutPath = ({ name, url, events, enabled }: Form) => ({ name, host: new URL(url).host, events, enabled })

const auditChange = (change: { before?: Form; after?: Form }) => {
  const { before, after } = change
  const urlChange = before && after && before.url !== after.url ? { url: 'changed' } : {}
  return {
    ...(before ? { before: withoutPath(before) } : {}),
    ...(after ? { after: { ...withoutPath(after), ...urlChange } } : {}),
  }
}

const stateOf = (row: { delivered_at: Date | null; next_attempt_at: Date | null }) => {
  if (row.delivered_at) return 'delivered'
  return row.next_attempt_at ? 'waiting' : 'failed'
}

type Last = contract.Webhook['lastDelivery']

const toWebhook = (row: Awaited<ReturnType<typeof lockWebhook>>, lastDelivery: Last): contract.Webhook => ({
  _id: row.webhook_id,
  name: row.name,
  url: row.url,
  events: contract.webhookEvents.filter((event) => row.events.includes(event)),
  enabled: row.enabled,
  createdAt: row.created_at.toISOString(),
  lastDelivery,
})

const lastOf = (row: Awaited<ReturnType<typeof findWebhooks>>[number]): Last =>
  row.last_at && { at: row.last_at.toISOString(), state: stateOf(row) }

const checkUrl = (app: App, url: string) => {
  if (!isWebhookUrl(url, app.config.WEBHOOK_PRIVATE === 'on')) throw invalid({ url: m.webhookUrl })
}

const find = route(contract.findWebhooks, async ({ own }) => {
  const rows = await own(findWebhooks)
  return { webhooks: rows.map((row) => toWebhook(row, lastOf(row))) }
})

const add = route(contract.addWebhook, async ({ app, own, audit, nowMs, body }) => {
  checkUrl(app, body.url)
  const secret = newWebhookSecret()
  const webhook = await own(async (tx, customerId) => {
    if ((await countWebhooks(tx, customerId)) >= limits.webhooks)
      throw new Refusal(409, m.tooManyWebhooks(limits.webhooks))
    await audit(tx, 'webhook.add', body.name, auditChange({ after: body }))
    return addWebhook(tx, {
      customer_id: customerId,
      webhook_id: newId(nowMs),
      ...body,
      secret_sealed: app.secret.seal(secret),
      created_at: new Date(nowMs),
    })
  })
  return { webhook: toWebhook(webhook, null), secret }
})

const save = route(contract.saveWebhook, async ({ app, own, audit, params, body }) => {
  checkUrl(app, body.url)
  return own(async (tx, customerId) => {
    const before = await lockWebhook(tx, customerId, params.webhookId)
    await saveWebhook(tx, customerId, params.webhookId, body)
    await audit(tx, 'webhook.save', before.name, auditChange({ before, after: body }))
    const saved = (await findWebhooks(tx, customerId)).find((row) => row.webhook_id === params.webhookId)
    return { webhook: toWebhook({ ...before, ...body }, saved ? lastOf(saved) : null) }
  })
})

const remove = route(contract.removeWebhook, async ({ own, audit, params }) => {
  await own(async (tx, customerId) => {
    const removed = await removeWebhook(tx, customerId, params.webhookId)
    await audit(tx, 'webhook.remove', removed.name, auditChange({ before: removed }))
  })
})

const eventOf = (text: string) => contract.webhookEvents.find((event) => event === text) ?? 'alert'

const toDelivery = (row: Awaited<ReturnType<typeof findDeliveries>>['rows'][number]): contract.WebhookDelivery => ({
  _id: row.delivery_id,
  event: eventOf(row.event),
  test: row.test,
  createdAt: row.created_at.toISOString(),
  state: stateOf(row),
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  deliveredAt: row.delivered_at?.toISOString() ?? null,
  status: row.last_status,
  error: row.last_error,
  payload: JSON.stringify(row.payload),
})

const findDelivered = route(contract.findWebhookDeliveries, async ({ own, params, query }) => {
  return own(async (tx, customerId) => {
    await getWebhook(tx, customerId, params.webhookId)
    const { rows, totalCount } = await findDeliveries(tx, customerId, params.webhookId, query)
    return { deliveries: rows.map(toDelivery), totalCount }
  })
})

const sendTest = route(contract.testWebhook, async ({ own, audit, nowMs, params, body }) => {
  const deliveryId = await own(async (tx, customerId) => {
    const { name } = await lockWebhook(tx, customerId, params.webhookId)
    const recent = await countTestsSince(tx, customerId, params.webhookId, new Date(nowMs - minuteMs))
    if (recent >= limits.webhookTestsPerMinute) throw new Refusal(429, m.tooMany, { retryAfterS: 60 })
    await audit(tx, 'webhook.test', name, { after: { event: body.event } })
    const queued = { event: body.event, data: examples[body.event], test: true, nowMs }
    return queueDelivery(tx, customerId, params.webhookId, queued)
  })
  return { deliveryId }
})

const retry = route(contract.retryWebhookDelivery, async ({ own, audit, nowMs, params }) => {
  await own(async (tx, customerId) => {
    const due = await retryDelivery(tx, customerId, params.webhookId, params.deliveryId, new Date(nowMs))
    if (!due) throw notFound()
    await audit(tx, 'webhook.retry', params.deliveryId, { after: { event: due.event } })
  })
})

export const webhooks = [find, add, save, remove, findDelivered, sendTest, retry]
