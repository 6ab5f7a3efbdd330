import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@gridmast/contract/limits.ts'
import type { PlanForm } from '@gridmast/contract/planning/load-shifting.ts'
import { addDays, dayBounds, hourMs, minuteMs, quarterMs, today } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { weekdayProfile } from '#planning/solver/baseline.ts'
import type { Baseline, Plan, PlanProblem, PlanQuarter, RunningPlan } from '#planning/solver/plan.ts'
import type { App } from '#context.ts'
import { isAway } from '#platform/http/errors.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows, updateRows } from '#platform/records/rows.ts'
import { getLoad, type PlanLoad } from './loads.ts'
import { meteredOf, readMeasured } from './measured.ts'
import { findOffers } from './offers.ts'
import { problemOf, spanOf } from './problem.ts'
import { findSold, type Made, readPlan, type WholePlan } from './queries.ts'
import { readQuarters } from './quarters.ts'

/** Solves waiting plans in sequence, customers in turn; a plan is a row, which survives its process and carries a user's stop. */

export type Solve = (problem: PlanProblem, signal: AbortSignal) => Promise<Plan>
type From = Pick<App, 'records' | 'readings' | 'clock' | 'log' | 'bus'>

/** A thread is ended after 14 s, possibly behind one plan of the demo's past: a later one is dead. */
const diedAfterMs = minuteMs
const soonMs = quarterMs

export const readSoc = async (
  { readings, clock }: Pick<App, 'readings' | 'clock'>,
  signals: { soc: number | null } | null,
): Promise<number | null> => {
  if (!signals || signals.soc === null) return null
  const found = (await readings.latest([signals.soc])).get(signals.soc)
  return found && found.tMs > clock.now() - soonMs ? found.value : null
}

const runningOf = async (tx: Tx, plan: WholePlan): Promise<Record<string, RunningPlan> | null> => {
  if (plan.version === 1) return null
  const before = await selectRows(tx, plan.customer_id, 'load_plan', { series_id: plan.series_id })
    .select('plan_id')
    .where('version', '<', plan.version)
    .where('accepted_at', 'is not', null)
    .orderBy('version', 'desc')
    .executeTakeFirst()
  const row = before && (await readPlan(tx, plan.customer_id, before.plan_id))
  if (!row?.problem || !row.plan || !('plan' in row.plan)) return null
  const fromMs = row.problem.problem.quarters[0]?.atMs ?? 0
  return Object.fromEntries(row.plan.plan.loads.map(({ loadId, wh }) => [loadId, { fromMs, wh }]))
}

const profileDays = 28

const baselineOf = async (
  app: From,
  customerId: string,
  { baseline }: PlanForm,
  load: PlanLoad,
  quarters: readonly PlanQuarter[],
): Promise<Baseline> => {
  if (baseline === 'immediate') return { method: 'immediate' }
  const nowMs = app.clock.now()
  const fromMs = dayBounds(addDays(today(nowMs), -profileDays)).fromMs
  const isInstance = load.target.kind === 'instance'
  const chargerIds = load.chargers.map(({ chargerId }) => chargerId)
  const metered = await meteredOf(app, customerId, isInstance ? load.target._id : null, chargerIds)
  const count = Math.floor((nowMs - fromMs) / quarterMs)
  const measured = await readMeasured(app, customerId, metered, { fromMs, count, nowMs })
  const profiles = measured.map(({ loadId, wh }) => {
    const known = wh.flatMap((one, i) => (one === null ? [] : [{ atMs: fromMs + i * quarterMs, wh: one }]))
    return [loadId, weekdayProfile(known, quarters, nowMs)]
  })
  return { method: 'weekday-profile', wh: Object.fromEntries(profiles) }
}

/** A storage cannot be planned without its state of charge: assuming empty would be a guess. */
export class SocUnknown extends Error {
  constructor() {
    super('its state of charge is not known')
  }
}

const laterMs = 48 * hourMs

