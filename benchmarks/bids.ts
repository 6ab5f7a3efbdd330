// Placing at the cut-off of a gate: 1,000 instances that ask for all 24 slots, from the requests to bids, file and mail in the store; deciding them
// by published prices; and a list of 10,000 requests through HTTP against its bare queries.
import { findBidRequests } from '@gridmast/contract/bid-requests.ts'
import { sql } from 'kysely'
import { placeDue } from '../server/src/domains/bid-requests/placing.ts'
import { decideByPrices } from '../server/src/domains/bid-requests/results.ts'
import { openTestApp, type TestApp } from '../server/src/testing/app.ts'

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const instances = 1000
const day = '2026-11-22'

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
  app.setNow('2026-11-20T21:30:00Z')
  let sent = 0
  const placeMs = await timed(async () => {
    sent = await placeDue(app)
  })
  if (sent !== instances * 24) throw new Error(`${sent} bids sent`)
  await app.byHand((tx) =>
    sql`
      insert into market_price (market, area, product, auction, starts_at, duration_s, price_eur, unit, source, fetched_at)
      select 'FCR-D-INC', 'DK2', '', 'D-1 early', timestamptz '2026-11-21T23:00:00Z' + n * interval '1 hour', 3600, n, 'EUR/MW', 'bench', now()
      from generate_series(0, 23) n`.execute(tx),
  )
  let decided = 0
  const nowMs = Date.parse('2026-11-21T05:00:00Z')
  const decideMs = await timed(async () => {
    decided = await app.records.system((tx) => decideByPrices(tx, nowMs, new Date(nowMs - 40 * 86_400_000)))
  })
  if (decided !== sent) throw new Error(`${decided} bids decided of ${sent}`)
  return { placeMs, decideMs, bids: sent }
}

const listed = async (app: TestApp) => {
  await app.byHand((tx) =>
    sql`
      insert into bid_request (customer_id, request_id, licence_id, instance_id, market, start_date, end_date, custom_bidding, capacity_mw, price_eur, excluded_days, note, status, created_at, updated_at)
      select customer_id, gen_random_uuid(), licence_id, instance_id, 'FCR-D-INC', date '2027-01-01' + n, date '2027-01-01' + n, true, array_fill(0.2::numeric, array[24]), array_fill(2.5::numeric, array[24]), '[]', 'x', 'pending', now() - n * interval '1 second', now()
      from instance cross join generate_series(1, 9) n where key like 'bench-%'`.execute(tx),
  )
  await app.byHand((tx) => sql`analyze bid_request`.execute(tx))
  const token = await app.tokenOf('sudoer@north.example')
  const { customer_id } = await app.records.system((tx) =>
    tx.selectFrom('customer').select('customer_id').where('key', '=', 'north').executeTakeFirstOrThrow(),
  )
  const condition = sql`customer_id = ${customer_id} and status <> 'withdrawn' and end_date >= '2026-11-20' and market = 'FCR-D-INC'`
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

const app = await openTestApp()
await fill(app)
const placed = await placing(app)
const list = await listed(app)
await app.close()
console.log(JSON.stringify({ ...placed, ...list }))
