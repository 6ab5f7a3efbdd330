import { parentPort } from 'node:worker_threads'
import { runBacktest } from './backtest.ts'
import { openSolver } from './highs.ts'
import { makePlan } from './make-plan.ts'
import type { PlannerTask, PlannerMessage } from './planner.ts'

const port = parentPort
if (!port) throw new Error('Runs as a worker only')
const post = (message: PlannerMessage) => port.postMessage(message) // oxlint-disable-line require-post-message-target-origin -- the port of a thread, not a window

const solve = await openSolver()

port.on('message', (task: PlannerTask) => {
  if (task.kind === 'plan') return post({ kind: 'plan', plan: makePlan(task.problem, solve, task) })
  const steps = runBacktest(task.request, solve)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return post({ kind: 'backtest', backtest: step.value })
    post({ kind: 'progress', progress: step.value })
    Atomics.wait(task.gate, 0, 1)
  }
})
