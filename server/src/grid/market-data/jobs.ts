import { addMonths, daysBetween, today, type LocalDate } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import { type DatasetName, datasetNames, datasetOf } from '#connectors/energi-data-service/datasets.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { backfillMonth } from './backfill.ts'
import { runFeed } from './feed.ts'
import { runEntsoe, runExchangeRates, runFrequency } from './other-sources.ts'
import { monthsOfHistory, planMonths, waitingMonths } from './plan.ts'

/** Prices of bids in two settled months include the 11 days before a week's Monday, which is at most 6 days before the month. */
const weekDays = 6 + 11
const firstDaysOf = (date: LocalDate) => daysBetween(`${addMonths(date.slice(0, 7), -2)}-01`, date) + weekDays
const firstDatasets: ReadonlySet<string> = new Set<DatasetName>(['FcrDK1', 'FcrNdDK2', 'FfrDK2', 'AfrrReservesNordic'])

/** Its months have 33,000 rows, the three others together 4,500: only the part for the current week is fetched first. */
const largest: DatasetName = 'FcrNdDK2'

/** A demo has its history from the start; elsewhere an operator requests it. */
export const planDemoHistory = (app: Pick<App, 'records' | 'clock' | 'config'>) =>
  app.records.system(async (tx) => {
    const nowMs = app.clock.now()
    const isNew = !(await tx.selectFrom('backfill_month').select('month').limit(1).executeTakeFirst())
    for (const dataset of datasetNames) {
      await planMonths(tx, dataset, monthsOfHistory(dataset, app.config.DEMO_PRICE_DAYS, nowMs))
      if (!isNew || !firstDatasets.has(dataset)) continue
      const monthsOfLast = (days: number) => monthsOfHistory(dataset, Math.min(days, app.config.DEMO_PRICE_DAYS), nowMs)
      const first = monthsOfLast(firstDaysOf(today(nowMs)))
      await planMonths(tx, dataset, first, { requestedAtMs: nowMs - 1 })
      await planMonths(tx, dataset, dataset === largest ? monthsOfLast(weekDays) : first, { requestedAtMs: nowMs })
    }
  })

const backfillNext = async (app: App): Promise<boolean> => {
  for (const { dataset: name, month } of await app.records.system((tx) => waitingMonths(tx, app.clock.now()))) {
    const dataset = datasetOf(name)
    const done = dataset && (await backfillMonth(app, dataset, month))
    if (!done) continue
    if ('error' in done) app.log.warn({ dataset, month, error: done.error }, 'market data: month not loaded')
    else app.live.announce('prices', { dataset })
    return true
  }
  return false
}

const runMs = 50_000

export const marketDataJobs: Job<App>[] = [
  {
    name: 'market-data',
    cron: '* * * * *',
    atStart: true,
    retries: 0,
    run: async (app) => {
      for (const dataset of datasetNames) {
        const changed = await runFeed(app, dataset)
        if (changed) app.log.info({ dataset, changed }, 'market data stored')
      }
      await runEntsoe(app)
      await runExchangeRates(app)
    },
  },
  {
    name: 'grid-frequency',
    cron: '* * * * *',
    atStart: true,
    retries: 0,
    run: async (app) => void (await runFrequency(app)),
  },
  {
    name: 'market-data-backfill',
    cron: '* * * * *',
    atStart: true,
    retries: 0,
    run: async (app) => {
      const endMs = Date.now() + runMs
      if (app.config.demo) await planDemoHistory(app)
      while (Date.now() < endMs) if (!(await backfillNext(app))) return
    },
  },
]
