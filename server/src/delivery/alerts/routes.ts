import * as contract from '@gridmast/contract/delivery/alerts.ts'
import { acknowledgeSeveral } from '@gridmast/contract/notifications/acknowledging.ts'
import * as triggeredContract from '@gridmast/contract/notifications/triggered.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { can } from '@gridmast/contract/roles.ts'
import { dayBounds, hourMs, today } from '@gridmast/contract/time.ts'
import { eachOf } from '#platform/http/bulk.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import { findSignals } from '#readings/signals.ts'
import { getLicence } from '#access/licence.ts'
import { queueConfirmations } from '#people/letters/address-confirmation.ts'
import { ownRoute, route } from '#context.ts'
import { faults } from './faults.ts'
import {
  acknowledge,
  acknowledgeEarlier,
  addAlert,
  type AlertRow,
  countAlerts,
  findAlerts,
  findBudgetNotices,
  findMutes,
  findNotifications,
  findTriggers,
  getInstance,
  getTrigger,
  lockAlert,
  saveAlert,
  saveMutes,
  type TriggerRow,
} from './queries.ts'

const toAlert = (row: AlertRow): contract.Alert => ({
  _id: row.alert_id,
  name: row.name,
  criteria: row.criteria,
  value: row.threshold,
  email: row.email,
  ...(row.unconfirmed && { unconfirmed: true }),
  properties: {
    notification: row.notification,
    group: row.instance_id,
    groupName: row.instance_name,
    type: row.type,
    startTime: row.start_time,
    endTime: row.end_time,
    alertInterval: row.interval_minutes ?? limits.alertIntervalMinutes,
  },
})

const toTriggered = (row: TriggerRow): triggeredContract.TriggeredAlert => ({
  _id: row.trigger_id,
  name: row.name,
  type: row.type,
  criteria: row.criteria,
  threshold: row.threshold,
  value: row.value,
  triggerTime: row.triggered_at.toISOString(),
  crossedAt: row.crossed_at.toISOString(),
  group: row.instance_id,
  groupName: row.instance_name,
  source: row.source,
  late: row.late,
  acknowledgedAt: row.acknowledged_at?.toISOString() ?? null,
  acknowledgedBy: row.acknowledged_by,
  comment: row.comment,
  about: row.about,
  closedAt: row.closed_at?.toISOString() ?? null,
})

const columnsOf = ({ name, criteria, value, email, properties }: contract.AlertForm) => ({
  name,
  criteria,
  threshold: value,
  email,
  type: properties.type,
  instance_id: properties.group,
  notification: properties.notification,
  start_time: properties.startTime,
  end_time: properties.endTime,
  interval_minutes: properties.alertInterval,
})

/** Columns that decide whether a sample triggers: a change restarts the rule; a change of recipients does not. */
const ruleColumns = [
  'type',
  'criteria',
  'threshold',
  'instance_id',
  'start_time',
  'end_time',
  'interval_minutes',
] as const

const find = ownRoute(contract.findAlerts, async (tx, customerId, { params, query }) => {
  const { type } = await getLicence(tx, customerId, params.id)
  if (query.source !== undefined && query.source !== type) return { alerts: [], totalCount: 0 }
  const { rows, totalCount } = await findAlerts(tx, customerId, params.id, query)
  return { alerts: rows.map(toAlert), totalCount }
})

const create = route(contract.createAlert, async ({ app, own, audit, nowMs, params, body }) => {
  const alertId = newId(nowMs)
  const created = await own(async (tx, customerId) => {
    await getLicence(tx, customerId, params.id)
    await getInstance(tx, customerId, body.alert.properties.group, params.id)
    if ((await countAlerts(tx, customerId)) >= limits.alerts) throw new Refusal(409, m.tooManyAlerts(limits.alerts))
    const now = new Date(nowMs)
    const ids = { customer_id: customerId, alert_id: alertId }
    await addAlert(tx, { ...ids, ...columnsOf(body.alert), valid_from: now, created_at: now })
    await queueConfirmations(tx, app.config, { customerId, emails: [body.alert.email], nowMs })
    const row = await lockAlert(tx, customerId, alertId)
    await audit(tx, 'alert.create', row.name, { after: toAlert(row) })
    return row
  })
  return { alert: toAlert(created) }
})

const update = route(contract.updateAlert, async ({ app, own, audit, nowMs, params, body }) => {
  if ((body.alert._id ?? params.id) !== params.id) throw notFound()
  const saved = await own(async (tx, customerId) => {
    const before = await lockAlert(tx, customerId, params.id)
    const { group } = body.alert.properties
    const { licence_id } = await getInstance(tx, customerId, before.instance_id)
    await getInstance(tx, customerId, group, licence_id)
    const columns = columnsOf(body.alert)
    const isSameRule = ruleColumns.every((column) => columns[column] === before[column])
    await saveAlert(tx, customerId, params.id, isSameRule ? columns : { ...columns, valid_from: new Date(nowMs) })
    await queueConfirmations(tx, app.config, { customerId, emails: [body.alert.email], nowMs })
    const after = await lockAlert(tx, customerId, params.id)
    await audit(tx, 'alert.update', after.name, { before: toAlert(before), after: toAlert(after) })
    return after
  })
  return { alert: toAlert(saved) }
})

