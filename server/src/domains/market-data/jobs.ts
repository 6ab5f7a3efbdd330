import type { App } from '#app.ts'
import { datasetNames } from '#connectors/energi-data-service/datasets.ts'
import type { Job } from '#platform/jobs.ts'
import { runFeed } from './feed.ts'

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
    },
  },
]
