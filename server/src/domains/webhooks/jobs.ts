import type { App } from '#context.ts'
import type { Job } from '#platform/jobs.ts'
import { removeDeliveriesBefore } from './delivery-queries.ts'

const keepDays = 30

export const webhookJobs: Job<App, never>[] = [
  {
    name: 'webhook-tidy',
    cron: '37 3 * * *',
    run: async (app) => {
      const before = new Date(app.clock.now() - keepDays * 86_400_000)
      await app.records.system((tx) => removeDeliveriesBefore(tx, before))
    },
  },
]
