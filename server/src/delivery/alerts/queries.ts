import type { AlertCriteria, AlertType } from '@gridmast/contract/delivery/alerts.ts'
import type { Mute, TriggeredType } from '@gridmast/contract/notifications/triggered.ts'
import { limits } from '@gridmast/contract/limits.ts'
import type { RiskAbout } from '@gridmast/contract/trading/penalty-guard.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Alert } from '#platform/records/db-types.ts'
import { notFound } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import { byName, orderBy, page, type Paged } from '#platform/http/list-query.ts'
import { isMuted } from '#people/push/mutes.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import {
  sqlRows,
  countRows,
  deleteRows,
  insertRow,
  lockCustomer,
  selectRows,
  updateRows,
  onKey,
} from '#platform/records/rows.ts'

export const getInstance = (tx: Tx, customerId: string, instanceId: string, licenceId?: string) =>
  selectRows(tx, customerId, 'instance', { instance_id: instanceId })
    .select(['instance_id', 'licence_id', 'name'])
    .$if(licenceId !== undefined, (query) => query.where('licence_id', '=', licenceId ?? ''))
    .executeTakeFirstOrThrow(notFound)

const alertsOf = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('alert')
    .innerJoin('instance', onKey('instance', 'alert', 'instance_id'))
    .selectAll('alert')
    .select('instance.name as instance_name')
    .select(sql<boolean>`not is_confirmed(alert.customer_id, alert.email)`.as('unconfirmed'))
    .$narrowType<{ type: AlertType; criteria: AlertCriteria }>()
    .where('alert.customer_id', '=', customerId)
    .where('alert.removed_at', 'is', null)

const sortColumns = {
  name: byName(sql`alert.name`),
  instance: byName(sql`instance.name`),
  criteria: sql`alert.criteria`,
  type: sql`alert.type`,
  value: sql`alert.threshold`,
  interval: sql`coalesce(alert.interval_minutes, ${limits.alertIntervalMinutes})`,
  schedule: sql`alert.start_time`,
  email: sql`lower(alert.email)`,
  status: sql`alert.notification`,
}

export const findAlerts = (tx: Tx, customerId: string, licenceId: string, paged: Paged<keyof typeof sortColumns>) =>
  page(
    alertsOf(tx, customerId)
      .where('instance.licence_id', '=', licenceId)
      .orderBy(orderBy(paged, sortColumns, sql`${byName(sql`alert.name`)}, alert.alert_id`)),
    paged,
  )
export type AlertRow = Awaited<ReturnType<typeof findAlerts>>['rows'][number]

export const countAlerts = async (tx: Tx, customerId: string) => {
  await lockCustomer(tx, customerId)
  return countRows(selectRows(tx, customerId, 'alert', { removed_at: null }))
}

export const lockAlert = (tx: Tx, customerId: string, alertId: string) =>
  alertsOf(tx, customerId).where('alert.alert_id', '=', alertId).forUpdate('alert').executeTakeFirstOrThrow(notFound)

export const addAlert = async (tx: Tx, alert: Insertable<Alert>): Promise<void> => {
  await tx.insertInto('alert').values(alert).execute()
  rowChanged(tx, 'alert', alert.alert_id)
}

export const saveAlert = async (tx: Tx, customerId: string, alertId: string, columns: Updateable<Alert>) => {
  await updateRows(tx, customerId, 'alert', { alert_id: alertId, removed_at: null }).set(columns).execute()
  rowChanged(tx, 'alert', alertId)
}

const triggersOf = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('alert_trigger as t')
    .innerJoin('instance', onKey('instance', 't', 'instance_id'))
    .innerJoin('licence', onKey('licence', 'instance', 'licence_id'))
    .where('t.customer_id', '=', customerId)

const withNames = (query: ReturnType<typeof triggersOf>) =>
  query
    .selectAll('t')
    .select(['instance.name as instance_name', 'licence.type as source'])
    .select((of) => of.ref('t.about').$castTo<RiskAbout | null>().as('about'))
    .$narrowType<{ type: TriggeredType; criteria: AlertCriteria }>()
export type TriggerRow = Awaited<ReturnType<ReturnType<typeof withNames>['execute']>>[number]

const during = (query: ReturnType<typeof triggersOf>, { fromMs, toMs }: Span) =>
  query.where('t.triggered_at', '>=', new Date(fromMs)).where('t.triggered_at', '<', new Date(toMs))

const newestFirst = sql`t.triggered_at desc, t.trigger_id desc`

