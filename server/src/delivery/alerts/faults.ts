import { type Fault, findFaults } from '@gridmast/contract/notifications/faults.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { can } from '@gridmast/contract/roles.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { dayBounds, dayMs, formatDateTime, localText, type Span, today } from '@gridmast/contract/time.ts'
import { ownRoute } from '#context.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, tableFile } from '#platform/files/table-file.ts'
import type { Tx } from '#platform/records/records.ts'
import { findBudgetNotices } from './queries.ts'
import { sqlRows } from '#platform/records/rows.ts'

/** Eloverblik publishes a day one or two days later. */
const meterSilentMs = 4 * dayMs
const maxNames = 5

const iso = (at: Date | null) => at?.toISOString() ?? null

type FaultRow<Kind extends Fault['kind']> = Omit<Extract<Fault, { kind: Kind }>, 'kind' | 'since'> & { at: Date | null }

const findFaultyChargers = async (tx: Tx, customerId: string) => {
  const rows = await sqlRows<FaultRow<'charger'>>(tx)`
    select distinct on (c.position, c.charger_id, k.evse_no) c.charger_id as "chargerId", c.name, k.evse_no as "connectorId", k.error,
      k.state_at as at
    from charger c join charger_connector k on k.customer_id = c.customer_id and k.charger_id = c.charger_id
    where c.customer_id = ${customerId} and c.enabled and c.online and k.state = 'faulted'
    order by c.position, c.charger_id, k.evse_no, k.state_at desc limit ${limits.pageSize}`
  return rows.map(({ at, ...row }) => ({ kind: 'charger' as const, ...row, since: iso(at) }))
}

const findSilentEdges = async (tx: Tx, customerId: string, nowMs: number) => {
  const rows = await sqlRows<FaultRow<'edge'>>(tx)`
    select e.name, e.last_reported_at as at, array_agg(i.name order by i.position) as instances
    from edge e join instance i on i.customer_id = e.customer_id and i.edge_id = e.edge_id and i.enabled
    where e.customer_id = ${customerId} and e.enabled
      and (e.last_reported_at is null or e.last_reported_at <= ${new Date(nowMs - limits.edgeAliveMs)})
    group by e.edge_id, e.name, e.last_reported_at order by e.last_reported_at desc nulls last
    limit ${limits.pageSize}`
  return rows.map(({ at, ...row }) => ({ kind: 'edge' as const, ...row, since: iso(at) }))
}

const findSlotsAtRisk = async (tx: Tx, customerId: string, nowMs: number) => {
  const rows = await sqlRows<Omit<FaultRow<'slots'>, 'start'> & { start: Date }>(tx)`
    select r.market, r.instance_id as "instanceId", i.name as "instanceName", count(*)::int as count, min(r.starts_at) as start,
      max(r.short_kw) as "shortKw", min(r.raised_at) as at
    from sold_risk r join instance i on i.customer_id = r.customer_id and i.instance_id = r.instance_id
    where r.customer_id = ${customerId} and r.closed_at is null and r.ends_at > ${new Date(nowMs)}
    group by r.market, r.instance_id, i.name order by start limit ${limits.pageSize}`
  return rows.map(({ at, start, ...row }) => ({
    kind: 'slots' as const,
    ...row,
    start: start.toISOString(),
    since: iso(at),
  }))
}

const findSilentMeters = async (tx: Tx, customerId: string, nowMs: number) => {
  const rows = await sqlRows<{ name: string; at: Date | null }>(tx)`
    select name, last_read_at as at from meter
    where customer_id = ${customerId} and enabled and price_signal_id is not null
      and (last_error is not null or coalesce(last_read_at, added_at) < ${new Date(nowMs - meterSilentMs)})
    order by last_read_at desc nulls last, name`
  const names = rows.slice(0, maxNames).map(({ name }) => name)
  return rows.slice(0, 1).map(({ at }) => ({ kind: 'meters' as const, names, count: rows.length, since: iso(at) }))
}

const findAlertsOfDay = async (tx: Tx, customerId: string, { fromMs, toMs }: Span) => {
  const rows = await sqlRows<FaultRow<'alert'> & { at: Date }>(tx)`
    select distinct on (t.alert_id) t.trigger_id as "_id", t.name, l.type as source, i.name as "instanceName", t.type, t.criteria, t.threshold,
      t.value, (count(*) over (partition by t.alert_id))::int as count, t.acknowledged_at is not null as "isAcknowledged",
      t.triggered_at as at
    from alert_trigger t
      join instance i on i.customer_id = t.customer_id and i.instance_id = t.instance_id
      join licence l on l.customer_id = i.customer_id and l.licence_id = i.licence_id
    where t.customer_id = ${customerId} and t.triggered_at >= ${new Date(fromMs)} and t.triggered_at < ${new Date(toMs)}
      and t.type <> 'sold-capacity' and not t.late and t.notification
    order by t.alert_id, t.triggered_at desc, t.trigger_id desc`
  return rows
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .map(({ at, ...row }) => ({ kind: 'alert' as const, ...row, since: iso(at) }))
}

