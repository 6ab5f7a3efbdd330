import type { PlanForm, planReasons } from '@gridmast/contract/planning/load-shifting.ts'
import { hourMs, quarterMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { App } from '#context.ts'
import { leftBy } from '#planning/solver/holds.ts'
import type { Plan, PlanProblem, SoldReserve } from '#planning/solver/plan.ts'
import { gridOf } from '#planning/solver/quarters.ts'
import { judgeNewPlan, type Reason, reasonsToReplan, restOf, thresholds } from '#planning/solver/replan.ts'
import type { Measured } from '#planning/solver/savings.ts'
import { portalAddress } from '#config.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { forEachIsolated } from '#platform/jobs/due-work.ts'
import { newId } from '#platform/records/ids.ts'
import { type Letter, queueMail } from '#platform/messaging/mail.ts'
import type { Tx } from '#platform/records/records.ts'
import { deleteRows, selectRows, updateRows } from '#platform/records/rows.ts'
import { follow, sendToEdges } from './follow.ts'
import { notPlannedAgain, plannedAgain } from './mails.ts'
import { meteredOf, readMeasured } from './measured.ts'
import { addPlan, lockPlans, readPlan, type WholePlan } from './queries.ts'
import { prepare, SocUnknown } from './solve.ts'
import { chargerIdsOf } from './to-plan.ts'

/** Checks followed plans each minute: beyond the thresholds of `replan.ts` the rest is planned as the next version. */

type From = Pick<App, 'config' | 'records' | 'readings' | 'clock' | 'log' | 'bus' | 'jobs'>
type PlanReason = (typeof planReasons)[number]

const who = 'Gridmast'

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

const restKwh = (plan: WholePlan, measured: readonly Measured[]): Map<string, number> => {
  // Energy used before planning in an already running quarter is not part of the need.
  const hours = plan.problem ? gridOf(plan.problem.problem).hours : []
  const shareOf = (q: number) => (hours[q] ?? 0) * (hourMs / quarterMs)
  return new Map(
    (plan.problem?.problem.loads ?? []).map((load) => {
      const taken = measured.find(({ loadId }) => loadId === load.id)?.wh ?? []
      const kwh = taken.reduce<number>((sum, wh, q) => sum + (wh ?? 0) * shareOf(q), 0) / 1000
      return [load.id, load.kind === 'storage' ? 0 : Math.max(0, load.needKwh - kwh)]
    }),
  )
}

const restOfForm = ({ asked, problem }: WholePlan, rest: ReadonlyMap<string, number>): PlanForm => {
  const { socPercent: _, ...form } = asked
  if (asked.kind === 'storage') return form
  const known = new Map(asked.needs?.map(({ chargerId, needKwh }) => [chargerId, needKwh]))
  for (const [id, kwh] of rest) known.set(id, kwh)
  const all = [...rest.values()].reduce((sum, kwh) => sum + kwh, 0)
  if (asked.kind !== 'session' || !problem) return { ...form, needKwh: all }
  return { ...form, needKwh: all, needs: [...known].map(([chargerId, needKwh]) => ({ chargerId, needKwh })) }
}

const measuredOf = async (app: From, plan: WholePlan) => {
  const quarters = plan.problem?.problem.quarters ?? []
  const metered = await meteredOf(app, plan.customer_id, plan.instance_id, chargerIdsOf(plan))
  const nowMs = app.clock.now()
  return readMeasured(app, plan.customer_id, metered, {
    fromMs: quarters[0]?.atMs ?? 0,
    count: quarters.length,
    nowMs,
  })
}

/** With these reasons the followed plan is for a load that no longer exists, so a failed replan is tried again. */
const isPressing = (reason: string | null | undefined) => reason === 'charger' || reason === 'sold'
const triedAgainMs = quarterMs

const tryAgain = async (app: From, plan: WholePlan, asked: PlanForm, reasons: readonly Reason[]): Promise<boolean> => {
  if (!isPressing(reasonOf(reasons))) return false
  return app.records.system(async (tx) => {
    await lockPlans(tx, plan.customer_id)
    const found = await selectRows(tx, plan.customer_id, 'load_plan', {
      series_id: plan.series_id,
      state: ['done', 'failed'],
    })
      .select(['plan_id', 'reason', 'finished_at', sql<boolean>`plan ? 'plan'`.as('has_plan')])
      .where('version', '>', plan.version)
      .orderBy('version', 'desc')
      .executeTakeFirst()
    if (!found || found.has_plan || !isPressing(found.reason)) return false
    if ((found.finished_at?.getTime() ?? 0) > app.clock.now() - triedAgainMs) return false
    const open = { state: 'queued', plan: null, problem: null, started_at: null, finished_at: null, tries: 0 }
    await updateRows(tx, plan.customer_id, 'load_plan', { plan_id: found.plan_id })
      .set({ ...open, cancel_asked: false, asked: JSON.stringify(asked) })
      .execute()
    rowChanged(tx, 'load-plan', found.plan_id)
    return true
  })
}

const look = async (app: From, plan: WholePlan): Promise<void> => {
  const { customer_id: customerId, problem, plan: answer } = plan
  if (!problem || !answer || !('plan' in answer)) return
  const measured = await measuredOf(app, plan)
  const asked = restOfForm(plan, restKwh(plan, measured))
  const now = await prepare(app, { ...plan, asked }).catch((error: unknown) => {
    if (error instanceof SocUnknown) return null
    throw error
  })
  if (!now) return
  const reasons = reasonsToReplan({ problem: problem.problem, loads: answer.plan.loads }, now.problem, measured)
  if (await tryAgain(app, plan, asked, reasons)) return
  const facts = factsOf(reasons, now.problem)
  const seen = new Set(plan.looked_at?.split('\n'))
  const reason = facts.some((fact) => !seen.has(fact)) ? reasonOf(reasons) : undefined
  const text = facts.join('\n')
  if (text === (plan.looked_at ?? '')) return
  const planId = newId(app.clock.now())
  await app.records.system(async (tx) => {
    await lockPlans(tx, customerId)
    const row = await updateRows(tx, customerId, 'load_plan', { plan_id: plan.plan_id, ended_at: null })
      .set({ looked_at: text })
      .executeTakeFirst()
    if (reason === undefined || row.numUpdatedRows === 0n) return
    const { rows } = await sql<{ version: number }>`
      select max(version) + 1 as version from load_plan where customer_id = ${customerId} and series_id = ${plan.series_id}`.execute(
      tx,
    )
    await addPlan(tx, customerId, {
      planId,
      seriesId: plan.series_id,
      version: rows[0]?.version ?? 2,
      name: plan.name,
      asked,
      reason,
      load: {
        instanceId: plan.instance_id ?? undefined,
        siteId: plan.site_id ?? undefined,
        chargerId: plan.charger_id ?? undefined,
      },
      madeBy: null,
      madeByName: who,
      nowMs: app.clock.now(),
    })
  })
}

const findLookedAt = async ({ records, clock }: From) => {
  const { rows } = await records.system((tx) =>
    sql<{ customer_id: string; plan_id: string }>`
      select p.customer_id, p.plan_id from load_plan p
      where p.accepted_at is not null and p.ended_at is null and p.to_at > ${new Date(clock.now() + 2 * quarterMs)}
        and not exists (select from load_plan n where n.customer_id = p.customer_id and n.series_id = p.series_id
          and n.state in ('queued', 'running'))`.execute(tx),
  )
  return rows
}

const findUnsettled = async ({ records }: From) => {
  const { rows } = await records.system((tx) =>
    sql<{ customer_id: string; plan_id: string }>`
      select n.customer_id, n.plan_id from load_plan n
      join load_plan p on p.customer_id = n.customer_id and p.series_id = n.series_id and p.version < n.version
        and p.accepted_at is not null and p.ended_at is null
      where n.state in ('done', 'failed') and n.accepted_at is null and n.plan ->> 'status' is distinct from 'infeasible'
        and (n.reason not in ('charger', 'sold') or n.plan ? 'plan')`.execute(tx),
  )
  return rows
}

const settleLate = async (app: From): Promise<void> => {
  await forEachIsolated(
    await findUnsettled(app),
    async ({ customer_id, plan_id }) => {
      const plan = await app.records.system((tx) => readPlan(tx, customer_id, plan_id))
      if (plan) await settleAgain(app, plan)
    },
    ({ plan_id }, error) => app.log.warn({ err: error, plan: plan_id }, 'replanned load plan not adopted'),
  )
}

export const lookAgain = async (app: From): Promise<void> => {
  await settleLate(app)
  await forEachIsolated(
    await findLookedAt(app),
    async ({ customer_id, plan_id }) => {
      const plan = await app.records.system((tx) => readPlan(tx, customer_id, plan_id))
      if (plan) await look(app, plan)
    },
    ({ plan_id }, error) => app.log.warn({ err: error, plan: plan_id }, 'followed load plan not checked'),
  )
}

const leftOf = (answer: Plan, sold: readonly SoldReserve[]) =>
  'plan' in answer ? sold.filter(({ id }) => answer.left.some(({ soldId }) => soldId === id)) : []

const isTaken = (before: WholePlan, next: WholePlan): boolean => {
  const [old, made] = [before.problem, next.problem]
  if (!old || !made || !before.plan || !next.plan || !('plan' in before.plan) || !('plan' in next.plan)) return false
  if (next.reason === 'charger' || next.reason === 'sold') return true
  const running = restOf({ problem: old.problem, loads: before.plan.plan.loads }, made.problem)
  const plan = { loads: next.plan.plan.loads, left: leftOf(next.plan, made.problem.sold) }
  return judgeNewPlan(made.problem, running, plan, leftBy(made.problem, running)).isTaken
}

const tellMaker = async (tx: Tx, { customer_id, series_id }: WholePlan, letter: Letter, nowMs: number) => {
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
export const settleAgain = async (app: From, { customer_id: customerId, plan_id: planId, version }: WholePlan) => {
  if (version === 1) return
  const nowMs = app.clock.now()
  const told = await app.records.tenant(customerId, async (tx) => {
    await lockPlans(tx, customerId)
    const next = await readPlan(tx, customerId, planId, true)
    if (!next || next.accepted_at !== null) return null
    const followed = await selectRows(tx, customerId, 'load_plan', { series_id: next.series_id, ended_at: null })
      .select('plan_id')
      .where('accepted_at', 'is not', null)
      .executeTakeFirst()
    const before = followed && (await readPlan(tx, customerId, followed.plan_id, true))
    const link = portalAddress(app.config, `/insights/loadShifting?plan=${next.plan_id}`)
    const reason = next.reason as PlanReason | null // the column's own check
    const isNone = !next.plan || !('plan' in next.plan)
    if (before && isNone && (next.plan?.status === 'infeasible' || isPressing(reason))) {
      if (!before.told_at && isPressing(reason)) {
        await tellMaker(tx, next, notPlannedAgain({ name: next.name, reason, link }), nowMs)
        await updateRows(tx, customerId, 'load_plan', { plan_id: before.plan_id })
          .set({ told_at: new Date(nowMs) })
          .execute()
      }
      return null
    }
    if (!before || !isTaken(before, next)) {
      await deleteRows(tx, customerId, 'load_plan', { plan_id: planId }).execute()
      return null
    }
    const sent = await follow(tx, next, { name: who, nowMs, replace: false })
    await writeAudit(tx, customerId, nowMs, {
      userId: null,
      who,
      action: 'load-plan.again',
      subject: next.name,
      before: { plan: before.plan_id, version: before.version },
      after: { plan: next.plan_id, version: next.version, reason: next.reason },
    })
    const { version: made, name, to_at, saved_dkk: savedDkk } = next
    const letter = plannedAgain({ name, version: made, reason, savedDkk, toMs: to_at?.getTime() ?? nowMs, link })
    await tellMaker(tx, next, letter, nowMs)
    return sent
  })
  if (told) await sendToEdges(app, told)
}
