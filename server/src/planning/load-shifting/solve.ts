import { minuteMs, quarterMs } from '@gridmast/contract/time.ts'
import type { PlanProblem } from '#planning/solver/plan.ts'
import type { PlanAnswer } from '@gridmast/contract/planning/load-plan-answer.ts'
import type { App } from '#context.ts'
import { isUnavailable } from '#platform/http/errors.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { sqlRows, updateRows } from '#platform/records/rows.ts'
import { readProblem } from './problem.ts'
import { closing, openQueue } from './queue.ts'
import { type StoredProblem, readPlan, type PlanRow } from './queries.ts'

/** Solves waiting plans in sequence, customers in turn; a plan is a row, which survives its process and carries a user's stop. */

export type Solve = (problem: PlanProblem, signal: AbortSignal) => Promise<PlanAnswer>
type SolveApp = Pick<App, 'records' | 'readings' | 'clock' | 'log' | 'bus'>

/** A thread is ended after 14 s, possibly behind one plan of the demo's past: a later one is dead. */
const diedAfterMs = minuteMs
/** A plan is not retried after `maxTries` crashes. */
const maxTries = 3

const claimNextPlan = async ({ records, clock }: SolveApp) => {
  const now = new Date(clock.now())
  const died = new Date(clock.now() - diedAfterMs)
  return records.system(async (tx) => {
    await tx
      .updateTable('load_plan')
      .set({ state: 'failed', finished_at: now })
      .where('state', '=', 'running')
      .where('started_at', '<', died)
      .where('tries', '>=', maxTries)
      .execute()
    const [next] = await sqlRows<{ customer_id: string; plan_id: string }>(tx)`
      select p.customer_id, p.plan_id from load_plan p
      where p.state = 'queued' or (p.state = 'running' and p.started_at < ${died})
      order by (select max(s.started_at) from load_plan s where s.customer_id = p.customer_id) nulls first, p.made_at, p.plan_id
      limit 1 for update of p skip locked`
    if (!next) return undefined
    await updateRows(tx, next.customer_id, 'load_plan', { plan_id: next.plan_id })
      .set(({ eb }) => ({ state: 'running', started_at: now, tries: eb('tries', '+', 1) }))
      .execute()
    return readPlan(tx, next.customer_id, next.plan_id)
  })
}

const close = (
  { records, clock }: SolveApp,
  plan: PlanRow,
  state: 'done' | 'failed',
  stored: StoredProblem | null,
  answer: PlanAnswer | null,
) => {
  const quarters = stored?.problem.quarters ?? []
  const first = quarters[0]?.atMs
  return records.system((tx) =>
    updateRows(tx, plan.customer_id, 'load_plan', { plan_id: plan.plan_id, state: 'running' })
      .set({
        state,
        finished_at: new Date(clock.now()),
        problem: stored && JSON.stringify({ ...stored, problem: { ...stored.problem, later: undefined } }),
        plan: answer && JSON.stringify(answer),
        ...(first === undefined
          ? {}
          : { from_at: new Date(first), to_at: new Date(first + quarters.length * quarterMs) }),
      })
      .execute(),
  )
}

const putBack = ({ records }: SolveApp, plan: PlanRow) =>
  records.system(async (tx) => {
    await updateRows(tx, plan.customer_id, 'load_plan', { plan_id: plan.plan_id, state: 'running' })
      .set(({ eb }) => ({ state: 'queued', started_at: null, tries: eb('tries', '-', 1) }))
      .execute()
    rowChanged(tx, 'load-plan', plan.plan_id)
  })

const solveOne = async (app: SolveApp, plan: PlanRow, solve: Solve, signal: AbortSignal): Promise<boolean> => {
  let stored: StoredProblem | null = null
  try {
    stored = plan.cancel_asked ? null : await readProblem(app, plan)
    const answer: PlanAnswer = stored ? await solve(stored.problem, signal) : { status: 'cancelled' }
    if (stored && answer.status === 'cancelled' && signal.reason === closing) {
      await putBack(app, plan)
      return false
    }
    await close(app, plan, 'done', stored, answer)
  } catch (error) {
    if (isUnavailable(error)) {
      await putBack(app, plan)
      throw error
    }
    app.log.warn({ err: error, plan: plan.plan_id }, 'a plan was not solved')
    await close(app, plan, 'failed', stored, null)
  }
  return true
}

export const openSolving = (app: SolveApp, solve: Solve, onSolved: (plan: PlanRow) => Promise<void>) =>
  openQueue<PlanRow>(app, {
    topic: 'load-plan',
    everyMs: minuteMs,
    claim: () => claimNextPlan(app),
    idOf: ({ plan_id }) => plan_id,
    run: async (plan, { signal }) => {
      const isSolved = await solveOne(app, plan, solve, signal)
      if (isSolved)
        await onSolved(plan).catch((error: unknown) =>
          app.log.error({ err: error, plan: plan.plan_id }, 'a new version of a plan was neither followed nor deleted'),
        )
      return isSolved
    },
  })
