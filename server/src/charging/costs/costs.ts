import * as contract from '@gridmast/contract/charging/charging-costs.ts'
import { localDateOf, quarterMs } from '@gridmast/contract/time.ts'
import { findCostSums } from './cost-sums.ts'
import { isDoubted } from '#charging/ledger/plausible.ts'
import { findChargingPrices, openPriceBook, priceOn } from './price-periods.ts'
import { quarterCosts } from './session-cost.ts'
import { costColumns, toCost } from './stored-cost.ts'
import { route } from '#context.ts'
import { dkkOf, dkkPerMwhOf, pricesOf, totalOf } from '#grid/published/cost-of-energy.ts'
import { emissionSource, factorAt } from '#grid/published/emission.ts'
import { getSource } from '#grid/published/sources.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { toPrice } from './prices.ts'

const getSession = (tx: Tx, customerId: string, transactionId: string) =>
  tx
    .selectFrom('charger_transaction as s')
    .innerJoin('charger as c', (join) =>
      join.onRef('c.customer_id', '=', 's.customer_id').onRef('c.charger_id', '=', 's.charger_id'),
    )
    .leftJoin('charging_cost as k', (join) =>
      join.onRef('k.customer_id', '=', 's.customer_id').onRef('k.transaction_id', '=', 's.transaction_id'),
    )
    .select(['s.charger_id', 's.started_at', 's.consumption_wh', 'c.simulated', 'k.wh', ...costColumns])
    .select(isDoubted.as('is_doubted'))
    .where('s.customer_id', '=', customerId)
    .where('s.transaction_id', '=', transactionId)
    .executeTakeFirstOrThrow(notFound)

const nothing = { total: null, parts: null, driver: null, kgCo2: null, spread: false } as const

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
    cost: toCost(row) ?? {
      ...nothing,
      unknown: row.is_doubted ? 'doubted' : row.consumption_wh === null ? 'energy' : null,
    },
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

const sums = route(contract.chargingCosts, ({ own, query }) =>
  own((tx, customerId) => findCostSums(tx, customerId, query)),
)

export const costs = [explain, sums]
