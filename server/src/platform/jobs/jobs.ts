import { minuteMs } from '@gridmast/contract/time.ts'
import { Cron } from 'croner'
import { type RawBuilder, sql } from 'kysely'
import { isUnavailable } from '#platform/http/errors.ts'
import type { Bus } from '#platform/messaging/bus.ts'
import type { Log } from '#platform/process/log.ts'
import { newId } from '#platform/records/ids.ts'
import type { Records } from '#platform/records/records.ts'

/**
 * A background job that checks for work: on a schedule in Europe/Berlin (at most once per minute), at the start of a worker process, or on
 * request. One run per job over all processes, and at most one waiting. Work per change is an outbox item instead.
 */
export type Job<Context> = {
  name: string
  cron?: string
  atStart?: boolean
  after?: string
  /** Retries of a failed run; the wait doubles from `retryDelayS`, default 30 s. */
  retries?: number
  retryDelayS?: number
  run: (context: Context) => Promise<void>
}

export type Jobs = {
  /** Runs a job at once, after the commit that created its work. A lost request only waits for the schedule. */
  kick: (name: string) => Promise<void>
  start: <Context>(jobs: readonly Job<Context>[], context: Context, work: boolean) => Promise<void>
  close: () => Promise<void>
}

const heartbeatMs = 10_000
/** A job without a heartbeat for this time is restarted by another process. */
const isStale = sql`heartbeat_at < now() - interval '30 s'`
const isDue = sql`(due or retry_at <= now())`
const closeWaitMs = 5000
const kickTopic = 'job'

type Options = {
  records: Records
  bus: Bus
  log: Log
  onRun?: (job: string, seconds: number, isDone: boolean) => void
  checkEveryMs?: number
}

