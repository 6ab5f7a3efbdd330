import * as contract from '@gridmast/contract/planning/load-shifting.ts'
import { m } from '@gridmast/contract/messages.ts'
import { today } from '@gridmast/contract/time.ts'
import { route } from '#context.ts'
import { findTariffs } from '#grid/published/pricing.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import { updateRows } from '#platform/records/rows.ts'
import { checkLoad, checkNeeds, checkPresent, checkRoom, checkSize, checkTimes, nameOf } from './check.ts'
import { backtestRoutes } from './backtest-routes.ts'
import { endFollowing, follow, sendToEdges } from './follow.ts'
import { ledgerRoutes } from './ledger.ts'
import { findLoads } from './loads.ts'
import { planFile } from './plan-file.ts'
import { addPlan, countPlans, findPlanRows, lockPlans, planOrder, readPlan } from './queries.ts'
import { readSoc } from './solve.ts'
import { readDetail, toHead } from './to-plan.ts'
import { chargersWeekWh, weekKwh } from './usual.ts'

const find = route(contract.findLoads, async ({ app, own, nowMs }) => {
  const { customerId, loads, tariffs } = await own(async (tx, id) => ({
    customerId: id,
    loads: await findLoads(tx, id, nowMs),
    tariffs: await findTariffs(tx, today(nowMs)),
  }))
  const usedWh = await chargersWeekWh(app, customerId)
  const suggested = await Promise.all(
    loads.map(async (load) => ({
      kind: load.kinds[0] ?? 'shiftable',
      maxKw: load.maxKw,
      needKwh: await weekKwh(app, load, usedWh),
      socPercent: await readSoc(app, load.signals),
    })),
  )
  return {
    loads: loads.map(({ target, area, chargers, simulated }, i) => ({
      target,
      area,
      simulated,
      suggested: suggested[i] ?? { kind: 'shiftable' as const, maxKw: 0, needKwh: null, socPercent: null },
      chargers: chargers.map(({ chargerId, name, online, maxKw }) => ({ _id: chargerId, name, online, maxKw })),
    })),
    tariffs: tariffs.map(({ gln, code, owner, name }) => ({ _id: `${gln}:${code}`, owner, code, name })),
  }
})

const plans = route(contract.findPlans, ({ own, query }) =>
  own(async (tx, customerId) => {
    const filter = { ...query, isAccepted: query.accepted === 'yes' }
    return {
      plans: (await findPlanRows(tx, customerId, filter, planOrder(query, query.first === 'followed'))).map(toHead),
      totalCount: await countPlans(tx, customerId, filter),
    }
  }),
)

const make = route(contract.makePlan, async ({ app, own, audit, viewer, nowMs, body }) => {
  const planId = newId(nowMs)
  const load = await own(async (tx, customerId) => {
    await checkNeeds(tx, customerId, body)
    return checkLoad(tx, customerId, body, nowMs)
  })
  checkTimes(body, nowMs)
  checkSize(body, load, nowMs)
  await checkPresent(app, load, body)
  await own(async (tx, customerId) => {
    await lockPlans(tx, customerId)
    await checkRoom(tx, customerId)
    await addPlan(tx, customerId, {
      planId,
      seriesId: planId,
      version: 1,
      load: body,
      name: load.target.name,
      asked: body,
      nowMs,
      madeBy: viewer.userId,
      madeByName: await nameOf(tx, customerId, viewer.userId),
    })
    await audit(tx, 'load-plan.make', load.target.name, { after: { plan: planId, ...body } })
  })
  return { _id: planId }
})

const get = route(contract.getPlan, async ({ app, own, params, query }) => {
  const plan = await readDetail(app, own, params.planId)
  return query.format ? { file: planFile(plan) } : { plan }
})

const locked = async (tx: Tx, customerId: string, planId: string) => {
  await lockPlans(tx, customerId)
  const plan = await readPlan(tx, customerId, planId, true)
  if (!plan) throw notFound()
  return plan
}

const cancel = route(contract.cancelPlan, async ({ own, params }) => {
  await own(async (tx, customerId) => {
    const plan = await locked(tx, customerId, params.planId)
    if (plan.state === 'done' || plan.state === 'failed') throw new Refusal(409, m.planFinished)
    await updateRows(tx, customerId, 'load_plan', { plan_id: params.planId }).set({ cancel_asked: true }).execute()
    rowChanged(tx, 'load-plan', params.planId)
  })
})

const accept = route(contract.acceptPlan, async ({ app, own, audit, viewer, nowMs, params, body }) => {
  const told = await own(async (tx, customerId) => {
    const plan = await locked(tx, customerId, params.planId)
    const name = await nameOf(tx, customerId, viewer.userId)
    const sent = await follow(tx, plan, { name, nowMs, replace: body.replace })
    await audit(tx, 'load-plan.accept', plan.name, {
      after: {
        plan: plan.plan_id,
        until: plan.to_at?.toISOString(),
        ...(sent.ended.length > 0 && { ended: sent.ended }),
      },
    })
    return sent
  })
  await sendToEdges(app, told)
})

const end = route(contract.endPlan, async ({ app, own, audit, nowMs, params }) => {
  const told = await own(async (tx, customerId) => {
    const plan = await locked(tx, customerId, params.planId)
    if (plan.accepted_at === null || plan.ended_at !== null) throw new Refusal(409, m.planNotAccepted)
    await audit(tx, 'load-plan.end', plan.name, { before: { plan: plan.plan_id } })
    return endFollowing(tx, customerId, plan.plan_id, 'by-hand', nowMs)
  })
  await sendToEdges(app, told)
})

export const loadShifting = [find, plans, make, get, cancel, accept, end, ...ledgerRoutes, ...backtestRoutes]
