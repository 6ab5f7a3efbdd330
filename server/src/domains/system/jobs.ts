import type { App } from '#context.ts'
import type { Job } from '#platform/jobs.ts'
import { drainOutbox } from '#platform/mail.ts'

const keepRunsDays = 30

export const systemJobs: Job<App, never>[] = [
  {
    name: 'mail-outbox',
    cron: '* * * * *',
    run: async (app) => {
      const sent = await drainOutbox(app.records, app.send, app.clock.now())
      if (sent > 0) app.log.info({ sent }, 'mail sent')
    },
  },
  {
    name: 'tidy',
    cron: '17 3 * * *',
    run: async (app) => {
      const before = new Date(app.clock.now() - keepRunsDays * 86_400_000)
      await app.records.system(async (tx) => {
        await tx.deleteFrom('connector_run').where('started_at', '<', before).execute()
        await tx.deleteFrom('mail_outbox').where('sent_at', '<', before).execute()
        await tx.deleteFrom('user_session').where('absolute_until', '<', before).execute()
      })
    },
  },
]
