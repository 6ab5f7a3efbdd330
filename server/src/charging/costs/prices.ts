import { datesBetween, dayBounds, type LocalDate, today } from '@gridmast/contract/time.ts'
import { findEmissionSignal, gridAreaOf, readEmission } from '#grid/published/emission.ts'
import { readRates, type Pricing, findTariffs, tariffExists } from '#grid/published/pricing.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, type RowOf, deleteRows, selectRows } from '#platform/records/rows.ts'
import type { Readings } from '#readings/readings.ts'
import type { DayPrice } from './session-cost.ts'
import * as contract from '@gridmast/contract/charging/charging-costs.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { normalDecimal } from '@gridmast/contract/numbers.ts'
import { ownRoute, route } from '#context.ts'
import { invalid, notFound, Refusal } from '#platform/http/errors.ts'
import { addMarks, type Marks } from '#platform/records/marks.ts'

/** A charger's price from a local day on; `valid_from` is null for the price signal that applies until a user sets a price. */
export type ChargingPrice = Omit<RowOf<'charging_price'>, 'customer_id' | 'valid_from'> & {
  valid_from: LocalDate | null
  grid_area: string | null
}

export const findChargingPrices = async (tx: Tx, customerId: string, chargerId?: string): Promise<ChargingPrice[]> => {
  const one = chargerId ?? null
  const rows = await sqlRows<ChargingPrice>(tx)`
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
    order by charger_id, valid_from nulls first`
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
      const dayPrices = new Map<LocalDate, DayPrice | null>()
      for (const day of datesBetween(from, to)) {
        dayPrices.set(day, null)
        const price = priceOn(prices, day)
        if (!price) continue
        const pricing = pricingOf(price)
        const gridArea = gridAreaOf({ area: price.grid_area, priced_area: price.area })
        const key = JSON.stringify([pricing, gridArea, day])
        const dayPrice = days.get(key) ?? readDay(pricing, gridArea, day)
        days.set(key, dayPrice)
        dayPrices.set(day, await dayPrice)
      }
      return dayPrices
    },
  }
}

export const toPrice = (price: ChargingPrice): contract.ChargingPrice => ({
  validFrom: price.valid_from,
  area: price.area,
  taxValue: price.tax_dkk_per_mwh,
  tariff: price.tariff_gln === null ? null : `${price.tariff_gln}:${price.tariff_code}`,
  driverPrice: price.driver_dkk_per_kwh,
})

const chargersOf = (tx: Tx, customerId: string) =>
  selectRows(tx, customerId, 'charger', { enabled: true })
    .select(['charger_id', 'name'])
    .orderBy('position')
    .orderBy('charger_id')

const markDue = async (tx: Tx, customerId: string, chargerId: string, day: LocalDate): Promise<void> => {
  const rows = await sqlRows<Marks['charging_due']>(tx)`
    select distinct customer_id, charger_id, coalesce(evse_no, -1) as evse_no, timezone('UTC', started_at)::date::text as day
    from charger_transaction
    where customer_id = ${customerId} and charger_id = ${chargerId}
      and coalesce(ended_at, 'infinity') >= ${new Date(dayBounds(day).fromMs)}`
  addMarks(tx, 'charging_due', rows)
}

const find = ownRoute(contract.findChargingPrices, async (tx, customerId, { nowMs }) => {
  const prices = Map.groupBy(await findChargingPrices(tx, customerId), ({ charger_id }) => charger_id)
  const tariffs = await findTariffs(tx, today(nowMs))
  return {
    chargers: (await chargersOf(tx, customerId).execute()).map(({ charger_id, name }) => {
      const ofCharger = prices.get(charger_id) ?? []
      const now = priceOn(ofCharger, today(nowMs))
      return { _id: charger_id, name, prices: ofCharger.map(toPrice), now: now ? toPrice(now) : null }
    }),
    tariffs: tariffs.map(({ gln, code, owner, name }) => ({ _id: `${gln}:${code}`, owner, code, name })),
  }
})

/** Locked, so that two changes of a charger's price run one after the other. */
const lockChargers = async (tx: Tx, customerId: string, chargerIds: readonly string[]) => {
  const rows = await chargersOf(tx, customerId).where('charger_id', 'in', chargerIds).forUpdate().execute()
  if (rows.length < new Set(chargerIds).size) throw notFound()
  return rows
}

const save = route(contract.saveChargingPrice, async ({ app, own, audit, body }) => {
  const { chargers, validFrom, area, taxValue, tariff, driverPrice } = body
  await own(async (tx, customerId) => {
    const [gln = null, code = null] = tariff?.split(':') ?? []
    if (gln && code && !(await tariffExists(tx, { gln, code }))) throw invalid({ tariff: m.notValid })
    const rows = await lockChargers(tx, customerId, chargers)
    const price = {
      area,
      tax_dkk_per_mwh: normalDecimal(String(taxValue)),
      tariff_gln: gln,
      tariff_code: code,
      driver_dkk_per_kwh: driverPrice ?? null,
    }
    await tx
      .insertInto('charging_price')
      .values(rows.map(({ charger_id }) => ({ customer_id: customerId, charger_id, valid_from: validFrom, ...price })))
      .onConflict((conflict) => conflict.columns(['customer_id', 'charger_id', 'valid_from']).doUpdateSet(price))
      .execute()
    const [counted] = await sqlRows<{ most: number }>(tx)`
      select max(count)::int as most from (select count(*) from charging_price
        where customer_id = ${customerId} and charger_id = any(${chargers}::uuid[]) group by charger_id) c`
    if ((counted?.most ?? 0) > limits.chargingPrices)
      throw new Refusal(409, m.tooManyChargingPrices(limits.chargingPrices))
    for (const { charger_id } of rows) await markDue(tx, customerId, charger_id, validFrom)
    const { chargers: _, ...saved } = body
    const names = rows.map(({ name }) => name).join(', ')
    await audit(tx, 'charging-price.save', names.slice(0, 200), { after: saved })
  })
  await app.jobs.kick('charging-costs')
})

const remove = route(contract.removeChargingPrice, async ({ app, own, audit, params }) => {
  const { chargerId, validFrom } = params
  await own(async (tx, customerId) => {
    const [charger] = await lockChargers(tx, customerId, [chargerId])
    const stored = await findChargingPrices(tx, customerId, chargerId)
    const before = stored.find(({ valid_from }) => valid_from === validFrom)
    if (!before) throw notFound()
    await deleteRows(tx, customerId, 'charging_price', { charger_id: chargerId, valid_from: validFrom }).execute()
    await markDue(tx, customerId, chargerId, validFrom)
    await audit(tx, 'charging-price.delete', charger?.name ?? '', { before: toPrice(before) })
  })
  await app.jobs.kick('charging-costs')
})

export const prices = [find, save, remove]
