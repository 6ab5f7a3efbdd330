import type { AlertCriteria, AlertType } from '@gridmast/contract/delivery/alerts.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import type { WebhookData } from '@gridmast/contract/notifications/webhook-data.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { sql } from 'kysely'
import { newId } from '#platform/records/ids.ts'
import { sqlRows, insertRows, type RowOf, onKey } from '#platform/records/rows.ts'
import type { Tx } from '#platform/records/records.ts'
import { queueWebhooks } from '#platform/messaging/webhook.ts'
import { portalAddress } from '#config.ts'
import type { App } from '#context.ts'
import { followPorts } from '#delivery/follow.ts'
import { allEdges, isInPartition, type Partition } from '#delivery/instances/partition.ts'
import { type Engine, type NewTrigger, openAlertEngine, type SeriesRule } from './engine.ts'
import { queuePushes } from '#people/push/queue.ts'
import { type MailedTrigger, queueAlertMails } from './alert-mail.ts'
import { alertPush } from './mails.ts'
import type { RowsFrom, TriggerRow } from './recompute.ts'

type AlertRule = SeriesRule & {
  instanceId: string
  instanceName: string
  source: string
  name: string
  email: string
  notification: boolean
  isSimulated: boolean
}

/** Samples that arrive later than this after their measurement are history: they create a row and no notification. */
const lateMs = 15 * minuteMs

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Inner join with the power series: an alert on an instance without power stays inactive until there is one. */
const findRules = async (
  tx: Tx,
  partition: Partition,
  alertIds: readonly string[] | undefined,
): Promise<AlertRule[]> => {
  const rows = await tx
    .selectFrom('alert as a')
    .innerJoin('instance as i', onKey('i', 'a', 'instance_id'))
    .innerJoin('edge as e', onKey('e', 'i', 'edge_id'))
    .innerJoin('licence as l', onKey('l', 'i', 'licence_id'))
    .innerJoin('signal as s', onKey('s', 'i', 'instance_id'))
    .select(['a.alert_id as alertId', 'a.customer_id as customerId', 'a.instance_id as instanceId'])
    .select(['e.simulated as isSimulated', 'i.name as instanceName', 'l.type as source', 's.no as signalNo'])
    .select(['a.name', 'a.email', 'a.notification', 'a.type', 'a.criteria', 'a.threshold'])
    .select(['a.start_time', 'a.end_time', 'a.interval_minutes', 'a.valid_from'])
    .$narrowType<{ type: AlertType; criteria: AlertCriteria }>()
    .where('s.kind', '=', 'power')
    .where('a.removed_at', 'is', null)
    .where(isInPartition('e.key', partition))
    .$if(alertIds !== undefined, (query) => query.where('a.alert_id', 'in', [...(alertIds ?? [])]))
    .execute()
  return rows.map(({ start_time, end_time, interval_minutes, valid_from, ...row }) => ({
    ...row,
    startMinute: minuteOf(start_time),
    endMinute: minuteOf(end_time),
    intervalMs: (interval_minutes ?? limits.alertIntervalMinutes) * minuteMs,
    validFromMs: valid_from.getTime(),
  }))
}

const findRows = async (tx: Tx, alerts: readonly RowsFrom[]): Promise<TriggerRow[]> => {
  const from = JSON.stringify(alerts.map(({ fromMs, ...key }) => ({ ...key, at: new Date(fromMs) })))
  return sqlRows<TriggerRow>(tx)`
    select t.customer_id as "customerId", t.alert_id as "alertId", t.value,
      (extract(epoch from t.triggered_at) * 1000)::float8 as "tMs", (extract(epoch from t.crossed_at) * 1000)::float8 as "crossedMs"
    from jsonb_to_recordset(${from}::jsonb) as f("customerId" uuid, "alertId" uuid, at timestamptz)
    join alert_trigger t on t.customer_id = f."customerId" and t.alert_id = f."alertId"
    where t.triggered_at >= coalesce(
      (select max(b.triggered_at) from alert_trigger b
       where b.customer_id = f."customerId" and b.alert_id = f."alertId" and b.triggered_at < f.at), f.at)`
}

