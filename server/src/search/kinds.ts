import type { AlertType } from '@gridmast/contract/delivery/alerts.ts'
import { limits } from '@gridmast/contract/limits.ts'
import type { CapabilityName } from '@gridmast/contract/roles.ts'
import type { FoundRow } from '@gridmast/contract/search.ts'
import { addDays } from '@gridmast/contract/time.ts'
import type { BidRequestStatus } from '@gridmast/contract/trading/bid-requests.ts'
import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'
import { findChargers, findCharging, findSites } from './charging.ts'
import { beginningFirst, hasWords, type Terms } from './terms.ts'

type Find = (tx: Tx, customerId: string, terms: Terms) => Promise<FoundRow[]>

const withoutDay =
  (find: (tx: Tx, customerId: string, words: readonly string[]) => Promise<FoundRow[]>): Find =>
  async (tx, customerId, { words, day }) =>
    day === null ? find(tx, customerId, words) : []

const meterColumns = [sql`name`, sql`metering_point_id`, sql`address`]

const findMeters = withoutDay(async (tx, customerId, words) => {
  const rows = await sqlRows<{ id: string; name: string; meteringPoint: string; address: string }>(tx)`
    select meter_id as id, name, metering_point_id as "meteringPoint", address from meter
    where customer_id = ${customerId} and ${hasWords(words, meterColumns)}
    order by ${beginningFirst(words, meterColumns)}, meter_id limit ${limits.searchRows}`
  return rows.map((row) => ({ kind: 'meter', ...row }))
})

type Alert = { id: string; name: string; licenceId: string; instanceName: string; type: AlertType }

const findAlerts = withoutDay(async (tx, customerId, words) => {
  const rows = await sqlRows<Alert>(tx)`
    select a.alert_id as id, a.name, i.licence_id as "licenceId", i.name as "instanceName", a.type
    from alert a join instance i on i.customer_id = a.customer_id and i.instance_id = a.instance_id
    where a.customer_id = ${customerId} and a.removed_at is null and ${hasWords(words, [sql`a.name`, sql`i.name`])}
    order by ${beginningFirst(words, [sql`a.name`])}, a.alert_id limit ${limits.searchRows}`
  return rows.map((row) => ({ kind: 'alert', ...row }))
})

type Request = {
  id: string
  market: string
  instanceName: string
  startDate: string
  endDate: string
  status: BidRequestStatus
}

/** Without a day or an id only these many newest requests are searched. */
const searchedRequests = 1000

const findBidRequests: Find = async (tx, customerId, { words, day, ids }) => {
  const candidates =
    day === null
      ? sql`order by created_at desc, request_id limit ${searchedRequests}`
      : sql`and end_date between ${day} and ${addDays(day, limits.bidRequestDays)} and start_date <= ${day}`
  const own = sql`from bid_request where customer_id = ${customerId}`
  const columns = sql`request_id, instance_id, market, start_date, end_date, status, created_at`
  return (
    await sqlRows<Request>(tx)`
      with near as (
        (select ${columns}, false as by_id ${own} ${candidates}) union all
        select ${columns}, true ${own} and request_id between ${ids?.from ?? null}::uuid and ${ids?.to ?? null}::uuid
      )
      select distinct on (r.created_at, r.request_id) r.request_id as id, r.market, i.name as "instanceName",
        r.start_date as "startDate", r.end_date as "endDate", r.status
      from near r join instance i on i.customer_id = ${customerId} and i.instance_id = r.instance_id
      where r.by_id or ${hasWords(words, [sql`i.name`, sql`r.market`])}
      order by r.created_at desc, r.request_id limit ${limits.searchRows}`
  ).map((row) => ({ kind: 'bid-request', ...row }))
}

type Settlement = { instanceId: string; instanceName: string; day: string; product: string }

const findSettlements: Find = async (tx, customerId, { words, day }) => {
  if (day === null) return []
  const rows = await sqlRows<Settlement>(tx)`
    select s.instance_id as "instanceId", i.name as "instanceName", s.day, s.product
    from settlement s join instance i on i.customer_id = s.customer_id and i.instance_id = s.instance_id
    where s.customer_id = ${customerId} and s.day = ${day} and ${hasWords(words, [sql`i.name`, sql`s.product`])}
    order by i.name, s.product, s.instance_id limit ${limits.searchRows}`
  return rows.map((row) => ({ kind: 'settlement', ...row }))
}

const findNotes = withoutDay(async (tx, customerId, words) => {
  const rows = await sqlRows<{ id: string; title: string }>(tx)`
    select note_id as id, title from support_note
    where customer_id = ${customerId} and ${hasWords(words, [sql`title`, sql`description`])}
    order by ${beginningFirst(words, [sql`title`])}, note_id limit ${limits.searchRows}`
  return rows.map((row) => ({ kind: 'note', ...row }))
})

type ChartNote = {
  id: string
  text: string
  from: Date
  to: Date
  instanceId: string | null
  instanceName: string | null
}

/** Notes on the charts, the newest first. */
const findChartNotes = withoutDay(async (tx, customerId, words) => {
  const rows = await sqlRows<ChartNote>(tx)`
    select n.note_id as id, n.text, n.from_at as "from", n.to_at as "to", n.instance_id as "instanceId", i.name as "instanceName"
    from note n left join instance i on i.customer_id = n.customer_id and i.instance_id = n.instance_id
    where n.customer_id = ${customerId} and ${hasWords(words, [sql`n.text`, sql`coalesce(i.name, '')`])}
    order by ${beginningFirst(words, [sql`n.text`])}, n.from_at desc, n.note_id limit ${limits.searchRows}`
  return rows.map(({ from, to, ...row }) => ({
    kind: 'chart-note',
    ...row,
    from: from.toISOString(),
    to: to.toISOString(),
  }))
})

const personColumns = [sql`name`, sql`email`]

const findPeople = withoutDay(async (tx, customerId, words) => {
  const rows = await sqlRows<{ id: string; name: string; email: string }>(tx)`
    select user_id as id, name, email from app_user where customer_id = ${customerId} and ${hasWords(words, personColumns)}
    order by ${beginningFirst(words, personColumns)}, user_id limit ${limits.searchRows}`
  return rows.map((row) => ({ kind: 'person', ...row }))
})

const findRecipients = withoutDay(async (tx, customerId, words) => {
  const rows = await sqlRows<{ email: string }>(tx)`
    select email from (select distinct lower(email) as email from email_subscription where customer_id = ${customerId}) r
    where ${hasWords(words, [sql`email`])} order by ${beginningFirst(words, [sql`email`])} limit ${limits.searchRows}`
  return rows.map((row) => ({ kind: 'recipient', ...row }))
})

type Kind = {
  /** Capability by which the rows can be listed. */
  may: CapabilityName
  /** With this capability another kind finds the same rows. */
  unless?: CapabilityName
  find: Find
}

export const kinds: readonly Kind[] = [
  { may: 'ev-charging.read', find: findCharging },
  { may: 'charger.read', unless: 'ev-charging.read', find: findChargers },
  { may: 'charger.read', find: findSites },
  { may: 'data-hub.read', find: findMeters },
  { may: 'alert.read', find: findAlerts },
  { may: 'bid-request.read', find: findBidRequests },
  { may: 'economics.read', find: findSettlements },
  { may: 'support-note.read', find: findNotes },
  { may: 'power.read', find: findChartNotes },
  { may: 'audit.read', find: findPeople },
  { may: 'email-subscription.read', find: findRecipients },
]
