// Settlements for benchmarks: one instance is settled by the product, and its rows are copied to other instances and earlier days.
import { dayBounds, type LocalDate, minuteMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { addMarks } from '../server/src/platform/records/marks.ts'
import type { Tx } from '../server/src/platform/records/records.ts'
import type { TestApp } from '../server/src/testing/app.ts'

export const markDays = async (tx: Tx, first: string, last: string) => {
  const bids = tx.selectFrom('bid').select(['customer_id', 'instance_id', 'day']).distinct()
  addMarks(tx, 'settlement_due', await bids.where('day', '>=', first).where('day', '<=', last).execute())
}

export const fillSettled = async (
  app: TestApp,
  days: readonly LocalDate[],
  products: readonly string[],
  instances: number,
): Promise<void> => {
  await app.byHand(async (tx) => {
    await sql`
      insert into instance (customer_id, instance_id, key, name, licence_id, edge_id, markets, area, kind, flexible_kw, enabled, bid_active, position)
      select i.customer_id, gen_random_uuid(), 'bench-' || n, 'Bench ' || n, i.licence_id, i.edge_id, i.markets, i.area, i.kind, i.flexible_kw, true, true, 100 + n
      from instance i join customer c on c.customer_id = i.customer_id and c.key = 'north' cross join generate_series(1, ${instances}) n where i.key = 'cold'`.execute(
      tx,
    )
    const first = sql`from instance where key = 'bench-1'`
    await sql`
      insert into signal (customer_id, signal_id, instance_id, kind, unit)
      select customer_id, gen_random_uuid(), instance_id, one, 'kW' from instance cross join unnest(array['power', 'capacityUp', 'capacityDown']) one
      where key = 'bench-1'`.execute(tx)
    await sql`
      insert into instance_contract (customer_id, instance_id, valid_from, customer_percent, partner_percent, sc_percent, enablers, auctions, default_price_eur, penalty_to)
      select customer_id, instance_id, '2026-01-01', 70, 15, 10, '{"Aggregator": 5}', '{}', 1, 'shares' ${first}`.execute(
      tx,
    )
    for (const product of products)
      await sql`
        insert into bid_request (customer_id, request_id, licence_id, instance_id, market, start_date, end_date, custom_bidding, capacity_mw, price_eur, excluded_days, note, status, created_at, updated_at)
        select customer_id, gen_random_uuid(), licence_id, instance_id, ${product}, ${days[0]}, ${days.at(-1)}, true, '{}', '{}', '[]', 'x', 'placed', now(), now() ${first}`.execute(
        tx,
      )
    for (const [i, day] of days.entries())
      await sql`
        insert into bid (customer_id, instance_id, market, product, auction, starts_at, ends_at, day, slot, request_id, capacity_mw, price_eur, sent_at, won, won_mw, marginal_price_eur, decided_by)
        select r.customer_id, r.instance_id, r.market, r.market, 'D-1 early', ${new Date(dayBounds(day).fromMs)}::timestamptz + n * interval '1 hour',
          ${new Date(dayBounds(day).fromMs)}::timestamptz + (n + 1) * interval '1 hour', ${day}, n, r.request_id, 0.4, 2, now(), n % 7 <> ${i % 7}, 0.4, 3.333 + n * 0.05 + ${i} * 0.01, 'price'
        from bid_request r join instance i on i.customer_id = r.customer_id and i.instance_id = r.instance_id and i.key = 'bench-1'
        cross join generate_series(0, 23) n`.execute(tx)
    await markDays(tx, days[0] ?? '', days.at(-1) ?? '')
  })
  const nos = await app.records.system((tx) => tx.selectFrom('signal').select('no').where('unit', '=', 'kW').execute())
  for (const { no } of nos)
    await app.readings.insert(
      days.map((day, d) => ({
        signalNo: no,
        t0Ms: dayBounds(day).fromMs,
        dtMs: minuteMs,
        values: Array.from({ length: 1440 }, (_, i) => (d % 3 === 0 && i < 60 ? 100 : 500 + (i % 7))),
      })),
    )
  await app.readings.rollUp()
}

const columns = sql`version, made_at, is_closed, is_result_fetched, won_mw, capacity_eur, penalty_eur, gross_eur, energy_eur, customer_eur, partner_eur, sc_eur, enablers, inputs, inputs_sha256, energy_state`

/** The settlements of the first instance at all instances, and once more for each copy, on the days before; `daysAtOnce` in a transaction. */
export const copySettlements = async (
  app: TestApp,
  days: readonly LocalDate[],
  copies: number,
  { firstCopy = 0, daysAtOnce = 1 } = {},
): Promise<void> => {
  for (let copy = firstCopy; copy < copies; copy++)
    for (let i = 0; i < days.length; i += daysAtOnce)
      await app.records.system((tx) =>
        sql`
          insert into settlement (customer_id, instance_id, day, product, market, ${columns})
          select s.customer_id, i.instance_id, s.day - ${copy * days.length}::int, s.product, s.market, ${columns}
          from settlement s join instance f on f.customer_id = s.customer_id and f.instance_id = s.instance_id and f.key = 'bench-1'
          join instance i on i.customer_id = s.customer_id and i.key like 'bench-%' and (${copy > 0}::boolean or i.key <> 'bench-1')
          where s.day between ${days[i]} and ${days[Math.min(days.length, i + daysAtOnce) - 1]}`.execute(tx),
      )
}
