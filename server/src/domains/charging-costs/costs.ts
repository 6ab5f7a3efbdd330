import * as contract from '@gridmast/contract/charging-costs.ts'
import { roundDecimal } from '@gridmast/contract/numbers.ts'
import { dayBounds, localDateOf, quarterMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { findChargingPrices, openPriceBook, priceOn } from '#charging/prices.ts'
import { quarterCosts } from '#charging/session-cost.ts'
import { costColumns, toCost } from '#charging/stored-cost.ts'
import { route } from '#context.ts'
import { dkkOf, dkkPerMwhOf, pricesOf, totalOf } from '#market/cost-of-energy.ts'
import { emissionSource, factorAt } from '#market/emission.ts'
import { getSource } from '#market/sources.ts'
import { notFound } from '#platform/errors.ts'
import type { Tx } from '#platform/records.ts'
import { toPrice } from './prices.ts'

/** What sessions cost: one of them quarter by quarter, and sums. */

const getSession = async (tx: Tx, customerId: string, transactionId: string) => {
  const row = await tx
    .selectFrom('charger_transaction as s')
    .innerJoin('charger as c', (join) =>
      join.onRef('c.customer_id', '=', 's.customer_id').onRef('c.charger_id', '=', 's.charger_id'),
    )
    .leftJoin('charging_cost as k', (join) =>
      join.onRef('k.customer_id', '=', 's.customer_id').onRef('k.transaction_id', '=', 's.transaction_id'),
    )
    .select(['s.charger_id', 's.started_at', 'c.simulated', 'k.wh', ...costColumns])
    .where('s.customer_id', '=', customerId)
    .where('s.transaction_id', '=', transactionId)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

const nothing = { total: null, parts: null, unknown: 'energy', driver: null, kgCo2: null, spread: false } as const

const explain = route(contract.sessionCost, async ({ app, own, params }) => {
  const { row, prices, emission } = await own(async (tx, customerId) => {
    const found = await getSession(tx, customerId, params.id)
    return {
      row: found,
      prices: await findChargingPrices(tx, customerId, found.charger_id),
      emission: await getSource(tx, emissionSource),
    }
  })
  const price = priceOn(prices, localDateOf(row.started_at.getTime()))
  const taken = { fromMs: row.counted?.getTime() ?? row.started_at.getTime(), wh: row.wh ?? [], spread: false }
  const book = openPriceBook({ read: (work) => own(work), readings: app.readings })
  const lastMs = taken.fromMs + Math.max(0, taken.wh.length - 1) * quarterMs
  const days = await book.of(prices, localDateOf(taken.fromMs), localDateOf(lastMs))
  const first = [...days.values()].find((day) => day !== null)
  return {
    cost: toCost(row) ?? nothing,
    quarters: quarterCosts(taken, days).map(({ fromMs, wh, cost }) => {
      const day = days.get(localDateOf(fromMs))
      const each = day ? pricesOf({ fromMs, toMs: fromMs + quarterMs }, day.rates) : 'price'
      return {
        from: new Date(fromMs).toISOString(),
        kwh: (wh / 1000).toFixed(3),
        dkkPerMwh:
          typeof each === 'string'
            ? null
            : { spot: dkkPerMwhOf(each.spot), tariff: dkkPerMwhOf(each.tariff), tax: dkkPerMwhOf(each.tax) },
        dkk: typeof cost === 'string' ? null : dkkOf(totalOf(cost)),
        unknown: typeof cost === 'string' ? cost : null,
        gramsPerKwh: (day && factorAt(day.emission, fromMs)) ?? null,
      }
    }),
    price: price ? toPrice(price) : null,
    sources: { spot: first?.rates.spot.source ?? null, tariff: first?.rates.tariff?.source ?? null, emission },
    simulated: row.simulated,
  }
})

type SumRow = {
  key: string | null
  name: string | null
  sessions: number
  wh: string
  dkk: string
  driver_dkk: string
  g_co2: string
  wh_without_cost: string
  wh_without_co2: string
  simulated: boolean | null
}

/** What a row of sums is made for: `key` and `name` of it. */
const keys = {
  charger: sql`c.charger_id::text as key, c.name`,
  group: sql`g.group_id::text as key, g.name`,
  day: sql`((s.started_at at time zone 'Europe/Berlin')::date)::text as key, null::text as name`,
}

const findSums = async (
  tx: Tx,
  customerId: string,
  query: { startDate: string; endDate: string; by: keyof typeof keys },
) => {
  const { rows } = await sql<SumRow>`
    with sessions as (
      select ${keys[query.by]}, c.simulated, k.driver_dkk, k.g_co2, k.spot_dkk + k.tariff_dkk + k.tax_dkk as dkk,
        coalesce(s.consumption_wh, (select sum(w) from unnest(k.wh) w), 0) as wh
      from charger_transaction s
        join charger c on c.customer_id = s.customer_id and c.charger_id = s.charger_id
        left join charger_tag t on t.customer_id = s.customer_id and t.tag_id = s.tag_id
        left join charger_tag_group g on g.customer_id = t.customer_id and g.group_id = t.group_id
        left join charging_cost k on k.customer_id = s.customer_id and k.transaction_id = s.transaction_id
      where s.customer_id = ${customerId}
        and s.started_at >= ${new Date(dayBounds(query.startDate).fromMs)}
        and s.started_at < ${new Date(dayBounds(query.endDate).toMs)}
    )
    select key, name, count(*)::int as sessions, sum(wh)::text as wh, coalesce(sum(dkk), 0)::text as dkk,
      coalesce(sum(driver_dkk), 0)::text as driver_dkk, coalesce(sum(g_co2), 0)::text as g_co2,
      coalesce(sum(wh) filter (where dkk is null), 0)::text as wh_without_cost,
      coalesce(sum(wh) filter (where g_co2 is null), 0)::text as wh_without_co2, bool_or(simulated) as simulated
    from sessions group by grouping sets ((key, name), ())
    order by grouping(key) desc, name collate "C" nulls last, key`.execute(tx)
  return rows
}

const toSums = (row: SumRow): contract.ChargingSums => ({
  sessions: row.sessions,
  kwh: Number(row.wh ?? 0) / 1000,
  dkk: roundDecimal(row.dkk, 2),
  driverDkk: roundDecimal(row.driver_dkk, 2),
  kgCo2: Number(row.g_co2) / 1000,
  kwhWithoutCost: Number(row.wh_without_cost) / 1000,
  kwhWithoutCo2: Number(row.wh_without_co2) / 1000,
})

const sums = route(contract.chargingCosts, async ({ own, query }) => {
  // The sum over all of them is the first row, also where there is none.
  const [total, ...rows] = await own((tx, customerId) => findSums(tx, customerId, query))
  if (!total) throw new Error('an aggregate without a group has a row')
  return {
    total: toSums(total),
    rows: rows.map((row) => ({ key: row.key, name: row.name, ...toSums(row) })),
    simulated: total.simulated ?? false,
  }
})

export const costs = [explain, sums]
