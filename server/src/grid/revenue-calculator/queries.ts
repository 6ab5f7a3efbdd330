import type { Span } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { centralDkkPerEur, dkkPerEurOf, localDay } from '#grid/published/exchange-rates.ts'
import type { Tx } from '#platform/records/records.ts'
import type { RevenueOfDay, Sold } from './revenue.ts'
import { sqlRows } from '#platform/records/rows.ts'

const zone = sql`'Europe/Berlin'`
const dayHours = sql`(extract(epoch from (day + 1)::timestamp at time zone ${zone} - day::timestamp at time zone ${zone}) / 3600)::int`

const pricedHours = ({ markets, auction }: Sold, area: string, { fromMs, toMs }: Span) => {
  const published = sql`
    from market_price
    where area = ${area} and product = '' and auction = ${auction} and price_eur is not null
      and starts_at >= ${new Date(fromMs)} and starts_at < ${new Date(toMs)}`
  return markets.length === 1
    ? sql`select starts_at, price_eur, price_dkk, case when price_dkk is null then price_eur end as eur_alone
        ${published} and market = ${markets[0]}`
    : sql`select starts_at, sum(price_eur) as price_eur, sum(price_dkk) as price_dkk,
        sum(price_eur) filter (where price_dkk is null) as eur_alone
        ${published} and market = any(${markets}::text[]) group by starts_at having count(*) = ${markets.length}`
}

/**
 * Daily revenue of `capacityMw`, for each local day with a price, unrounded. A block price counts with its part of the block in each hour: a quarter,
 * or a third or a fifth in the first block of the days of 23 and 25 hours. EUR without a DKK column use the rate of the day, else the central rate.
 */
export const findRevenueOfDays = async (tx: Tx, sold: Sold, area: string, span: Span, capacityMw: string) => {
  const [isFirstBlock, hoursOfBlock] = sold.perBlock
    ? [
        sql`extract(hour from starts_at at time zone ${zone}) < 4`,
        sql`case when is_first_block then ${dayHours} - 20 else 4 end`,
      ]
    : [sql`false`, sql`1`]
  return sqlRows<RevenueOfDay>(tx)`
    with daily as materialized (
      select ${localDay(sql`starts_at`)} as day, ${isFirstBlock} as is_first_block, count(*)::int as hours,
        sum(price_eur) as eur, sum(price_dkk) as dkk, sum(eur_alone) as eur_alone
      from (${pricedHours(sold, area, span)}) priced group by 1, 2
    ), rated as materialized (
      select *, ${hoursOfBlock} as block_hours, case when eur_alone is not null then ${dkkPerEurOf(sql`daily.day`)} end as rate
      from daily
    )
    select day::text as day, sum(hours)::int as hours,
      trim_scale(sum(eur / block_hours) * ${capacityMw}::numeric) as eur,
      trim_scale(sum((coalesce(dkk, 0) + coalesce(eur_alone * coalesce(rate, ${centralDkkPerEur}::numeric), 0)) / block_hours)
        * ${capacityMw}::numeric) as dkk,
      bool_or(dkk is not null) as "hasDkk", bool_or(rate is not null) as "hasRate",
      bool_or(eur_alone is not null and rate is null) as "hasCentral",
      trim_scale(max(case when eur_alone is not null then coalesce(rate, ${centralDkkPerEur}::numeric) end))::text as "dkkPerEur"
    from rated group by day order by day`
}
