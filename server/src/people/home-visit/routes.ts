import { limits } from '@gridmast/contract/limits.ts'
import { noteVisit, visitGapMs } from '@gridmast/contract/people/home-visit.ts'
import { can } from '@gridmast/contract/roles.ts'
import { addDays, dayMs, localDateOf } from '@gridmast/contract/time.ts'
import { ownRoute } from '#context.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'

/** The end of the previous visit; null during the first one. */
const saveVisit = async (tx: Tx, customerId: string, userId: string, nowMs: number): Promise<Date | null> => {
  const now = new Date(nowMs)
  const ended = new Date(nowMs - visitGapMs)
  const [row] = await sqlRows<{ previous_at: Date | null }>(tx)`
    insert into home_visit as v (customer_id, user_id, seen_at) values (${customerId}, ${userId}, ${now})
    on conflict (customer_id, user_id) do update
    set previous_at = case when v.seen_at <= ${ended} then v.seen_at else v.previous_at end, seen_at = greatest(v.seen_at, ${now})
    returning previous_at`
  return row?.previous_at ?? null
}

const findEvents = (tx: Tx, customerId: string, since: Date) =>
  sqlRows<{ market: string; count: number }>(tx)`
    select market, count(*)::int as count from event
    where customer_id = ${customerId} and started_at > ${since} group by market order by market`

const findAlerts = (tx: Tx, customerId: string, since: Date) =>
  sqlRows<{ licence: string; count: number }>(tx)`
    select l.type as licence, count(*)::int as count
    from alert_trigger a
    join instance i on i.customer_id = a.customer_id and i.instance_id = a.instance_id
    join licence l on l.customer_id = i.customer_id and l.licence_id = i.licence_id
    where a.customer_id = ${customerId} and a.triggered_at > ${since} group by l.type order by l.type`

/** Days older than this are rarely settled again, and reading all of them would be slow. */
const olderDays = 35
const firstDayOf = (since: Date) => addDays(localDateOf(since.getTime()), -olderDays)

const findSettlements = async (tx: Tx, customerId: string, since: Date) => {
  const [row] = await sqlRows<{ count: number; first_day: string | null; last_day: string | null }>(tx)`
    select count(*)::int as count, min(day)::text as first_day, max(day)::text as last_day from settlement
    where customer_id = ${customerId} and day >= ${firstDayOf(since)} and made_at > ${since}`
  return row?.first_day && row.last_day ? { count: row.count, firstDay: row.first_day, lastDay: row.last_day } : null
}

const findBids = (tx: Tx, customerId: string, since: Date) =>
  sqlRows<{ market: string; won: number; lost: number }>(tx)`
    select market, (count(*) filter (where won))::int as won, (count(*) filter (where not won))::int as lost from bid
    where customer_id = ${customerId} and day >= ${firstDayOf(since)} and decided_at > ${since} and won is not null
    group by market order by market`

const findDifferences = (tx: Tx, customerId: string, since: Date) =>
  sqlRows<{ statementId: string; name: string; count: number }>(tx)`
    select s.statement_id as "statementId", s.name, count(*)::int as count
    from operator_statement s
    join operator_statement_line l on l.customer_id = s.customer_id and l.statement_id = s.statement_id
    where s.customer_id = ${customerId} and s.taken_at > ${since} and l.difference_eur <> 0 and l.settled_at is null
    group by s.statement_id, s.name order by min(s.taken_at) desc limit ${limits.sinceVisitStatements}`

const visit = ownRoute(noteVisit, async (tx, customerId, { viewer, nowMs }) => {
  const previous = await saveVisit(tx, customerId, viewer.userId, nowMs)
  if (previous === null) return { since: null, events: [], alerts: [], settlements: null, bids: [], differences: [] }
  const since = new Date(Math.max(previous.getTime(), nowMs - limits.sinceVisitDays * dayMs))
  return {
    since: since.toISOString(),
    events: can(viewer, 'event.read') ? await findEvents(tx, customerId, since) : [],
    alerts: can(viewer, 'alert.read') ? await findAlerts(tx, customerId, since) : [],
    settlements: can(viewer, 'economics.read') ? await findSettlements(tx, customerId, since) : null,
    bids: can(viewer, 'bid-request.read') ? await findBids(tx, customerId, since) : [],
    differences: can(viewer, 'economics.read') ? await findDifferences(tx, customerId, since) : [],
  }
})

export const homeVisits = [visit]
