import { PgBoss } from 'pg-boss'
import { isAway } from '#platform/http/errors.ts'
import type { Log } from '#platform/process/log.ts'
import type { Records } from '#platform/records/records.ts'

/**
 * Background work that looks for what there is to do: by the clock of Europe/Berlin (minutes are the finest step), at the start of a process
 * that works, or when it is kicked. One run is under way at a time on all processes and one may wait; what must be done once for each
 * change is no job but an item of the outbox.
 */
export type Job<Context> = {
  name: string
  cron?: string
  /** Also runs once when a process that works starts. */
  atStart?: boolean
  /** Also runs when a run of this other job has ended: what that has counted is its work. */
  after?: string
  /** How often a failed run is tried again; the wait doubles from `retryDelayS`, 30 s by default. */
  retries?: number
  retryDelayS?: number
  expireS?: number
  run: (context: Context) => Promise<void>
}

export type Jobs = {
  /** Runs a job at once, after a commit that gave it work. A kick that gets lost costs only the wait for the clock. */
  kick: (name: string) => Promise<void>
  start: <Context>(jobs: readonly Job<Context>[], context: Context, work: boolean) => Promise<void>
  close: () => Promise<void>
}

/** A run whose process died gives way when nothing was heard of it for so long. Said with each run: a queue that is there keeps what it was made with. */
const heartbeat = { heartbeatSeconds: 30 }

/** `lookEveryS`: how often it is looked for runs whose process died. */
export const openJobs = (records: Records, log: Log, { lookEveryS = 60 } = {}): Jobs => {
  const boss = new PgBoss({
    ...records.boss,
    schema: 'jobs',
    useListenNotify: false,
    superviseIntervalSeconds: lookEveryS,
    monitorIntervalSeconds: lookEveryS,
  })
  boss.on('error', (error) => log.error({ error }, 'jobs'))
  let started = false
  const send = (name: string) => boss.send(name, {}, heartbeat)
  const kick = async (name: string) => {
    if (started) await send(name).catch((error: unknown) => log.warn({ error, job: name }, 'kick failed'))
  }
  return {
    kick,
    start: async (jobs, context, work) => {
      await boss.start()
      started = true
      const names = new Set(jobs.map(({ name }) => name))
      // What an earlier version ran by the clock and this one does not know would wait in its queue for ever.
      if (work) for (const { name } of await boss.getSchedules()) if (!names.has(name)) await boss.unschedule(name)
      for (const job of jobs) {
        await boss.createQueue(job.name, {
          retryLimit: job.retries ?? 3,
          retryBackoff: true,
          retryDelay: job.retryDelayS ?? 30,
          expireInSeconds: job.expireS ?? 300,
          policy: 'stately',
          ...heartbeat,
        })
      }
      if (!work) return
      // The first run of one may kick another, so all queues are there by now.
      for (const job of jobs) {
        if (job.cron) await boss.schedule(job.name, job.cron, {}, { tz: 'Europe/Berlin', ...heartbeat })
        if (job.atStart) await send(job.name)
        await boss.work(job.name, { pollingIntervalSeconds: 2 }, async () => {
          try {
            await job.run(context)
          } catch (error) {
            if (isAway(error)) log.warn({ error, job: job.name }, 'a store is away: the job runs again')
            else log.error({ error, job: job.name }, 'job failed')
            throw error
          }
          for (const { name } of jobs.filter(({ after }) => after === job.name)) await kick(name)
        })
      }
    },
    close: async () => {
      if (started) await boss.stop({ graceful: true, timeout: 5000, close: true })
    },
  }
}
