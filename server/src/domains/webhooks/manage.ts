import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/webhooks.ts'
import { invalid, Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import { isWebhookUrl } from '#platform/webhook-post.ts'
import { newWebhookSecret } from '#platform/webhook-signature.ts'
import { type App, route } from '#context.ts'
import { addWebhook, countWebhooks, findWebhooks, lockWebhook, removeWebhook, saveWebhook } from './queries.ts'
import { auditChange } from './said.ts'
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

const find = route(contract.findWebhooks, async ({ own }) => {
  const rows = await own(findWebhooks)
  return { webhooks: rows.map((row) => shown(row, lastOf(row))) }
})

const add = route(contract.addWebhook, async ({ app, own, audit, nowMs, body }) => {
  checkUrl(app, body.url)
  const secret = newWebhookSecret()
  const made = await own(async (tx, customerId) => {
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
  return { webhook: shown(made, null), secret }
})

const save = route(contract.saveWebhook, async ({ app, own, audit, params, body }) => {
  checkUrl(app, body.url)
  return own(async (tx, customerId) => {
    const before = await lockWebhook(tx, customerId, params.webhookId)
    await saveWebhook(tx, customerId, params.webhookId, body)
    await audit(tx, 'webhook.save', before.name, auditChange({ before, after: body }))
    const saved = (await findWebhooks(tx, customerId)).find((row) => row.webhook_id === params.webhookId)
    return { webhook: shown({ ...before, ...body }, saved ? lastOf(saved) : null) }
  })
})

const remove = route(contract.removeWebhook, async ({ own, audit, params }) => {
  await own(async (tx, customerId) => {
    const removed = await removeWebhook(tx, customerId, params.webhookId)
    await audit(tx, 'webhook.remove', removed.name, auditChange({ before: removed }))
  })
})

export const manage = [find, add, save, remove]