const remove = route(contract.removeAlert, async ({ own, audit, nowMs, params }) => {
  await own(async (tx, customerId) => {
    const before = await lockAlert(tx, customerId, params.id)
    await saveAlert(tx, customerId, params.id, { removed_at: new Date(nowMs) })
    await audit(tx, 'alert.delete', before.name, { before: toAlert(before) })
  })
})

const triggered = route(triggeredContract.findTriggered, async ({ own, nowMs, params, query }) => {
  const { date = today(nowMs), ...paged } = query
  return own(async (tx, customerId) => {
    await getLicence(tx, customerId, params.id)
    const { rows, totalCount } = await findTriggers(tx, customerId, params.id, dayBounds(date), paged)
    return { triggered: rows.map(toTriggered), totalCount }
  })
})

const bell = route(triggeredContract.notifications, async ({ own, viewer, nowMs, query }) => {
  const span = dayBounds(query.date ?? today(nowMs))
  const mayReadBudgets = can(viewer, 'ev-charging.read')
  const { triggers, notices } = await own(async (tx, customerId) => ({
    triggers: await findNotifications(tx, customerId, viewer.userId, { ...span, limit: limits.pageSize }),
    notices: mayReadBudgets ? await findBudgetNotices(tx, customerId, viewer.userId, span) : [],
  }))
  const latestData = triggers.rows.map(({ trigger_id, name, source, triggered_at, type }) => ({
    _id: trigger_id,
    name,
    type,
    source,
    triggerTime: triggered_at.toISOString(),
  }))
  const budgets = notices.slice(0, limits.pageSize).map(({ at, ...notice }) => ({
    ...notice,
    triggerTime: at.toISOString(),
  }))
  return { totalCount: triggers.totalCount + notices.length, latestData, budgets }
})

const one = route(triggeredContract.getTriggered, async ({ app, own, params }) => {
  const { row, signal } = await own(async (tx, customerId) => {
    const trigger = await getTrigger(tx, customerId, params.id)
    const [power] = await findSignals(tx, customerId, 'power', trigger.instance_id)
    return { row: trigger, signal: power }
  })
  const atMs = row.triggered_at.getTime()
  const span = { fromMs: atMs - hourMs / 2, toMs: atMs + hourMs / 2 }
  const points = signal
    ? await app.readings.window({ signalNo: signal.no, ...span, maxPoints: limits.defaultPoints })
    : { x: [], y: [] }
  const graph = [{ name: 'Power', unit: 'kW', kind: 'line' as const, ...points }]
  return { triggered: toTriggered(row), graph, simulated: signal?.simulated ?? false }
})

const acknowledged = ownRoute(
  triggeredContract.acknowledgeTriggered,
  async (tx, customerId, { audit, viewer, nowMs, params, body }) => {
    const before = await getTrigger(tx, customerId, params.id)
    const by = { by: viewer.email, at: new Date(nowMs), comment: body.comment }
    await acknowledge(tx, customerId, params.id, by)
    const after = await getTrigger(tx, customerId, params.id)
    const { fromMs } = dayBounds(today(before.triggered_at.getTime()))
    const day = { alertId: before.alert_id, from: new Date(fromMs), before: before.triggered_at }
    const earlier = body.earlier ? await acknowledgeEarlier(tx, customerId, day, by) : 0
    await audit(tx, 'alert.acknowledge', after.name, {
      before: { acknowledgedBy: before.acknowledged_by, comment: before.comment },
      after: { acknowledgedBy: after.acknowledged_by, comment: after.comment, ...(earlier ? { earlier } : {}) },
    })
    return { triggered: toTriggered(after) }
  },
)

const acknowledgedSeveral = ownRoute(acknowledgeSeveral, (tx, customerId, { audit, viewer, nowMs, body }) =>
  eachOf(body.ids, async (triggerId) => {
    const { acknowledged_at, comment, name } = await getTrigger(tx, customerId, triggerId)
    if (acknowledged_at) return
    await acknowledge(tx, customerId, triggerId, { by: viewer.email, at: new Date(nowMs), comment })
    const acknowledgedBy = viewer.email
    await audit(tx, 'alert.acknowledge', name, { before: { acknowledgedBy: null }, after: { acknowledgedBy } })
  }),
)

const toMute = (row: Awaited<ReturnType<typeof findMutes>>[number]): triggeredContract.Mute => ({
  ...(row.instance_id === null ? {} : { instanceId: row.instance_id }),
  startTime: row.start_time,
  endTime: row.end_time,
})

const mutes = route(triggeredContract.findMutes, async ({ own, viewer }) => {
  const rows = await own((tx, customerId) => findMutes(tx, customerId, viewer.userId))
  return { mutes: rows.map(toMute) }
})

const mute = ownRoute(triggeredContract.saveMutes, async (tx, customerId, { audit, viewer, nowMs, body }) => {
  for (const { instanceId } of body.mutes) if (instanceId) await getInstance(tx, customerId, instanceId)
  await saveMutes(tx, customerId, viewer.userId, body.mutes, nowMs)
  await audit(tx, 'alert.mute', viewer.email, { after: body.mutes })
  return { mutes: body.mutes }
})

export const alerts = [
  find,
  create,
  update,
  remove,
  triggered,
  bell,
  faults,
  one,
  acknowledged,
  acknowledgedSeveral,
  mutes,
  mute,
]
