import type { Mute } from '@gridmast/contract/notifications/triggered.ts'
import { limits } from '@gridmast/contract/limits.ts'
import type { RiskAbout } from '@gridmast/contract/trading/penalty-guard.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { Alert } from '#platform/records/db-types.ts'
import { notFound } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import { orderBy, type Sort } from '#platform/http/list-query.ts'
import type { Tx } from '#platform/records/records.ts'

/** An instance of that licence, or of any; 404 when it is not this customer's. */
export const getInstance = async (tx: Tx, customerId: string, instanceId: string, licenceId?: string) => {
  const found = await tx
    .selectFrom('instance')
    .select(['instance_id', 'licence_id', 'name'])
    .where('customer_id', '=', customerId)
    .where('instance_id', '=', instanceId)
    .$if(licenceId !== undefined, (query) => query.where('licence_id', '=', licenceId ?? ''))
    .executeTakeFirst()
  if (!found) throw notFound()
  return found
}

const alertsOf = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('alert')
    .innerJoin('instance', (join) =>
      join
        .onRef('instance.customer_id', '=', 'alert.customer_id')
        .onRef('instance.instance_id', '=', 'alert.instance_id'),
    )
    .where('alert.customer_id', '=', customerId)
    .where('alert.removed_at', 'is', null)

const isUnconfirmed = sql<boolean>`not is_confirmed(alert.customer_id, alert.email)`.as('unconfirmed')

const sortColumns = {
  name: sql`lower(alert.name)`,
  instance: sql`lower(instance.name)`,
  criteria: sql`alert.criteria`,
  type: sql`alert.type`,
  value: sql`alert.threshold`,
  interval: sql`coalesce(alert.interval_minutes, ${limits.alertIntervalMinutes})`,
  schedule: sql`alert.start_time`,
  email: sql`lower(alert.email)`,
  status: sql`alert.notification`,
}

type Page<S extends string> = { limit: number; skip: number } & Sort<S>

export const findAlerts = (
  tx: Tx,
  customerId: string,
  licenceId: string,
  { limit, skip, ...sort }: Page<keyof typeof sortColumns>,
) =>
  alertsOf(tx, customerId)
    .selectAll('alert')
    .select(['instance.name as instance_name', isUnconfirmed])
    .where('instance.licence_id', '=', licenceId)
    .orderBy(orderBy(sort, sortColumns, sql`lower(alert.name), alert.alert_id`))
    .limit(limit)
    .offset(skip)
    .execute()
export type AlertRow = Awaited<ReturnType<typeof findAlerts>>[number]

