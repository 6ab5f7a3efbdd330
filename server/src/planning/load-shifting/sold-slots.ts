import { bidSlots, firstOpenDay, requestSlots, type Gate } from '@gridmast/contract/bid-slots.ts'
import { multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'
import { signalsOf } from '@gridmast/contract/grid/price-signals.ts'
import { addDays, datesBetween, hourMs, localDateOf, type Span } from '@gridmast/contract/time.ts'
import { dkkPerEurAt } from '#grid/published/exchange-rates.ts'
import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'
import { isMarket, markets } from '@gridmast/contract/markets.ts'
import type { Load, SoldReserve } from '#planning/solver/plan.ts'

/** Requested bids that are not sent yet, which a plan may skip where the energy is worth more; each counts as won, without a penalty. */

/** A symmetric market is bid as two products, each at the requested price. */
const productsIn = (market: string, area: string | null): number =>
  Math.max(1, new Set(signalsOf(market, area === null ? undefined : [area]).map((signal) => signal.market)).size)

type SoldRow = {
  market: string
  area: string | null
  start_date: string
  end_date: string
  excluded_days: readonly { date: string }[]
  capacity_mw: string[]
  price_eur: string[]
  sent_days: string[]
  dkk_per_eur: string
}

export const findOffers = async (tx: Tx, customerId: string, instanceId: string, nowMs: number, toMs: number) => {
  const rows = await sqlRows<SoldRow>(tx)`
    select r.market, i.area, r.start_date::text, r.end_date::text, r.excluded_days, r.capacity_mw::text[], r.price_eur::text[],
      array(select distinct b.day::text from bid b where b.customer_id = r.customer_id and b.instance_id = r.instance_id
        and b.market = r.market and b.day between r.start_date and r.end_date) as sent_days,
      ${dkkPerEurAt(sql`${new Date(nowMs)}::timestamptz`)}::text as dkk_per_eur
    from bid_request r join instance i on i.customer_id = r.customer_id and i.instance_id = r.instance_id
    where r.customer_id = ${customerId} and r.instance_id = ${instanceId} and r.custom_bidding and r.status in ('pending', 'placed')
      and r.end_date >= ${localDateOf(nowMs)}::date and r.start_date <= ${localDateOf(toMs)}::date
    order by r.market, r.start_date`
  if (rows.length === 0) return []
  const gates = await tx.selectFrom('market_gate').selectAll().execute()
  const gatesOf = (market: string): Gate[] =>
    gates
      .filter((gate) => gate.market === market)
      .map(({ auction, days_ahead, closes_at }) => ({ market, auction, daysAhead: days_ahead, closesAt: closes_at }))
  const first = localDateOf(nowMs)
  return rows.flatMap((row) => {
    const { market } = row
    const open = firstOpenDay(gatesOf(market), nowMs)
    const closed = new Set([...row.sent_days, ...row.excluded_days.map(({ date }) => date)])
    const isRequested = (day: string) => day >= open && day >= row.start_date && day <= row.end_date && !closed.has(day)
    return datesBetween(first, addDays(localDateOf(toMs), 1))
      .filter(isRequested)
      .flatMap((day) =>
        bidSlots(market, day).flatMap(({ index, ...slot }): SoldSlot[] => {
          const mw = row.capacity_mw[index] ?? '0'
          const isIn = slot.toMs > Math.max(slot.fromMs, nowMs) && slot.fromMs < toMs
          if (Number(mw) <= 0 || !isIn) return []
          // The price is per MW and hour, for FCR per block.
          const hours = requestSlots(market) === 6 ? 1 : (slot.toMs - slot.fromMs) / hourMs
          const eur = multiplyDecimals(multiplyDecimals(mw, row.price_eur[index] ?? '0'), String(hours))
          const each = multiplyDecimals(multiplyDecimals(eur, row.dkk_per_eur), String(productsIn(market, row.area)))
          const id = `offer ${market} ${new Date(slot.fromMs).toISOString()}`
          const { fromMs, toMs: endMs } = slot
          const kw = Number(mw) * 1000
          return [{ id, market, product: market, fromMs, toMs: endMs, kw, lostDkk: roundDecimal(each, 6) }]
        }),
      )
  })
}

/** `lostDkk`: revenue of a bid that is not sent yet; null where the slot is sold. */
export type SoldSlot = Span & { id: string; market: string; product: string; kw: number; lostDkk: string | null }

/** Reservoir per sold kW (domain notes on markets, 4.4): power in its direction, in the opposite one, and duration. */
type Reservoir = { power: number; opposite: number; hours: number }

const hourly: Reservoir = { power: 1, opposite: 0, hours: 1 }

const reservoirs: Readonly<Record<string, Reservoir>> = {
  'FCR-N': { power: 1.34, opposite: 0, hours: 1 },
  'FCR-D-INC': { power: 1, opposite: 0.2, hours: 1 / 3 },
  'FCR-D-DEC': { power: 1, opposite: 0.2, hours: 1 / 3 },
  // 15 minutes, and 30 in some national rules.
  FCR: { power: 1.25, opposite: 0, hours: 0.5 },
  FFR: { power: 1, opposite: 0, hours: 0.5 / 60 },
}

/** A sold slot is a hard bound: a won slot must be delivered (decisions: sold capacity is a bound). A bid that is not sent yet may be skipped. */
export const soldOf = (slots: readonly SoldSlot[], loads: readonly Load[]): SoldReserve[] =>
  slots.map(({ id, market, product, kw, fromMs, toMs, lostDkk }) => {
    const direction = product.endsWith('-DEC') ? 'down' : isMarket(market) ? markets[market].direction : 'up'
    const isBoth = direction === 'both' && !product.endsWith('-INC')
    const [isUp, isDown] = [direction !== 'down', direction === 'down' || isBoth]
    const [storage] = loads.filter((load) => load.kind === 'storage')
    const { power, opposite, hours } = reservoirs[market] ?? hourly
    /** Reserves above the sold power are limited to the storage: no plan can help beyond it. */
    const heldKw = (isSold: boolean, maxKw: number) =>
      isSold ? Math.max(kw, Math.min(kw * power, maxKw)) : Math.min(kw * opposite, maxKw)
    return {
      id,
      market,
      fromMs,
      toMs,
      loadIds: loads.map((load) => load.id),
      soldKw: kw,
      upKw: storage ? heldKw(isUp, storage.dischargeKw) : isUp ? kw : 0,
      downKw: storage ? heldKw(isDown, storage.chargeKw) : isDown ? kw : 0,
      leaving: lostDkk === null ? null : { lostDkk, penaltyDkk: '0' },
      upKwh: isUp ? kw * hours : 0,
      downKwh: isDown ? kw * hours : 0,
    }
  })

export const findSold = async (tx: Tx, customerId: string, instanceId: string, fromMs: number, toMs: number) => {
  const rows = await sqlRows<{ market: string; product: string; starts_at: Date; ends_at: Date; kw: number }>(tx)`
    select market, product, starts_at, max(ends_at) as ends_at, (sum(won_mw) * 1000)::float8 as kw from bid
    where customer_id = ${customerId} and instance_id = ${instanceId} and won
      and ends_at > ${new Date(fromMs)} and starts_at < ${new Date(toMs)}
    group by market, product, starts_at order by starts_at, product`
  return rows.map((row) => ({
    id: `${row.product} ${row.starts_at.toISOString()}`,
    market: row.market,
    product: row.product,
    fromMs: row.starts_at.getTime(),
    toMs: row.ends_at.getTime(),
    kw: row.kw,
    lostDkk: null,
  }))
}
