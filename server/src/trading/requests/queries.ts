import type { Gate } from '@gridmast/contract/bid-slots.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { BidRequest } from '#platform/records/db-types.ts'
import { notFound } from '#platform/http/errors.ts'
import { orderBy, type Paged, type Sort } from '#platform/http/list-query.ts'
import type { Tx } from '#platform/records/records.ts'
import { countRows, lockRow, selectRows, updateRows } from '#platform/records/rows.ts'
import { toAsked } from './beside.ts'

const requests = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('bid_request as r')
    .innerJoin('instance as i', (join) =>
      join.onRef('i.customer_id', '=', 'r.customer_id').onRef('i.instance_id', '=', 'r.instance_id'),
    )
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

export const askedOf = (row: RequestRow) =>
  toAsked(row.market, {
    startDate: row.start_date,
    endDate: row.end_date,
    excludedDays: row.excluded_days,
    customBidding: row.custom_bidding,
    capacity: row.capacity_mw,
    price: row.price_eur,
  })

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
  instance: sql`(select lower(n.name) from instance n where n.customer_id = r.customer_id and n.instance_id = r.instance_id)`,
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

export const countRequests = (tx: Tx, customerId: string, filter: Filter): Promise<number> =>
  countRows(filtered(tx, customerId, filter))

export const countPending = (tx: Tx, customerId: string) =>
  countRows(selectRows(tx, customerId, 'bid_request', { status: 'pending' }))

/** A slot with bids in two auctions counts once, as won when either was. */
export const findOutcomes = async (tx: Tx, customerId: string, requestIds: readonly string[]) => {
  const { rows } = await sql<{ request_id: string; sent: number; won: number; lost: number }>`
    select request_id, count(*)::int as sent, count(*) filter (where won)::int as won,
      count(*) filter (where not won and decided)::int as lost
    from (
      select request_id, coalesce(bool_or(won), false) as won, bool_and(won is not null) as decided
      from bid where customer_id = ${customerId} and request_id = any(${requestIds}::uuid[])
      group by request_id, day, slot) s
    group by request_id`.execute(tx)
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

/** Requests of an instance on all its markets that share days with a span, without `requestId`, up to the limit of concurrent requests. */
export const findRequestsBeside = (
  tx: Tx,
  customerId: string,
  {
    instanceId,
    startDate,
    endDate,
    but,
  }: { instanceId: string; startDate: string; endDate: string; but: string | null },
) =>
  requests(tx, customerId)
    .where('r.instance_id', '=', instanceId)
    .where('r.status', '<>', 'withdrawn')
    .where('r.start_date', '<=', endDate)
    .where('r.end_date', '>=', startDate)
    .$if(but !== null, (query) => query.where('r.request_id', '<>', but))
    .limit(limits.bidRequestsBeside)
    .execute()

export const findRequestsBetween = (
  tx: Tx,
  customerId: string,
  { startDate, endDate }: { startDate: string; endDate: string },
) =>
  requests(tx, customerId)
    .where('r.status', '<>', 'withdrawn')
    .where('r.start_date', '<=', endDate)
    .where('r.end_date', '>=', startDate)
    .execute()

export const findRequestIds = async (
  tx: Tx,
  customerId: string,
  filter: Filter,
  requestId: string | undefined,
): Promise<string[]> => {
  if (requestId !== undefined) {
    const one = requests(tx, customerId).where('r.request_id', '=', requestId)
    return [(await one.executeTakeFirstOrThrow(notFound)).request_id]
  }
  const rows = await orderedIds(tx, customerId, filter, {}).execute()
  return rows.map(({ request_id }) => request_id)
}

export const findRequestsByIds = (
  tx: Tx,
  customerId: string,
  ids: readonly string[] | ReturnType<typeof orderedIds>,
  sort: Sorting = {},
) => requests(tx, customerId).where('r.request_id', 'in', ids).orderBy(ordered(sort)).execute()

type Stored = Omit<Insertable<BidRequest>, 'capacity_mw' | 'price_eur' | 'regulation_price_eur' | 'excluded_days'> &
  Lists
type Lists = {
  capacity_mw: readonly number[]
  price_eur: readonly number[]
  regulation_price_eur: readonly number[] | null
  excluded_days: readonly { date: string; reason: string }[]
}

const stored = ({ capacity_mw, price_eur, regulation_price_eur, excluded_days }: Lists) => ({
  capacity_mw: sql<string[]>`${capacity_mw}::numeric[]`,
  price_eur: sql<string[]>`${price_eur}::numeric[]`,
  regulation_price_eur: sql<string[] | null>`${regulation_price_eur}::numeric[]`,
  excluded_days: JSON.stringify(excluded_days),
})

export const addRequest = (tx: Tx, row: Stored) =>
  tx
    .insertInto('bid_request')
    .values({ ...row, ...stored(row) })
    .execute()

export const saveRequest = (
  tx: Tx,
  customerId: string,
  requestId: string,
  changed: Omit<Updateable<BidRequest>, keyof Lists> & Partial<Lists>,
) => {
  const { capacity_mw, price_eur, regulation_price_eur, excluded_days, ...rest } = changed
  const lists =
    capacity_mw && price_eur && excluded_days && regulation_price_eur !== undefined
      ? stored({ capacity_mw, price_eur, regulation_price_eur, excluded_days })
      : {}
  return updateRows(tx, customerId, 'bid_request', { request_id: requestId })
    .set({ ...rest, ...lists })
    .execute()
}

export const toGate = (row: { market: string; auction: string; days_ahead: number; closes_at: string }): Gate => ({
  market: row.market,
  auction: row.auction,
  daysAhead: row.days_ahead,
  closesAt: row.closes_at,
})

export const findGates = async (tx: Tx, market: string): Promise<Gate[]> => {
  const rows = await tx.selectFrom('market_gate').selectAll().where('market', '=', market).orderBy('auction').execute()
  return rows.map(toGate)
}

export const isBiddingMarket = async (tx: Tx, customerId: string, market: string): Promise<boolean> => {
  const found = await selectRows(tx, customerId, 'customer')
    .select('customer_id')
    .where(sql<boolean>`${market} = any(bidding_markets)`)
    .executeTakeFirst()
  return found !== undefined
}
