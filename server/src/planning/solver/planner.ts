import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { minuteMs } from '@gridmast/contract/time.ts'
import type { Backtest, Progress } from './backtest.ts'
import { mostStretch } from './make-plan.ts'
import type { BacktestRequest } from './backtest-days.ts'
import type { PlanProblem } from './plan.ts'
import type { PlanAnswer } from '@gridmast/contract/planning/load-plan-answer.ts'

/**
 * Plans are made in threads, at most one per CPU; waiting ones receive their position. One backtest runs in addition, and pauses between two days
 * while plans use every CPU. The solver checks the time only between its steps, so a thread that overruns its limit or whose work is cancelled is
 * terminated.
 */

export type Ask =
  | { kind: 'plan'; problem: PlanProblem; timeLimitS: number }
  /** While the gate is 1 the next day does not begin. */
  | { kind: 'backtest'; request: BacktestRequest; gate: Int32Array<SharedArrayBuffer> }

export type Tell =
  | { kind: 'plan'; plan: PlanAnswer }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'backtest'; backtest: Backtest }

type Work = {
  signal?: AbortSignal
  /** Position in the queue: 1 begins next, 0 has begun; reported at once and on each change. */
  onPlace?: (place: number) => void
}

type Job = Work & {
  ask: Ask
  place: number | null
  longestMs: number
  onProgress: (progress: Progress) => void
  settle: (end: Tell | 'cancelled' | 'overran' | Error) => void
}

/** Time for loading the solver on a busy machine, in addition to the plan's own limit. */
const graceMs = 10_000
/** A day or a month of a backtest; the solver's own limits are lower. */
const longestStepMs = 120_000
/** A thread uses about 150 MB. */
const idleMs = minuteMs

export const startPlanner = ({ threads = availableParallelism() }: { threads?: number } = {}) => {
  const waiting: Record<Ask['kind'], Job[]> = { plan: [], backtest: [] }
  const places: Record<Ask['kind'], number> = { plan: threads, backtest: 1 }
  const busy: Record<Ask['kind'], number> = { plan: 0, backtest: 0 }
  let holdBacktest: ((isHeld: boolean) => void) | null = null
  const idle: { worker: Worker; timer: NodeJS.Timeout }[] = []
  const all = new Set<Worker>()

  const tellPlaces = (jobs: readonly Job[]) =>
    jobs.forEach((job, at) => {
      if (job.place === at + 1) return
      job.place = at + 1
      job.onPlace?.(job.place)
    })
  const forget = (worker: Worker) => {
    all.delete(worker)
    const at = idle.findIndex((one) => one.worker === worker)
    for (const { timer } of at < 0 ? [] : idle.splice(at, 1)) clearTimeout(timer)
  }
  const end = (worker: Worker) => {
    forget(worker)
    void worker.terminate()
  }

  const take = (): Worker => {
    const known = idle.pop()
    if (known) {
      clearTimeout(known.timer)
      return known.worker
    }
    const worker = new Worker(new URL('./planner-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    })
    worker.unref()
    // A running job receives the error itself; an idle thread may end silently.
    worker.on('error', () => {})
    worker.once('exit', () => forget(worker))
    all.add(worker)
    return worker
  }

  const giveBack = (worker: Worker) => {
    const timer = setTimeout(() => end(worker), idleMs)
    timer.unref()
    idle.push({ worker, timer })
  }

  const run = (job: Job) => {
    const { kind } = job.ask
    busy[kind]++
    const worker = take()
    let timer: NodeJS.Timeout | undefined
    const watch = (isHeld: boolean) => {
      clearTimeout(timer)
      timer = isHeld ? undefined : setTimeout(() => finish('overran'), job.longestMs)
    }
    const finish = (told: Tell | 'cancelled' | 'overran' | Error) => {
      clearTimeout(timer)
      worker.off('message', hear).off('error', finish).off('exit', ended)
      job.signal?.removeEventListener('abort', cancel)
      busy[kind]--
      if (kind === 'backtest') holdBacktest = null
      if (typeof told === 'object' && 'kind' in told) giveBack(worker)
      else end(worker)
      job.settle(told)
      next()
    }
    const cancel = () => finish('cancelled')
    const ended = () => finish(new Error('The planner ended by itself'))
    const hear = (told: Tell) => {
      if (told.kind !== 'progress') return finish(told)
      watch(isFull())
      job.onProgress(told.progress)
    }
    if (job.ask.kind === 'backtest') {
      const { gate } = job.ask
      holdBacktest = (isHeld) => {
        if (Atomics.exchange(gate, 0, isHeld ? 1 : 0) === Number(isHeld)) return
        Atomics.notify(gate, 0)
        watch(isHeld)
      }
    }
    watch(false)
    worker.on('message', hear)
    worker.once('error', finish)
    worker.once('exit', ended)
    job.signal?.addEventListener('abort', cancel)
    worker.postMessage(job.ask) // oxlint-disable-line require-post-message-target-origin -- a thread, not a window
    job.onPlace?.(0)
  }

  const isFull = () => busy.plan >= threads

  const next = () => {
    for (const kind of ['plan', 'backtest'] as const) {
      const jobs = waiting[kind]
      while (busy[kind] < places[kind]) {
        const job = jobs.shift()
        if (!job) break
        run(job)
      }
      tellPlaces(jobs)
    }
    holdBacktest?.(isFull())
  }

  const add = (job: Job) => {
    if (job.signal?.aborted) return job.settle('cancelled')
    const jobs = waiting[job.ask.kind]
    jobs.push(job)
    job.signal?.addEventListener(
      'abort',
      () => {
        const at = jobs.indexOf(job)
        if (at < 0) return
        jobs.splice(at, 1)
        job.settle('cancelled')
        tellPlaces(jobs)
      },
      { once: true },
    )
    next()
  }

  return {
    /** `timeLimitS` is CPU time of the solver, after which the best plan so far is used. */
    plan: (problem: PlanProblem, { timeLimitS, ...work }: Work & { timeLimitS: number }): Promise<PlanAnswer> =>
      new Promise((resolve, reject) =>
        add({
          ...work,
          ask: { kind: 'plan', problem, timeLimitS },
          place: null,
          onProgress: () => {},
          longestMs: mostStretch * 1000 * timeLimitS + graceMs,
          settle: (told) => {
            if (told === 'cancelled') resolve({ status: 'cancelled' })
            else if (told === 'overran') resolve({ status: 'timed-out' })
            else if (told instanceof Error) reject(told)
            else if (told.kind === 'plan') resolve(told.plan)
          },
        }),
      ),
    backtest: (
      request: BacktestRequest,
      { onProgress = () => {}, ...work }: Work & { onProgress?: (progress: Progress) => void } = {},
    ): Promise<Backtest | null> =>
      new Promise((resolve, reject) =>
        add({
          ...work,
          ask: { kind: 'backtest', request, gate: new Int32Array(new SharedArrayBuffer(4)) },
          place: null,
          longestMs: longestStepMs,
          onProgress,
          settle: (told) => {
            if (told === 'cancelled') resolve(null)
            else if (told === 'overran') reject(new Error('The backtest took too long'))
            else if (told instanceof Error) reject(told)
            else if (told.kind === 'backtest') resolve(told.backtest)
          },
        }),
      ),
    close: async () => {
      for (const jobs of Object.values(waiting)) for (const job of jobs.splice(0)) job.settle('cancelled')
      for (const { timer } of idle.splice(0)) clearTimeout(timer)
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

export type Planner = ReturnType<typeof startPlanner>