export const countAlerts = async (tx: Tx, customerId: string, licenceId: string): Promise<number> => {
  const found = await alertsOf(tx, customerId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('instance.licence_id', '=', licenceId)
    .executeTakeFirstOrThrow()
  return found.count
}

/** All of the customer, whose row is held: two who add at once do not both get the last place. */
export const countAllAlerts = async (tx: Tx, customerId: string): Promise<number> => {
  await tx.selectFrom('customer').select('customer_id').where('customer_id', '=', customerId).forUpdate().execute()
  const found = await tx
    .selectFrom('alert')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return found.count
}

/** Held until the transaction ends; 404 when it is not this customer's. */
export const lockAlert = async (tx: Tx, customerId: string, alertId: string): Promise<AlertRow> => {
  const found = await alertsOf(tx, customerId)
    .selectAll('alert')
    .select(['instance.name as instance_name', isUnconfirmed])
    .where('alert.alert_id', '=', alertId)
    .forUpdate('alert')
    .executeTakeFirst()
  if (!found) throw notFound()
  return found
}

export const addAlert = (tx: Tx, alert: Insertable<Alert>) => tx.insertInto('alert').values(alert).execute()

export const saveAlert = (tx: Tx, customerId: string, alertId: string, columns: Updateable<Alert>) =>
  tx
    .updateTable('alert')
    .set(columns)
    .where('customer_id', '=', customerId)
    .where('alert_id', '=', alertId)
    .where('removed_at', 'is', null)
    .execute()

const triggersOf = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('alert_trigger as t')
    .innerJoin('instance', (join) =>
      join.onRef('instance.customer_id', '=', 't.customer_id').onRef('instance.instance_id', '=', 't.instance_id'),
    )
    .innerJoin('licence', (join) =>
      join
        .onRef('licence.customer_id', '=', 'instance.customer_id')
        .onRef('licence.licence_id', '=', 'instance.licence_id'),
    )
    .where('t.customer_id', '=', customerId)

const shown = (query: ReturnType<typeof triggersOf>) =>
  query
    .selectAll('t')
    .select(['instance.name as instance_name', 'licence.type as source'])
    .select((of) => of.ref('t.about').$castTo<RiskAbout | null>().as('about'))
export type TriggerRow = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>[number]

const during = (query: ReturnType<typeof triggersOf>, { fromMs, toMs }: Span) =>
  query.where('t.triggered_at', '>=', new Date(fromMs)).where('t.triggered_at', '<', new Date(toMs))

const count = async (query: ReturnType<typeof triggersOf>): Promise<number> => {
  const found = await query.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return found.count
}

const triggerColumns = {
  name: sql`lower(t.name)`,
  instance: sql`lower(instance.name)`,
  type: sql`t.type`,
  time: sql`t.triggered_at`,
  value: sql`t.value`,
  criteria: sql`t.criteria`,
  state: sql`case when t.closed_at is not null then 3 when t.acknowledged_at is not null then 2 when t.late then 1 else 0 end`,
}

export const findTriggers = async (
  tx: Tx,
  customerId: string,
  licenceId: string,
  span: Span,
  { limit, skip, ...sort }: Page<keyof typeof triggerColumns>,
) => {
  const wanted = during(triggersOf(tx, customerId), span).where('instance.licence_id', '=', licenceId)
  const rows = shown(wanted).orderBy(orderBy(sort, triggerColumns, sql`t.triggered_at desc, t.trigger_id desc`))
  return { rows: await rows.limit(limit).offset(skip).execute(), totalCount: await count(wanted) }
}

/** A person has muted all instances at the time of day of `at`, or one of them where it is named. */
const isMuted = (customerId: string, userId: string, at: RawBuilder<unknown>, instance: RawBuilder<unknown>) => {
  const localTime = sql`to_char(${at} at time zone 'Europe/Berlin', 'HH24:MI')`
  return sql<boolean>`exists (
    select from alert_mute m
    where m.customer_id = ${customerId} and m.user_id = ${userId} and (m.instance_id is null or m.instance_id = ${instance})
      and case when m.start_time <= m.end_time then ${localTime} between m.start_time and m.end_time
        else ${localTime} >= m.start_time or ${localTime} <= m.end_time end)`
}

/** What rings this person's bell: told in time, wanted, and outside of the times that this person has muted. */
export const findNotifications = async (
  tx: Tx,
  customerId: string,
  userId: string,
  { limit, ...span }: Span & { limit: number },
) => {
  const wanted = during(triggersOf(tx, customerId), span)
    .where('t.late', '=', false)
    .where('t.notification', '=', true)
    .where('t.acknowledged_at', 'is', null)
    .where(sql<boolean>`not ${isMuted(customerId, userId, sql`t.triggered_at`, sql`t.instance_id`)}`)
  const newest = shown(wanted).orderBy('t.triggered_at', 'desc').orderBy('t.trigger_id', 'desc')
  return { rows: await newest.limit(limit).execute(), totalCount: await count(wanted) }
}

export type BudgetNotice = { scope: 'tag' | 'group'; name: string; threshold: 'warning' | 'spent'; at: Date }

/** Charging budgets that were told of in a span, of tags and groups that are still there; unless this person has muted everything then. */
export const findBudgetNotices = async (tx: Tx, customerId: string, userId: string, { fromMs, toMs }: Span) => {
  const { rows } = await sql<BudgetNotice>`
    select case when t.tag_id is null then 'group' else 'tag' end as scope, coalesce(t.name, g.name) as name, n.threshold, n.at
    from charging_budget_notice n
      left join charger_tag t on t.customer_id = n.customer_id and t.tag_id = n.scope_id
      left join charger_tag_group g on g.customer_id = n.customer_id and g.group_id = n.scope_id
    where n.customer_id = ${customerId} and n.at >= ${new Date(fromMs)} and n.at < ${new Date(toMs)}
      and coalesce(t.tag_id, g.group_id) is not null and not ${isMuted(customerId, userId, sql`n.at`, sql`null::uuid`)}
    order by n.at desc, n.scope_id, n.threshold`.execute(tx)
  return rows
}

export const getTrigger = async (tx: Tx, customerId: string, triggerId: string): Promise<TriggerRow> => {
  const found = await shown(triggersOf(tx, customerId)).where('t.trigger_id', '=', triggerId).executeTakeFirst()
  if (!found) throw notFound()
  return found
}

/** Who acknowledged it first stays; the newest comment counts. */
export const acknowledge = async (
  tx: Tx,
  customerId: string,
  triggerId: string,
  { by, at, comment }: { by: string; at: Date; comment: string },
) => {
  await tx
    .updateTable('alert_trigger')
    .set({
      acknowledged_at: sql`coalesce(acknowledged_at, ${at}::timestamptz)`,
      acknowledged_by: sql`coalesce(acknowledged_by, ${by}::text)`,
      comment,
    })
    .where('customer_id', '=', customerId)
    .where('trigger_id', '=', triggerId)
    .execute()
  return getTrigger(tx, customerId, triggerId)
}

/** Acknowledges the triggers of an alert from `from` until `before`; returns their number. */
export const acknowledgeEarlier = async (
  tx: Tx,
  customerId: string,
  of: { alertId: string | null; from: Date; before: Date },
  { by, at }: { by: string; at: Date },
): Promise<number> => {
  const { numUpdatedRows } = await tx
    .updateTable('alert_trigger')
    .set({ acknowledged_at: at, acknowledged_by: by })
    .where('customer_id', '=', customerId)
    .where('alert_id', '=', of.alertId)
    .where('triggered_at', '>=', of.from)
    .where('triggered_at', '<', of.before)
    .where('acknowledged_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export const findMutes = (tx: Tx, customerId: string, userId: string) =>
  tx
    .selectFrom('alert_mute')
    .select(['instance_id', 'start_time', 'end_time'])
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .orderBy('mute_id')
    .execute()

export const saveMutes = async (tx: Tx, customerId: string, userId: string, mutes: readonly Mute[], nowMs: number) => {
  await tx.deleteFrom('alert_mute').where('customer_id', '=', customerId).where('user_id', '=', userId).execute()
  for (const [i, { instanceId = null, startTime, endTime }] of mutes.entries())
    await tx
      .insertInto('alert_mute')
      .values({
        customer_id: customerId,
        user_id: userId,
        mute_id: newId(nowMs + i),
        instance_id: instanceId,
        start_time: startTime,
        end_time: endTime,
      })
      .execute()
}
