import * as contract from '@gridmast/contract/charging/charging-costs.ts'
import { roundDecimal } from '@gridmast/contract/numbers.ts'
import { dayBounds, localDateOf, quarterMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import { onKey, sqlRows } from '#platform/records/rows.ts'
import { findUncounted, isDoubted } from '#charging/ledger/session-energy.ts'
import { thousandths, quarterCosts, costColumns, toCost } from './session-cost.ts'
import { findChargingPrices, openPriceBook, priceOn, toPrice } from './prices.ts'
import { ownRoute, route } from '#context.ts'
import { dkkOf, dkkPerMwhOf, pricesOf, totalOf } from '#grid/published/cost-of-energy.ts'
import { emissionSource, factorAt } from '#grid/published/emission.ts'
import { getSource } from '#grid/published/sources.ts'
import { notFound } from '#platform/http/errors.ts'
import { byName } from '#platform/http/list-query.ts'

/** Amounts are the sessions' own, rounded to the øre: days, chargers and groups add up to the total. */

type SumRow = {
  key: string | null
  name: string | null
  sessions: number
  wh: string
  dkk: string
  driver_dkk: string
  margin_dkk: string | null
  g_co2: string
  wh_without_cost: string
  wh_without_co2: string
  simulated: boolean | null
}

const keys = {
  charger: sql`c.charger_id::text as key, c.name`,
  group: sql`g.group_id::text as key, g.name`,
  day: sql`((s.started_at at time zone 'Europe/Berlin')::date)::text as key, null::text as name`,
}

type SumQuery = { startDate: string; endDate: string; by: keyof typeof keys }

const spanOf = ({ startDate, endDate }: SumQuery) => ({
  fromMs: dayBounds(startDate).fromMs,
  toMs: dayBounds(endDate).toMs,
})

const findRows = (tx: Tx, customerId: string, query: SumQuery) => {
  const { fromMs, toMs } = spanOf(query)
  return sqlRows<SumRow>(tx)`
    with sessions as (
      select ${keys[query.by]}, c.simulated, k.g_co2, round(k.driver_dkk, 2) as driver_dkk,
        round(k.spot_dkk + k.tariff_dkk + k.tax_dkk, 2) as dkk,
        coalesce(s.consumption_wh, (select sum(w) from unnest(k.wh) w), 0) as wh
      from charger_transaction s
        join charger c on c.customer_id = s.customer_id and c.charger_id = s.charger_id
        left join charger_tag t on t.customer_id = s.customer_id and t.tag_id = s.tag_id
        left join charger_tag_group g on g.customer_id = t.customer_id and g.group_id = t.group_id
        left join charging_cost k on k.customer_id = s.customer_id and k.transaction_id = s.transaction_id
      where s.customer_id = ${customerId} and not s.refused
        and s.started_at >= ${new Date(fromMs)} and s.started_at < ${new Date(toMs)}
    )
    select key, name, count(*)::int as sessions, sum(wh)::text as wh, coalesce(sum(dkk), 0)::text as dkk,
      coalesce(sum(driver_dkk), 0)::text as driver_dkk, sum(driver_dkk - dkk)::text as margin_dkk, coalesce(sum(g_co2), 0)::text as g_co2,
      coalesce(sum(wh) filter (where dkk is null), 0)::text as wh_without_cost,
      coalesce(sum(wh) filter (where g_co2 is null), 0)::text as wh_without_co2, bool_or(simulated) as simulated
    from sessions group by grouping sets ((key, name), ())
    order by grouping(key) desc, ${byName(sql`name`)} nulls last, key`
}

const toSums = (row: SumRow): contract.ChargingSums => ({
  sessions: row.sessions,
  kwh: thousandths(row.wh ?? '0'),
  dkk: roundDecimal(row.dkk, 2),
  driverDkk: roundDecimal(row.driver_dkk, 2),
  marginDkk: row.margin_dkk && roundDecimal(row.margin_dkk, 2),
  kgCo2: thousandths(row.g_co2),
  kwhWithoutCost: thousandths(row.wh_without_cost),
  kwhWithoutCo2: thousandths(row.wh_without_co2),
})

export const findCostSums = async (tx: Tx, customerId: string, query: SumQuery) => {
  const [total, ...rows] = await findRows(tx, customerId, query)
  if (!total) throw new Error('an aggregate without a group has a row')
  return {
    total: toSums(total),
    uncounted: await findUncounted(tx, customerId, spanOf(query)),
    rows: rows.map((row) => ({ key: row.key, name: row.name, ...toSums(row) })),
    simulated: total.simulated ?? false,
  }
}

const getSession = (tx: Tx, customerId: string, transactionId: string) =>
  tx
    .selectFrom('charger_transaction as s')
    .innerJoin('charger as c', onKey('c', 's', 'charger_id'))
    .leftJoin('charging_cost as k', onKey('k', 's', 'transaction_id'))
    .select(['s.charger_id', 's.started_at', 's.consumption_wh', 'c.simulated', 'k.wh', ...costColumns])
    .select(isDoubted.as('is_doubted'))
    .where('s.customer_id', '=', customerId)
    .where('s.transaction_id', '=', transactionId)
    .executeTakeFirstOrThrow(notFound)

const noCost = { total: null, parts: null, driver: null, kgCo2: null, spread: false } as const

const explain = route(contract.sessionCost, async ({ app, own, params }) => {
  const { row, prices, emission } = await own(async (tx, customerId) => {
    const session = await getSession(tx, customerId, params.id)
    return {
      row: session,
      prices: await findChargingPrices(tx, customerId, session.charger_id),
      emission: await getSource(tx, emissionSource),
    }
  })
  const price = priceOn(prices, localDateOf(row.started_at.getTime()))
  const energy = { fromMs: row.counted?.getTime() ?? row.started_at.getTime(), wh: row.wh ?? [], spread: false }
  const book = openPriceBook({ read: (work) => own(work), readings: app.readings })
  const lastMs = energy.fromMs + Math.max(0, energy.wh.length - 1) * quarterMs
  const days = await book.of(prices, localDateOf(energy.fromMs), localDateOf(lastMs))
  const first = [...days.values()].find((day) => day !== null)
  return {
    cost: toCost(row) ?? {
      ...noCost,
      unknown: row.is_doubted ? 'doubted' : row.consumption_wh === null ? 'energy' : null,
    },
    quarters: quarterCosts(energy, days).map(({ fromMs, wh, cost }) => {
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

const sums = ownRoute(contract.chargingCosts, (tx, customerId, { query }) => findCostSums(tx, customerId, query))

export const costs = [explain, sums]
