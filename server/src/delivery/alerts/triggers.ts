import { minuteMs } from '@gridmast/contract/time.ts'
import type { WebhookData } from '@gridmast/contract/notifications/webhook-data.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { sql } from 'kysely'
import { newId } from '#platform/records/ids.ts'
import { insertRows, type RowOf } from '#platform/records/rows.ts'
import type { Tx } from '#platform/records/records.ts'
import { queueWebhooks } from '#platform/messaging/webhook.ts'
import { ingestClient, portalAddress } from '#config.ts'
import type { App } from '#context.ts'
import { type Arrived, type Engine, openAlertEngine, type Ports, type SeriesRule } from './engine.ts'
import { type MailedTrigger, queueAlertMails } from './alert-mail.ts'
import type { Asked, Row } from './recompute.ts'

type AlertRule = SeriesRule & {
  instanceId: string
  instanceName: string
  source: string
  name: string
  email: string
  notification: boolean
}

/** Samples that arrive later than this after their measurement are history: they create a row and no notification. */
const lateMs = 15 * minuteMs

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Inner join with the power series: an alert on an instance without power stays inactive until there is one. */
const findRules = (tx: Tx, alertIds: readonly string[] | undefined) =>
  tx
    .selectFrom('alert as a')
    .innerJoin('instance as i', (join) =>
      join.onRef('i.customer_id', '=', 'a.customer_id').onRef('i.instance_id', '=', 'a.instance_id'),
    )
    .innerJoin('licence as l', (join) =>
      join.onRef('l.customer_id', '=', 'i.customer_id').onRef('l.licence_id', '=', 'i.licence_id'),
    )
    .innerJoin('signal as s', (join) =>
      join.onRef('s.customer_id', '=', 'i.customer_id').onRef('s.instance_id', '=', 'i.instance_id'),
    )
    .selectAll('a')
    .select(['i.name as instance_name', 'l.type as source', 's.no'])
    .where('s.kind', '=', 'power')
    .where('a.removed_at', 'is', null)
    .$if(alertIds !== undefined, (query) => query.where('a.alert_id', 'in', [...(alertIds ?? [])]))
    .execute()

const toRule = (row: Awaited<ReturnType<typeof findRules>>[number]): AlertRule => ({
  alertId: row.alert_id,
  customerId: row.customer_id,
  instanceId: row.instance_id,
  instanceName: row.instance_name,
  source: row.source,
  signalNo: row.no,
  name: row.name,
  email: row.email,
  notification: row.notification,
  type: row.type === 'consumption' ? 'consumption' : 'power',
  criteria: row.criteria === 'lt' ? 'lt' : 'gt',
  threshold: row.threshold,
  startMinute: minuteOf(row.start_time),
  endMinute: minuteOf(row.end_time),
  intervalMs: (row.interval_minutes ?? limits.alertIntervalMinutes) * minuteMs,
  validFromMs: row.valid_from.getTime(),
})

const findRows = async (tx: Tx, alerts: readonly Asked[]): Promise<Row[]> => {
  const asked = JSON.stringify(
    alerts.map(({ customerId, alertId, fromMs }) => ({ customer: customerId, alert: alertId, at: new Date(fromMs) })),
  )
  const { rows } = await sql<{
    customer_id: string
    alert_id: string
    triggered_at: Date
    crossed_at: Date
    value: number
  }>`
    select t.customer_id, t.alert_id, t.triggered_at, t.crossed_at, t.value
    from jsonb_to_recordset(${asked}::jsonb) as asked(customer uuid, alert uuid, at timestamptz)
    join alert_trigger t on t.customer_id = asked.customer and t.alert_id = asked.alert
    where t.triggered_at >= coalesce(
      (select max(b.triggered_at) from alert_trigger b
       where b.customer_id = asked.customer and b.alert_id = asked.alert and b.triggered_at < asked.at), asked.at)`.execute(
    tx,
  )
  return rows.map((row) => ({
    customerId: row.customer_id,
    alertId: row.alert_id,
    tMs: row.triggered_at.getTime(),
    crossedMs: row.crossed_at.getTime(),
    value: row.value,
  }))
}

type Removed = RowOf<
  'alert_trigger',
  'trigger_id' | 'triggered_at' | 'late' | 'notification' | 'comment' | 'acknowledged_at' | 'acknowledged_by'
> & { alert_id: string }

const removeRows = async (tx: Tx, gone: readonly Row[]): Promise<Removed[]> => {
  if (gone.length === 0) return []
  const given = gone.map(({ customerId, alertId, tMs }) => ({
    customer: customerId,
    alert: alertId,
    at: new Date(tMs),
  }))
  const { rows } = await sql<Removed>`
    delete from alert_trigger t
    using jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as gone(customer uuid, alert uuid, at timestamptz)
    where t.customer_id = gone.customer and t.alert_id = gone.alert and t.triggered_at = gone.at
    returning t.alert_id, t.trigger_id, t.triggered_at, t.late, t.notification, t.comment, t.acknowledged_at, t.acknowledged_by`.execute(
    tx,
  )
  return rows
}

const needsRest = ({ rule }: Arrived<AlertRule>) => rule.notification && rule.intervalMs > 0

type Near = { alert_id: string; triggered_at: Date; isTold: boolean }

