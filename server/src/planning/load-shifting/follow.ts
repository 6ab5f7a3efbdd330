import type { PlanProblem, Schedule } from '#planning/solver/plan.ts'
import { m } from '@gridmast/contract/messages.ts'
import { hourMs, quarterMs } from '@gridmast/contract/time.ts'
import { endSchedules, saveSchedules } from '#charging/sites/plans.ts'
import type { App } from '#context.ts'
import { Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { deleteRows, insertRow, updateRows } from '#platform/records/rows.ts'
import { findFollowed, type PlanRow } from './queries.ts'

type FollowablePlan = { problem: PlanProblem; loads: Schedule['loads'] }

/** The mean kW of each quarter; of a started quarter only the rest is planned. */
const powersOf = ({ quarters, nowMs }: PlanProblem, wh: readonly number[]): number[] =>
  wh.map((energy, q) => {
    const startMs = quarters[q]?.atMs ?? 0
    const hours = (startMs + quarterMs - Math.max(startMs, nowMs)) / hourMs
    return hours > 0 ? energy / 1000 / hours : 0
  })

const isOfChargers = ({ asked }: PlanRow) => asked.kind === 'session'

/** True where the schedule is one of an edge. */
const storeSchedules = async (tx: Tx, plan: PlanRow, { problem, loads }: FollowablePlan): Promise<boolean> => {
  const { customer_id: customerId, plan_id: planId, instance_id } = plan
  const fromMs = problem.quarters[0]?.atMs ?? 0
  if (isOfChargers(plan)) {
    const chargers = loads.map(({ loadId, wh }) => ({
      chargerId: loadId,
      fromMs,
      watts: powersOf(problem, wh).map((kw) => Math.round(kw * 1000)),
    }))
    await saveSchedules(tx, { customerId, planId }, chargers)
    return false
  }
  const [load] = loads
  if (!load || instance_id === null) return false
  const schedule = {
    plan_id: planId,
    from_at: new Date(fromMs),
    kw: powersOf(problem, load.wh).map((kw) => Math.round(kw * 1000) / 1000),
  }
  await insertRow(tx, customerId, 'instance_schedule', { instance_id, ...schedule })
    .onConflict((conflict) => conflict.columns(['customer_id', 'instance_id']).doUpdateSet(schedule))
    .execute()
  return true
}

export const endFollowing = async (
  tx: Tx,
  customerId: string,
  planId: string,
  reason: NonNullable<PlanRow['end_reason']>,
  nowMs: number,
): Promise<{ isEdge: boolean }> => {
  await updateRows(tx, customerId, 'load_plan', { plan_id: planId, ended_at: null })
    .set({ ended_at: new Date(nowMs), end_reason: reason })
    .execute()
  await endSchedules(tx, customerId, planId)
  const edge = await deleteRows(tx, customerId, 'instance_schedule', { plan_id: planId }).executeTakeFirst()
  return { isEdge: edge.numDeletedRows > 0n }
}

const checkFollowable = (plan: PlanRow, nowMs: number): FollowablePlan => {
  const { problem, plan: answer } = plan
  if (plan.accepted_at !== null) throw new Refusal(409, m.planTaken)
  if (plan.state !== 'done' || !problem || !answer || !('plan' in answer)) throw new Refusal(409, m.planNotDone)
  if ((plan.to_at?.getTime() ?? 0) <= nowMs + quarterMs) throw new Refusal(409, m.planOver)
  return { problem: problem.problem, loads: answer.plan.loads }
}

export const follow = async (
  tx: Tx,
  plan: PlanRow,
  { name, nowMs, replace }: { name: string; nowMs: number; replace: boolean },
): Promise<{ isEdge: boolean; ended: string[] }> => {
  const { customer_id: customerId } = plan
  const followable = checkFollowable(plan, nowMs)
  const loadIds = followable.loads.map(({ loadId }) => loadId)
  const others = await findFollowed(tx, customerId, plan, isOfChargers(plan) ? loadIds : [])
  if (others.length > 0 && !replace) throw new Refusal(409, m.anotherPlan)
  for (const other of others) await endFollowing(tx, customerId, other.plan_id, 'another', nowMs)
  const replaced = await updateRows(tx, customerId, 'load_plan', { series_id: plan.series_id, ended_at: null })
    .set({ ended_at: new Date(nowMs), end_reason: 'replanned' })
    .where('accepted_at', 'is not', null)
    .returning('plan_id')
    .execute()
  for (const { plan_id } of replaced) await endSchedules(tx, customerId, plan_id)
  await updateRows(tx, customerId, 'load_plan', { plan_id: plan.plan_id })
    .set({ accepted_at: new Date(nowMs), accepted_by: name })
    .execute()
  const isEdge = await storeSchedules(tx, plan, followable)
  return { isEdge, ended: others.map((other) => other.name) }
}

export const sendToEdges = async ({ jobs }: Pick<App, 'jobs'>, { isEdge }: { isEdge: boolean }) => {
  if (isEdge) await jobs.kick('edge-config')
}
