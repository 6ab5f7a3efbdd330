import * as contract from '@gridmast/contract/charging/charging-costs.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { normalDecimal } from '@gridmast/contract/numbers.ts'
import { dayBounds, today, type LocalDate } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { findChargingPrices, priceOn, type ChargingPrice } from './price-periods.ts'
import { route } from '#context.ts'
import { findTariffs, tariffExists } from '#grid/published/pricing.ts'
import { invalid, notFound, Refusal } from '#platform/http/errors.ts'
import { addMarks, type Marks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'
import { deleteRows, selectRows } from '#platform/records/rows.ts'

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
  const { rows } = await sql<Marks['charging_due']>`
    select distinct customer_id, charger_id, coalesce(evse_no, -1) as evse_no, timezone('UTC', started_at)::date::text as day
    from charger_transaction
    where customer_id = ${customerId} and charger_id = ${chargerId}
      and coalesce(ended_at, 'infinity') >= ${new Date(dayBounds(day).fromMs)}`.execute(tx)
  addMarks(tx, 'charging_due', rows)
}

const find = route(contract.findChargingPrices, async ({ own, nowMs }) =>
  own(async (tx, customerId) => {
    const prices = Map.groupBy(await findChargingPrices(tx, customerId), ({ charger_id }) => charger_id)
    const tariffs = await findTariffs(tx, today(nowMs))
    return {
      chargers: (await chargersOf(tx, customerId).execute()).map(({ charger_id, name }) => {
        const own = prices.get(charger_id) ?? []
        const now = priceOn(own, today(nowMs))
        return { _id: charger_id, name, prices: own.map(toPrice), now: now ? toPrice(now) : null }
      }),
      tariffs: tariffs.map(({ gln, code, owner, name }) => ({ _id: `${gln}:${code}`, owner, code, name })),
    }
  }),
)

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
    const most = await sql<{ most: number }>`
      select max(count)::int as most from (select count(*) from charging_price
        where customer_id = ${customerId} and charger_id = any(${chargers}::uuid[]) group by charger_id) c`.execute(tx)
    if ((most.rows[0]?.most ?? 0) > limits.chargingPrices)
      throw new Refusal(409, m.tooManyChargingPrices(limits.chargingPrices))
    for (const { charger_id } of rows) await markDue(tx, customerId, charger_id, validFrom)
    const { chargers: _, ...said } = body
    await audit(
      tx,
      'charging-price.save',
      rows
        .map(({ name }) => name)
        .join(', ')
        .slice(0, 200),
      { after: said },
    )
  })
  await app.jobs.kick('charging-costs')
})

const remove = route(contract.removeChargingPrice, async ({ app, own, audit, params }) => {
  const { chargerId, validFrom } = params
  await own(async (tx, customerId) => {
    const [charger] = await lockChargers(tx, customerId, [chargerId])
    const before = (await findChargingPrices(tx, customerId, chargerId)).find(
      ({ valid_from }) => valid_from === validFrom,
    )
    if (!before) throw notFound()
    await deleteRows(tx, customerId, 'charging_price', { charger_id: chargerId, valid_from: validFrom }).execute()
    await markDue(tx, customerId, chargerId, validFrom)
    await audit(tx, 'charging-price.delete', charger?.name ?? '', { before: toPrice(before) })
  })
  await app.jobs.kick('charging-costs')
})

export const prices = [find, save, remove]
