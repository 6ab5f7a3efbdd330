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

const lines = sql`jsonb_to_recordset(s.inputs -> 'bids') as l(slot int, "fromMs" bigint, "capacityMw" numeric, won boolean, "wonMw" numeric,
  "capacityEur" numeric, "penaltyEur" numeric, hours int, "missedHours" int)`

const share = sql`((s.inputs -> 'contract' ->> 'customer')::numeric / 100)`
const ownPenalty = sql`case when s.inputs -> 'contract' ->> 'penaltyTo' = 'sc' then 0 else l."penaltyEur" * ${share} end`

const settled = (customerId: string, filter: Filter) => sql`
  settlement s join instance i on i.customer_id = s.customer_id and i.instance_id = s.instance_id cross join lateral ${lines}
  where s.customer_id = ${customerId} and ${matching(filter)} and s.customer_eur is not null and l."capacityEur" is not null`

/** A period that two auctions sold is offered once: the second one sells what the first one left. */
export const findSlotSums = async (tx: Tx, customerId: string, filter: Filter): Promise<SlotRow[]> => {
  const { rows } = await sql<SlotRow>`
    with period as (
      select s.instance_id, i.name, s.product, s.market, l.slot, l."fromMs", max(l."capacityMw") as bid,
        coalesce(sum(coalesce(l."wonMw", l."capacityMw")) filter (where l.won), 0) as won, sum(l."capacityEur") as eur,
        sum(abs(l."capacityEur")) as size, sum(abs(l."capacityEur") * ${share}) as shared, sum(${ownPenalty}) as penalty,
        coalesce(max(l.hours) filter (where l.won), 0) as hours, coalesce(max(l."missedHours") filter (where l.won), 0) as missed
      from ${settled(customerId, filter)} group by 1, 2, 3, 4, 5, 6)
    select instance_id, name as instance_name, product, market, slot, trim_scale(sum(greatest(bid, won)))::text as "offeredMw",
      trim_scale(sum(won))::text as "wonMw", trim_scale(sum(eur))::text as "capacityEur", trim_scale(sum(size))::text as "sizeEur",
      trim_scale(sum(shared))::text as "sharedSizeEur", trim_scale(sum(penalty))::text as "penaltyEur",
      sum(hours)::text as hours, sum(missed)::text as "missedHours"
    from period group by 1, 2, 3, 4, 5 order by 2, 3, 5, 1`.execute(tx)
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
    select s.instance_id, i.name as instance_name, s.product, s.market, s.day::text as day, l.slot, max(l."missedHours")::int as hours,
      round(sum(${ownPenalty}), 2)::text as eur
    from ${settled(customerId, filter)} and l."penaltyEur" < 0 and s.inputs -> 'contract' ->> 'penaltyTo' <> 'sc'
    group by 1, 2, 3, 4, s.day, 6 order by sum(${ownPenalty}), s.day, l.slot limit ${limit}`.execute(tx)
  return rows
}