type Removed = RowOf<
  'alert_trigger',
  'trigger_id' | 'triggered_at' | 'late' | 'notification' | 'comment' | 'acknowledged_at' | 'acknowledged_by'
> & { alert_id: string }

const removeRows = async (tx: Tx, removed: readonly TriggerRow[]): Promise<Removed[]> => {
  if (removed.length === 0) return []
  const keys = removed.map(({ customerId, alertId, tMs }) => ({ customerId, alertId, at: new Date(tMs) }))
  return sqlRows<Removed>(tx)`
    delete from alert_trigger t
    using jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k("customerId" uuid, "alertId" uuid, at timestamptz)
    where t.customer_id = k."customerId" and t.alert_id = k."alertId" and t.triggered_at = k.at
    returning t.alert_id, t.trigger_id, t.triggered_at, t.late, t.notification, t.comment, t.acknowledged_at,
      t.acknowledged_by`
}

const needsRest = ({ rule }: NewTrigger<AlertRule>) => rule.notification && rule.intervalMs > 0

type NearbyTrigger = { alert_id: string; triggered_at: Date; isNotified: boolean }

const findNear = async (tx: Tx, add: readonly NewTrigger<AlertRule>[]): Promise<NearbyTrigger[]> => {
  if (add.length === 0) return []
  const spans = add.map(({ rule: { customerId, alertId, intervalMs }, trigger: { tMs } }) => ({
    customerId,
    alertId,
    after: new Date(tMs - intervalMs),
    before: new Date(tMs + intervalMs),
  }))
  return sqlRows<NearbyTrigger>(tx)`
    select t.alert_id, t.triggered_at, t.notification and not t.late as "isNotified"
    from jsonb_to_recordset(${JSON.stringify(spans)}::jsonb) 
      as s("customerId" uuid, "alertId" uuid, after timestamptz, before timestamptz)
    join alert_trigger t on t.customer_id = s."customerId" and t.alert_id = s."alertId"
      and t.triggered_at > s.after and t.triggered_at < s.before`
}

/** A row that only moved: no second notification, and its acknowledgement stays. */
const movedFrom = (removed: Removed[], alertId: string, tMs: number): Removed | undefined => {
  const at = removed.findIndex(
    (row) => row.alert_id === alertId && Math.abs(row.triggered_at.getTime() - tMs) <= lateMs,
  )
  return at === -1 ? undefined : removed.splice(at, 1)[0]
}

const rowsToAdd = (add: readonly NewTrigger<AlertRule>[], removed: Removed[], near: NearbyTrigger[], nowMs: number) =>
  add.map((added) => {
    const { rule, trigger, arrivedMs } = added
    const { customerId, alertId, instanceId, name, type, criteria, threshold } = rule
    const { tMs, crossedMs, value } = trigger
    const around = near.filter((row) => row.alert_id === alertId)
    // A crossing within the interval of another one is not notified: a meter that trembles around the threshold would send a mail per second.
    const isTooSoon = () =>
      needsRest(added) &&
      tMs === crossedMs &&
      around.some((row) => row.isNotified && Math.abs(row.triggered_at.getTime() - tMs) < rule.intervalMs)
    const moved = movedFrom(removed, alertId, tMs)
    const row = {
      ...(moved ?? {
        trigger_id: newId(nowMs),
        late: arrivedMs - tMs > lateMs,
        notification: rule.notification && !isTooSoon(),
        comment: '',
        acknowledged_at: null,
        acknowledged_by: null,
      }),
      customer_id: customerId,
      alert_id: alertId,
      instance_id: instanceId,
      name,
      type,
      criteria,
      threshold,
      value,
      triggered_at: new Date(tMs),
      crossed_at: new Date(crossedMs),
    }
    const isStored = around.some(({ triggered_at }) => triggered_at.getTime() === tMs)
    if (!isStored) near.push({ ...row, isNotified: row.notification && !row.late })
    return { rule, trigger, row, isMoved: moved !== undefined }
  })

