import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { App } from '#context.ts'
import { applyRetention } from '#operator/growth/retention.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { tidyOutbox } from '#platform/messaging/outbox.ts'

const keepRunsDays = 30
/** Mails have names, addresses and sometimes codes: sent mails and the files of a server without SMTP_URL are deleted after this. */
const keepMailDays = 2

const removeMailFiles = async (folder: string, beforeMs: number) => {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name)
    if (name.endsWith('.eml') && (await stat(file)).mtimeMs < beforeMs) await rm(file, { force: true })
  }
}

/** The embedded store has no autovacuum; one table at a time, so that other transactions run in between. */
export const vacuum = async ({ records }: Pick<App, 'records'>): Promise<void> => {
  if (!records.embedded) return
  const { rows } = await records.owner((db) =>
    sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public' order by 1`.execute(
      db,
    ),
  )
  for (const { name } of rows) await records.script(`vacuum (analyze) ${name}`)
}

export const systemJobs: Job<App>[] = [
  {
    name: 'retention',
    cron: '11 2 * * *',
    run: async (app) => {
      const removed = await applyRetention(app, app.config, app.clock.now())
      const rows = Object.entries(removed).filter(([, count]) => count > 0)
      if (rows.length > 0) app.log.info(Object.fromEntries(rows), 'rows past their retention removed')
    },
  },
  { name: 'vacuum', cron: '23 4 * * *', run: vacuum },
  {
    name: 'tidy',
    cron: '17 * * * *',
    run: async (app) => {
      const nowMs = app.clock.now()
      const before = new Date(nowMs - keepRunsDays * dayMs)
      const mailBeforeMs = nowMs - keepMailDays * dayMs
      await removeMailFiles(join(app.config.dataDir, 'mail'), mailBeforeMs)
      await app.records.system(async (tx) => {
        await tx.deleteFrom('connector_run').where('started_at', '<', before).execute()
        await tidyOutbox(tx, { mailBefore: new Date(mailBeforeMs), before })
        await tx.deleteFrom('user_session').where('absolute_until', '<', before).execute()
        await tx.deleteFrom('mailed_activation').where('start_at', '<', before).execute()
      })
    },
  },
]
