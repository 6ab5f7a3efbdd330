import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import * as contract from '@gridmast/contract/webhooks.ts'
import { notFound, Refusal } from '#platform/errors.ts'
import { queueDelivery } from '#platform/webhook.ts'
import { route } from '#context.ts'
import { countDeliveries, countTestsSince, findDeliveries, retryDelivery } from './delivery-queries.ts'
import { examples } from './examples.ts'
import { getWebhook, lockWebhook } from './queries.ts'
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

const find = route(contract.findWebhookDeliveries, async ({ own, params, query }) => {
  return own(async (tx, customerId) => {
    await getWebhook(tx, customerId, params.webhookId)
    return {
      deliveries: (await findDeliveries(tx, customerId, params.webhookId, query)).map(shown),
      totalCount: await countDeliveries(tx, customerId, params.webhookId),
    }
  })
})

/** Goes the way of a real event, also to a webhook that is not enabled yet. */
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

export const deliveries = [find, sendTest, retry]
