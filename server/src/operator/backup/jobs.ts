import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hourMs } from '@gridmast/contract/time.ts'
import { Cron } from 'croner'
import { sql } from 'kysely'
import { type Config, operator } from '#config.ts'
import type { App } from '#context.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { type Letter, queueMail } from '#platform/messaging/mail.ts'
import { storeBackup } from './backup.ts'
import { backupSettings, runHelper } from './helper.ts'
import { backupFailed, backupOld, drillFailed } from './mails.ts'

type BackupApp = Pick<App, 'config' | 'records' | 'readings' | 'clock' | 'log' | 'jobs'>

const drillFolderName = 'drill.staging'

/** A subject is mailed once in this time, also when a run is repeated. */
const mailEveryMs = 20 * hourMs
/** A day of 25 hours and a backup that takes an hour. */
const minOldMs = 26 * hourMs

const notify = async ({ config, records, clock }: BackupApp, letter: Letter) => {
  const nowMs = clock.now()
  await records.system(async (tx) => {
    const subject = letter[config.OPERATOR_LANGUAGE].subject
    const sent = await tx
      .selectFrom('outbox')
      .select('outbox_id')
      .where('kind', '=', 'mail')
      .where('customer_id', 'is', null)
      .where(sql`payload ->> 'subject'`, '=', subject)
      .where('created_at', '>', new Date(nowMs - mailEveryMs))
      .executeTakeFirst()
    if (!sent) await queueMail(tx, operator(config, null), letter, { nowMs })
  })
}

const notifyFailure = async <T>(app: BackupApp, work: Promise<T>, letter: (reason: string) => Letter): Promise<T> =>
  work.catch(async (error: unknown) => {
    await notify(app, letter(error instanceof Error ? error.message : String(error)))
    throw error
  })

/** The longest time between two of the next runs, for schedules that are not daily. */
export const oldAfterMs = (cron: string, nowMs: number): number => {
  const runs = new Cron(cron, { timezone: 'Europe/Berlin', paused: true }).nextRuns(10, new Date(nowMs))
  const gaps = runs.slice(1).map((run, i) => run.getTime() - (runs[i]?.getTime() ?? 0))
  return Math.max(minOldMs, ...gaps.map((gap) => gap + 2 * hourMs))
}

const backup = async (app: BackupApp) => {
  const { name, bytes, removed } = await notifyFailure(app, storeBackup(app), (reason) =>
    backupFailed(app.config.BACKUP_URL ?? '', reason),
  )
  app.log.info({ backup: name, bytes, removed }, 'backup stored, read again and compared')
}

/** Without a verified backup, or with an old one, a backup is started at once. */
const checkAge = async ({ config, ...app }: BackupApp) => {
  const nowMs = app.clock.now()
  const backups = await runHelper('list', { settings: backupSettings.parse(config) })
  const newest = backups.find(({ isVerified }) => isVerified)
  const ageMs = newest ? nowMs - newest.madeAtMs : null
  if (ageMs !== null && ageMs <= oldAfterMs(config.BACKUP_CRON, nowMs)) return
  await app.jobs.kick('backup')
  if (ageMs === null) return
  await notify({ config, ...app }, backupOld(config.BACKUP_URL ?? '', Math.floor(ageMs / hourMs)))
}

const drill = async (app: BackupApp) => {
  const settings = backupSettings.parse(app.config)
  const folder = join(app.config.dataDir, drillFolderName)
  const running = runHelper('drill', { settings, folder }).finally(() => rm(folder, { recursive: true, force: true }))
  const checked = await notifyFailure(app, running, (reason) => drillFailed(app.config.BACKUP_URL ?? '', reason))
  if ('isHashOnly' in checked)
    app.log.warn(checked, 'backup not opened, only its hash compared: the private key is not here (BACKUP_IDENTITY)')
  else app.log.info(checked, 'backup restored and compared, then deleted')
}

/** Jobs of BACKUP_URL. */
export const backupJobs = (config: Pick<Config, 'BACKUP_URL' | 'BACKUP_CRON' | 'BACKUP_DRILL_CRON'>): Job<App>[] => {
  if (!config.BACKUP_URL) return []
  const drillJob = { name: 'backup-drill', cron: config.BACKUP_DRILL_CRON, retries: 1, retryDelayS: 3600, run: drill }
  return [
    { name: 'backup', cron: config.BACKUP_CRON, retryDelayS: 600, run: backup },
    { name: 'backup-age', cron: '41 * * * *', atStart: true, run: checkAge },
    ...(config.BACKUP_DRILL_CRON === 'off' ? [] : [drillJob]),
  ]
}
