import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '#context.ts'
import { startPlanner } from '#planning/solver/planner.ts'
import { adoptReplan } from './replanning.ts'
import { openBacktests } from './backtests.ts'
import { makePast } from './demo-past.ts'
import { openSolving } from './solve.ts'

/** Time limit of the solver, after which the best plan so far is used. */
const timeLimitS = 1.8
const pastMs = 10_000

export const startPlanning = (app: App) => {
  const planner = startPlanner()
  const plans = openSolving(
    app,
    (problem, signal) => planner.plan(problem, { timeLimitS, signal }),
    (plan) => adoptReplan(app, plan),
  )
  const backtests = openBacktests(app, planner.backtest)
  const past = new AbortController()
  const makeDemoPast = async () => {
    while (!past.signal.aborted) {
      await makePast(app, planner.plan, timeLimitS).catch((error: unknown) =>
        app.log.warn({ err: error }, "demo: yesterday's load plan not created"),
      )
      await pause(pastMs, undefined, { ref: false, signal: past.signal }).catch(() => {})
    }
  }
  const pastMade = app.config.demo ? makeDemoPast() : undefined
  return {
    idle: plans.idle,
    close: async () => {
      past.abort()
      await Promise.all([plans.close(), backtests.close(), pastMade])
      await planner.close()
    },
  }
}