const shortestRestMs = minuteMs

/** Without a followed plan that must continue without a gap, a plan may begin with the next quarter. */
const beginOf = (nowMs: number): number => {
  const nextMs = Math.ceil(nowMs / quarterMs) * quarterMs
  return nextMs - nowMs < shortestRestMs ? nextMs : nowMs
}

export const prepare = async (app: From, plan: WholePlan): Promise<Made> => {
  const { customer_id: customerId, asked } = plan
  const { load, running } = await app.records.tenant(customerId, async (tx) => ({
    load: await getLoad(tx, customerId, asked, app.clock.now()),
    running: await runningOf(tx, plan),
  }))
  const nowMs = running || plan.accepted_at ? app.clock.now() : beginOf(app.clock.now())
  if (!load?.pricing) throw new Error('nobody says what it pays')
  const [gln, code] = asked.tariff?.split(':') ?? []
  const pricing = gln && code ? { ...load.pricing, tariff: { gln, code } } : load.pricing
  const { toMs } = spanOf(asked, nowMs)
  const latestMs = nowMs + 24 * limits.planDays * hourMs
  // Beyond a firm deadline too: where there is no plan, a later feasible deadline is searched.
  const longMs = asked.isFirm ? Math.max(toMs, Math.min(toMs + laterMs, latestMs)) : toMs
  const of = { pricing, area: load.area, otherKw: asked.otherKw, nowMs }
  const until = (endMs: number) => readQuarters(app, customerId, of, { fromMs: nowMs, toMs: endMs })
  const read = (await until(longMs)) ?? (longMs > toMs ? await until(toMs) : null)
  if (!read) throw new Error('no price of its area is known')
  const sold =
    load.target.kind === 'instance' && load.target._id !== null
      ? await app.records.tenant(customerId, async (tx) => {
          const of = [customerId, load.target._id ?? '', nowMs, longMs] as const
          return [...(await findSold(tx, ...of)), ...(await findOffers(tx, ...of))]
        })
      : []
  const socPercent = asked.socPercent ?? (await readSoc(app, load.signals))
  if (asked.kind === 'storage' && socPercent === null) throw new SocUnknown()
  const planned = read.quarters.filter(({ atMs }) => atMs < toMs)
  const baseline = await baselineOf(app, customerId, asked, load, planned)
  const known = { nowMs, quarters: read.quarters, sold, socPercent, running, baseline }
  return { problem: problemOf(asked, load, known), sources: read.sources }
}

/** A plan is not retried after `mostTries` crashes. */
const mostTries = 3

const takeNext = async ({ records, clock }: From) => {
  const now = new Date(clock.now())
  const died = new Date(clock.now() - diedAfterMs)
  return records.system(async (tx) => {
    await tx
      .updateTable('load_plan')
      .set({ state: 'failed', finished_at: now })
      .where('state', '=', 'running')
      .where('started_at', '<', died)
      .where('tries', '>=', mostTries)
      .execute()
    const { rows } = await sql<{ customer_id: string; plan_id: string }>`
      select p.customer_id, p.plan_id from load_plan p
      where p.state = 'queued' or (p.state = 'running' and p.started_at < ${died})
      order by (select max(s.started_at) from load_plan s where s.customer_id = p.customer_id) nulls first, p.made_at, p.plan_id
      limit 1 for update of p skip locked`.execute(tx)
    const [next] = rows
    if (!next) return undefined
    await updateRows(tx, next.customer_id, 'load_plan', { plan_id: next.plan_id })
      .set(({ eb }) => ({ state: 'running', started_at: now, tries: eb('tries', '+', 1) }))
      .execute()
    return readPlan(tx, next.customer_id, next.plan_id)
  })
}

