import type { App } from '#app.ts'
import { datasetNames } from '#connectors/energi-data-service/datasets.ts'
import type { Job } from '#platform/jobs.ts'
import { backfillMonth } from './backfill.ts'
import { runEntsoe } from './entsoe.ts'
import { runExchangeRates } from './exchange-rates.ts'
import { runFeed } from './feed.ts'
import { runFrequency } from './frequency.ts'
import { monthsOfHistory, nextMonth, planMonths } from './plan.ts'

/** A demo has its history from the start; elsewhere an operator asks for it. */
const planDemoHistory = (app: App) =>
  app.records.system(async (tx) => {
    for (const dataset of datasetNames) await planMonths(tx, dataset, monthsOfHistory(dataset, app.clock.now()))
  })

/** One month of each set that has one waiting and may be asked now: newest months first, all sets alike. */
const backfillRound = async (app: App): Promise<number> => {
  let fetched = 0
  for (const dataset of datasetNames) {
    const month = await app.records.system((tx) => nextMonth(tx, dataset))
    const done = month === null ? null : await backfillMonth(app, dataset, month)
    if (done === null) continue
    fetched++
    if ('error' in done) app.log.warn({ dataset, month, error: done.error }, 'backfill')
    else app.live.announce('prices', { dataset })
  }
  return fetched
}

const roundsEndMs = 50_000

export const marketDataJobs: Job<App, never>[] = [
  {
    name: 'market-data',
    cron: '* * * * *',
    atStart: true,
    // Each feed keeps its own back-off, and the next minute asks again.
    retries: 0,
    // All sets may hang until their timeout, one after the other.
    expireS: 900,
    run: async (app) => {
      for (const dataset of datasetNames) {
        const changed = await runFeed(app, dataset)
        if (changed) app.log.info({ dataset, changed }, 'market data')
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
    expireS: 900,
    run: async (app) => void (await runFrequency(app)),
  },
  {
    name: 'market-data-backfill',
    cron: '* * * * *',
    retries: 0,
    expireS: 900,
    run: async (app) => {
      const startedMs = Date.now()
      if (app.config.demo && app.config.EDS_SIMULATED === 'on') await planDemoHistory(app)
      while (Date.now() - startedMs < roundsEndMs) if ((await backfillRound(app)) === 0) return
    },
  },
]