/** `checkEveryMs`: interval of the check for due jobs. */
export const openJobs = ({ records, bus, log, onRun = () => {}, checkEveryMs = minuteMs }: Options): Jobs => {
  const runner = newId()
  const schedules: Cron[] = []
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  const active = new Set<string>()
  const requested = new Set<string>()
  let state: 'new' | 'started' | 'closed' = 'new'
  let runHere: ((names: readonly string[]) => void) | null = null

  const execute = async <Row>(statement: RawBuilder<Row>): Promise<Row[]> =>
    (await records.system((tx) => statement.execute(tx))).rows

  /** With `minute` only jobs that were not yet scheduled in that minute; answers the names. */
  const setDue = async (names: readonly string[], minute: Date | null = null) => {
    const rows = await execute(sql<{ name: string }>`
      update job set due = true, scheduled_at = coalesce(${minute}::timestamptz, scheduled_at)
      where name = any(${names}::text[])
        and (${minute}::timestamptz is null or scheduled_at is null or scheduled_at < ${minute}::timestamptz)
      returning name`)
    return rows.map(({ name }) => name)
  }
  const claim = async (name: string) => {
    const [row] = await execute(sql<{ failures: number }>`
      update job set due = false, retry_at = null, runner = ${runner}, heartbeat_at = now()
      where name = ${name} and (runner is null or ${isStale}) and (${isDue} or runner is not null)
      returning failures`)
    return row
  }
  const renew = (name: string) =>
    execute(sql`update job set heartbeat_at = now() where name = ${name} and runner = ${runner}`)
  const release = async (name: string, isDone: boolean, failures: number, retryInS: number | null) => {
    const [row] = await execute(sql<{ due: boolean }>`
      update job set runner = null, failures = ${failures}, retry_at = now() + make_interval(secs => ${retryInS}::float8),
        succeeded_at = case when ${isDone} then now() else succeeded_at end
      where name = ${name} and runner = ${runner}
      returning due`)
    return row?.due ?? false
  }

  const later = (ms: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms)
    timers.add(timer)
  }

  const runOnce = async <Context>(job: Job<Context>, context: Context) => {
    const claimed = await claim(job.name)
    if (!claimed) return { isDueAgain: false, isDone: false }
    const beat = setInterval(() => void renew(job.name).catch(() => {}), heartbeatMs)
    const startedMs = performance.now()
    const ended = (isDone: boolean) => onRun(job.name, (performance.now() - startedMs) / 1000, isDone)
    try {
      await job.run(context)
      ended(true)
      return { isDueAgain: await release(job.name, true, 0, null), isDone: true }
    } catch (error) {
      ended(false)
      if (isUnavailable(error)) log.warn({ err: error, job: job.name }, 'store unavailable, job will be retried')
      else log.error({ err: error, job: job.name }, 'job failed')
      const { failures } = claimed
      const retryInS = failures < (job.retries ?? 3) ? (job.retryDelayS ?? 30) * 2 ** failures : null
      const isDueAgain = await release(job.name, false, retryInS === null ? 0 : failures + 1, retryInS)
      if (retryInS !== null) later(retryInS * 1000, () => runHere?.([job.name]))
      return { isDueAgain, isDone: false }
    } finally {
      clearInterval(beat)
    }
  }

  const kick = async (name: string) => {
    if (state !== 'started') return
    try {
      await setDue([name])
      if (runHere) runHere([name])
      else bus.broadcast(kickTopic, name)
    } catch (error) {
      log.warn({ err: error, job: name }, 'kick failed')
    }
  }

  const workOn = <Context>(jobs: readonly Job<Context>[], context: Context) => {
    const run = async (job: Job<Context>): Promise<void> => {
      if (state === 'closed') return
      // The claim alone is not enough: with a late heartbeat this process could claim its own run a second time.
      if (active.has(job.name)) return void requested.add(job.name)
      active.add(job.name)
      const { isDueAgain, isDone } = await runOnce(job, context).finally(() => active.delete(job.name))
      const isRequested = requested.delete(job.name)
      if (isDone) for (const { name } of jobs.filter(({ after }) => after === job.name)) await kick(name)
      if (isDueAgain || isRequested) await run(job)
    }
    return (names: readonly string[]) => {
      for (const job of jobs.filter(({ name }) => names.includes(name))) {
        const work = run(job)
          .catch((error: unknown) => log.warn({ err: error, job: job.name }, 'job could not be claimed or released'))
          .finally(() => running.delete(work))
        running.add(work)
      }
    }
  }

  const check = async () => {
    const rows = await execute(sql<{ name: string }>`
      select name from job where ${isDue} or (runner is not null and ${isStale})`)
    runHere?.(rows.map(({ name }) => name))
  }

  return {
    kick,
    start: async (jobs, context, work) => {
      const names = jobs.map(({ name }) => name)
      await records.system(async (tx) => {
        if (work) await tx.deleteFrom('job').where('name', 'not in', names).execute()
        const rows = names.map((name) => ({ name }))
        await tx
          .insertInto('job')
          .values(rows)
          .onConflict((on) => on.doNothing())
          .execute()
        // An embedded store has one process, so a claimed run belongs to the previous process.
        if (records.embedded)
          await tx.updateTable('job').set({ due: true, runner: null }).where('runner', 'is not', null).execute()
      })
      state = 'started'
      if (!work) return
      const warn = (error: unknown) => log.warn({ err: error }, 'jobs: store unavailable')
      runHere = workOn(jobs, context)
      bus.listen(kickTopic, (name) => runHere?.([String(name)]))
      const patterns = Map.groupBy(
        jobs.filter(({ cron }) => cron !== undefined),
        ({ cron = '' }) => cron,
      )
      for (const [pattern, group] of patterns)
        schedules.push(
          new Cron(pattern, { timezone: 'Europe/Berlin', catch: warn }, async () => {
            const minute = new Date(Math.floor(Date.now() / minuteMs) * minuteMs)
            const names = group.map(({ name }) => name)
            runHere?.(await setDue(names, minute))
          }),
        )
      const checking = setInterval(() => void check().catch(warn), checkEveryMs)
      timers.add(checking)
      const startNames = jobs.filter(({ atStart }) => atStart).map(({ name }) => name)
      if (startNames.length > 0) await setDue(startNames)
      await check()
    },
    close: async () => {
      state = 'closed'
      for (const schedule of schedules) schedule.stop()
      for (const timer of timers) clearTimeout(timer)
      const waited = new Promise((resolve) => setTimeout(resolve, closeWaitMs).unref())
      await Promise.race([Promise.allSettled(running), waited])
    },
  }
}