const findBudgetsOfDay = async (tx: Tx, customerId: string, userId: string, span: Span) => {
  const notices = await findBudgetNotices(tx, customerId, userId, span)
  return notices.slice(0, limits.pageSize).map(({ at, ...notice }) => ({
    kind: 'budget' as const,
    ...notice,
    since: iso(at),
  }))
}

const urgency = (fault: Fault): number => {
  if (fault.kind === 'alert') return fault.isAcknowledged ? 5 : 3
  return { charger: 0, edge: 1, slots: 2, budget: 3, meters: 4 }[fault.kind]
}

const joined = (...parts: (string | null | false)[]) => parts.filter(Boolean).join(', ')
const amount = (value: number, unit: string) => formatNumber(value, { decimals: 1, minDecimals: 0, unit })
const units = { power: 'kW', consumption: 'kWh', 'sold-capacity': 'kW' } as const

type FaultWords = { kind: string; name: string; details: string }

const wordsOf = (fault: Fault): FaultWords => {
  switch (fault.kind) {
    case 'charger': {
      const { name, connectorId, error } = fault
      const details = joined(connectorId > 0 && `Connector ${connectorId}`, error !== 'NoError' && error)
      return { kind: 'Charger faulted', name, details }
    }
    case 'edge':
      return { kind: 'Edge not reporting', name: fault.name, details: joined(...fault.instances) }
    case 'slots': {
      const { market, instanceName, count, start, shortKw } = fault
      const short = shortKw !== null && `short ${amount(shortKw, 'kW')}`
      const from = `${count} ${count === 1 ? 'slot' : 'slots'} from ${formatDateTime(Date.parse(start)).slice(0, 16)}`
      const kind = shortKw === null ? 'Expected capacity unknown' : 'Sold capacity at risk'
      return { kind, name: `${market} ${instanceName}`, details: joined(from, short) }
    }
    case 'budget':
      return {
        kind: 'Charging budget',
        name: fault.name,
        details: fault.state === 'spent' ? 'Spent' : 'Nearly spent',
      }
    case 'meters': {
      const { count, names } = fault
      const more = count > names.length && `${count - names.length} more`
      return {
        kind: 'Meters without new readings',
        name: `${count} ${count === 1 ? 'meter' : 'meters'}`,
        details: joined(...names, more),
      }
    }
    case 'alert': {
      const { name, instanceName, type, criteria, value, threshold, count, isAcknowledged } = fault
      const [now, limit] = [value, threshold].map((of) => amount(of, units[type]))
      const crossed = `${now}, ${criteria === 'gt' ? 'above' : 'below'} ${limit}`
      const details = joined(instanceName, crossed, `triggered today: ${count}`, isAcknowledged && 'acknowledged')
      return { kind: 'Alert', name, details }
    }
  }
}

const fileColumns: Column<FaultWords & Pick<Fault, 'since'>>[] = [
  column.text('Kind', ({ kind }) => kind, 28),
  column.text('Name', ({ name }) => name, 28),
  column.text('Details', ({ details }) => details, 40),
  column.instant('Since', ({ since }) => since),
]

export const faults = ownRoute(findFaults, async (tx, customerId, { viewer, nowMs, query }) => {
  const span = dayBounds(today(nowMs))
  const all = [
    ...(can(viewer, 'ev-charging.read') ? await findFaultyChargers(tx, customerId) : []),
    ...(await findSilentEdges(tx, customerId, nowMs)),
    ...(can(viewer, 'bid-request.read') ? await findSlotsAtRisk(tx, customerId, nowMs) : []),
    // Tags are often named after their drivers.
    ...(can(viewer, 'ev-charging.read') && viewer.wall === undefined
      ? await findBudgetsOfDay(tx, customerId, viewer.userId, span)
      : []),
    ...(can(viewer, 'data-hub.overview') ? await findSilentMeters(tx, customerId, nowMs) : []),
    ...(await findAlertsOfDay(tx, customerId, span)),
  ]
  const sorted = all.toSorted((a, b) => urgency(a) - urgency(b))
  if (!query.format) return { faults: sorted }
  const name = { fileName: `Faults and alerts ${localText(nowMs).slice(0, 16)}`, sheet: 'Faults and alerts' }
  return {
    file: tableFile(
      name,
      fileColumns,
      sorted.map((fault) => ({ ...wordsOf(fault), since: fault.since })),
    ),
  }
})
