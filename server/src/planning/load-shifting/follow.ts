import type { PlanForm, planEnds } from '@gridmast/contract/planning/load-shifting.ts'
import { m } from '@gridmast/contract/messages.ts'
import { hourMs, quarterMs } from '@gridmast/contract/time.ts'
import type { Plan } from '#planning/solver/plan.ts'
import { endSchedules, saveSchedules } from '#charging/sites/plans.ts'
import type { App } from '#context.ts'
import { Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { deleteRows, insertRow, updateRows } from '#platform/records/rows.ts'
import { findFollowed, type Made, type WholePlan } from './queries.ts'

type PlanEnd = (typeof planEnds)[number]

type Schedule = { loadId: string; fromMs: number; kw: number[] }

const powersOf = ({ problem }: Made, wh: readonly number[]): number[] =>
  wh.map((energy, q) => {
    const startMs = problem.quarters[q]?.atMs ?? 0
    const hours = (startMs + quarterMs - Math.max(startMs, problem.nowMs)) / hourMs
    return hours > 0 ? energy / 1000 / hours : 0
  })

const schedulesOf = (made: Made, plan: Plan): Schedule[] =>
  'plan' in plan
    ? plan.plan.loads.map(({ loadId, wh }) => ({
        loadId,
        fromMs: made.problem.quarters[0]?.atMs ?? 0,
        kw: powersOf(made, wh),
      }))
    : []

const isOfChargers = ({ kind }: PlanForm) => kind === 'session'

const send = async (tx: Tx, plan: WholePlan, made: Made, answer: Plan): Promise<{ isEdge: boolean }> => {
  const { customer_id: customerId, plan_id: planId, instance_id } = plan
  const schedules = schedulesOf(made, answer)
  if (isOfChargers(plan.asked)) {
    const chargers = schedules.map(({ loadId, fromMs, kw }) => ({
      chargerId: loadId,
      fromMs,
      watts: kw.map((power) => Math.round(power * 1000)),
    }))
    await saveSchedules(tx, { customerId, planId }, chargers)
    return { isEdge: false }
  }
  const [schedule] = schedules
  if (!schedule || instance_id === null) return { isEdge: false }
  const followed = {
    plan_id: planId,
    from_at: new Date(schedule.fromMs),
    kw: schedule.kw.map((power) => Math.round(power * 1000) / 1000),
  }
  await insertRow(tx, customerId, 'instance_schedule', { instance_id, ...followed })
    .onConflict((conflict) => conflict.columns(['customer_id', 'instance_id']).doUpdateSet(followed))
    .execute()
  return { isEdge: true }
}

export const endFollowing = async (
  tx: Tx,
  customerId: string,
  planId: string,
  reason: PlanEnd,
  nowMs: number,
): Promise<{ isEdge: boolean }> => {
  await updateRows(tx, customerId, 'load_plan', { plan_id: planId, ended_at: null })
    .set({ ended_at: new Date(nowMs), end_reason: reason })
    .execute()
  await endSchedules(tx, customerId, planId)
  const edge = await deleteRows(tx, customerId, 'instance_schedule', { plan_id: planId }).executeTakeFirst()
  return { isEdge: edge.numDeletedRows > 0n }
}

const checkFollowable = (plan: WholePlan, nowMs: number): { made: Made; answer: Plan } => {
  const { problem: made, plan: answer } = plan
  if (plan.accepted_at !== null) throw new Refusal(409, m.planTaken)
  if (plan.state !== 'done' || !made || !answer || !('plan' in answer)) throw new Refusal(409, m.planNotDone)
  if ((plan.to_at?.getTime() ?? 0) <= nowMs + quarterMs) throw new Refusal(409, m.planOver)
  return { made, answer }
}

type By = { name: string; nowMs: number; replace: boolean }

export const follow = async (
  tx: Tx,
  plan: WholePlan,
  { name, nowMs, replace }: By,
): Promise<{ isEdge: boolean; ended: string[] }> => {
  const { customer_id: customerId } = plan
  const { made, answer } = checkFollowable(plan, nowMs)
  const loadIds = schedulesOf(made, answer).map(({ loadId }) => loadId)
  const others = await findFollowed(tx, customerId, plan, isOfChargers(plan.asked) ? loadIds : [])
  if (others.length > 0 && !replace) throw new Refusal(409, m.anotherPlan)
  for (const other of others) await endFollowing(tx, customerId, other.plan_id, 'another', nowMs)
  const before = await updateRows(tx, customerId, 'load_plan', { series_id: plan.series_id, ended_at: null })
    .set({ ended_at: new Date(nowMs), end_reason: 'replanned' })
    .where('accepted_at', 'is not', null)
    .returning('plan_id')
    .execute()
  for (const { plan_id } of before) await endSchedules(tx, customerId, plan_id)
  await updateRows(tx, customerId, 'load_plan', { plan_id: plan.plan_id })
    .set({ accepted_at: new Date(nowMs), accepted_by: name })
    .execute()
  const { isEdge } = await send(tx, plan, made, answer)
  return { isEdge, ended: others.map((other) => other.name) }
}

export const sendToEdges = async ({ jobs }: Pick<App, 'jobs'>, { isEdge }: { isEdge: boolean }) => {
  if (isEdge) await jobs.kick('edge-config')
}
