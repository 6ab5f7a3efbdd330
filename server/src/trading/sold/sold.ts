import { hourMs, type LocalDate } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'

export type SoldSlot = { market: string; product: string; starts_at: Date; ends_at: Date; kw: number }
export type SoldEdge = {
  customer_id: string
  edge_id: string
  edge_key: string
  instance_key: string
  flexible_kw: string
  markets: string[]
  sold: { market: string; product: string; from: string; to: string; kW: number }[]
  schedule: { planId: string; from: string; kW: number[] } | null
}

/** Sold capacity of each edge from an instant on, over all auctions of a product, and the plans that it follows now. */
export const findSoldByEdge = async (tx: Tx, from: Date, now: Date): Promise<SoldEdge[]> => {
  const { rows } = await sql<SoldEdge>`
    with sold as (
      select customer_id, instance_id, market, product, starts_at, max(ends_at) as ends_at, sum(won_mw) * 1000 as kw
      from bid where won and ends_at > ${from} group by 1, 2, 3, 4, 5)
    select i.customer_id, i.edge_id, e.key as edge_key, i.key as instance_key, i.flexible_kw::text, i.markets,
      coalesce((select json_agg(json_build_object('market', s.market, 'product', s.product, 'from', to_char(s.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'to', to_char(s.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'kW', trim_scale(s.kw)) order by s.starts_at, s.market, s.product)
        from sold s where s.customer_id = i.customer_id and s.instance_id = i.instance_id), '[]') as sold,
      (select json_build_object('planId', p.plan_id, 'from', to_char(p.from_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'kW', to_json(p.kw))
        from instance_schedule p where p.customer_id = i.customer_id and p.instance_id = i.instance_id
          and p.from_at + cardinality(p.kw) * interval '15 minutes' > ${now}) as schedule
    from instance i join edge e on e.customer_id = i.customer_id and e.edge_id = i.edge_id and e.enabled
    where i.enabled order by i.customer_id, i.edge_id, i.position, i.key`.execute(tx)
  return rows
}

type Whose = { licenseId: string | undefined; instanceId: string | undefined }

const bidsOf = (customerId: string, { licenseId, instanceId }: Whose) => sql`
  ${instanceId === undefined ? sql`` : sql`and b.instance_id = ${instanceId}`}
  ${licenseId === undefined ? sql`` : sql`and b.instance_id in (select instance_id from instance where customer_id = ${customerId} and licence_id = ${licenseId})`}`

export const findSoldOfDay = async (
  tx: Tx,
  customerId: string,
  { market, day, ...whose }: { market: string; day: LocalDate } & Whose,
): Promise<(SoldSlot & { slot: number })[]> => {
  const { rows } = await sql<SoldSlot & { slot: number }>`
    select market, product, slot, starts_at, max(ends_at) as ends_at, (sum(won_mw) * 1000)::float8 as kw
    from bid b where customer_id = ${customerId} and market = ${market} and day = ${day} and won
      ${bidsOf(customerId, whose)}
    group by market, product, slot, starts_at order by starts_at, product`.execute(tx)
  return rows
}

export const findSoldNow = async (
  tx: Tx,
  customerId: string,
  { market, nowMs, ...whose }: { market: string; nowMs: number } & Whose,
): Promise<{ _id: string; product: string; kw: number }[]> => {
  const now = new Date(nowMs)
  // No period is longer than a day of 25 hours, so earlier ones have ended.
  const since = new Date(nowMs - 25 * hourMs)
  const { rows } = await sql<{ _id: string; product: string; kw: number }>`
    select b.instance_id as _id, b.product, (sum(b.won_mw) * 1000)::float8 as kw
    from instance i join bid b on b.customer_id = i.customer_id and b.instance_id = i.instance_id
    where i.customer_id = ${customerId} and i.enabled and b.market = ${market} and b.won
      and b.starts_at > ${since} and b.starts_at <= ${now} and b.ends_at > ${now}
      ${bidsOf(customerId, whose)}
    group by i.position, b.instance_id, b.product order by i.position, b.product`.execute(tx)
  return rows
}
