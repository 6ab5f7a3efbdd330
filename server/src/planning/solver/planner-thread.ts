import { parentPort } from 'node:worker_threads'
import { runBacktest } from './backtest.ts'
import { openSolver } from './highs.ts'
import { makePlan } from './make-plan.ts'
import type { Ask, Tell } from './planner.ts'

const port = parentPort
if (!port) throw new Error('Runs as a worker only')
const tell = (message: Tell) => port.postMessage(message) // oxlint-disable-line require-post-message-target-origin -- the port of a thread, not a window

const solve = await openSolver()

port.on('message', (ask: Ask) => {
  if (ask.kind === 'plan') return tell({ kind: 'plan', plan: makePlan(ask.problem, solve, ask) })
  const steps = runBacktest(ask.request, solve)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return tell({ kind: 'backtest', backtest: step.value })
    tell({ kind: 'progress', progress: step.value })
    Atomics.wait(ask.gate, 0, 1)
  }
})
