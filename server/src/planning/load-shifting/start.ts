import type { App } from '#context.ts'
import { startPlanner } from '#planning/solver/planner.ts'
import { adoptReplan } from './replanning.ts'
import { openBacktests } from './backtests.ts'
import { openSolving } from './solve.ts'

/** Time limit of the solver, after which the best plan so far is used. */
const timeLimitS = 1.8

export const startPlanning = (app: App) => {
  const planner = startPlanner()
  const plans = openSolving(
    app,
    (problem, signal) => planner.plan(problem, { timeLimitS, signal }),
    (plan) => adoptReplan(app, plan),
  )
  const backtests = openBacktests(app, planner.backtest)
  return {
    idle: plans.idle,
    close: async () => {
      await Promise.all([plans.close(), backtests.close()])
      await planner.close()
    },
  }
}
