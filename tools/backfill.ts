// npm run backfill -- <Dataset> --from 2025-01-01 --to 2025-12-31 [--again]
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { localDate, today } from '../contract/src/time.ts'
import { readConfig } from '../server/src/config.ts'
import { datasetNames, datasetOf } from '../server/src/connectors/energi-data-service/datasets.ts'
import { backfillMonth, type BackfillApp } from '../server/src/domains/market-data/backfill.ts'
import { monthsBetween, nextMonth, planMonths } from '../server/src/domains/market-data/plan.ts'
import { lockDataFolder } from '../server/src/platform/data-lock.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { openRecords } from '../server/src/platform/records.ts'
import { openReadings } from '../server/src/readings/readings.ts'

const usage = `Usage: npm run backfill -- <Dataset> --from YYYY-MM-DD [--to YYYY-MM-DD] [--again]
Datasets: ${datasetNames.join(', ')}`

const readArguments = () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { from: { type: 'string' }, to: { type: 'string' }, again: { type: 'boolean', default: false } },
  })
  const dataset = datasetOf(positionals[0] ?? '')
  if (!dataset || !values.from) throw new Error(usage)
  const to = values.to ?? today(Date.now())
  for (const date of [values.from, to])
    if (!localDate.safeParse(date).success) throw new Error(`${date} is not a day such as 2026-11-20\n${usage}`)
  return { dataset, from: values.from, to, again: values.again }
}

const openApp = async (): Promise<BackfillApp> => {
  const config = readConfig(process.env)
  if (!config.DATABASE_URL || !config.CLICKHOUSE_URL)
    await lockDataFolder(config.dataDir).catch(() => {
      throw new Error(
        `The server is running on ${config.dataDir}. Stop it for the time of the backfill, or run both on DATABASE_URL and CLICKHOUSE_URL.`,
      )
    })
  const records = await openRecords({ url: config.DATABASE_URL, dataDir: join(config.dataDir, 'records') })
  await migrate(records)
  const readings = await openReadings({ dataDir: join(config.dataDir, 'readings'), url: config.CLICKHOUSE_URL })
  return { config, records, readings, clock: { now: Date.now } }
}

let stopping = false

/** Sleeps a second at a time, so that Ctrl-C is heard. */
const untilAllowed = async (app: BackfillApp, dataset: Parameters<typeof backfillMonth>[1], month: string) => {
  for (;;) {
    const done = await backfillMonth(app, dataset, month)
    if (done || stopping) return done
    await setTimeout(Math.min(1000, app.config.EDS_MIN_INTERVAL_MS))
  }
}

const minutes = (count: number, intervalMs: number) => `${Math.ceil((count * intervalMs) / 60_000)} min left`

const main = async () => {
  const { dataset, from, to, again } = readArguments()
  const app = await openApp()
  process.on('SIGINT', () => {
    stopping = true
    console.log('Ending after this month; run the same command to go on.')
  })
  const months = monthsBetween(dataset, from, to, Date.now())
  await app.records.system((tx) => planMonths(tx, dataset, months, { again }))
  const finished = await app.records.system((tx) =>
    tx
      .selectFrom('backfill_month')
      .select('month')
      .where('dataset', '=', dataset)
      .where('month', 'in', ['', ...months])
      .where('finished_at', 'is not', null)
      .execute(),
  )
  let left = months.length - finished.length
  if (finished.length > 0) console.log(`${finished.length} of ${months.length} months are there already`)
  let failures = 0
  while (!stopping && failures < 5) {
    const month = await app.records.system((tx) => nextMonth(tx, dataset, ['', ...months]))
    if (!month) break
    const done = await untilAllowed(app, dataset, month)
    if (!done) break
    if ('error' in done) {
      failures++
      console.error(`${dataset} ${month}: ${done.error}`)
      continue
    }
    failures = 0
    left--
    console.log(
      `${dataset} ${month}: ${done.rows} rows, ${done.changed} new or changed, ${left} months left (about ${minutes(left, app.config.EDS_MIN_INTERVAL_MS)})`,
    )
  }
  await app.readings.close()
  await app.records.close()
  if (failures > 0) throw new Error('Given up after five failures in a row; run the same command later to go on.')
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  },
)
