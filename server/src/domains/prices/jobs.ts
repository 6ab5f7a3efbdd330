import type { App } from '#app.ts'
import type { Job } from '#platform/jobs.ts'
import { fetchDayAhead } from './feed.ts'

export const priceJobs: Job<App, never>[] = [
  {
    name: 'day-ahead',
    cron: '* * * * *',
    atStart: true,
    // The feed keeps its own back-off, and the next minute asks again.
    retries: 0,
    run: async (app) => {
      const changed = await fetchDayAhead(app)
      if (changed) app.log.info({ changed }, 'day-ahead prices')
    },
  },
]
