// Placing bids at the cut-off of a gate: 1,000 instances with requests for all 24 slots, up to bids, file and mail in the store; deciding them
// by published prices; the comparison of sold with expected capacity; a list of 10,000 requests over HTTP against its bare queries; and two
// files: 10,000 imported requests, 24,000 imported results.
import { soldCapacity } from '@gridmast/contract/trading/bid-basis.ts'
import { importBidRequests, takeBidResults } from '@gridmast/contract/trading/bid-files.ts'
import { findBidRequests } from '@gridmast/contract/trading/bid-requests.ts'
import type { CallShape } from '@gridmast/contract/call.ts'
import { findSoldRisks } from '@gridmast/contract/trading/penalty-guard.ts'
import { addDays, dayBounds, dayMs, hourMs, minuteMs, today } from '@gridmast/contract/time.ts'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { guardSold } from '../server/src/trading/guard/guard.ts'
import { placeDue } from '../server/src/trading/placing/placing.ts'
import { decideByPrices } from '../server/src/trading/results/results.ts'
import { tableStream } from '../server/src/platform/files/table-file.ts'
import { openTestApp, type TestApp } from '../server/src/testing/app.ts'

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const instances = 1000
// Tomorrow, so that the readings are in memory as in production.
const day = addDays(today(Date.now()), 1)
const dayBeforeMs = dayBounds(addDays(day, -1)).fromMs

const fill = (app: TestApp) =>
  app.byHand(async (tx) => {
    await sql`
      insert into instance (customer_id, instance_id, key, name, licence_id, edge_id, markets, area, kind, flexible_kw, enabled, bid_active, position)
      select i.customer_id, gen_random_uuid(), 'bench-' || n, 'Bench ' || n, i.licence_id, i.edge_id, i.markets, i.area, i.kind, i.flexible_kw, true, true, 100 + n
      from instance i join customer c on c.customer_id = i.customer_id and c.key = 'north' cross join generate_series(1, ${instances}) n where i.key = 'cold'`.execute(
      tx,
    )
    await sql`
      insert into bid_request (customer_id, request_id, licence_id, instance_id, market, start_date, end_date, custom_bidding, capacity_mw, price_eur, excluded_days, note, status, created_at, updated_at)
      select customer_id, gen_random_uuid(), licence_id, instance_id, 'FCR-D-INC', ${day}, ${day}, true, array_fill(0.2::numeric, array[24]), array_fill(2.5::numeric, array[24]), '[]', 'x', 'pending', now(), now()
      from instance where key like 'bench-%'`.execute(tx)
  })

const placing = async (app: TestApp) => {
  app.setNow(new Date(dayBeforeMs - 1.5 * hourMs).toISOString())
  let sent = 0
  const placeMs = await timed(async () => {
    sent = await placeDue(app)
  })
  if (sent !== instances * 24) throw new Error(`${sent} bids sent`)
  await app.byHand((tx) =>
    sql`
      insert into market_price (market, area, product, auction, starts_at, duration_s, price_eur, unit, source, fetched_at)
      select 'FCR-D-INC', 'DK2', '', 'D-1 early', ${new Date(dayBounds(day).fromMs)}::timestamptz + n * interval '1 hour', 3600, n, 'EUR/MW', 'bench', now()
      from generate_series(0, 23) n`.execute(tx),
  )
  let decided = 0
  const nowMs = dayBeforeMs + 6 * hourMs
  const decideMs = await timed(async () => {
    decided = await app.records.system((tx) => decideByPrices(tx, nowMs, new Date(nowMs - 40 * dayMs)))
  })
  if (decided !== sent) throw new Error(`${decided} bids decided of ${sent}`)
  return { placeMs, decideMs, bids: sent }
}

const listed = async (app: TestApp) => {
  await app.byHand((tx) =>
    sql`
      insert into bid_request (customer_id, request_id, licence_id, instance_id, market, start_date, end_date, custom_bidding, capacity_mw, price_eur, excluded_days, note, status, created_at, updated_at)
      select customer_id, gen_random_uuid(), licence_id, instance_id, 'FCR-D-INC', ${addDays(day, 40)}::date + n, ${addDays(day, 40)}::date + n, true, array_fill(0.2::numeric, array[24]), array_fill(2.5::numeric, array[24]), '[]', 'x', 'pending', now() - n * interval '1 second', now()
      from instance cross join generate_series(1, 9) n where key like 'bench-%'`.execute(tx),
  )
  await app.byHand((tx) => sql`analyze bid_request`.execute(tx))
  const token = await app.tokenOf('sudoer@north.example')
  const { customer_id } = await app.records.system((tx) =>
    tx.selectFrom('customer').select('customer_id').where('key', '=', 'north').executeTakeFirstOrThrow(),
  )
  const condition = sql`customer_id = ${customer_id} and status <> 'withdrawn' and end_date >= ${addDays(day, -2)} and market = 'FCR-D-INC'`
  const bare = () =>
    app.records.system(async (tx) => {
      await sql`select * from bid_request where ${condition} order by created_at desc, request_id limit 30`.execute(tx)
      await sql`select count(*) from bid_request where ${condition}`.execute(tx)
    })
  const asked = async () => {
    const { status, body } = await app.ask(findBidRequests, { token, query: { market: 'FCR-D-INC' } })
    if (status !== 200 || body.data.totalCount < 10_000) throw new Error(JSON.stringify(body).slice(0, 300))
  }
  const ms = { bare: [] as number[], http: [] as number[] }
  for (let i = 0; i < 60; i++) {
    ms.bare.push(await timed(bare))
    ms.http.push(await timed(asked))
  }
  return { listBareP50Ms: median(ms.bare), listP50Ms: median(ms.http), listRatio: median(ms.http) / median(ms.bare) }
}

