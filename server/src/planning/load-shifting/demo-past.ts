import { planForm } from '@gridmast/contract/planning/load-shifting.ts'
import { addDays, dayBounds, hourMs, localDateOf, type Span, today } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import type { Planner } from '#planning/solver/planner.ts'
import { idOf } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { follow } from './follow.ts'
import { addPlan, lockPlans, readPlan } from './queries.ts'
import { solveOne } from './solve.ts'

/** A demo's plan of yesterday, by today's rules with yesterday's clock and readings, once the day's telemetry and prices are complete. */

type PastApp = Pick<App, 'records' | 'readings' | 'clock' | 'config' | 'log' | 'bus'>

const spanOf = (nowMs: number) => dayBounds(addDays(today(nowMs), -1))

const findBatteries = async (tx: Tx, { toMs }: Span, madeBefore: (instanceId: string) => string) => {
  const rows = await tx
    .selectFrom('instance as i')
    .innerJoin('customer as c', 'c.customer_id', 'i.customer_id')
    .innerJoin('signal as s', (join) =>
      join.onRef('s.customer_id', '=', 'i.customer_id').onRef('s.instance_id', '=', 'i.instance_id'),
    )
    .innerJoin('app_user as u', 'u.customer_id', 'i.customer_id')
    .innerJoin('licence as l', 'l.customer_id', 'i.customer_id')
    .select(['i.customer_id', 'i.instance_id', 'i.name', 'i.flexible_kw', 's.no', 'u.user_id', 'u.name as by'])
    .where('c.demo', '=', true)
    .where('i.kind', '=', 'battery')
    .where('i.enabled', '=', true)
    .where('s.kind', '=', 'soc')
    .where('u.role', '=', 'expert')
    .where('l.type', '=', 'loadShifting')
    .where('l.enabled', '=', true)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('market_price as m')
          .select('m.market')
          .where('m.market', '=', 'day-ahead')
          .whereRef('m.area', '=', 'i.area')
          .where('m.product', '=', '')
          .where('m.auction', '=', '')
          .where('m.starts_at', '=', new Date(toMs - hourMs)),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('load_plan as p')
            .select('p.plan_id')
            .whereRef('p.customer_id', '=', 'i.customer_id')
            .whereRef('p.instance_id', '=', 'i.instance_id')
            .where('p.accepted_at', 'is not', null)
            .where('p.ended_at', 'is', null),
        ),
      ),
    )
    .execute()
  if (rows.length === 0) return []
  const made = await tx
    .selectFrom('load_plan')
    .select('plan_id')
    .where(
      'plan_id',
      'in',
      rows.map(({ instance_id }) => madeBefore(instance_id)),
    )
    .execute()
  return rows.filter(({ instance_id }) => !made.some(({ plan_id }) => plan_id === madeBefore(instance_id)))
}

export const makePast = async (app: PastApp, plan: Planner['plan'], timeLimitS: number): Promise<number> => {
  const span = spanOf(app.clock.now())
  // The id depends on the instance only: one plan on the demo's first day, not one each day.
  const idFor = (instanceId: string) => idOf('demo plan', instanceId)
  const batteries = await app.records.system((tx) => findBatteries(tx, span, idFor))
  let count = 0
  for (const battery of batteries) {
    const { customer_id: customerId, instance_id: instanceId, no, flexible_kw } = battery
    const edgesMs = [span.fromMs, span.fromMs + hourMs, span.toMs - hourMs, span.toMs]
    const [first, , last] = await app.readings.buckets({ signalNo: no, edgesMs })
    if (!first?.count || !last?.count) continue
    const maxKw = Number(flexible_kw)
    const asked = planForm.parse({
      instanceId,
      kind: 'storage',
      maxKw,
      socPercent: Math.round(first.sum / first.count),
      storage: { capacityKwh: 2.4 * maxKw, dischargeKw: maxKw, efficiencyPercent: 90, lowestPercent: 20 },
      deadline: new Date(span.toMs).toISOString(),
    })
    const then = { ...app, clock: { now: () => span.fromMs } }
    const planId = idFor(instanceId)
    await app.records.tenant(customerId, async (tx) => {
      await addPlan(tx, customerId, {
        planId,
        seriesId: planId,
        version: 1,
        load: { instanceId },
        name: battery.name,
        asked,
        madeBy: battery.user_id,
        madeByName: battery.by,
        nowMs: span.fromMs,
      })
      await tx.updateTable('load_plan').set({ state: 'running' }).where('plan_id', '=', planId).execute()
    })
    const row = await app.records.system((tx) => readPlan(tx, customerId, planId))
    if (!row) continue
    await solveOne(then, row, (problem, signal) => plan(problem, { timeLimitS, signal }), new AbortController().signal)
    await app.records.tenant(customerId, async (tx) => {
      await lockPlans(tx, customerId)
      const solved = await readPlan(tx, customerId, planId, true)
      if (solved?.plan && 'plan' in solved.plan)
        await follow(tx, solved, { name: battery.by, nowMs: span.fromMs, replace: true })
    })
    count++
  }
  if (count > 0) app.log.info({ plans: count, day: localDateOf(span.fromMs) }, "demo: yesterday's load plan created")
  return count
}
