// A million stored settlements: 840 instances, two products, 600 days, calculated for one instance and copied. The page, the comparison of two
// months, a statement and the sealing job; and the settlement of a month of one instance without its queries. STORE=postgres for a server,
// otherwise the embedded store; ROWS is the number of settlements.
import { findSettlements } from '@gridmast/contract/settlement/economics.ts'
import { compareMonths } from '@gridmast/contract/settlement/month-comparison.ts'
import { findStatementMonths, monthlyStatement } from '@gridmast/contract/settlement/statements.ts'
import { addDays, dayBounds, minuteMs } from '@gridmast/contract/time.ts'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type KyselyPlugin, sql } from 'kysely'
import { finalDays } from '../server/src/settlement/economics/record.ts'
import { finalEvents } from '../server/src/delivery/events/record.ts'
import { addMarks } from '../server/src/platform/records/marks.ts'
import { getPending, openPending } from '../server/src/platform/records/pending.ts'
import type { Tx } from '../server/src/platform/records/records.ts'
import { settleDue } from '../server/src/settlement/economics/settle-due.ts'
import { sealFinal } from '../server/src/delivery/flight-record/sealing.ts'
import { openTestApp, type TestApp } from '../server/src/testing/app.ts'
import { startPostgres } from '../tools/postgres.ts'
import { readBareSettlements } from './bare-settlements.ts'

const rows = Number(process.env['ROWS'] ?? 1_000_000)
const products = ['FCR-D-INC', 'FCR-D-DEC'] as const
const days = Array.from({ length: 60 }, (_, i) => addDays('2026-08-02', i))
const [firstDay, lastDay] = ['2026-09-01', '2026-09-30']
const instances = 840
const copies = Math.max(1, Math.round(rows / (instances * products.length * days.length)))

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const postgres = process.env['STORE'] === 'postgres' ? await startPostgres() : null
if (postgres) process.env['TEST_DATABASE_URL'] = postgres.url
const app = await openTestApp()
app.setNow('2026-10-20T12:00:00Z')
const say = (what: string) => process.env['SAY'] && console.error(Math.round(performance.now()), what)

const markDays = async (tx: Tx, first: string, last: string) => {
  const bids = tx.selectFrom('bid').select(['customer_id', 'instance_id', 'day']).distinct()
  addMarks(tx, 'settlement_due', await bids.where('day', '>=', first).where('day', '<=', last).execute())
}