const findNear = async (tx: Tx, add: readonly Arrived<AlertRule>[]): Promise<Near[]> => {
  if (add.length === 0) return []
  const asked = add.map(({ rule: { customerId, alertId, intervalMs }, trigger: { tMs } }) => ({
    customer: customerId,
    alert: alertId,
    after: new Date(tMs - intervalMs),
    before: new Date(tMs + intervalMs),
  }))
  const { rows } = await sql<Near>`
    select t.alert_id, t.triggered_at, t.notification and not t.late as "isTold"
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked(customer uuid, alert uuid, after timestamptz, before timestamptz)
    join alert_trigger t on t.customer_id = asked.customer and t.alert_id = asked.alert
      and t.triggered_at > asked.after and t.triggered_at < asked.before`.execute(tx)
  return rows
}

/** A row that only moved: no second notification, and its acknowledgement stays. */
const movedFrom = (removed: Removed[], alertId: string, tMs: number): Removed | undefined => {
  const at = removed.findIndex(
    (row) => row.alert_id === alertId && Math.abs(row.triggered_at.getTime() - tMs) <= lateMs,
  )
  return at === -1 ? undefined : removed.splice(at, 1)[0]
}

const rowsToAdd = (add: readonly Arrived<AlertRule>[], removed: Removed[], near: Near[], nowMs: number) =>
  add.map((arrived) => {
    const { rule, trigger, arrivedMs } = arrived
    const { customerId, alertId, instanceId, name, type, criteria, threshold } = rule
    const at = trigger.tMs
    const around = near.filter((row) => row.alert_id === alertId)
    // A crossing within the interval of another one is not notified: a meter that trembles around the threshold would send a mail per second.
    const isTooSoon = () =>
      needsRest(arrived) &&
      at === trigger.crossedMs &&
      around.some(({ triggered_at, isTold }) => isTold && Math.abs(triggered_at.getTime() - at) < rule.intervalMs)
    const moved = movedFrom(removed, alertId, at)
    const kept = moved ?? {
      trigger_id: newId(nowMs),
      late: arrivedMs - at > lateMs,
      notification: rule.notification && !isTooSoon(),
      comment: '',
      acknowledged_at: null,
      acknowledged_by: null,
    }
    const row = {
      ...kept,
      customer_id: customerId,
      alert_id: alertId,
      instance_id: instanceId,
      name,
      type,
      criteria,
      threshold,
      value: trigger.value,
      triggered_at: new Date(at),
      crossed_at: new Date(trigger.crossedMs),
    }
    const isThere = around.some(({ triggered_at }) => triggered_at.getTime() === at)
    if (!isThere) near.push({ ...row, isTold: row.notification && !row.late })
    return { rule, trigger, row, isMoved: moved !== undefined }
  })

type Added = ReturnType<typeof rowsToAdd>[number]

const mailedOf = (config: App['config'], { rule, trigger, row }: Added): MailedTrigger => ({
  ...rule,
  unit: unitOf(rule),
  value: trigger.value,
  tMs: trigger.tMs,
  link: portalAddress(config, `/e3-Legacy/${encodeURIComponent(rule.source)}?trigger=${row.trigger_id}`),
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

/** A constant number of statements: a grid fault crosses every threshold in the same second. */
const save = async (
  { records, config, clock, live }: Pick<App, 'records' | 'config' | 'clock' | 'live'>,
  add: readonly Arrived<AlertRule>[],
  remove: readonly Row[],
) => {
  const nowMs = clock.now()
  const told = await records.system(async (tx) => {
    const removed = await removeRows(tx, remove)
    const added = rowsToAdd(add, removed, await findNear(tx, add.filter(needsRest)), nowMs)
    if (added.length === 0) return []
    const rows = added.map(({ row }) => row)
    const made = await sql<{ trigger_id: string }>`
      ${insertRows('alert_trigger', rows)}
      on conflict (customer_id, alert_id, triggered_at) do nothing returning trigger_id`.execute(tx)
    const madeIds = new Set(made.rows.map(({ trigger_id }) => trigger_id))
    const heard = added.filter(({ row }) => madeIds.has(row.trigger_id) && !row.late && row.notification)
    const fresh = heard.filter(({ isMoved }) => !isMoved)
    const mails = fresh.map((one) => mailedOf(config, one))
    await queueAlertMails(tx, mails, nowMs)
    const data = fresh.map((one) => ({ customerId: one.rule.customerId, data: webhookData(one) }))
    await queueWebhooks(tx, 'alert', data, nowMs)
    return heard
  })
  for (const customerId of new Set(told.map(({ rule }) => rule.customerId))) live.publish(customerId, 'alerts', {})
}

const getProgress = async (tx: Tx, client: string): Promise<number | null> => {
  const found = await tx.selectFrom('alert_progress').select('version').where('client', '=', client).executeTakeFirst()
  return found?.version ?? null
}

const saveProgress = (tx: Tx, client: string, version: number) =>
  tx
    .insertInto('alert_progress')
    .values({ client, version })
    .onConflict((conflict) => conflict.column('client').doUpdateSet({ version }))
    .execute()

type From = Pick<App, 'records' | 'readings' | 'config' | 'clock' | 'live' | 'bus' | 'log'>

export const startAlerts = async (app: From): Promise<Engine> => {
  const { records, readings, bus, clock, log, config } = app
  const client = ingestClient(config)
  const ports: Ports<AlertRule> = {
    readings,
    rules: async (alertIds) => (await records.system((tx) => findRules(tx, alertIds))).map(toRule),
    rows: (asked) => records.system((tx) => findRows(tx, asked)),
    save: (add, remove) => save(app, add, remove),
    progress: () => records.system((tx) => getProgress(tx, client)),
    saveProgress: async (version) => void (await records.system((tx) => saveProgress(tx, client, version))),
    now: clock.now,
    onError: (error) => log.error({ err: error }, 'alerts: check failed, will be retried'),
  }
  const engine = await openAlertEngine(ports)
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
