import { z } from 'zod'
import { call, id } from '#call.ts'
import { requiredText, shortText } from '#fields.ts'
import { m } from '#messages.ts'
import { paged } from '#paging.ts'

export const webhookEvents = ['alert', 'activation', 'bid-result', 'sold-capacity', 'charging-budget'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

export const webhook = z.object({
  _id: id('webhook'),
  name: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  enabled: z.boolean(),
  createdAt: z.iso.datetime(),
  lastDelivery: z.object({ at: z.iso.datetime(), state: z.enum(['delivered', 'waiting', 'failed']) }).nullable(),
})
export type Webhook = z.infer<typeof webhook>

const form = z.strictObject({
  name: shortText,
  url: requiredText(500).pipe(z.url({ protocol: /^https?$/, error: m.webhookUrl })),
  events: z.array(z.enum(webhookEvents)).min(1, m.required).max(webhookEvents.length),
  enabled: z.boolean(),
})

const params = z.object({ webhookId: id('webhook') })

export const findWebhooks = call({
  method: 'GET',
  path: '/client/webhook',
  summary: 'List the webhooks of the customer',
  may: 'webhook.manage',
  of: ['webhook'],
  response: z.object({ webhooks: z.array(webhook) }),
})

export const addWebhook = call({
  method: 'POST',
  path: '/client/webhook',
  summary: 'Add a webhook; `secret` signs its deliveries and is shown only once',
  may: 'webhook.manage',
  touches: ['webhook'],
  body: form,
  response: z.object({ webhook, secret: z.string() }),
  ok: m.webhookSaved,
})

export const saveWebhook = call({
  method: 'PATCH',
  path: '/client/webhook/{webhookId}',
  summary: 'Change a webhook',
  may: 'webhook.manage',
  touches: ['webhook'],
  params,
  body: form,
  response: z.object({ webhook }),
  ok: m.webhookSaved,
})

export const removeWebhook = call({
  method: 'DELETE',
  path: '/client/webhook/{webhookId}',
  summary: 'Remove a webhook with its deliveries',
  may: 'webhook.manage',
  touches: ['webhook'],
  params,
  ok: m.webhookRemoved,
})

export const testWebhook = call({
  method: 'POST',
  path: '/client/webhook/{webhookId}/test',
  summary: 'Send an example of one event, marked as a test',
  may: 'webhook.manage',
  touches: ['webhook'],
  params,
  body: z.strictObject({ event: z.enum(webhookEvents) }),
  response: z.object({ deliveryId: id('webhook-delivery') }),
  ok: m.webhookQueued,
})

export const webhookDelivery = z.object({
  _id: id('webhook-delivery'),
  event: z.enum(webhookEvents),
  test: z.boolean(),
  createdAt: z.iso.datetime(),
  state: z.enum(['delivered', 'waiting', 'failed']),
  attempts: z.number(),
  nextAttemptAt: z.iso.datetime().nullable(),
  deliveredAt: z.iso.datetime().nullable(),
  status: z.number().nullable(),
  error: z.string().nullable(),
  payload: z.string(),
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

export const deliveryColumns = ['event', 'createdAt', 'answer', 'state'] as const

export const findWebhookDeliveries = call({
  method: 'GET',
  path: '/client/webhook/{webhookId}/delivery',
  summary: 'List the deliveries to a webhook, newest first',
  may: 'webhook.manage',
  of: ['webhook'],
  params,
  sorts: deliveryColumns,
  query: z.strictObject(paged(deliveryColumns)),
  response: z.object({ deliveries: z.array(webhookDelivery), totalCount: z.number() }),
})

export const retryWebhookDelivery = call({
  method: 'POST',
  path: '/client/webhook/{webhookId}/delivery/{deliveryId}/retry',
  summary: 'Send a delivery again now',
  may: 'webhook.manage',
  touches: ['webhook'],
  params: z.object({ webhookId: id('webhook'), deliveryId: id('webhook-delivery') }),
  ok: m.webhookQueued,
})
