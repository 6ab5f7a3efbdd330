import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { minuteMs } from '@gridmast/contract/time.ts'
import type { Backtest, Progress } from './backtest.ts'
import { maxStretch } from './make-plan.ts'
import type { BacktestRequest } from './backtest-days.ts'
import type { PlanProblem } from './plan.ts'
import type { PlanAnswer } from '@gridmast/contract/planning/load-plan-answer.ts'

/**
 * Plans are made in threads, at most one per CPU; the others wait. One backtest runs in addition, and pauses between two days
 * while plans use every CPU. The solver checks the time only between its steps, so a thread that overruns its limit or whose work is cancelled is
 * terminated.
 */

export type PlannerTask =
  | { kind: 'plan'; problem: PlanProblem; timeLimitS: number }
  /** While the gate is 1 the next day does not begin. */
  | { kind: 'backtest'; request: BacktestRequest; gate: Int32Array<SharedArrayBuffer> }

export type PlannerMessage =
  | { kind: 'plan'; plan: PlanAnswer }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'backtest'; backtest: Backtest }

type Work = { signal?: AbortSignal }

type Job = Work & {
  task: PlannerTask
  longestMs: number
  onProgress: (progress: Progress) => void
  settle: (end: PlannerMessage | 'cancelled' | 'overran' | Error) => void
}

/** Time for loading the solver on a busy machine, in addition to the plan's own limit. */
const graceMs = 10_000
/** A day or a month of a backtest; the solver's own limits are lower. */
const longestStepMs = 120_000
/** A thread uses about 150 MB. */
const idleMs = minuteMs

export const startPlanner = ({ threads = availableParallelism() }: { threads?: number } = {}) => {
  const waiting: Record<PlannerTask['kind'], Job[]> = { plan: [], backtest: [] }
  const capacity: Record<PlannerTask['kind'], number> = { plan: threads, backtest: 1 }
  const busy: Record<PlannerTask['kind'], number> = { plan: 0, backtest: 0 }
  let pauseBacktest: ((isPaused: boolean) => void) | null = null
  const idle: { worker: Worker; timer: NodeJS.Timeout }[] = []
  const workers = new Set<Worker>()

  const removeWorker = (worker: Worker) => {
    workers.delete(worker)
    const at = idle.findIndex((one) => one.worker === worker)
    for (const { timer } of at < 0 ? [] : idle.splice(at, 1)) clearTimeout(timer)
  }
  const end = (worker: Worker) => {
    removeWorker(worker)
    void worker.terminate()
  }

  const acquireWorker = (): Worker => {
    const idleWorker = idle.pop()
    if (idleWorker) {
      clearTimeout(idleWorker.timer)
      return idleWorker.worker
    }
    const worker = new Worker(new URL('./planner-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    })
    worker.unref()
    // A running job receives the error itself; an idle thread may end silently.
    worker.on('error', () => {})
    worker.once('exit', () => removeWorker(worker))
    workers.add(worker)
    return worker
  }

  const keepIdle = (worker: Worker) => {
    const timer = setTimeout(() => end(worker), idleMs)
    timer.unref()
    idle.push({ worker, timer })
  }

  const run = (job: Job) => {
    const { kind } = job.task
    busy[kind]++
    const worker = acquireWorker()
    let timer: NodeJS.Timeout | undefined
    const watch = (isPaused: boolean) => {
      clearTimeout(timer)
      timer = isPaused ? undefined : setTimeout(() => finish('overran'), job.longestMs)
    }
    const finish = (outcome: PlannerMessage | 'cancelled' | 'overran' | Error) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', finish).off('exit', onExit)
      job.signal?.removeEventListener('abort', cancel)
      busy[kind]--
      if (kind === 'backtest') pauseBacktest = null
      if (typeof outcome === 'object' && 'kind' in outcome) keepIdle(worker)
      else end(worker)
      job.settle(outcome)
      next()
    }
    const cancel = () => finish('cancelled')
    const onExit = () => finish(new Error('The planner ended by itself'))
    const onMessage = (outcome: PlannerMessage) => {
      if (outcome.kind !== 'progress') return finish(outcome)
      watch(isFull())
      job.onProgress(outcome.progress)
    }
    if (job.task.kind === 'backtest') {
      const { gate } = job.task
      pauseBacktest = (isPaused) => {
        if (Atomics.exchange(gate, 0, isPaused ? 1 : 0) === Number(isPaused)) return
        Atomics.notify(gate, 0)
        watch(isPaused)
      }
    }
    watch(false)
    worker.on('message', onMessage)
    worker.once('error', finish)
    worker.once('exit', onExit)
    job.signal?.addEventListener('abort', cancel)
    worker.postMessage(job.task) // oxlint-disable-line require-post-message-target-origin -- a thread, not a window
  }

  const isFull = () => busy.plan >= threads

  const next = () => {
    for (const kind of ['plan', 'backtest'] as const) {
      const jobs = waiting[kind]
      while (busy[kind] < capacity[kind]) {
        const job = jobs.shift()
        if (!job) break
        run(job)
      }
    }
    pauseBacktest?.(isFull())
  }

  const add = (job: Job) => {
    if (job.signal?.aborted) return job.settle('cancelled')
    const jobs = waiting[job.task.kind]
    jobs.push(job)
    job.signal?.addEventListener(
      'abort',
      () => {
        const at = jobs.indexOf(job)
        if (at < 0) return
        jobs.splice(at, 1)
        job.settle('cancelled')
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
          task: { kind: 'plan', problem, timeLimitS },
          onProgress: () => {},
          longestMs: maxStretch * 1000 * timeLimitS + graceMs,
          settle: (outcome) => {
            if (outcome === 'cancelled') resolve({ status: 'cancelled' })
            else if (outcome === 'overran') resolve({ status: 'timed-out' })
            else if (outcome instanceof Error) reject(outcome)
            else if (outcome.kind === 'plan') resolve(outcome.plan)
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
          task: { kind: 'backtest', request, gate: new Int32Array(new SharedArrayBuffer(4)) },
          longestMs: longestStepMs,
          onProgress,
          settle: (outcome) => {
            if (outcome === 'cancelled') resolve(null)
            else if (outcome === 'overran') reject(new Error('The backtest took too long'))
            else if (outcome instanceof Error) reject(outcome)
            else if (outcome.kind === 'backtest') resolve(outcome.backtest)
          },
        }),
      ),
    close: async () => {
      for (const jobs of Object.values(waiting)) for (const job of jobs.splice(0)) job.settle('cancelled')
      for (const { timer } of idle.splice(0)) clearTimeout(timer)
      await Promise.all([...workers].map((worker) => worker.terminate()))
    },
  }
}

export type Planner = ReturnType<typeof startPlanner>
