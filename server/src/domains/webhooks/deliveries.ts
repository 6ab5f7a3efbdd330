import * as contract from '@gridmast/contract/webhooks.ts'
import { notFound } from '#platform/errors.ts'
import { leaseMs } from '#platform/webhook-sender.ts'
import { queueDelivery } from '#platform/webhook.ts'
import { route } from '#route.ts'
import { countDeliveries, findDeliveries, retryDelivery } from './delivery-queries.ts'
import { examples } from './examples.ts'
import { getWebhook, lockWebhook } from './queries.ts'
import { auditWebhook } from './said.ts'
import { stateOf } from './state.ts'

const eventOf = (text: string) => contract.webhookEvents.find((event) => event === text) ?? 'alert'

const shown = (row: Awaited<ReturnType<typeof findDeliveries>>[number]): contract.WebhookDelivery => ({
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

const find = route(contract.findWebhookDeliveries, async ({ app, viewer, params, query }) => {
  const { customerId } = viewer
  return app.records.tenant(customerId, async (tx) => {
    await getWebhook(tx, customerId, params.webhookId)
    return {
      deliveries: (await findDeliveries(tx, customerId, params.webhookId, query)).map(shown),
      totalCount: await countDeliveries(tx, customerId, params.webhookId),
    }
  })
})

/** Goes the way of a real event, also to a webhook that is not enabled yet. */
const sendTest = route(contract.testWebhook, async ({ app, viewer, params, body, requestId }) => {
  const { customerId } = viewer
  const nowMs = app.clock.now()
  const deliveryId = await app.records.tenant(customerId, async (tx) => {
    const { name } = await lockWebhook(tx, customerId, params.webhookId)
    await auditWebhook(tx, viewer, nowMs, requestId, { action: 'test', subject: name, event: body.event })
    const queued = { event: body.event, data: examples[body.event], test: true, nowMs }
    return queueDelivery(tx, customerId, params.webhookId, queued)
  })
  return { deliveryId }
})

const retry = route(contract.retryWebhookDelivery, async ({ app, viewer, params, requestId }) => {
  const { customerId } = viewer
  const nowMs = app.clock.now()
  const at = { now: new Date(nowMs), leaseEnd: new Date(nowMs + leaseMs) }
  await app.records.tenant(customerId, async (tx) => {
    const due = await retryDelivery(tx, customerId, params.webhookId, params.deliveryId, at)
    if (!due) throw notFound()
    await auditWebhook(tx, viewer, nowMs, requestId, { action: 'retry', subject: params.deliveryId, event: due.event })
  })
  return undefined
})

export const deliveries = [find, sendTest, retry]
