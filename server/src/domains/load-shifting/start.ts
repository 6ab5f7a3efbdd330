import type { App } from '#context.ts'
import { startPlanner } from '#planning/planner.ts'
import { settleAgain } from './again.ts'
import { openBacktests } from './backtests.ts'
import { makePast } from './demo-past.ts'
import { openSolving } from './solve.ts'

/** The role `jobs`: plans that wait are solved in threads of this process. */

/** Of the solver: a plan that is not optimal by then is the best that was found. */
const timeLimitS = 1.8
const pastMs = 60_000

export const startPlanning = (app: App) => {
  const planner = startPlanner()
  const plans = openSolving(
    app,
    (problem, signal) => planner.plan(problem, { timeLimitS, signal }),
    (plan) => settleAgain(app, plan),
  )
  const backtests = openBacktests(app, planner.backtest)
  // A demo's past comes in its first minutes.
  const past = app.config.demo
    ? setInterval(() => {
        makePast(app, planner.plan, timeLimitS).catch((error: unknown) =>
          app.log.warn({ err: error }, 'the plan of yesterday was not made'),
        )
      }, pastMs).unref()
    : undefined
  return {
    idle: plans.idle,
    close: async () => {
      clearInterval(past)
      await Promise.all([plans.close(), backtests.close()])
      await planner.close()
    },
  }
}
