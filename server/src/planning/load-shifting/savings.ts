import type * as contract from '@gridmast/contract/planning/load-shifting.ts'
import { addDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'
import { dayMs, hourMs, minuteMs, type Span } from '@gridmast/contract/time.ts'
import { slotsToSkip } from '#planning/solver/violations.ts'
import type { PlanProblem, SoldReserve } from '#planning/solver/plan.ts'
import { quartersOf, type Saving, savingOf } from '#planning/solver/bill.ts'
import type { App } from '#context.ts'
import { forEachIsolated } from '#platform/jobs/due-work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { checkFollowedPlans } from './replanning.ts'
import { endFollowing, sendToEdges } from './follow.ts'
import { getLoad, pricingWith, undefinedIfMissing } from './loads.ts'
import { readPlanMeasured, readQuarters } from './quarters.ts'
import { lockPlans, readPlan, type PlanRow } from './queries.ts'
import { selectRows, sqlRows, updateRows } from '#platform/records/rows.ts'

/** Savings of followed plans: readings at actual prices against the first baseline, calculated again while readings and prices still arrive. */

type SavingApp = Pick<App, 'config' | 'records' | 'readings' | 'clock' | 'log' | 'bus' | 'jobs'>

/** Session registers are processed each minute; edges deliver late data within minutes. */
const settleMs = 10 * minuteMs
/** Late readings and corrected prices still count, and are checked hourly. */
const recalculatedMs = 3 * dayMs
/** A saving that could not be calculated for this long, for example because its load was removed, is given up. */
const givenUpMs = 30 * dayMs

type Version = Pick<PlanRow, 'plan' | 'problem'> & { accepted_at: Date; ended_at: Date | null }

const followedVersions = async ({ records }: SavingApp, customerId: string, seriesId: string): Promise<Version[]> => {
  const rows = await records.tenant(customerId, (tx) =>
    selectRows(tx, customerId, 'load_plan', { series_id: seriesId })
      .select(['plan', 'problem', 'accepted_at', 'ended_at'])
      .where('accepted_at', 'is not', null)
      .orderBy('version')
      .execute(),
  )
  return rows as unknown as Version[] // its JSON is written by this domain only
}

const overlap = (a: Span, b: Span) => a.fromMs < b.toMs && a.toMs > b.fromMs

const skippedWhileFollowed = (versions: readonly Version[]): SoldReserve[] => {
  const left = versions.flatMap(({ plan, problem, accepted_at, ended_at }) => {
    if (!plan || !('plan' in plan)) return []
    const span = { fromMs: accepted_at.getTime(), toMs: ended_at?.getTime() ?? Infinity }
    const ids = new Set(plan.left.map(({ soldId }) => soldId))
    return (problem?.problem.sold ?? []).filter((slot) => ids.has(slot.id) && overlap(slot, span))
  })
  return [...new Map(left.map((slot) => [slot.id, slot])).values()]
}

const sideOf = ({ wh, dkk }: { wh: number; dkk: string }) => ({ wh, dkk })

const quarterSavings = (problem: PlanProblem, saving: Saving): contract.OpenSaving['quarters'] => {
  const [counted, unknown] = [new Set(saving.countedMs), new Set(saving.unknownMs)]
  return quartersOf(problem, saving).flatMap(({ atMs, baseline, measured }, q) => {
    if (!counted.has(atMs)) return []
    const { spotDkkPerMwh = '0', tariffDkkPerMwh = '0', taxDkkPerMwh = '0' } = problem.quarters[q] ?? {}
    const sides = { baseline: sideOf(baseline), measured: sideOf(measured) }
    const dkkPerMwh = addDecimals(spotDkkPerMwh, tariffDkkPerMwh, taxDkkPerMwh)
    return [{ fromMs: atMs, dkkPerMwh, ...sides, isMeasured: !unknown.has(atMs) }]
  })
}

const calculateSaving = async (app: SavingApp, plan: PlanRow): Promise<contract.OpenSaving | null> => {
  const { customer_id: customerId, series_id } = plan
  const nowMs = app.clock.now()
  const isFirst = plan.plan_id === series_id
  const first = isFirst ? plan : await app.records.tenant(customerId, (tx) => readPlan(tx, customerId, series_id))
  if (!first?.problem || !first.plan || !('plan' in first.plan)) return null
  const load = await app.records
    .tenant(customerId, (tx) => getLoad(tx, customerId, first.asked, nowMs))
    .catch(undefinedIfMissing)
  if (!load?.pricing) return null
  const pricing = pricingWith(load.pricing, first.asked.tariff)
  const span = { fromMs: first.problem.problem.quarters[0]?.atMs ?? 0, toMs: first.to_at?.getTime() ?? 0 }
  const of = { pricing, area: load.area, otherKw: first.asked.otherKw, nowMs }
  const now = await readQuarters(app, customerId, of, span)
  const problem = { ...first.problem.problem, quarters: now?.quarters ?? first.problem.problem.quarters }
  const measured = await readPlanMeasured(app, first)
  const versions = await followedVersions(app, customerId, series_id)
  const followed = {
    fromMs: versions[0]?.accepted_at.getTime() ?? Infinity,
    toMs: versions.at(-1)?.ended_at?.getTime() ?? Infinity,
  }
  const { loads: baseline } = first.plan.baseline
  const saving = savingOf(problem, baseline, measured, {
    followed,
    skipped: skippedWhileFollowed(versions),
    baselineSkipped: slotsToSkip(problem, baseline).filter((slot) => overlap(slot, followed)),
  })
  const whOf = (loads: readonly { wh: readonly number[] }[]) =>
    loads.reduce((sum, { wh }) => sum + wh.reduce((all, one) => all + one, 0), 0) / 1000
  return {
    measuredKwh: whOf(saving.measured.loads),
    baselineKwh: whOf(saving.baseline.loads),
    coverage: saving.countedMs.length === 0 ? 0 : 1 - saving.unknownMs.length / saving.countedMs.length,
    isScaled: saving.scaled.length > 0,
    measuredDkk: roundDecimal(saving.measured.bill.total, 2),
    baselineDkk: roundDecimal(saving.baseline.bill.total, 2),
    savedDkk: saving.savedDkk,
    savedKgCo2: saving.savedKgCo2,
    bills: { measured: saving.measured.bill, baseline: saving.baseline.bill },
    quarters: quarterSavings(problem, saving),
    countedAt: new Date(nowMs).toISOString(),
  }
}

type EndedSaving = { customer_id: string; plan_id: string; is_open: boolean }

const findOver = ({ records, clock }: SavingApp) => {
  const ago = (ms: number) => new Date(clock.now() - ms)
  return records.system(
    (tx) =>
      sqlRows<EndedSaving>(tx)`
      select customer_id, plan_id, ended_at is null as is_open from load_plan
      where accepted_at is not null and to_at <= ${ago(settleMs)}
        and (ended_at is null or (end_reason in ('over', 'by-hand', 'another')
          and to_at > case when saving is null then ${ago(givenUpMs)}::timestamptz else ${ago(recalculatedMs)}::timestamptz end
          and (saving is null or (saving ->> 'countedAt')::timestamptz <= ${ago(hourMs)} or not saving ? 'countedAt')))
      order by ended_at is null desc, saving is null desc, saving ->> 'countedAt' nulls first limit 500`,
  )
}

export const closePlans = async (app: SavingApp): Promise<void> => {
  const close = async ({ customer_id, plan_id, is_open }: EndedSaving) => {
    const plan = await app.records.system((tx) => readPlan(tx, customer_id, plan_id))
    if (!plan) return
    if (is_open) {
      const sent = await app.records.system(async (tx) => {
        await lockPlans(tx, customer_id)
        return endFollowing(tx, customer_id, plan_id, 'over', app.clock.now())
      })
      await sendToEdges(app, sent)
    }
    const saving = await calculateSaving(app, plan)
    if (!saving) return
    await app.records.system((tx) =>
      updateRows(tx, customer_id, 'load_plan', { plan_id })
        .set({ saving: JSON.stringify(saving) })
        .execute(),
    )
  }
  await forEachIsolated(await findOver(app), close, ({ plan_id }, error) =>
    app.log.warn({ err: error, plan: plan_id }, 'the saving of a plan was not calculated'),
  )
}

export const savingsJob: Job<App> = {
  name: 'load-plans',
  cron: '* * * * *',
  atStart: true,
  retries: 0,
  run: async (app) => {
    await closePlans(app)
    await checkFollowedPlans(app)
  },
}
