import { bidSlots, firstOpenDay, requestSlots, type Gate } from '@gridmast/contract/bid-slots.ts'
import { multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'
import { signalsOf } from '@gridmast/contract/grid/price-signals.ts'
import { addDays, datesBetween, hourMs, localDateOf } from '@gridmast/contract/time.ts'
import { dkkPerEurAt } from '#grid/published/exchange-rates.ts'
import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import type { SoldSlot } from './problem.ts'

/** Requested bids that are not sent yet, which a plan may skip where the energy is worth more; each counts as won, without a penalty. */

/** A symmetric market is bid as two products, each at the requested price. */
const productsIn = (market: string, area: string | null): number =>
  Math.max(1, new Set(signalsOf(market, area === null ? undefined : [area]).map((signal) => signal.market)).size)

type Row = {
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

export const findOffers = async (
  tx: Tx,
  customerId: string,
  instanceId: string,
  nowMs: number,
  toMs: number,
): Promise<SoldSlot[]> => {
  const { rows } = await sql<Row>`
    select r.market, i.area, r.start_date::text, r.end_date::text, r.excluded_days, r.capacity_mw::text[], r.price_eur::text[],
      array(select distinct b.day::text from bid b where b.customer_id = r.customer_id and b.instance_id = r.instance_id
        and b.market = r.market and b.day between r.start_date and r.end_date) as sent_days,
      ${dkkPerEurAt(sql`${new Date(nowMs)}::timestamptz`)}::text as dkk_per_eur
    from bid_request r join instance i on i.customer_id = r.customer_id and i.instance_id = r.instance_id
    where r.customer_id = ${customerId} and r.instance_id = ${instanceId} and r.custom_bidding and r.status in ('pending', 'placed')
      and r.end_date >= ${localDateOf(nowMs)}::date and r.start_date <= ${localDateOf(toMs)}::date
    order by r.market, r.start_date`.execute(tx)
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
    const isAsked = (day: string) => day >= open && day >= row.start_date && day <= row.end_date && !closed.has(day)
    return datesBetween(first, addDays(localDateOf(toMs), 1))
      .filter(isAsked)
      .flatMap((day) =>
        bidSlots(market, day).flatMap(({ index, ...slot }): SoldSlot[] => {
          const mw = row.capacity_mw[index] ?? '0'
          const isIn = slot.toMs > Math.max(slot.fromMs, nowMs) && slot.fromMs < toMs
          if (Number(mw) <= 0 || !isIn) return []
          // The price is per MW and hour, for FCR per block.
          const hours = requestSlots(market) === 6 ? 1 : (slot.toMs - slot.fromMs) / hourMs
          const eur = multiplyDecimals(multiplyDecimals(mw, row.price_eur[index] ?? '0'), String(hours))
          const each = multiplyDecimals(multiplyDecimals(eur, row.dkk_per_eur), String(productsIn(market, row.area)))
          return [
            {
              id: `offer ${market} ${new Date(slot.fromMs).toISOString()}`,
              market,
              product: market,
              fromMs: slot.fromMs,
              toMs: slot.toMs,
              kw: Number(mw) * 1000,
              lostDkk: roundDecimal(each, 6),
            },
          ]
        }),
      )
  })
}
