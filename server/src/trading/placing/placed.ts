import type { Gate } from '@gridmast/contract/bid-slots.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import { type Insertable, sql } from 'kysely'
import type { BidFile } from '#platform/records/db-types.ts'
import { addMarks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'
import { type RowOf, selectRows, updateRows } from '#platform/records/rows.ts'
import type { Bid, Earlier } from '#trading/requests/expansion.ts'
import { toGate } from '#trading/requests/queries.ts'

export const findAllGates = async (tx: Tx): Promise<Gate[]> => {
  const rows = await tx.selectFrom('market_gate').selectAll().orderBy('market').orderBy('auction').execute()
  return rows.map(toGate)
}

export const findDueCustomers = async (tx: Tx, { market, auction }: Gate, day: LocalDate): Promise<string[]> => {
  const { rows } = await sql<{ customer_id: string }>`
    select distinct r.customer_id from bid_request r
    where r.market = ${market} and r.status <> 'withdrawn' and r.start_date <= ${day} and r.end_date >= ${day}
      and not exists (
        select from bid_file f
        where f.customer_id = r.customer_id and f.market = ${market} and f.auction = ${auction} and f.day = ${day}
      )`.execute(tx)
  return rows.map(({ customer_id }) => customer_id)
}

/** False when another process has created or is creating the file of this auction and day. */
export const claimFile = async (tx: Tx, file: Omit<Insertable<BidFile>, 'name' | 'content'>): Promise<boolean> => {
  const claimed = await tx
    .insertInto('bid_file')
    .values({ ...file, name: '', content: '' })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return claimed.numInsertedOrUpdatedRows === 1n
}

export const saveFile = (tx: Tx, customerId: string, fileId: string, file: { name: string; content: string }) =>
  updateRows(tx, customerId, 'bid_file', { file_id: fileId }).set(file).execute()

export type DueRequest = RowOf<
  'bid_request',
  'request_id' | 'instance_id' | 'custom_bidding' | 'capacity_mw' | 'price_eur' | 'regulation_price_eur'
> & {
  instance_name: string
  area: string | null
  auctions: string[] | null
  default_price_eur: string | null
}

export const lockDueRequests = async (
  tx: Tx,
  customerId: string,
  market: string,
  day: LocalDate,
): Promise<DueRequest[]> => {
  const { rows } = await sql<DueRequest>`
    select r.request_id, r.instance_id, i.name as instance_name, i.area, r.custom_bidding, r.capacity_mw::text[], r.price_eur::text[],
      r.regulation_price_eur::text[], c.auctions, c.default_price_eur::text
    from bid_request r
    join instance i on i.customer_id = r.customer_id and i.instance_id = r.instance_id and i.enabled and i.bid_active
    join licence l on l.customer_id = r.customer_id and l.licence_id = r.licence_id and l.enabled
    left join instance_contract c on c.customer_id = r.customer_id and c.instance_id = r.instance_id
      and c.valid_from <= ${day} and (c.valid_to is null or c.valid_to > ${day})
    where r.customer_id = ${customerId} and r.market = ${market} and r.status <> 'withdrawn'
      and r.start_date <= ${day} and r.end_date >= ${day}
      and not r.excluded_days @> jsonb_build_array(jsonb_build_object('date', ${day}::text))
    order by i.position, r.created_at, r.request_id
    for update of r`.execute(tx)
  return rows
}

export const findEarlierBids = async (
  tx: Tx,
  customerId: string,
  market: string,
  day: LocalDate,
): Promise<(Earlier & { instanceId: string })[]> => {
  const rows = await selectRows(tx, customerId, 'bid', { market, day })
    .select(['instance_id', 'product', 'starts_at', 'won', 'won_mw'])
    .execute()
  return rows.map((row) => ({
    instanceId: row.instance_id,
    product: row.product,
    startMs: row.starts_at.getTime(),
    won: row.won,
    wonMw: row.won_mw,
  }))
}

type File = { customerId: string; market: string; auction: string; day: LocalDate; sentAt: Date }

const batch = 1000

export const addBids = async (
  tx: Tx,
  { customerId, market, auction, day, sentAt }: File,
  bids: readonly (Bid & { request: DueRequest })[],
): Promise<void> => {
  addMarks(
    tx,
    'settlement_due',
    bids.map(({ request }) => ({ customer_id: customerId, instance_id: request.instance_id, day })),
  )
  for (let i = 0; i < bids.length; i += batch)
    await tx
      .insertInto('bid')
      .values(
        bids.slice(i, i + batch).map(({ request, ...bid }) => ({
          customer_id: customerId,
          instance_id: request.instance_id,
          market,
          product: bid.product,
          auction,
          starts_at: new Date(bid.fromMs),
          ends_at: new Date(bid.toMs),
          day,
          slot: bid.slot,
          request_id: request.request_id,
          capacity_mw: bid.capacityMw,
          price_eur: bid.priceEur,
          regulation_price_eur: bid.regulationPriceEur,
          sent_at: sentAt,
        })),
      )
      .execute()
}

export const markPlaced = (tx: Tx, customerId: string, requestIds: readonly string[], at: Date) =>
  updateRows(tx, customerId, 'bid_request', { request_id: requestIds, status: 'pending' })
    .set({ status: 'placed', placed_at: at })
    .execute()

export const findCapacitySignals = async (tx: Tx, customerId: string, market: string, day: LocalDate) => {
  const { rows } = await sql<{ instance_id: string; up: number; down: number }>`
    select i.instance_id, max(s.no) filter (where s.kind = 'capacityUp') as up,
      max(s.no) filter (where s.kind = 'capacityDown') as down
    from instance i join signal s on s.customer_id = i.customer_id and s.instance_id = i.instance_id
    where i.customer_id = ${customerId} and i.instance_id in (
      select instance_id from bid_request
      where customer_id = ${customerId} and market = ${market} and status <> 'withdrawn' and not custom_bidding
        and start_date <= ${day} and end_date >= ${day})
    group by i.instance_id having count(*) filter (where s.kind in ('capacityUp', 'capacityDown')) = 2`.execute(tx)
  return rows
}