type Added = ReturnType<typeof rowsToAdd>[number]

const pathOf = ({ source }: AlertRule, { trigger_id }: Added['row']) =>
  `/e3-Legacy/${encodeURIComponent(source)}?trigger=${trigger_id}`

const pushOf = ({ rule, trigger, row }: Added) => ({
  customerId: rule.customerId,
  instanceId: rule.instanceId,
  topic: `alert ${rule.alertId}`,
  ...alertPush({ ...rule, ...trigger, unit: unitOf(rule) }),
  path: pathOf(rule, row),
  atMs: trigger.tMs,
})

const mailedOf = (config: App['config'], { rule, trigger, row }: Added): MailedTrigger => ({
  ...rule,
  unit: unitOf(rule),
  value: trigger.value,
  tMs: trigger.tMs,
  link: portalAddress(config, pathOf(rule, row)),
})

const unitOf = ({ type }: AlertRule) => (type === 'power' ? 'kW' : 'kWh')

const webhookData = ({ rule, trigger, row }: Added): WebhookData['alert'] => ({
  _id: row.trigger_id,
  name: rule.name,
  criteria: rule.criteria,
  type: rule.type,
  value: trigger.value,
  threshold: rule.threshold,
  unit: unitOf(rule),
  groupName: rule.instanceName,
  triggerTime: new Date(trigger.tMs).toISOString(),
})

const save = async (
  { records, config, clock, live }: Pick<App, 'records' | 'config' | 'clock' | 'live'>,
  add: readonly NewTrigger<AlertRule>[],
  remove: readonly TriggerRow[],
) => {
  const nowMs = clock.now()
  const notified = await records.system(async (tx) => {
    const removed = await removeRows(tx, remove)
    const added = rowsToAdd(add, removed, await findNear(tx, add.filter(needsRest)), nowMs)
    if (added.length === 0) return []
    const rows = added.map(({ row }) => row)
    const inserted = await sql<{ trigger_id: string }>`
      ${insertRows('alert_trigger', rows)}
      on conflict (customer_id, alert_id, triggered_at) do nothing returning trigger_id`.execute(tx)
    const ids = new Set(inserted.rows.map(({ trigger_id }) => trigger_id))
    const announced = added.filter(({ row }) => ids.has(row.trigger_id) && !row.late && row.notification)
    const fresh = announced.filter(({ isMoved }) => !isMoved)
    const mails = fresh.map((one) => mailedOf(config, one))
    await queueAlertMails(tx, mails, nowMs)
    const data = fresh.map((one) => ({ customerId: one.rule.customerId, data: webhookData(one) }))
    await queueWebhooks(tx, 'alert', data, nowMs)
    const pushes = fresh.map((one) => pushOf(one))
    await queuePushes(tx, 'alert', pushes, nowMs)
    return announced
  })
  for (const customerId of new Set(notified.map(({ rule }) => rule.customerId))) live.publish(customerId, 'alerts', {})
}

type Alerts = Pick<App, 'records' | 'readings' | 'config' | 'clock' | 'live' | 'bus' | 'log'>

export const startAlerts = async (app: Alerts, partition = allEdges): Promise<Engine> => {
  const { records, bus } = app
  const engine = await openAlertEngine<AlertRule>({
    ...followPorts(app, 'alert_progress', 'alerts: check failed, will be retried', partition),
    rules: (alertIds) => records.system((tx) => findRules(tx, partition, alertIds)),
    rows: (alerts) => records.system((tx) => findRows(tx, alerts)),
    save: (add, remove) => save(app, add, remove),
  })
  const stops = [
    bus.listen('alert', (id) => engine.changed(String(id))),
    bus.listen('edges', () => engine.changed()),
    bus.listen('resync', () => engine.changed()),
  ]
  return {
    ...engine,
    close: async () => {
      for (const stop of stops) stop()
      await engine.close()
    },
  }
}
