import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/webhooks.ts'
import type { App } from '#app.ts'
import { invalid, Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import { isWebhookUrl } from '#platform/webhook-post.ts'
import { newWebhookSecret } from '#platform/webhook-signature.ts'
import { route } from '#route.ts'
import { addWebhook, countWebhooks, findWebhooks, lockWebhook, removeWebhook, saveWebhook } from './queries.ts'
import { auditWebhook } from './said.ts'
import { stateOf } from './state.ts'

type Row = Awaited<ReturnType<typeof lockWebhook>>
type Last = contract.Webhook['lastDelivery']

const shown = (row: Row, lastDelivery: Last): contract.Webhook => ({
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

const find = route(contract.findWebhooks, async ({ app, viewer }) => {
  const rows = await app.records.tenant(viewer.customerId, (tx) => findWebhooks(tx, viewer.customerId))
  return { webhooks: rows.map((row) => shown(row, lastOf(row))) }
})

const add = route(contract.addWebhook, async ({ app, viewer, body, requestId }) => {
  const { customerId } = viewer
  checkUrl(app, body.url)
  const nowMs = app.clock.now()
  const secret = newWebhookSecret()
  const made = await app.records.tenant(customerId, async (tx) => {
    if ((await countWebhooks(tx, customerId)) >= limits.webhooks)
      throw new Refusal(409, m.tooManyWebhooks(limits.webhooks))
    await auditWebhook(tx, viewer, nowMs, requestId, { action: 'add', subject: body.name, after: body })
    return addWebhook(tx, {
      customer_id: customerId,
      webhook_id: newId(nowMs),
      ...body,
      secret_sealed: app.secret.seal(secret),
      created_at: new Date(nowMs),
    })
  })
  return { webhook: shown(made, null), secret }
})

const save = route(contract.saveWebhook, async ({ app, viewer, params, body, requestId }) => {
  const { customerId } = viewer
  checkUrl(app, body.url)
  return app.records.tenant(customerId, async (tx) => {
    const before = await lockWebhook(tx, customerId, params.webhookId)
    await saveWebhook(tx, customerId, params.webhookId, body)
    const said = { action: 'save', subject: before.name, before, after: body }
    await auditWebhook(tx, viewer, app.clock.now(), requestId, said)
    const saved = (await findWebhooks(tx, customerId)).find((row) => row.webhook_id === params.webhookId)
    return { webhook: shown({ ...before, ...body }, saved ? lastOf(saved) : null) }
  })
})

const remove = route(contract.removeWebhook, async ({ app, viewer, params, requestId }) => {
  const { customerId } = viewer
  await app.records.tenant(customerId, async (tx) => {
    const removed = await removeWebhook(tx, customerId, params.webhookId)
    const said = { action: 'remove', subject: removed.name, before: removed }
    await auditWebhook(tx, viewer, app.clock.now(), requestId, said)
  })
  return undefined
})

export const manage = [find, add, save, remove]
