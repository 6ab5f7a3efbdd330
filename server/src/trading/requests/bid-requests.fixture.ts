import { dayBounds, hourMs, localDateOf } from '@gridmast/contract/time.ts'
import { newId } from '#platform/records/ids.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import { addRows } from '#testing/rows.ts'
import type { Offer } from './expansion.ts'

export type Cold = { customer_id: string; instance_id: string; licence_id: string }

export const coldOf = (records: Records): Promise<Cold> =>
  records.system((tx) =>
    tx
      .selectFrom('instance as i')
      .innerJoin('customer as c', 'c.customer_id', 'i.customer_id')
      .select(['i.customer_id', 'i.instance_id', 'i.licence_id'])
      .where('c.key', '=', 'north')
      .where('i.key', '=', 'cold')
      .executeTakeFirstOrThrow(),
  )

export const addPlaced = async (
  records: Records,
  cold: Cold,
  { market, start, end = start }: { market: string; start: string; end?: string },
): Promise<string> => {
  const request_id = newId()
  const at = new Date()
  await addRows(records, 'bid_request', {
    ...cold,
    request_id,
    market,
    status: 'placed',
    note: '',
    excluded_days: '[]',
    start_date: start,
    end_date: end,
    custom_bidding: true,
    capacity_mw: [],
    price_eur: [],
    created_at: at,
    updated_at: at,
  })
  return request_id
}

type Ids = { customer_id: string; instance_id: string; request_id: string }

export const addBid = (tx: Tx, { customer_id, instance_id, request_id }: Ids, startMs: number, part: object = {}) => {
  const day = localDateOf(startMs)
  return tx
    .insertInto('bid')
    .values({
      customer_id,
      instance_id,
      request_id,
      market: 'FCR-D-INC',
      product: 'FCR-D-INC',
      auction: 'D-1 early',
      starts_at: new Date(startMs),
      ends_at: new Date(startMs + hourMs),
      day,
      slot: (startMs - dayBounds(day).fromMs) / hourMs,
      capacity_mw: '2',
      price_eur: '2',
      sent_at: new Date(startMs),
      ...part,
    })
    .execute()
}

export const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)
export const head = [
  'License',
  'Instance',
  'Market',
  'Start Date',
  'End Date',
  'Note',
  'Excluded day',
  'Reason',
  ...hours.map((hour) => `MW ${hour}`),
  ...hours.map((hour) => `EUR/MW ${hour}`),
]

export const onlyIn = (slot: number, value: string, length = 24) =>
  Array.from({ length }, (_, i) => (i === slot ? value : '0'))

export const offerOf = (part: Partial<Offer>): Offer => ({
  market: 'FCR-D-INC',
  area: 'DK2',
  custom_bidding: true,
  capacity_mw: [],
  price_eur: [],
  regulation_price_eur: null,
  contract: null,
  forecastKw: [],
  ...part,
})
