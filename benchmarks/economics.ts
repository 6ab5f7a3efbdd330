// Recalculating settlements: instances that sold all 24 hours of 30 days, measured per minute, after a revision of all prices; a page of 15
// settlements with totals over HTTP against the same statements, for ROWS rows.
import { findSettlements } from '@gridmast/contract/settlement/economics.ts'
import { addDays, dayBounds, minuteMs } from '@gridmast/contract/time.ts'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import { settleDue } from '../server/src/settlement/economics/settle-due.ts'
import { openTestApp, type TestApp } from '../server/src/testing/app.ts'
import { changeBids } from '../server/src/testing/settlements.ts'
import { readBareSettlements } from './bare-settlements.ts'

const instances = Number(process.env['INSTANCES'] ?? 20)
const rows = Number(process.env['ROWS'] ?? 100_000)
const days = Array.from({ length: 30 }, (_, i) => addDays('2026-09-01', i))

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const fill = async (app: TestApp) => {
  await app.byHand(async (tx) => {
    await sql`
      insert into instance (customer_id, instance_id, key, name, licence_id, edge_id, markets, area, kind, flexible_kw, enabled, bid_active, position)
      select i.customer_id, gen_random_uuid(), 'bench-' || n, 'Bench ' || n, i.licence_id, i.edge_id, i.markets, i.area, i.kind, i.flexible_kw, true, true, 100 + n
      from instance i join customer c on c.customer_id = i.customer_id and c.key = 'north' cross join generate_series(1, ${instances}) n where i.key = 'cold'`.execute(
      tx,
    )
    await sql`
      insert into signal (customer_id, signal_id, instance_id, kind, unit)
      select customer_id, gen_random_uuid(), instance_id, one, 'kW' from instance cross join unnest(array['power', 'capacityUp', 'capacityDown']) one
      where key like 'bench-%'`.execute(tx)
    await sql`
      insert into instance_contract (customer_id, instance_id, valid_from, customer_percent, partner_percent, sc_percent, auctions, default_price_eur, penalty_to)
      select customer_id, instance_id, '2026-01-01', 70, 20, 10, '{}', 1, 'shares' from instance where key like 'bench-%'`.execute(
      tx,
    )
    await sql`
      insert into bid_request (customer_id, request_id, licence_id, instance_id, market, start_date, end_date, custom_bidding, capacity_mw, price_eur, excluded_days, note, status, created_at, updated_at)
      select customer_id, gen_random_uuid(), licence_id, instance_id, 'FCR-D-INC', ${days[0]}, ${days.at(-1)}, true, '{}', '{}', '[]', 'x', 'placed', now(), now()
      from instance where key like 'bench-%'`.execute(tx)
    for (const day of days)
      await sql`
        insert into bid (customer_id, instance_id, market, product, auction, starts_at, ends_at, day, slot, request_id, capacity_mw, price_eur, sent_at, won, won_mw, marginal_price_eur, decided_by)
        select r.customer_id, r.instance_id, r.market, r.market, 'D-1 early', ${new Date(dayBounds(day).fromMs)}::timestamptz + n * interval '1 hour',
          ${new Date(dayBounds(day).fromMs)}::timestamptz + (n + 1) * interval '1 hour', ${day}, n, r.request_id, 0.4, 2, now(), true, 0.4, 3.333, 'price'
        from bid_request r join instance i on i.customer_id = r.customer_id and i.instance_id = r.instance_id and i.key like 'bench-%'
        cross join generate_series(0, 23) n`.execute(tx)
  })
  await changeBids(app.records, async () => {})
  const nos = await app.records.system((tx) => tx.selectFrom('signal').select('no').where('unit', '=', 'kW').execute())
  for (const { no } of nos)
    await app.readings.insert(
      days.map((day) => ({
        signalNo: no,
        t0Ms: dayBounds(day).fromMs,
        dtMs: minuteMs,
        values: Array.from({ length: 1440 }, (_, i) => 500 + (i % 7)),
      })),
    )
  await app.readings.rollUp()
}

const app = await openTestApp({ PORT: '0' })
app.setNow('2026-10-20T12:00:00Z')
await fill(app)
await app.records.script('analyze')
const settleAll = async () => {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const cpu = process.cpuUsage()
  const ms = await timed(() => settleDue(app, 0))
  const { user, system } = process.cpuUsage(cpu)
  return { ms, cpuMs: (user + system) / 1000, loopP99Ms: delay.percentile(99) / 1e6 }
}
const first = await settleAll()
await changeBids(app.records, (tx) => sql`update bid set marginal_price_eur = marginal_price_eur + 1`.execute(tx))
const again = await settleAll()
const { made, newer } = await app.records.system(async (tx) => ({
  made: (
    await tx
      .selectFrom('settlement')
      .select((is) => is.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n,
  newer: (
    await tx
      .selectFrom('settlement')
      .select((is) => is.fn.countAll<number>().as('n'))
      .where('version', '=', 2)
      .executeTakeFirstOrThrow()
  ).n,
}))
if (made !== instances * days.length || newer !== made)
  throw new Error(`${made} settlements, ${newer} of them corrected`)

/** More months, so that one month is a small part of the table. */
const many = async () => {
  for (let month = 1; ; month++) {
    const { n } = await app.records.system((tx) =>
      tx
        .selectFrom('settlement')
        .select((is) => is.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow(),
    )
    if (n >= rows) return n
    await app.byHand((tx) =>
      sql`
        insert into settlement select customer_id, instance_id, day - ${month} * 31, product, market, version, made_at, is_closed, is_result_fetched,
          won_mw, capacity_eur, penalty_eur, gross_eur, energy_eur, customer_eur, partner_eur, sc_eur, enablers, inputs, inputs_sha256
        from settlement where day between ${days[0]} and ${days.at(-1)}`.execute(tx),
    )
  }
}
const stored = await many()
await app.records.script('analyze')
const token = await app.tokenOf('sudoer@north.example')
const query = { startDate: days[0] ?? '', endDate: days.at(-1) ?? '' }
const page = () => app.ask(findSettlements, { token, query })
const bare = () => readBareSettlements(app, [query.startDate, query.endDate])
const ms: [number[], number[]] = [[], []]
for (let round = -5; round < 21; round++) {
  const both = [await timed(page), await timed(bare)] as const
  if (round >= 0) ms.forEach((all, i) => all.push(both[i] ?? Number.NaN))
}
await app.close()
const [pageMs, bareMs] = [median(ms[0]), median(ms[1])]
console.log(
  JSON.stringify({
    settledDays: made,
    firstMs: first.ms,
    againMs: again.ms,
    againCpuMs: again.cpuMs,
    loopP99Ms: again.loopP99Ms,
    stored,
    pageMs,
    bareMs,
    pageRatio: pageMs / bareMs,
  }),
)
