import type { Gate } from '@gridmast/contract/bid-slots.ts'
import type { BidRequestForm } from '@gridmast/contract/trading/bid-requests.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { sql } from 'kysely'
import { notFound } from '#platform/http/errors.ts'
import { byName, orderBy, type Paged, type Sort } from '#platform/http/list-query.ts'
import type { Tx } from '#platform/records/records.ts'
import {
  sqlRows,
  countRows,
  insertRow,
  lockRow,
  type New,
  selectRows,
  updateRows,
  onKey,
} from '#platform/records/rows.ts'

const requests = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('bid_request as r')
    .innerJoin('instance as i', onKey('i', 'r', 'instance_id'))
    .select(['r.request_id', 'r.licence_id', 'r.instance_id', 'i.name as instance_name', 'r.market', 'r.start_date'])
    .select(['r.end_date', 'r.custom_bidding', 'r.note', 'r.status', 'r.created_at', 'r.updated_at'])
    .select((of) => [
      sql<string[]>`r.capacity_mw::text[]`.as('capacity_mw'),
      sql<string[]>`r.price_eur::text[]`.as('price_eur'),
      sql<string[] | null>`r.regulation_price_eur::text[]`.as('regulation_price_eur'),
      of.ref('r.excluded_days').$castTo<{ date: string; reason: string }[]>().as('excluded_days'),
    ])
    .where('r.customer_id', '=', customerId)

export type RequestRow = Awaited<ReturnType<ReturnType<typeof requests>['execute']>>[number]

type Filter = {
  filterType: 'current' | 'past'
  licenseId?: string | undefined
  market?: string | undefined
  today: string
}

const filtered = (tx: Tx, customerId: string, { filterType, licenseId, market, today }: Filter) =>
  tx
    .selectFrom('bid_request as r')
    .where('r.customer_id', '=', customerId)
    .where((where) => {
      const isCurrent = where.and([where('r.status', '<>', 'withdrawn'), where('r.end_date', '>=', today)])
      return filterType === 'current' ? isCurrent : where.not(isCurrent)
    })
    .$if(licenseId !== undefined, (query) => query.where('r.licence_id', '=', licenseId ?? ''))
    .$if(market !== undefined, (query) => query.where('r.market', '=', market ?? ''))

const sortColumns = {
  start: sql`r.start_date`,
  end: sql`r.end_date`,
  excluded: sql`jsonb_array_length(r.excluded_days)`,
  created: sql`r.created_at`,
  updated: sql`r.updated_at`,
  instance: sql`(select ${byName(sql`n.name`)} from instance n where n.customer_id = r.customer_id and n.instance_id = r.instance_id)`,
  /** Highest capacity of a slot; unknown for bids by contract. */
  offer: sql`(select max(mw) from unnest(r.capacity_mw) mw)`,
  market: sql`r.market`,
  status: sql`r.status`,
}
type Sorting = Sort<keyof typeof sortColumns>

const ordered = (sort: Sorting) => orderBy(sort, sortColumns, sql`r.created_at desc, r.request_id`)

const orderedIds = (tx: Tx, customerId: string, filter: Filter, sort: Sorting) =>
  filtered(tx, customerId, filter).select('r.request_id').orderBy(ordered(sort))

export const findRequests = async (
  tx: Tx,
  customerId: string,
  filter: Filter,
  { limit, skip, ...sort }: Paged<keyof typeof sortColumns>,
) => findRequestsByIds(tx, customerId, orderedIds(tx, customerId, filter, sort).limit(limit).offset(skip), sort)

export const countRequests = (tx: Tx, customerId: string, filter: Filter) => countRows(filtered(tx, customerId, filter))

export const countPending = (tx: Tx, customerId: string) =>
  countRows(selectRows(tx, customerId, 'bid_request', { status: 'pending' }))

/** A slot with bids in two auctions counts once, as won when either was. */
export const findOutcomes = async (tx: Tx, customerId: string, requestIds: readonly string[]) => {
  const rows = await sqlRows<{ request_id: string; sent: number; won: number; lost: number }>(tx)`
    select request_id, count(*)::int as sent, count(*) filter (where won)::int as won,
      count(*) filter (where not won and decided)::int as lost
    from (
      select request_id, coalesce(bool_or(won), false) as won, bool_and(won is not null) as decided
      from bid where customer_id = ${customerId} and request_id = any(${requestIds}::uuid[])
      group by request_id, day, slot) s
    group by request_id`
  return new Map(rows.map(({ request_id, sent, won, lost }) => [request_id, { sent, won, lost }]))
}

export const getRequest = (tx: Tx, customerId: string, requestId: string) =>
  requests(tx, customerId).where('r.request_id', '=', requestId).executeTakeFirstOrThrow(notFound)