const triggerColumns = {
  name: byName(sql`t.name`),
  instance: byName(sql`instance.name`),
  type: sql`t.type`,
  time: sql`t.triggered_at`,
  value: sql`t.value`,
  criteria: sql`t.criteria`,
  state: sql`case when t.closed_at is not null then 3 when t.acknowledged_at is not null then 2 when t.late then 1 else 0 end`,
}

export const findTriggers = (
  tx: Tx,
  customerId: string,
  licenceId: string,
  span: Span,
  paged: Paged<keyof typeof triggerColumns>,
) => {
  const triggers = during(triggersOf(tx, customerId), span).where('instance.licence_id', '=', licenceId)
  return page(withNames(triggers).orderBy(orderBy(paged, triggerColumns, newestFirst)), paged)
}

export const findNotifications = (
  tx: Tx,
  customerId: string,
  userId: string,
  { limit, ...span }: Span & { limit: number },
) => {
  const triggers = during(triggersOf(tx, customerId), span)
    .where('t.late', '=', false)
    .where('t.notification', '=', true)
    .where('t.acknowledged_at', 'is', null)
    .where(sql<boolean>`not ${isMuted(sql.val(customerId), sql.val(userId), sql`t.triggered_at`, sql`t.instance_id`)}`)
  return page(withNames(triggers).orderBy(newestFirst), { limit, skip: 0 })
}

export const findBudgetNotices = (tx: Tx, customerId: string, userId: string, { fromMs, toMs }: Span) =>
  sqlRows<{ scope: 'tag' | 'group'; name: string; state: 'warned' | 'spent'; at: Date }>(tx)`
    select case when t.tag_id is null then 'group' else 'tag' end as scope, coalesce(t.name, g.name) as name,
      case when n.threshold = 'spent' then 'spent' else 'warned' end as state, n.at
    from charging_budget_notice n
      left join charger_tag t on t.customer_id = n.customer_id and t.tag_id = n.scope_id
      left join charger_tag_group g on g.customer_id = n.customer_id and g.group_id = n.scope_id
    where n.customer_id = ${customerId} and n.at >= ${new Date(fromMs)} and n.at < ${new Date(toMs)}
      and coalesce(t.tag_id, g.group_id) is not null and not ${isMuted(sql.val(customerId), sql.val(userId), sql`n.at`, sql`null::uuid`)}
    order by n.at desc, n.scope_id, n.threshold`

export const getTrigger = (tx: Tx, customerId: string, triggerId: string): Promise<TriggerRow> =>
  withNames(triggersOf(tx, customerId)).where('t.trigger_id', '=', triggerId).executeTakeFirstOrThrow(notFound)

/** The first acknowledgement keeps its user and time; the newest comment replaces the earlier one. */
export const acknowledge = (
  tx: Tx,
  customerId: string,
  triggerId: string,
  { by, at, comment }: { by: string; at: Date; comment: string },
) =>
  updateRows(tx, customerId, 'alert_trigger', { trigger_id: triggerId })
    .set({
      acknowledged_at: sql`coalesce(acknowledged_at, ${at}::timestamptz)`,
      acknowledged_by: sql`coalesce(acknowledged_by, ${by}::text)`,
      comment,
    })
    .execute()

export const acknowledgeEarlier = async (
  tx: Tx,
  customerId: string,
  of: { alertId: string | null; from: Date; before: Date },
  { by, at }: { by: string; at: Date },
): Promise<number> => {
  const key = { alert_id: of.alertId, acknowledged_at: null }
  const { numUpdatedRows } = await updateRows(tx, customerId, 'alert_trigger', key)
    .set({ acknowledged_at: at, acknowledged_by: by })
    .where('triggered_at', '>=', of.from)
    .where('triggered_at', '<', of.before)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export const findMutes = (tx: Tx, customerId: string, userId: string) =>
  selectRows(tx, customerId, 'alert_mute', { user_id: userId })
    .select(['instance_id', 'start_time', 'end_time'])
    .orderBy('mute_id')
    .execute()

export const saveMutes = async (tx: Tx, customerId: string, userId: string, mutes: readonly Mute[], nowMs: number) => {
  await deleteRows(tx, customerId, 'alert_mute', { user_id: userId }).execute()
  for (const [i, { instanceId = null, startTime, endTime }] of mutes.entries())
    await insertRow(tx, customerId, 'alert_mute', {
      user_id: userId,
      mute_id: newId(nowMs + i),
      instance_id: instanceId,
      start_time: startTime,
      end_time: endTime,
    }).execute()
}
