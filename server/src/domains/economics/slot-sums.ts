import type { LocalDate } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { Tx } from '#platform/records.ts'
import { type Filter, matching } from './queries.ts'
import type { SlotSum } from './why-less.ts'

/** What each slot of the day of each product of each instance came to over all days of a span, of what is settled and shared. why-less.md. */

export type SlotRow = SlotSum & {
  instance_id: string
  instance_name: string
  product: string
  market: string
  slot: number
}

const columns = sql`(slot int, "fromMs" bigint, "capacityMw" numeric, won boolean, "wonMw" numeric, "capacityEur" numeric, "penaltyEur" numeric,
  hours int, "missedHours" int)`

/** Of each settlement what its lines are shared out by is read once: a line has some kilobytes of others beside it. */
const settled = (customerId: string, filter: Filter, more = sql``) => sql`
  settled as materialized (
    select s.instance_id, i.name, s.product, s.market, s.day, (s.inputs -> 'contract' ->> 'customer')::numeric / 100 as share,
      s.inputs -> 'contract' ->> 'penaltyTo' = 'sc' as by_sc, s.inputs -> 'bids' as bids
    from settlement s join instance i on i.customer_id = s.customer_id and i.instance_id = s.instance_id
    where s.customer_id = ${customerId} and ${matching(filter)} and s.customer_eur is not null ${more})`

/** A period that two auctions sold is offered once: the second one sells what the first one left. */
export const findSlotSums = async (tx: Tx, customerId: string, filter: Filter): Promise<SlotRow[]> => {
  const { rows } = await sql<SlotRow>`
    with ${settled(customerId, filter)}
    select s.instance_id, s.name as instance_name, s.product, s.market, p.slot, trim_scale(sum(greatest(p.bid, p.won)))::text as "offeredMw",
      trim_scale(sum(p.won))::text as "wonMw", trim_scale(sum(p.eur))::text as "capacityEur", trim_scale(sum(p.size))::text as "sizeEur",
      trim_scale(sum(p.size * s.share))::text as "sharedSizeEur",
      trim_scale(sum(case when s.by_sc then 0 else p.penalty * s.share end))::text as "penaltyEur",
      sum(p.hours)::text as hours, sum(p.missed)::text as "missedHours"
    from settled s cross join lateral (
      select l.slot, max(l."capacityMw") as bid, coalesce(sum(coalesce(l."wonMw", l."capacityMw")) filter (where l.won), 0) as won,
        sum(l."capacityEur") as eur, sum(abs(l."capacityEur")) as size, sum(l."penaltyEur") as penalty,
        coalesce(max(l.hours) filter (where l.won), 0) as hours, coalesce(max(l."missedHours") filter (where l.won), 0) as missed
      from jsonb_to_recordset(s.bids) as l${columns} where l."capacityEur" is not null group by l.slot, l."fromMs") p
    group by 1, 2, 3, 4, 5 order by 2, 3, 5, 1`.execute(tx)
  return rows
}

export type MissedRow = {
  instance_id: string
  instance_name: string
  product: string
  market: string
  day: LocalDate
  slot: number
  hours: number
  eur: string
}

/** The dearest slots that were sold and not available, with the customer's part of their penalties. */
export const findMissed = async (tx: Tx, customerId: string, filter: Filter, limit: number): Promise<MissedRow[]> => {
  const { rows } = await sql<MissedRow>`
    with ${settled(customerId, filter, sql`and s.penalty_eur <> 0`)}
    select s.instance_id, s.name as instance_name, s.product, s.market, s.day::text as day, l.slot, max(l."missedHours")::int as hours,
      round(sum(l."penaltyEur" * s.share), 2)::text as eur
    from settled s cross join lateral jsonb_to_recordset(s.bids) as l${columns}
    where l."penaltyEur" < 0 and not s.by_sc
    group by 1, 2, 3, 4, s.day, 6 order by sum(l."penaltyEur" * s.share), s.day, l.slot limit ${limit}`.execute(tx)
  return rows
}