const close = (
  { records, clock }: From,
  plan: WholePlan,
  state: 'done' | 'failed',
  made: Made | null,
  answer: Plan | null,
) => {
  const quarters = made?.problem.quarters ?? []
  const first = quarters[0]?.atMs
  return records.system((tx) =>
    updateRows(tx, plan.customer_id, 'load_plan', { plan_id: plan.plan_id, state: 'running' })
      .set({
        state,
        finished_at: new Date(clock.now()),
        problem: made && JSON.stringify({ ...made, problem: { ...made.problem, later: undefined } }),
        plan: answer && JSON.stringify(answer),
        ...(first === undefined
          ? {}
          : { from_at: new Date(first), to_at: new Date(first + quarters.length * quarterMs) }),
      })
      .execute(),
  )
}

const closing = 'closing'

const putBack = ({ records }: From, plan: WholePlan) =>
  records.system(async (tx) => {
    await updateRows(tx, plan.customer_id, 'load_plan', { plan_id: plan.plan_id, state: 'running' })
      .set(({ eb }) => ({ state: 'queued', started_at: null, tries: eb('tries', '-', 1) }))
      .execute()
    rowChanged(tx, 'load-plan', plan.plan_id)
  })

const solveOne = async (app: From, plan: WholePlan, solve: Solve, signal: AbortSignal): Promise<boolean> => {
  let made: Made | null = null
  try {
    made = plan.cancel_asked ? null : await prepare(app, plan)
    const answer: Plan = made ? await solve(made.problem, signal) : { status: 'cancelled' }
    if (made && answer.status === 'cancelled' && signal.reason === closing) {
      await putBack(app, plan)
      return false
    }
    await close(app, plan, 'done', made, answer)
  } catch (error) {
    if (isAway(error)) {
      await putBack(app, plan)
      throw error
    }
    app.log.warn({ err: error, plan: plan.plan_id }, 'a plan was not solved')
    await close(app, plan, 'failed', made, null)
  }
  return true
}

const restMs = 30_000

export const openSolving = (app: From, solve: Solve, solved: (plan: WholePlan) => Promise<void>) => {
  const underWay = new Map<string, AbortController>()
  let isClosed = false
  let running: Promise<void> | null = null
  /** By `performance.now()`: the notification of a plan that is put back must not start the next try. */
  let restsUntilMs = 0
  const work = async () => {
    while (!isClosed) {
      const plan = await takeNext(app)
      if (!plan) return
      const controller = new AbortController()
      underWay.set(plan.plan_id, controller)
      if (isClosed) controller.abort(closing)
      const isSolved = await solveOne(app, plan, solve, controller.signal).finally(() => underWay.delete(plan.plan_id))
      if (!isSolved) return
      await solved(plan).catch((error: unknown) =>
        app.log.error({ err: error, plan: plan.plan_id }, 'a plan that was made again was not settled'),
      )
    }
  }
  const kick = () => {
    if (isClosed) return
    running = (running ?? Promise.resolve()).then(work).catch((error: unknown) => {
      if (isAway(error)) restsUntilMs = performance.now() + restMs
      app.log[isAway(error) ? 'warn' : 'error']({ err: error }, 'plans were not solved')
    })
  }
  const look = async (planId: string) => {
    const controller = underWay.get(planId)
    if (!controller) return performance.now() < restsUntilMs ? undefined : kick()
    const row = await app.records.system((tx) =>
      tx.selectFrom('load_plan').select('cancel_asked').where('plan_id', '=', planId).executeTakeFirst(),
    )
    if (row?.cancel_asked) controller.abort()
  }
  const timer = setInterval(kick, minuteMs).unref()
  const stop = app.bus.listen('load-plan', (told) => {
    const planId = z.uuid().safeParse(told)
    if (planId.success) void look(planId.data).catch(() => {})
  })
  kick()
  return {
    idle: async () => {
      kick()
      while (running) {
        const now = running
        await now
        if (running === now) return
        await pause(0)
      }
    },
    close: async () => {
      isClosed = true
      clearInterval(timer)
      stop()
      for (const controller of underWay.values()) controller.abort(closing)
      await running
    },
  }
}
