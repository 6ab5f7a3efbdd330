import { addDays, dayBounds, type LocalDate } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { findEmissionSignal, gridAreaOf, readEmission } from '#grid/published/emission.ts'
import { readRates, type Pricing } from '#grid/published/pricing.ts'
import type { Tx } from '#platform/records/records.ts'
import type { RowOf } from '#platform/records/rows.ts'
import type { Readings } from '#readings/readings.ts'
import type { DayPrice } from './session-cost.ts'

/** A charger's price from a local day on; `valid_from` is null for the price signal that applies until a user sets a price. */
export type ChargingPrice = Omit<RowOf<'charging_price'>, 'customer_id' | 'valid_from'> & {
  valid_from: LocalDate | null
  grid_area: string | null
}

export const findChargingPrices = async (tx: Tx, customerId: string, chargerId?: string): Promise<ChargingPrice[]> => {
  const one = chargerId ?? null
  const { rows } = await sql<ChargingPrice>`
    select c.charger_id, null::text as valid_from, s.area, coalesce(c.area, s.area) as grid_area, trim_scale(s.tax_dkk_per_mwh)::text as tax_dkk_per_mwh,
      null as tariff_gln, null as tariff_code, null as driver_dkk_per_kwh
    from charger c join price_signal s on s.customer_id = c.customer_id and s.price_signal_id = c.price_signal_id
    where c.customer_id = ${customerId} and (${one}::uuid is null or c.charger_id = ${one})
    union all
    select p.charger_id, p.valid_from::text, p.area,
      coalesce(c.area, s.area, case when cardinality(o.areas) = 1 then o.areas[1] end), trim_scale(p.tax_dkk_per_mwh)::text, p.tariff_gln,
      p.tariff_code, trim_scale(p.driver_dkk_per_kwh)::text
    from charging_price p
      join charger c on c.customer_id = p.customer_id and c.charger_id = p.charger_id
      join customer o on o.customer_id = p.customer_id
      left join price_signal s on s.customer_id = c.customer_id and s.price_signal_id = c.price_signal_id
    where p.customer_id = ${customerId} and (${one}::uuid is null or p.charger_id = ${one})
    order by charger_id, valid_from nulls first`.execute(tx)
  return rows
}

export const priceOn = (prices: readonly ChargingPrice[], day: LocalDate): ChargingPrice | undefined =>
  prices.findLast(({ valid_from }) => valid_from === null || valid_from <= day)

export const pricingOf = ({ area, tax_dkk_per_mwh, tariff_gln, tariff_code }: ChargingPrice): Pricing => ({
  area,
  taxDkkPerMwh: tax_dkk_per_mwh,
  tariff: tariff_gln !== null && tariff_code !== null ? { gln: tariff_gln, code: tariff_code } : null,
})

type Source = { read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>; readings: Pick<Readings, 'buckets'> }

export const openPriceBook = ({ read, readings }: Source) => {
  const days = new Map<string, Promise<DayPrice>>()
  const readDay = async (pricing: Pricing, gridArea: string | null, day: LocalDate): Promise<DayPrice> => {
    const span = dayBounds(day)
    const { rates, signal } = await read(async (tx) => ({
      rates: await readRates(tx, pricing, span),
      signal: await findEmissionSignal(tx, gridArea),
    }))
    return { area: pricing.area, rates, emission: await readEmission(readings, signal, span) }
  }
  return {
    of: async (prices: readonly ChargingPrice[], from: LocalDate, to: LocalDate) => {
      const found = new Map<LocalDate, DayPrice | null>()
      for (let day = from; day <= to; day = addDays(day, 1)) {
        const price = priceOn(prices, day)
        if (!price) {
          found.set(day, null)
          continue
        }
        const pricing = pricingOf(price)
        const gridArea = gridAreaOf({ area: price.grid_area, priced_area: price.area })
        const key = JSON.stringify([pricing, gridArea, day])
        const known = days.get(key) ?? readDay(pricing, gridArea, day)
        days.set(key, known)
        found.set(day, await known)
      }
      return found
    },
  }
}
