import { PgBoss, fromKysely } from 'pg-boss'
import type { Log } from './log.ts'
import type { Records, Tx } from './records.ts'

/** One kind of background work. With `cron` it also runs by the clock of Europe/Berlin (minutes are the finest step). */
export type Job<Context, Payload extends object = Record<string, never>> = {
  name: string
  cron?: string
  /** Also runs once when a process that works starts. */
  atStart?: boolean
  /** How often a failed run is tried again; the wait doubles from `retryDelayS`, 30 s by default. */
  retries?: number
  retryDelayS?: number
  expireS?: number
  run: (context: Context, payload: Payload) => Promise<void>
}

export type Jobs = {
  /** Queues work in the caller's transaction: it exists exactly when the change does. */
  send: <P extends object>(
    tx: Tx,
    name: string,
    payload: P,
    options?: { singletonKey?: string; startAfterS?: number },
  ) => Promise<void>
  /** Runs a job of the clock at once, after a commit that gave it work. A kick that gets lost costs only the wait for the clock. */
  kick: (name: string) => Promise<void>
  start: <Context>(jobs: readonly Job<Context, never>[], context: Context, work: boolean) => Promise<void>
  ready: () => boolean
  close: () => Promise<void>
}

export const openJobs = (records: Records, log: Log): Jobs => {
  const boss = new PgBoss({ ...records.boss, schema: 'jobs', useListenNotify: false })
  boss.on('error', (error) => log.error({ error }, 'jobs'))
  let started = false
  return {
    send: async (tx, name, payload, options = {}) => {
      await boss.send(name, payload, {
        db: fromKysely(tx),
        ...(options.singletonKey ? { singletonKey: options.singletonKey } : {}),
        ...(options.startAfterS ? { startAfter: options.startAfterS } : {}),
      })
    },
    kick: async (name) => {
      if (started) await boss.send(name, {}).catch((error: unknown) => log.warn({ error, job: name }, 'kick failed'))
    },
    start: async (jobs, context, work) => {
      await boss.start()
      await records.script(
        `grant usage on schema jobs to gridmast_tenant, gridmast_system;
         grant select, insert, update, delete on all tables in schema jobs to gridmast_tenant, gridmast_system;`,
      )
      started = true
      for (const job of jobs) {
        await boss.createQueue(job.name, {
          retryLimit: job.retries ?? 3,
          retryBackoff: true,
          retryDelay: job.retryDelayS ?? 30,
          expireInSeconds: job.expireS ?? 300,
          policy: 'stately',
        })
        if (!work) continue
        if (job.cron) await boss.schedule(job.name, job.cron, {}, { tz: 'Europe/Berlin' })
        if (job.atStart) await boss.send(job.name, {})
        await boss.work(job.name, { pollingIntervalSeconds: 2 }, async ([item]) => {
          // The queue stores what send() was given for this name; the pair of name and payload type is the job's own.
          const payload = (item?.data ?? {}) as never
          try {
            await job.run(context, payload)
          } catch (error) {
            log.error({ error, job: job.name }, 'job failed')
            throw error
          }
        })
      }
    },
    ready: () => started,
    close: async () => {
      if (started) await boss.stop({ graceful: true, timeout: 5000, close: true })
    },
  }
}