const fill = async () => {
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

/** The time of `work` without its queries on records and readings. */
const ownTime = () => {
  const state = { underWay: 0, sinceMs: 0, inQueriesMs: 0 }
  const begin = () => {
    if (state.underWay++ === 0) state.sinceMs = performance.now()
  }
  const end = () => {
    if (--state.underWay === 0) state.inQueriesMs += performance.now() - state.sinceMs
  }
  const watching: KyselyPlugin = {
    transformQuery: ({ node }) => {
      begin()
      return node
    },
    transformResult: async ({ result }) => {
      end()
      return result
    },
  }
  const watched: TestApp = {
    ...app,
    records: {
      ...app.records,
      system: async (work) => {
        begin() // until the start, and from the last statement to the commit
        const done = await app.records.system(async (tx) => {
          end()
          const watchedTx = tx.withPlugin(watching)
          const pending = openPending(watchedTx)
          const made = await work(watchedTx)
          getPending(tx).marks.push(...pending.marks)
          begin()
          return made
        })
        end()
        return done
      },
    },
    readings: {
      ...app.readings,
      storedSince: async function* (version) {
        begin()
        for await (const one of app.readings.storedSince(version)) {
          end()
          yield one
          begin()
        }
        end()
      },
      buckets: async (asked) => {
        begin()
        try {
          return await app.readings.buckets(asked)
        } finally {
          end()
        }
      },
    },
  }
  return { watched, inQueriesMs: () => state.inQueriesMs }
}

const settleMonth = async () => {
  await app.byHand(async (tx) => {
    await markDays(tx, firstDay ?? '', lastDay ?? '')
    await sql`update bid set marginal_price_eur = marginal_price_eur + 1 where day between ${firstDay} and ${lastDay} and product = ${products[0]}`.execute(
      tx,
    )
  })
  const { watched, inQueriesMs } = ownTime()
  const ms = await timed(() => settleDue(watched, 0))
  return { ms, ownMs: ms - inQueriesMs() }
}

const measure = async () => {
  await fill()
  await app.records.script('analyze')
  await settleDue(app, 0)
  // As an hour later: samples of the last minute are checked twice and would flag all days as due again.
  await app.byHand((tx) =>
    sql`update settlement_watermark set readings_version = readings_version + 3600000000`.execute(tx),
  )
  say('settled')
  for (let round = 0; round < 2; round++) await settleMonth()
  const months: { ms: number; ownMs: number }[] = []
  for (let round = 0; round < 15; round++) months.push(await settleMonth())

  say('months')
  const columns = sql`version, made_at, is_closed, is_result_fetched, won_mw, capacity_eur, penalty_eur, gross_eur, energy_eur, customer_eur, partner_eur, sc_eur, enablers, inputs, inputs_sha256, energy_state`
  const filledMs = await timed(async () => {
    for (let copy = 0; copy < copies; copy++)
      for (const day of days)
        await app.records.system((tx) =>
          sql`
            insert into settlement (customer_id, instance_id, day, product, market, ${columns})
            select s.customer_id, i.instance_id, s.day - ${copy * days.length}::int, s.product, s.market, ${columns}
            from settlement s join instance f on f.customer_id = s.customer_id and f.instance_id = s.instance_id and f.key = 'bench-1'
            join instance i on i.customer_id = s.customer_id and i.key like 'bench-%' and (${copy > 0}::boolean or i.key <> 'bench-1')
            where s.day = ${day}`.execute(tx),
        )
  })
  await app.records.script('vacuum analyze settlement')
  const { stored } = await app.records.system((tx) =>
    tx
      .selectFrom('settlement')
      .select((is) => is.fn.countAll<number>().as('stored'))
      .executeTakeFirstOrThrow(),
  )

  say('stored')
  const token = await app.tokenOf('sudoer@north.example')
  const query = { startDate: firstDay, endDate: lastDay }
  const okay = async (answer: Promise<{ status: number }>) => {
    const { status } = await answer
    if (status !== 200) throw new Error(`status ${status}`)
  }
  const page = (more: Record<string, string> = {}) =>
    okay(app.ask(findSettlements, { token, query: { ...query, ...more } }))
  const bare = () => readBareSettlements(app, [firstDay, lastDay], true)
  const ms: [number[], number[]] = [[], []]
  for (let round = -3; round < 15; round++) {
    const both = [await timed(page), await timed(bare)] as const
    if (round >= 0) ms.forEach((all, i) => all.push(both[i] ?? Number.NaN))
  }
  const ofOneMs: number[] = []
  for (let round = 0; round < 5; round++)
    ofOneMs.push(await timed(() => page({ market: products[0], limit: '30', skip: '1500' })))

  say('page')
  const compareMs = await timed(() =>
    okay(app.ask(compareMonths, { token, query: { month: '2026-09', against: '2026-08' } })),
  )
  const monthsMs = await timed(() => okay(app.ask(findStatementMonths, { token })))

  say('compared')
  const statement = async (format: 'pdf' | 'xlsx') => {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    let maxMb = 0
    const before = process.memoryUsage().rss / 2 ** 20
    const watch = setInterval(() => (maxMb = Math.max(maxMb, process.memoryUsage().rss / 2 ** 20)), 20)
    const cpu = process.cpuUsage()
    const took = await timed(() =>
      okay(app.ask(monthlyStatement, { token, params: { month: '2026-09' }, query: { format, language: 'en' } })),
    )
    const { user, system } = process.cpuUsage(cpu)
    clearInterval(watch)
    return { ms: took, cpuMs: (user + system) / 1000, longestMs: delay.max / 1e6, grewMb: maxMb - before }
  }
  const pdf = await statement('pdf')
  const xlsx = await statement('xlsx')

  say('statements')
  /** As if all were sealed but one day: the check is measured. */
  const sealed = async () => {
    await app.byHand(async (tx) => {
      await sql`
      insert into flight_record (customer_id, record_no, sealed_at, subject, content_sha256, previous_sha256, sha256)
      select customer_id, row_number() over (order by day, instance_id, product), now(), concat('settlement ', instance_id, ' ', day, ' ', product), '', '', ''
      from settlement`.execute(tx)
      await sql`
      insert into flight_record_file (customer_id, record_no, subject, made_of, content)
      select f.customer_id, f.record_no, f.subject, concat(s.version, ' ', s.inputs_sha256), ''
      from flight_record f join settlement s on f.subject = concat('settlement ', s.instance_id, ' ', s.day, ' ', s.product)`.execute(
        tx,
      )
    })
    for (const table of ['flight_record', 'flight_record_file']) await app.records.script(`vacuum analyze ${table}`)
  }
  await sealed()
  say('sealed')
  app.setNow('2026-10-22T12:00:00Z')
  const sealingDelay = monitorEventLoopDelay({ resolution: 5 })
  sealingDelay.enable()
  let newlySealed = 0
  const sealingMs = await timed(async () => (newlySealed = await sealFinal(app, [finalDays, finalEvents])))
  if (newlySealed > 0) throw new Error(`${newlySealed} records were sealed again`)

  return {
    stored,
    filledMs,
    monthMs: median(months.map((one) => one.ms)),
    monthOwnMs: median(months.map((one) => one.ownMs)),
    pageMs: median(ms[0]),
    bareMs: median(ms[1]),
    pageRatio: median(ms[0]) / median(ms[1]),
    ofOneMs: median(ofOneMs),
    compareMs,
    monthsMs,
    pdfMs: pdf.ms,
    pdfMb: pdf.grewMb,
    pdfLongestMs: pdf.longestMs,
    xlsxMs: xlsx.ms,
    xlsxMb: xlsx.grewMb,
    xlsxLongestMs: xlsx.longestMs,
    sealingMs,
    sealingP99Ms: sealingDelay.percentile(99) / 1e6,
  }
}

try {
  console.log(JSON.stringify(await measure()))
} finally {
  await app.close()
  await postgres?.stop()
}
