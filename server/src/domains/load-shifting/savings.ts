import * as contract from '@gridmast/contract/load-shifting.ts'
import { addDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'
import { minuteMs, type Span } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { savingOf } from '#planning/savings.ts'
import { type App, route } from '#context.ts'
import type { Job } from '#platform/jobs.ts'
import { lookAgain } from './again.ts'
import { endFollowing, tellFollowers } from './follow.ts'
import { getLoad } from './loads.ts'
import { meteredOf, readMeasured } from './measured.ts'
import { findFirsts, findPlanRows, lockPlans, type PlanRow, readPlan, type WholePlan } from './queries.ts'
import { readQuarters } from './quarters.ts'
import { chargerIdsOf, toHead } from './to-plan.ts'

/*
 * What followed plans have saved: what was measured, at prices as they turned out, against the baseline that was written down before the first
 * version was accepted. A saving is counted when its plan is over, and again while readings and prices still come.
 */

type From = Pick<App, 'config' | 'records' | 'readings' | 'clock' | 'log' | 'news' | 'jobs'>

/** Registers of sessions are counted each minute; edges send what they owe within minutes. */
const settleMs = 10 * minuteMs
/** Late readings and corrected prices still count. */
const countedAgainMs = 3 * 24 * 60 * minuteMs

/** The first version of a series: its baseline is the one that counts. */
const firstOf = async ({ records }: From, customerId: string, seriesId: string): Promise<WholePlan | undefined> =>
  records.tenant(customerId, (tx) => readPlan(tx, customerId, seriesId))

/** From when the first version was accepted until the last one was ended: what happens at other times no plan has saved. */
const followedOf = async ({ records }: From, customerId: string, seriesId: string): Promise<Span> => {
  const { rows } = await records.tenant(customerId, (tx) =>
    sql<{ from_at: Date; to_at: Date | null }>`
      select min(accepted_at) as from_at, (array_agg(ended_at order by version desc))[1] as to_at from load_plan
      where customer_id = ${customerId} and series_id = ${seriesId} and accepted_at is not null`.execute(tx),
  )
  const [row] = rows
  return { fromMs: row?.from_at.getTime() ?? Infinity, toMs: row?.to_at?.getTime() ?? Infinity }
}

const countSaving = async (app: From, plan: WholePlan): Promise<contract.PlanSaving | null> => {
  const { customer_id: customerId, series_id } = plan
  const nowMs = app.clock.now()
  const first = plan.plan_id === series_id ? plan : await firstOf(app, customerId, series_id)
  if (!first?.problem || !first.plan || !('plan' in first.plan)) return null
  const { problem } = first.problem
  const load = await app.records.tenant(customerId, (tx) => getLoad(tx, customerId, first.asked, nowMs))
  if (!load?.pricing) return null
  const [gln, code] = first.asked.tariff?.split(':') ?? []
  const pricing = gln && code ? { ...load.pricing, tariff: { gln, code } } : load.pricing
  const span = { fromMs: problem.quarters[0]?.atMs ?? 0, toMs: first.to_at?.getTime() ?? 0 }
  const of = { pricing, area: load.area, otherKw: first.asked.otherKw, nowMs }
  const now = await readQuarters(app, customerId, of, span)
  const metered = await meteredOf(app, customerId, first.instance_id, chargerIdsOf(first))
  const asked = { fromMs: span.fromMs, count: problem.quarters.length, nowMs }
  const measured = await readMeasured(app, customerId, metered, asked)
  const saving = savingOf(
    { ...problem, quarters: now?.quarters ?? problem.quarters },
    first.plan.baseline.loads,
    measured,
    { followed: await followedOf(app, customerId, series_id) },
  )
  const whOf = (loads: readonly { wh: readonly number[] }[]) =>
    loads.reduce((sum, { wh }) => sum + wh.reduce((all, one) => all + one, 0), 0) / 1000
  return {
    ...{ measuredKwh: whOf(saving.measured.loads), baselineKwh: whOf(saving.baseline.loads) },
    coverage: saving.countedQuarters === 0 ? 0 : 1 - saving.unknownMs.length / saving.countedQuarters,
    isScaled: saving.scaled.length > 0,
    ...{
      measuredDkk: roundDecimal(saving.measured.bill.total, 2),
      baselineDkk: roundDecimal(saving.baseline.bill.total, 2),
    },
    ...{ savedDkk: saving.savedDkk, savedKgCo2: saving.savedKgCo2 },
  }
}

const save = ({ records }: From, plan: WholePlan, saving: contract.PlanSaving) =>
  records.system((tx) =>
    tx
      .updateTable('load_plan')
      .set({ saving: JSON.stringify(saving) })
      .where('customer_id', '=', plan.customer_id)
      .where('plan_id', '=', plan.plan_id)
      .execute(),
  )

/** Plans whose time is over, or was not long ago; of those that were made again the last one that was followed. */
const findOver = async ({ records, clock }: From) => {
  const now = new Date(clock.now() - settleMs)
  const since = new Date(clock.now() - countedAgainMs)
  const { rows } = await records.system((tx) =>
    sql<{ customer_id: string; plan_id: string; is_open: boolean }>`
      select customer_id, plan_id, ended_at is null as is_open from load_plan
      where accepted_at is not null and to_at <= ${now}
        and (ended_at is null or (end_reason in ('over', 'by-hand', 'another') and (saving is null or to_at > ${since})))
      order by to_at limit 500`.execute(tx),
  )
  return rows
}

/** Ends what is over, and counts what it has saved. */
export const closePlans = async (app: From): Promise<void> => {
  for (const { customer_id, plan_id, is_open } of await findOver(app)) {
    const plan = await app.records.system((tx) => readPlan(tx, customer_id, plan_id))
    if (!plan) continue
    if (is_open) {
      const told = await app.records.system(async (tx) => {
        await lockPlans(tx, customer_id)
        return endFollowing(tx, customer_id, plan_id, 'over', app.clock.now())
      })
      await tellFollowers(app, told)
    }
    try {
      const saving = await countSaving(app, plan)
      if (saving) await save(app, plan, saving)
    } catch (error) {
      app.log.warn({ err: error, plan: plan_id }, 'the saving of a plan was not counted')
    }
  }
}

export const savingsJob: Job<App> = {
  name: 'load-plans',
  cron: '* * * * *',
  atStart: true,
  retries: 0,
  run: async (app) => {
    await closePlans(app)
    await lookAgain(app)
  },
}

const savings = route(contract.planSavings, ({ own, query }) =>
  own(async (tx, customerId) => {
    const rows = await findPlanRows(tx, customerId, { ...query, isAccepted: true })
    const { rows: all } = await sql<{ saving: contract.PlanSaving | null }>`
      select distinct on (series_id) saving from load_plan
      where customer_id = ${customerId} and accepted_at is not null order by series_id, version desc`.execute(tx)
    const counted = all.flatMap(({ saving }) => saving ?? [])
    // What was promised, and for how long, was said before the series was followed: by its first version.
    const firsts = await findFirsts(tx, customerId, rows)
    const headOf = (row: PlanRow): contract.PlanHead => {
      const { from, to } = toHead(firsts.get(row.series_id) ?? row)
      return { ...toHead(row), from, to }
    }
    return {
      savings: rows.map((row) => ({
        plan: headOf(row),
        promisedDkk: (firsts.get(row.series_id) ?? row).saved_dkk,
        saving: row.saving,
      })),
      totalCount: all.length,
      total: {
        plans: counted.length,
        savedDkk: roundDecimal(addDecimals('0', ...counted.map(({ savedDkk }) => savedDkk)), 2),
        savedKgCo2: addDecimals('0', ...counted.map(({ savedKgCo2 }) => savedKgCo2 ?? '0')),
      },
    }
  }),
)

export const savingRoutes = [savings]
