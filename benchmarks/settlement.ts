// A million stored settlements: 840 instances, two products, 600 days, calculated for one instance and copied. The page, the comparison of two
// months, a statement and the sealing job; and the settlement of a month of one instance without its queries. STORE=postgres for a server,
// otherwise the embedded store; ROWS is the number of settlements.
import { findSettlements } from '@gridmast/contract/settlement/economics.ts'
import { compareMonths } from '@gridmast/contract/settlement/month-comparison.ts'
import { findStatementMonths, monthlyStatement } from '@gridmast/contract/settlement/statements.ts'
import { addDays } from '@gridmast/contract/time.ts'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type KyselyPlugin, sql } from 'kysely'
import { finalDays } from '../server/src/settlement/economics/record.ts'
import { finalEvents } from '../server/src/delivery/events/record.ts'
import { getPending, openPending } from '../server/src/platform/records/pending.ts'
import { settleDue } from '../server/src/settlement/economics/settle-due.ts'
import { sealFinal } from '../server/src/delivery/flight-record/sealing.ts'
import { openTestApp, type TestApp } from '../server/src/testing/app.ts'
import { startPostgres } from '../tools/postgres.ts'
import { readBareSettlements } from './bare-settlements.ts'
import { copySettlements, fillSettled, markDays } from './settlement-rows.ts'

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
  await fillSettled(app, days, products, instances)
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
  const filledMs = await timed(() => copySettlements(app, days, copies))
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
