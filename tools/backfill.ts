// npm run backfill -- <Dataset> --from 2025-01-01 --to 2025-12-31 [--again]
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { localDate, today } from '../contract/src/time.ts'
import { datasetNames, datasetOf, type DatasetName } from '../server/src/connectors/energi-data-service/datasets.ts'
import {
  backfillMonth,
  toTheEnd,
  type BackfillApp,
  type BackfillProgress,
  type BackfillRequest,
} from '../server/src/grid/market-data/backfill.ts'
import { watchMeters, runSlice } from '../server/src/meters/data-hub/sync.ts'
import { openLog } from '../server/src/platform/process/log.ts'
import { openSecret } from '../server/src/platform/security/secret.ts'
import { findMonths, monthsBetween, nextMonth, planMonths } from '../server/src/grid/market-data/plan.ts'
import { openReadings } from '../server/src/readings/readings.ts'
import { openStore, throughServerOr } from './through-server.ts'

const usage = `Usage: npm run backfill -- <Dataset> --from YYYY-MM-DD [--to YYYY-MM-DD] [--again]
Datasets: ${datasetNames.join(', ')}, and eloverblik for the meters that are switched on`

type MeterRequest = Omit<BackfillRequest, 'dataset'> & { dataset: 'eloverblik' }

const readArguments = (): BackfillRequest | MeterRequest => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { from: { type: 'string' }, to: { type: 'string' }, again: { type: 'boolean', default: false } },
  })
  const named = positionals[0] ?? ''
  const dataset = named === 'eloverblik' ? named : datasetOf(named)
  if (!dataset || !values.from || positionals.length > 1) throw new Error(usage)
  const to = values.to ?? today(Date.now())
  for (const date of [values.from, to])
    if (!localDate.safeParse(date).success) throw new Error(`${date} is not a day such as 2026-11-20\n${usage}`)
  return { dataset, from: values.from, to, again: values.again }
}

let stopping = false

/** One second at a time, so that Ctrl-C works. */
const untilAllowed = async (app: BackfillApp, dataset: DatasetName, month: string) => {
  for (;;) {
    const done = await backfillMonth(app, dataset, month)
    if (done || stopping) return done
    await setTimeout(Math.min(1000, app.config.EDS_MIN_INTERVAL_MS))
  }
}

const backfillHere = async function* (app: BackfillApp, request: BackfillRequest): AsyncGenerator<BackfillProgress> {
  const { dataset, from, to, again } = request
  const months = monthsBetween(dataset, from, to, Date.now())
  await app.records.system((tx) => planMonths(tx, dataset, months, { again }))
  const planned = await app.records.system((tx) => findMonths(tx, dataset, months))
  let left = planned.filter(({ finished_at }) => finished_at === null).length
  yield { there: months.length - left, months: months.length, minIntervalMs: app.config.EDS_MIN_INTERVAL_MS }
  for (let failures = 0; !stopping;) {
    if (failures === 5) throw new Error('Given up after five failures in a row; run the same command later to go on.')
    const month = await app.records.system((tx) => nextMonth(tx, dataset, months, Date.now()))
    const done = month && (await untilAllowed(app, dataset, month))
    if (!done) return
    failures = 'error' in done ? failures + 1 : 0
    yield 'error' in done ? { month, ...done } : { month, ...done, left: --left }
  }
}

const report = async (dataset: DatasetName | 'eloverblik', steps: AsyncIterable<BackfillProgress>) => {
  let minIntervalMs = 0
  for await (const step of steps)
    if ('there' in step) {
      minIntervalMs = step.minIntervalMs
      console.log(`${step.there} of ${step.months} months are there already`)
    } else if ('error' in step) console.error(`${dataset} ${step.month}: ${step.error}`)
    else {
      const done = `${dataset} ${step.month}: ${step.rows} rows${step.changed === undefined ? '' : `, ${step.changed} new or changed`}`
      const minutes = Math.ceil((step.left * minIntervalMs) / 60_000)
      console.log(step.left === 0 ? `${done}, all there` : `${done}, ${step.left} left, about ${minutes} min`)
    }
}

const main = async () => {
  const request = readArguments()
  let isHere = false
  process.on('SIGINT', () => {
    if (!isHere) process.exit(0)
    stopping = true
    console.log('Ending after this month; run the same command to go on.')
  })
  const steps = throughServerOr<BackfillProgress>('backfill', request, {
    outside: (config) => Boolean(config.DATABASE_URL && config.CLICKHOUSE_URL),
    isFirst: true,
    onServer: () => console.log('The server is running and does the work; Ctrl-C ends only this report.'),
    here: async function* (config) {
      isHere = true
      const records = await openStore(config)
      if (request.dataset === 'eloverblik') {
        const secret = openSecret(config.SECRET_KEY, join(config.dataDir, 'secret.key'), config.SECRET_KEY_OTHER)
        const meters = { config, records, secret, clock: { now: Date.now }, log: openLog('warn', []) }
        yield* watchMeters(meters, { ...request, dataset: request.dataset }, { work: runSlice(meters) })
        return records.close()
      }
      const readings = await openReadings({ dataDir: join(config.dataDir, 'readings'), url: config.CLICKHOUSE_URL })
      yield* backfillHere(
        { config, records, readings, clock: { now: Date.now } },
        { ...request, dataset: request.dataset },
      )
      await readings.close()
      await records.close()
    },
  })
  await report(request.dataset, toTheEnd(steps)).catch((error: unknown) => {
    if (!stopping) throw error
  })
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  },
)
