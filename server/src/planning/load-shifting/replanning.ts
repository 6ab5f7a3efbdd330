import type { PlanForm, planReasons } from '@gridmast/contract/planning/load-shifting.ts'
import { hourMs, quarterMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { App } from '#context.ts'
import { slotsToSkip } from '#planning/solver/violations.ts'
import type { PlanProblem } from '#planning/solver/plan.ts'
import { gridOf } from '#planning/solver/quarters.ts'
import {
  compareWithFollowed,
  type Reason,
  reasonsToReplan,
  remainingSchedule,
  thresholds,
} from '#planning/solver/replan.ts'
import type { Measured } from '#planning/solver/bill.ts'
import { portalAddress } from '#config.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { forEachIsolated } from '#platform/jobs/due-work.ts'
import { newId } from '#platform/records/ids.ts'
import { type Letter, queueMail } from '#platform/messaging/mail.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, deleteRows, selectRows, updateRows } from '#platform/records/rows.ts'
import { follow, sendToEdges } from './follow.ts'
import { replanFailedMail, replannedMail } from './mails.ts'
import { readPlanMeasured } from './quarters.ts'
import { addPlan, lockPlans, readPlan, type PlanRow } from './queries.ts'
import { readProblem, SocUnknown } from './problem.ts'

/** Checks followed plans each minute: beyond the thresholds of `replan.ts` the rest is planned as the next version. */

type ReplanApp = Pick<App, 'config' | 'records' | 'readings' | 'clock' | 'log' | 'bus' | 'jobs'>
type PlanReason = (typeof planReasons)[number]

const actorName = 'Gridmast'

const kindOf = ({ why }: Reason): PlanReason => {
  if (why === 'deviation') return 'readings'
  if (why === 'load-came' || why === 'load-left') return 'charger'
  return why === 'sold' ? 'sold' : 'prices'
}

/** Changed equipment or sold capacity takes precedence: the followed plan is for a load that no longer exists. */
const reasonOf = (reasons: readonly Reason[]): PlanReason | undefined => {
  const kinds = reasons.map(kindOf)
  return kinds.find((kind) => kind === 'charger') ?? kinds.find((kind) => kind === 'sold') ?? kinds[0]
}

/**
 * Each reason as a comparable fact, so that a handled one does not count again. Passing time only removes prices, and readings count in whole
 * thresholds, so that a growing deviation is not a new fact each quarter.
 */
const factsOf = (reasons: readonly Reason[], { sold }: PlanProblem): string[] =>
  reasons.flatMap((reason) => {
    if ('prices' in reason) return reason.prices.map((price) => `${reason.why} ${price}`)
    if (reason.why === 'sold')
      return `sold ${JSON.stringify(sold.find(({ id }) => id === reason.soldId) ?? reason.soldId)}`
    if (reason.why !== 'deviation') return `${reason.why} ${reason.loadId}`
    const { loadId, plannedWh, measuredWh } = reason
    const { deviationKwh, deviationPercent } = thresholds
    const step = Math.max(deviationKwh * 1000, (Math.abs(plannedWh) * deviationPercent) / 100)
    return `deviation ${loadId} ${Math.trunc((measuredWh - plannedWh) / step)}`
  })

const restKwh = (plan: PlanRow, measured: readonly Measured[]): Map<string, number> => {
  // Energy used before planning in an already running quarter is not part of the need.
  const hours = plan.problem ? gridOf(plan.problem.problem).hours : []
  const shareOf = (q: number) => (hours[q] ?? 0) * (hourMs / quarterMs)
  return new Map(
    (plan.problem?.problem.loads ?? []).map((load) => {
      const wh = measured.find(({ loadId }) => loadId === load.id)?.wh ?? []
      const kwh = wh.reduce<number>((sum, used, q) => sum + (used ?? 0) * shareOf(q), 0) / 1000
      return [load.id, load.kind === 'storage' ? 0 : Math.max(0, load.needKwh - kwh)]
    }),
  )
}

const restOfForm = ({ asked, problem }: PlanRow, rest: ReadonlyMap<string, number>): PlanForm => {
  const { socPercent: _, ...form } = asked
  if (asked.kind === 'storage') return form
  const needKwh = [...rest.values()].reduce((sum, kwh) => sum + kwh, 0)
  if (asked.kind !== 'session' || !problem) return { ...form, needKwh }
  const needs = new Map([...(asked.needs ?? []).map((need) => [need.chargerId, need.needKwh] as const), ...rest])
  return { ...form, needKwh, needs: [...needs].map(([chargerId, kwh]) => ({ chargerId, needKwh: kwh })) }
}

/** With these reasons the followed plan is for a load that no longer exists, so a failed replan is tried again. */
const isUrgent = (reason: string | null | undefined) => reason === 'charger' || reason === 'sold'
const retryMs = quarterMs

const retryReplan = async (app: ReplanApp, plan: PlanRow, form: PlanForm, reasons: readonly Reason[]) => {
  if (!isUrgent(reasonOf(reasons))) return false
  return app.records.system(async (tx) => {
    await lockPlans(tx, plan.customer_id)
    const finished = { series_id: plan.series_id, state: ['done', 'failed'] }
    const failed = await selectRows(tx, plan.customer_id, 'load_plan', finished)
      .select(['plan_id', 'reason', 'finished_at', sql<boolean>`plan ? 'plan'`.as('has_plan')])
      .where('version', '>', plan.version)
      .orderBy('version', 'desc')
      .executeTakeFirst()
    if (!failed || failed.has_plan || !isUrgent(failed.reason)) return false
    if ((failed.finished_at?.getTime() ?? 0) > app.clock.now() - retryMs) return false
    const open = { state: 'queued', plan: null, problem: null, started_at: null, finished_at: null, tries: 0 }
    await updateRows(tx, plan.customer_id, 'load_plan', { plan_id: failed.plan_id })
      .set({ ...open, cancel_asked: false, asked: JSON.stringify(form) })
      .execute()
    rowChanged(tx, 'load-plan', failed.plan_id)
    return true
  })
}

const replanIfDue = async (app: ReplanApp, plan: PlanRow): Promise<void> => {
  const { customer_id: customerId, problem, plan: answer } = plan
  if (!problem || !answer || !('plan' in answer)) return
  const measured = await readPlanMeasured(app, plan)
  const form = restOfForm(plan, restKwh(plan, measured))
  const current = await readProblem(app, { ...plan, asked: form }).catch((error: unknown) => {
    if (error instanceof SocUnknown) return null
    throw error
  })
  if (!current) return
  const reasons = reasonsToReplan({ problem: problem.problem, loads: answer.plan.loads }, current.problem, measured)
  if (await retryReplan(app, plan, form, reasons)) return
  const facts = factsOf(reasons, current.problem)
  const handled = new Set(plan.looked_at?.split('\n'))
  const reason = facts.some((fact) => !handled.has(fact)) ? reasonOf(reasons) : undefined
  const text = facts.join('\n')
  if (text === (plan.looked_at ?? '')) return
  const nowMs = app.clock.now()
  await app.records.system(async (tx) => {
    await lockPlans(tx, customerId)
    const row = await updateRows(tx, customerId, 'load_plan', { plan_id: plan.plan_id, ended_at: null })
      .set({ looked_at: text })
      .executeTakeFirst()
    if (reason === undefined || row.numUpdatedRows === 0n) return
    const [next] = await sqlRows<{ version: number }>(tx)`
      select max(version) + 1 as version from load_plan where customer_id = ${customerId} and series_id = ${plan.series_id}`
    await addPlan(tx, customerId, {
      planId: newId(nowMs),
      seriesId: plan.series_id,
      version: next?.version ?? 2,
      name: plan.name,
      asked: form,
      reason,
      load: {
        instanceId: plan.instance_id ?? undefined,
        siteId: plan.site_id ?? undefined,
        chargerId: plan.charger_id ?? undefined,
      },
      madeBy: null,
      madeByName: actorName,
      nowMs,
    })
  })
}

type PlanKey = Pick<PlanRow, 'customer_id' | 'plan_id'>

const findPlansToCheck = ({ records, clock }: ReplanApp) =>
  records.system(
    (tx) =>
      sqlRows<PlanKey>(tx)`
      select p.customer_id, p.plan_id from load_plan p
      where p.accepted_at is not null and p.ended_at is null and p.to_at > ${new Date(clock.now() + 2 * quarterMs)}
        and not exists (select from load_plan n where n.customer_id = p.customer_id and n.series_id = p.series_id
          and n.state in ('queued', 'running'))`,
  )

const findOpenReplans = ({ records }: ReplanApp) =>
  records.system(
    (tx) =>
      sqlRows<PlanKey>(tx)`
      select n.customer_id, n.plan_id from load_plan n
      join load_plan p on p.customer_id = n.customer_id and p.series_id = n.series_id and p.version < n.version
        and p.accepted_at is not null and p.ended_at is null
      where n.state in ('done', 'failed') and n.accepted_at is null and n.plan ->> 'status' is distinct from 'infeasible'
        and (n.reason not in ('charger', 'sold') or n.plan ? 'plan')`,
  )

export const checkFollowedPlans = async (app: ReplanApp): Promise<void> => {
  const forEachPlan = (keys: readonly PlanKey[], work: typeof replanIfDue, failure: string) =>
    forEachIsolated(
      keys,
      async ({ customer_id, plan_id }) => {
        const plan = await app.records.system((tx) => readPlan(tx, customer_id, plan_id))
        if (plan) await work(app, plan)
      },
      ({ plan_id }, error) => app.log.warn({ err: error, plan: plan_id }, failure),
    )
  const notAdopted = 'a new version of a plan was neither followed nor deleted'
  await forEachPlan(await findOpenReplans(app), adoptReplan, notAdopted)
  await forEachPlan(await findPlansToCheck(app), replanIfDue, 'a followed plan was not checked')
}

const isWorthAChange = (before: PlanRow, next: PlanRow): boolean => {
  if (!before.problem || !next.problem || !before.plan || !next.plan) return false
  if (!('plan' in before.plan) || !('plan' in next.plan)) return false
  if (isUrgent(next.reason)) return true
  const { problem } = next.problem
  const { left } = next.plan
  const running = remainingSchedule({ problem: before.problem.problem, loads: before.plan.plan.loads }, problem)
  const skipped = problem.sold.filter(({ id }) => left.some(({ soldId }) => soldId === id))
  const plan = { loads: next.plan.plan.loads, skipped }
  return compareWithFollowed(problem, running, plan, slotsToSkip(problem, running)).isBetter
}

const mailRequester = async (tx: Tx, { customer_id, series_id }: PlanRow, letter: Letter, nowMs: number) => {
  const reader = await tx
    .selectFrom('load_plan as p')
    .innerJoin('app_user as u', (join) =>
      join.onRef('u.customer_id', '=', 'p.customer_id').onRef('u.user_id', '=', 'p.made_by'),
    )
    .select(['u.email', 'u.language'])
    .where('p.customer_id', '=', customer_id)
    .where('p.plan_id', '=', series_id)
    .where('u.enabled', '=', true)
    .executeTakeFirst()
  if (reader)
    await queueMail(tx, { customerId: customer_id, to: reader.email, language: reader.language }, letter, { nowMs })
}

/** A solved next version is followed, or deleted where it is not worth a change; an infeasible one stays readable. */
export const adoptReplan = async (app: ReplanApp, { customer_id: customerId, plan_id: planId, version }: PlanRow) => {
  if (version === 1) return
  const nowMs = app.clock.now()
  const sent = await app.records.tenant(customerId, async (tx) => {
    await lockPlans(tx, customerId)
    const next = await readPlan(tx, customerId, planId, true)
    if (!next || next.accepted_at !== null) return null
    const followed = await selectRows(tx, customerId, 'load_plan', { series_id: next.series_id, ended_at: null })
      .select('plan_id')
      .where('accepted_at', 'is not', null)
      .executeTakeFirst()
    const before = followed && (await readPlan(tx, customerId, followed.plan_id, true))
    const link = portalAddress(app.config, `/insights/loadShifting?plan=${next.plan_id}`)
    const { reason } = next
    const isNone = !next.plan || !('plan' in next.plan)
    if (before && isNone && (next.plan?.status === 'infeasible' || isUrgent(reason))) {
      if (!before.told_at && isUrgent(reason)) {
        await mailRequester(tx, next, replanFailedMail(next, link), nowMs)
        const mailed = { told_at: new Date(nowMs) }
        await updateRows(tx, customerId, 'load_plan', { plan_id: before.plan_id }).set(mailed).execute()
      }
      return null
    }
    if (!before || !isWorthAChange(before, next)) {
      await deleteRows(tx, customerId, 'load_plan', { plan_id: planId }).execute()
      return null
    }
    const following = await follow(tx, next, { name: actorName, nowMs, replace: false })
    await writeAudit(tx, customerId, nowMs, {
      userId: null,
      who: actorName,
      action: 'load-plan.again',
      subject: next.name,
      before: { plan: before.plan_id, version: before.version },
      after: { plan: next.plan_id, version: next.version, reason: next.reason },
    })
    await mailRequester(tx, next, replannedMail(next, link), nowMs)
    return following
  })
  if (sent) await sendToEdges(app, sent)
}
