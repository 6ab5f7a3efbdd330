import * as contract from '@gridmast/contract/people/email-subscriptions.ts'
import { type EventType, hasEvents } from '@gridmast/contract/markets.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { invalid, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, tableFile } from '#platform/files/table-file.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { queueConfirmations, findUnconfirmed, useConfirmation } from '#people/letters/address-confirmation.ts'
import { withdrawActivationMail } from '#people/letters/activation-mail.ts'
import { ownRoute, route } from '#context.ts'
import {
  addSubscriptions,
  countSubscriptions,
  findSubscribed,
  findSubscriptions,
  getInstance,
  lockSubscription,
  removeSubscription,
  saveSubscription,
  type SubscriptionRow,
} from './queries.ts'
import { stopMails } from './unsubscribe.ts'

const eventTypeOf = (text: string): EventType => (text === 'frr_based' ? 'frr_based' : 'fcr_based')

const toSubscription = (row: SubscriptionRow): contract.EmailSubscription => ({
  _id: row.subscription_id,
  email: row.email,
  eventType: eventTypeOf(row.event_type),
  instanceId: row.instance_id,
  instanceName: row.enabled ? row.instance_name : null,
  activation: row.activation,
  bidResult: row.bid_result,
  ...(row.unconfirmed && { unconfirmed: true }),
})

const fileColumns: Column<SubscriptionRow>[] = [
  column.text('S.No', (_, index) => index + 1, 8),
  column.text('Email', (row) => row.email, 40),
  column.text('Instance', (row) => (row.enabled ? row.instance_name : m.instanceNotAvailable(row.instance_id)), 30),
  column.text('Event type', (row) => row.event_type, 14),
  column.yesNo('Activation', (row) => row.activation, 12),
  column.yesNo('Bid Result', (row) => row.bid_result, 12),
]
const fileName = { fileName: 'Email subscriptions', sheet: 'Email subscriptions' }

const find = ownRoute(contract.findEmailSubscriptions, async (tx, customerId, { query }) => {
  const paged = query.format ? { limit: limits.emailSubscriptions, skip: 0 } : query
  const { rows, totalCount } = await findSubscriptions(tx, customerId, query, paged)
  return query.format
    ? { file: tableFile(fileName, fileColumns, rows) }
    : { subscriptions: rows.map(toSubscription), totalCount }
})

const add = ownRoute(contract.addEmailSubscriptions, async (tx, customerId, { app, audit, nowMs, body }) => {
  const { emails, eventType, instanceId, activation, bidResult } = body
  const instance = await getInstance(tx, customerId, instanceId)
  if (!hasEvents(instance.markets, eventType)) throw invalid({ instanceId: m.notOfEventType })
  const count = await countSubscriptions(tx, customerId)
  const lower = emails.map((email) => email.toLowerCase())
  const subscribed = await findSubscribed(tx, customerId, { instanceId, eventType }, lower)
  const errors = lower.flatMap((email, i) => (subscribed.has(email) ? [[`emails.${i}`, m.alreadySubscribed]] : []))
  if (errors.length > 0) throw new Refusal(409, m.alreadySubscribed, { errors: Object.fromEntries(errors) })
  if (count + emails.length > limits.emailSubscriptions)
    throw new Refusal(409, m.tooManySubscriptions(limits.emailSubscriptions))
  const rows = emails.map((email) => ({
    customer_id: customerId,
    subscription_id: newId(nowMs),
    email,
    event_type: eventType,
    instance_id: instanceId,
    activation,
    bid_result: bidResult,
    created_at: new Date(nowMs),
  }))
  await addSubscriptions(tx, rows)
  await queueConfirmations(tx, app.config, { customerId, emails, nowMs })
  const unconfirmed = await findUnconfirmed(tx, customerId, emails)
  await audit(tx, 'email-subscription.add', instance.name, { after: { emails, eventType, activation, bidResult } })
  const shared = { enabled: true, instance_name: instance.name }
  const added = rows.map((row) =>
    toSubscription({ ...row, ...shared, unconfirmed: unconfirmed.has(row.email.toLowerCase()) }),
  )
  return { subscriptions: added }
})

const set = ownRoute(contract.setEmailSubscription, async (tx, customerId, { app, audit, nowMs, body }) => {
  const before = toSubscription(await lockSubscription(tx, customerId, body._id))
  await saveSubscription(tx, customerId, body._id, body)
  const subscription = { ...before, [body.type]: body.value }
  if (body.value) await queueConfirmations(tx, app.config, { customerId, emails: [before.email], nowMs })
  if (!subscription.activation) await withdrawActivationMail(tx, customerId, before.instanceId, before.email)
  await audit(tx, 'email-subscription.set', before.email, { before, after: subscription })
  return { subscription }
})

const remove = route(contract.removeEmailSubscription, async ({ own, audit, params }) => {
  await own(async (tx, customerId) => {
    const before = toSubscription(await lockSubscription(tx, customerId, params.id))
    await removeSubscription(tx, customerId, params.id)
    await withdrawActivationMail(tx, customerId, before.instanceId, before.email)
    await audit(tx, 'email-subscription.remove', before.email, { before })
  })
})

const unsubscribe = route(contract.unsubscribe, async ({ app, nowMs, requestId, body }) => {
  await stopMails(app, body.id, { nowMs, requestId })
})

const confirm = route(contract.confirmAddress, async ({ app, nowMs, requestId, body }) => {
  await app.records.system(async (tx) => {
    const confirmed = await useConfirmation(tx, body.id, nowMs)
    if (!confirmed) throw new Refusal(401, m.undoExpired)
    const { customer_id, email } = confirmed
    await writeAudit(tx, customer_id, nowMs, {
      who: email,
      action: 'email-subscription.confirm',
      subject: email,
      requestId,
    })
  })
})

export const emailSubscriptions = [find, add, set, remove, unsubscribe, confirm]
