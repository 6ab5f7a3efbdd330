import type { App } from '#context.ts'
import type { Job } from '#platform/jobs.ts'

const dayMs = 86_400_000

export const authJobs: Job<App>[] = [
  {
    // What was tried, and codes that ended, are of no use after two days; recovery codes have no end and stay.
    name: 'forget-attempts',
    cron: '41 3 * * *',
    run: async (app) => {
      const before = new Date(app.clock.now() - 2 * dayMs)
      await app.records.system(async (tx) => {
        await tx.deleteFrom('attempt').where('last_at', '<', before).execute()
        await tx.deleteFrom('one_time_code').where('expires_at', '<', before).execute()
      })
    },
  },
]