export const lockRequest = (tx: Tx, customerId: string, requestId: string) =>
  requests(tx, customerId).where('r.request_id', '=', requestId).forUpdate('r').executeTakeFirstOrThrow(notFound)

/** Locked, so that two requests for an instance run one after the other. */
export const lockInstance = async (tx: Tx, customerId: string, instanceId: string, licenceId: string) =>
  lockRow(tx, customerId, 'instance', { instance_id: instanceId, licence_id: licenceId, enabled: true }, [
    'name',
    'markets',
    'flexible_kw',
    'area',
  ])

type Days = { startDate: string; endDate: string }

export const findRequestsBetween = (tx: Tx, customerId: string, { startDate, endDate }: Days) =>
  requests(tx, customerId)
    .where('r.status', '<>', 'withdrawn')
    .where('r.start_date', '<=', endDate)
    .where('r.end_date', '>=', startDate)

/** Other requests of an instance, on all its markets, that share days with a form, up to the limit of concurrent requests. */
export const findConcurrentRequests = (
  tx: Tx,
  customerId: string,
  form: Days & { groupId: string },
  requestId: string | undefined,
) =>
  findRequestsBetween(tx, customerId, form)
    .where('r.instance_id', '=', form.groupId)
    .$if(requestId !== undefined, (query) => query.where('r.request_id', '<>', requestId ?? ''))
    .limit(limits.bidRequestsBeside)
    .execute()

export const findRequestIds = async (tx: Tx, customerId: string, filter: Filter, requestId: string | undefined) => {
  if (requestId !== undefined) return [(await getRequest(tx, customerId, requestId)).request_id]
  const rows = await orderedIds(tx, customerId, filter, {}).execute()
  return rows.map(({ request_id }) => request_id)
}

export const findRequestsByIds = (
  tx: Tx,
  customerId: string,
  ids: readonly string[] | ReturnType<typeof orderedIds>,
  sort: Sorting = {},
) => requests(tx, customerId).where('r.request_id', 'in', ids).orderBy(ordered(sort)).execute()

/** Columns of a form; its numbers have few enough digits that their text is the typed decimal. */
export const columnsOf = (form: Omit<BidRequestForm, 'licenseId' | 'biddingMarket' | 'groupId'>) => ({
  start_date: form.startDate,
  end_date: form.endDate,
  custom_bidding: form.customBidding,
  capacity_mw: form.capacity.map(String),
  price_eur: form.price.map(String),
  regulation_price_eur: form.customBidding && form.regulationPrice?.length ? form.regulationPrice.map(String) : null,
  excluded_days: form.excludedDays,
  note: form.note,
})

type Columns = ReturnType<typeof columnsOf>

const written = ({ excluded_days, ...columns }: Columns) => ({
  ...columns,
  excluded_days: JSON.stringify(excluded_days),
})

export const addRequest = (
  tx: Tx,
  customerId: string,
  row: Omit<New<'bid_request'>, keyof Columns>,
  columns: Columns,
) => insertRow(tx, customerId, 'bid_request', { ...row, ...written(columns) }).execute()

export const saveRequest = (
  tx: Tx,
  customerId: string,
  requestId: string,
  row: { instance_id: string; updated_at: Date },
  columns: Columns,
) =>
  updateRows(tx, customerId, 'bid_request', { request_id: requestId })
    .set({ ...row, ...written(columns) })
    .execute()

export const withdrawRequest = (tx: Tx, customerId: string, requestId: string, at: Date) =>
  updateRows(tx, customerId, 'bid_request', { request_id: requestId })
    .set({ status: 'withdrawn', updated_at: at })
    .execute()

export const findGates = async (tx: Tx, market?: string): Promise<Gate[]> => {
  const rows = await tx
    .selectFrom('market_gate')
    .selectAll()
    .$if(market !== undefined, (query) => query.where('market', '=', market ?? ''))
    .orderBy('market')
    .orderBy('auction')
    .execute()
  return rows.map((row) => ({
    market: row.market,
    auction: row.auction,
    daysAhead: row.days_ahead,
    closesAt: row.closes_at,
  }))
}

export const isBiddingMarket = async (tx: Tx, customerId: string, market: string): Promise<boolean> => {
  const { bidding_markets } = await selectRows(tx, customerId, 'customer')
    .select('bidding_markets')
    .executeTakeFirstOrThrow()
  return bidding_markets.includes(market)
}

export const findBidSubscribers = async (tx: Tx, customerId: string, instanceId: string, market: string) => {
  if (!isMarket(market)) return []
  const rows = await selectRows(tx, customerId, 'email_subscription', {
    instance_id: instanceId,
    event_type: markets[market].group,
    bid_result: true,
  })
    .select('email')
    .where(sql<boolean>`is_confirmed(customer_id, email)`)
    .orderBy('email')
    .execute()
  return rows.map(({ email }) => email)
}
