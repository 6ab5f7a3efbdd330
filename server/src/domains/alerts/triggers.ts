import { minuteMs } from '@gridmast/contract/time.ts'
import type { WebhookData } from '@gridmast/contract/webhook-data.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { sql } from 'kysely'
import { newId } from '#platform/ids.ts'
import { queueMail } from '#platform/mail.ts'
import type { Tx } from '#platform/records.ts'
import { queueWebhook } from '#platform/webhook.ts'
import { ingestClient, portalAddress } from '#config.ts'
import type { App } from '#context.ts'
import { type Arrived, type Engine, openAlertEngine, type Ports, type SeriesRule } from './engine.ts'
import { alertTriggered } from './mails.ts'
import type { Asked, Row } from './recompute.ts'

/** A rule with what a row, a mail and a webhook say of it. */
type AlertRule = SeriesRule & {
  instanceId: string
  instanceName: string
  source: string
  name: string
  email: string
  notification: boolean
}

/** Samples that come later than this after they were measured are history: a row, but nobody is told. */
const lateMs = 15 * minuteMs

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** With the series that is watched: an alert on an instance without power waits for one. */
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

/** Rows of each alert from an instant on, and the last one before it. */
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

type Removed = {
  alert_id: string
  trigger_id: string
  triggered_at: Date
  late: boolean
  notification: boolean
  comment: string
  acknowledged_at: Date | null
  acknowledged_by: string | null
}

const removeRow = async (tx: Tx, { customerId, alertId, tMs }: Row): Promise<Removed[]> =>
  tx
    .deleteFrom('alert_trigger')
    .where('customer_id', '=', customerId)
    .where('alert_id', '=', alertId)
    .where('triggered_at', '=', new Date(tMs))
    .returning(['alert_id', 'trigger_id', 'triggered_at', 'late', 'notification'])
    .returning(['comment', 'acknowledged_at', 'acknowledged_by'])
    .execute()

/** Whether anybody is to be told: of a crossing not sooner than the interval after another one, or a meter that trembles around the threshold sends a mail a second. */
const isToBeTold = async (tx: Tx, { rule, trigger }: Arrived<AlertRule>): Promise<boolean> => {
  const { customerId, alertId, notification, intervalMs } = rule
  if (!notification || intervalMs === 0 || trigger.tMs !== trigger.crossedMs) return notification
  const near = await tx
    .selectFrom('alert_trigger')
    .select('trigger_id')
    .where('customer_id', '=', customerId)
    .where('alert_id', '=', alertId)
    .where('triggered_at', '>', new Date(trigger.tMs - intervalMs))
    .where('triggered_at', '<', new Date(trigger.tMs + intervalMs))
    .where('notification', '=', true)
    .where('late', '=', false)
    .limit(1)
    .execute()
  return near.length === 0
}

/** A row that only moved: whoever was told of it is not told again, and what was said to it stays. */
const movedFrom = (removed: Removed[], alertId: string, tMs: number): Removed | undefined => {
  const at = removed.findIndex(
    (row) => row.alert_id === alertId && Math.abs(row.triggered_at.getTime() - tMs) <= lateMs,
  )
  return at === -1 ? undefined : removed.splice(at, 1)[0]
}

const save = async (
  { records, config, clock, live }: Pick<App, 'records' | 'config' | 'clock' | 'live'>,
  add: readonly Arrived<AlertRule>[],
  remove: readonly Row[],
) => {
  const nowMs = clock.now()
  const told = await records.system(async (tx) => {
    const removed = (await Promise.all(remove.map((row) => removeRow(tx, row)))).flat()
    const heard = new Set<string>()
    for (const arrived of add) {
      const { rule, trigger, arrivedMs } = arrived
      const { customerId, alertId, instanceId, name, type, criteria, threshold } = rule
      const moved = movedFrom(removed, alertId, trigger.tMs)
      const { trigger_id, ...kept } = moved ?? {
        trigger_id: newId(nowMs),
        late: arrivedMs - trigger.tMs > lateMs,
        notification: await isToBeTold(tx, arrived),
      }
      const [made] = await tx
        .insertInto('alert_trigger')
        .values({
          ...kept,
          ...{ customer_id: customerId, trigger_id, alert_id: alertId, instance_id: instanceId },
          ...{ name, type, criteria, threshold, value: trigger.value },
          ...{ triggered_at: new Date(trigger.tMs), crossed_at: new Date(trigger.crossedMs) },
        })
        .onConflict((conflict) => conflict.columns(['customer_id', 'alert_id', 'triggered_at']).doNothing())
        .returning('trigger_id')
        .execute()
      if (!made || kept.late || !kept.notification) continue
      heard.add(customerId)
      if (moved) continue
      const link = portalAddress(config, `/e3-Legacy/${encodeURIComponent(rule.source)}?trigger=${trigger_id}`)
      const { email, instanceName } = rule
      const unit = type === 'power' ? 'kW' : 'kWh'
      const told = { name, instanceName, unit, type, criteria, threshold, value: trigger.value, tMs: trigger.tMs, link }
      await queueMail(tx, { customerId, to: email }, alertTriggered(told))
      const data: WebhookData['alert'] = {
        ...{ _id: trigger_id, name, criteria, type, value: trigger.value, threshold },
        ...{ unit, groupName: instanceName },
        triggerTime: new Date(trigger.tMs).toISOString(),
      }
      await queueWebhook(tx, customerId, 'alert', data, nowMs)
    }
    return heard
  })
  for (const customerId of told) live.publish(customerId, 'alerts', {})
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

type From = Pick<App, 'records' | 'readings' | 'config' | 'clock' | 'live' | 'news' | 'log'>

/** Watches what is stored, in the process that takes it from the edges. */
export const startAlerts = async (app: From): Promise<Engine> => {
  const { records, readings, news, clock, log, config } = app
  const client = ingestClient(config)
  const ports: Ports<AlertRule> = {
    readings,
    rules: async (alertIds) => (await records.system((tx) => findRules(tx, alertIds))).map(toRule),
    rows: (asked) => records.system((tx) => findRows(tx, asked)),
    save: (add, remove) => save(app, add, remove),
    progress: () => records.system((tx) => getProgress(tx, client)),
    saveProgress: async (version) => void (await records.system((tx) => saveProgress(tx, client, version))),
    now: clock.now,
    onError: (error) => log.error({ err: error }, 'alerts: not looked at, trying again'),
  }
  const engine = await openAlertEngine(ports)
  const stops = [
    news.hear('alert', (id) => engine.changed(String(id))),
    news.hear('edges', () => engine.changed()),
    news.hear('missed', () => engine.changed()),
  ]
  return {
    ...engine,
    close: async () => {
      for (const stop of stops) stop()
      await engine.close()
    },
  }
}