/** Two weeks of available power, one value per quarter of an hour; every tenth instance has less than it sold. */
const guarding = async (app: TestApp) => {
  await app.byHand((tx) =>
    sql`
      insert into signal (customer_id, signal_id, instance_id, kind, unit)
      select customer_id, gen_random_uuid(), instance_id, one, 'kW' from instance cross join unnest(array['capacityUp', 'capacityDown']) one
      where key like 'bench-%'`.execute(tx),
  )
  const signals = await app.records.system(async (tx) => {
    const { rows } = await sql<{ no: number; n: number }>`
      select s.no, i.position - 100 as n from signal s join instance i on i.instance_id = s.instance_id where i.key like 'bench-%'`.execute(
      tx,
    )
    return rows
  })
  const nowMs = Date.now()
  const fromMs = dayBounds(addDays(day, -15)).fromMs
  const everyMs = 15 * minuteMs
  const count = Math.floor((nowMs - fromMs) / everyMs)
  const t0Ms = nowMs - minuteMs - (count - 1) * everyMs
  for (let i = 0; i < signals.length; i += 20)
    await app.readings.insert(
      signals.slice(i, i + 20).map(({ no, n }) => ({
        signalNo: no,
        t0Ms,
        dtMs: everyMs,
        values: Array.from({ length: count }, (_, at) => (n % 10 === 0 ? 150 : 300) + (at % 7)),
      })),
    )
  await app.readings.rollUp()
  app.setNow(new Date(nowMs).toISOString())
  let told = 0
  const firstMs = await timed(async () => {
    told = await guardSold(app)
  })
  if (told !== instances / 10) throw new Error(`${told} instances told`)
  const guardMs = await timed(() => guardSold(app))
  const token = await app.tokenOf('sudoer@north.example')
  const asked = async (call: CallShape) => {
    const { status } = await app.ask(call, { token, query: { market: 'FCR-D-INC' } })
    if (status !== 200) throw new Error(`${call.path}: ${status}`)
  }
  const risksMs = await timed(() => asked(findSoldRisks))
  const soldMs = await timed(() => asked(soldCapacity))
  return { guardFirstMs: firstMs, guardMs, risksMs, soldMs }
}

const twoDigits = (hour: number) => String(hour).padStart(2, '0')

const files = async (app: TestApp) => {
  await app.byHand((tx) => sql`delete from bid_request where status = 'pending'`.execute(tx))
  const token = await app.tokenOf('expert@north.example')
  const send = async (call: CallShape, body: object, name: string, bytes: Uint8Array) => {
    const { status, text } = await app.ask(call, {
      token,
      body,
      file: { field: 'file', name, bytes: new Uint8Array(bytes) },
    })
    if (status !== 200) throw new Error(text.slice(0, 300))
    return JSON.parse(text).data as { saved: boolean; mistakeCount?: number; counts?: { contradictions: number } } // the common part of the two calls
  }
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  const head = [
    'License',
    'Instance',
    'Market',
    'Start Date',
    'End Date',
    'Note',
    'Excluded day',
    'Reason',
    ...['MW', 'EUR/MW'].flatMap((unit) => hours.map((hour) => `${unit} ${twoDigits(hour)}:00`)),
  ]
  const rows = Array.from({ length: 10_000 }, (_, i) => {
    const at = addDays(day, 10 + (i % 10))
    const row = ['', `Bench ${Math.floor(i / 10) + 1}`, 'FCR-D-INC', at, at, 'x', '', '']
    return [...row, ...hours.map(() => 0.2), ...hours.map((hour) => 2 + hour)]
  })
  const columns = head.map((header) => ({ header }))
  const book = await buffer(tableStream({ fileName: 'bids', sheet: 'Bids', columns, rows }, 'xlsx'))
  const importCheckMs = await timed(async () => {
    const { mistakeCount } = await send(importBidRequests, { save: false }, 'bids.xlsx', book)
    if (mistakeCount !== 0) throw new Error(`${mistakeCount} mistakes`)
  })
  const importSaveMs = await timed(async () => {
    if (!(await send(importBidRequests, { save: true }, 'bids.xlsx', book)).saved) throw new Error('not imported')
  })
  const firstMs = dayBounds(day).fromMs
  const results = Array.from({ length: instances * 24 }, (_, i) => {
    const at = new Date(firstMs + (i % 24) * hourMs).toISOString()
    return [`Bench ${Math.floor(i / 24) + 1}`, 'FCR-D-INC', 'D-1 early', at, i % 24 > 2 ? '0.2' : '0', String(i % 24)]
  })
  const table = [['Instance', 'Product', 'Auction', 'From (UTC)', 'Accepted (MW)', 'Marginal price'], ...results]
  const csv = Buffer.from(table.map((row) => row.join(';')).join('\n'))
  let contradictions = 0
  const resultCheckMs = await timed(async () => {
    contradictions = (await send(takeBidResults, { save: false }, 'results.csv', csv)).counts?.contradictions ?? 0
  })
  const resultTakeMs = await timed(async () => {
    if (!(await send(takeBidResults, { save: true, contradictions }, 'results.csv', csv)).saved)
      throw new Error('not taken')
  })
  return { importCheckMs, importSaveMs, resultCheckMs, resultTakeMs }
}

const app = await openTestApp()
await fill(app)
const placed = await placing(app)
const guard = await guarding(app)
const list = await listed(app)
const filed = await files(app)
await app.close()
console.log(JSON.stringify({ ...placed, ...guard, ...list, ...filed }))
