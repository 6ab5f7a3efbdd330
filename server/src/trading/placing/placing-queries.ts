import type { Gate } from '@gridmast/contract/bid-slots.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import { type Insertable } from 'kysely'
import type { BidFile } from '#platform/records/db-types.ts'
import { addMarks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, type RowOf, updateRows } from '#platform/records/rows.ts'
import type { Bid, Offer } from '#trading/requests/expansion.ts'

export const findDueCustomers = async (tx: Tx, { market, auction }: Gate, day: LocalDate): Promise<string[]> => {
  const rows = await sqlRows<{ customer_id: string }>(tx)`
    select distinct r.customer_id from bid_request r
    where r.market = ${market} and r.status <> 'withdrawn' and r.start_date <= ${day} and r.end_date >= ${day}
      and not exists (
        select from bid_file f
        where f.customer_id = r.customer_id and f.market = ${market} and f.auction = ${auction} and f.day = ${day}
      )`
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

export type DueRequest = Omit<Offer, 'forecastKw'> &
  RowOf<'bid_request', 'request_id' | 'instance_id'> & { instance_name: string }

export const lockDueRequests = (tx: Tx, customerId: string, market: string, day: LocalDate) =>
  sqlRows<DueRequest>(tx)`
    select r.request_id, r.instance_id, i.name as instance_name, r.market, i.area, r.custom_bidding, r.capacity_mw::text[],
      r.price_eur::text[], r.regulation_price_eur::text[], case when c.auctions is not null then
        json_build_object('auctions', c.auctions, 'default_price_eur', coalesce(c.default_price_eur, 0)::text) end as contract
    from bid_request r
    join instance i on i.customer_id = r.customer_id and i.instance_id = r.instance_id and i.enabled and i.bid_active
    join licence l on l.customer_id = r.customer_id and l.licence_id = r.licence_id and l.enabled
    left join instance_contract c on c.customer_id = r.customer_id and c.instance_id = r.instance_id
      and c.valid_from <= ${day} and (c.valid_to is null or c.valid_to > ${day})
    where r.customer_id = ${customerId} and r.market = ${market} and r.status <> 'withdrawn'
      and r.start_date <= ${day} and r.end_date >= ${day}
      and not r.excluded_days @> jsonb_build_array(jsonb_build_object('date', ${day}::text))
    order by i.position, r.created_at, r.request_id
    for update of r`

type File = RowOf<'bid', 'customer_id' | 'market' | 'auction' | 'day' | 'sent_at'>
export type PlacedBid = Bid & Pick<DueRequest, 'request_id' | 'instance_id' | 'instance_name'>

const batch = 1000

export const addBids = async (tx: Tx, file: File, bids: readonly PlacedBid[]): Promise<void> => {
  const { customer_id, day } = file
  addMarks(
    tx,
    'settlement_due',
    bids.map(({ instance_id }) => ({ customer_id, instance_id, day })),
  )
  const rows = bids.map(({ instance_name: _, ...bid }) => ({ ...file, ...bid }))
  for (let i = 0; i < rows.length; i += batch)
    await tx
      .insertInto('bid')
      .values(rows.slice(i, i + batch))
      .execute()
}

export const markPlaced = (tx: Tx, customerId: string, requestIds: readonly string[], at: Date) =>
  updateRows(tx, customerId, 'bid_request', { request_id: requestIds, status: 'pending' })
    .set({ status: 'placed', placed_at: at })
    .execute()

export const findCapacitySignals = (tx: Tx, customerId: string, market: string, day: LocalDate) =>
  sqlRows<{ instance_id: string; up: number; down: number }>(tx)`
    select i.instance_id, max(s.no) filter (where s.kind = 'capacityUp') as up,
      max(s.no) filter (where s.kind = 'capacityDown') as down
    from instance i join signal s on s.customer_id = i.customer_id and s.instance_id = i.instance_id
    where i.customer_id = ${customerId} and i.instance_id in (
      select instance_id from bid_request
      where customer_id = ${customerId} and market = ${market} and status <> 'withdrawn' and not custom_bidding
        and start_date <= ${day} and end_date >= ${day})
    group by i.instance_id having count(*) filter (where s.kind in ('capacityUp', 'capacityDown')) = 2`
