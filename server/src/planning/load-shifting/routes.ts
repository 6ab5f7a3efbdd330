import { limits } from '@gridmast/contract/limits.ts'
import * as contract from '@gridmast/contract/planning/load-shifting.ts'
import { m } from '@gridmast/contract/messages.ts'
import { hourMs, quarterMs, today } from '@gridmast/contract/time.ts'
import { type App, ownRoute, route } from '#context.ts'
import { tariffExists, findTariffs } from '#grid/published/pricing.ts'
import { invalid, notFound, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { getRow, selectRows, updateRows } from '#platform/records/rows.ts'
import {
  getLoad,
  tariffOf,
  type LoadIds,
  type PlanLoad,
  findLoads,
  weeklyWhByCharger,
  typicalNeedKwh,
} from './loads.ts'
import { presentOf, spanOf, readSoc } from './problem.ts'
import { countWaiting, addPlan, countPlans, findPlanRows, lockPlans, planOrder, readPlan } from './queries.ts'
import { newId } from '#platform/records/ids.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import { endFollowing, follow, sendToEdges } from './follow.ts'
import { findEntries, ledgerFile, totalOf, planFile, backtestFile } from './files.ts'
import { readDetail, toHead } from './plan-detail.ts'
import * as backtestContract from '@gridmast/contract/planning/load-backtests.ts'
import {
  addBacktest,
  changeBacktest,
  countBacktests,
  findBacktestRows,
  readBacktest,
  toBacktest,
  toDetail,
} from './backtest-rows.ts'

type LoadRules = Pick<contract.PlanForm, 'kind' | 'needKwh' | 'minKw' | 'maxKw' | 'storage' | 'tariff'> & LoadIds

const checkStorage = (storage: LoadRules['storage']) => {
  if (!storage) throw invalid({ storage: m.storageRequired })
  const { lowestPercent, highestPercent, targetPercent } = storage
  const least = Math.max(lowestPercent, targetPercent ?? 0)
  if (highestPercent !== null && highestPercent < least) throw invalid({ 'storage.highestPercent': m.atLeast(least) })
}

const checkLoad = async (tx: Tx, customerId: string, form: LoadRules, nowMs: number): Promise<PlanLoad> => {
  const load = await getLoad(tx, customerId, form, nowMs)
  const named = [form.instanceId, form.siteId, form.chargerId].filter((one) => one !== undefined)
  if (!load || named.length > 1) throw new Refusal(409, m.loadRequired)
  if (!load.kinds.includes(form.kind)) throw invalid({ kind: m.kindOfLoad })
  if (form.kind !== 'storage' && form.needKwh === undefined) throw invalid({ needKwh: m.needRequired })
  if (form.kind === 'shiftable' && form.minKw > form.maxKw) throw invalid({ minKw: m.atMost(form.maxKw) })
  if (form.kind === 'storage') checkStorage(form.storage)
  if (!load.pricing) throw new Refusal(409, m.priceUnknown)
  const tariff = tariffOf(form.tariff)
  if (tariff && !(await tariffExists(tx, tariff))) throw invalid({ tariff: m.notValid })
  return load
}

const checkTimes = ({ start, deadline }: contract.PlanForm, nowMs: number) => {
  const endMs = Date.parse(deadline)
  if (endMs < nowMs + quarterMs) throw invalid({ deadline: m.deadlinePassed })
  if (endMs > nowMs + (24 * limits.planDays + 1) * hourMs) throw invalid({ deadline: m.deadlineTooFar })
  if (start !== undefined && Date.parse(start) >= endMs) throw invalid({ start: m.startAfterDeadline })
}

const checkNeeds = async (tx: Tx, customerId: string, form: contract.PlanForm) => {
  const named = [...new Set(form.needs?.map(({ chargerId }) => chargerId))]
  if (named.length === 0) return
  const chargers = await selectRows(tx, customerId, 'charger', { charger_id: named }).select('charger_id').execute()
  if (chargers.length < named.length) throw notFound()
}

const nameOf = async (tx: Tx, customerId: string, userId: string): Promise<string> =>
  (await getRow(tx, customerId, 'app_user', { user_id: userId }, ['name'])).name

export const checkSize = (form: contract.PlanForm, load: Pick<PlanLoad, 'chargers'>, nowMs: number) => {
  const { fromMs, toMs } = spanOf(form, nowMs)
  const loads = form.kind === 'session' ? presentOf(form, load).length : 1
  if (loads * Math.ceil((toMs - fromMs) / quarterMs) > limits.plannedQuarters)
    throw invalid({ deadline: m.planTooLarge })
}

const checkPresent = async (app: App, load: PlanLoad, form: contract.PlanForm) => {
  if (form.kind === 'session' && presentOf(form, load).length === 0) throw new Refusal(409, m.noChargers)
  if (form.kind === 'storage' && form.socPercent === undefined && (await readSoc(app, load.signals)) === null)
    throw invalid({ socPercent: m.socUnknown })
}

const find = route(contract.findLoads, async ({ app, own, nowMs }) => {
  const { customerId, loads, tariffs } = await own(async (tx, id) => ({
    customerId: id,
    loads: await findLoads(tx, id, nowMs),
    tariffs: await findTariffs(tx, today(nowMs)),
  }))
  const usedWh = await weeklyWhByCharger(app, customerId)
  const suggested = await Promise.all(
    loads.map(async (load) => ({
      kind: load.kinds[0] ?? 'shiftable',
      maxKw: load.maxKw,
      needKwh: await typicalNeedKwh(app, load, usedWh),
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

const plans = ownRoute(contract.findPlans, async (tx, customerId, { query }) => {
  const filter = { ...query, isAccepted: query.accepted === 'yes' }
  return {
    plans: (await findPlanRows(tx, customerId, filter, planOrder(query, query.first === 'followed'))).map(toHead),
    totalCount: await countPlans(tx, customerId, filter),
  }
})

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
    if ((await countWaiting(tx, customerId)) >= limits.waitingPlans) throw new Refusal(409, m.tooManyPlans)
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

const cancel = ownRoute(contract.cancelPlan, async (tx, customerId, { params }) => {
  const plan = await locked(tx, customerId, params.planId)
  if (plan.state === 'done' || plan.state === 'failed') throw new Refusal(409, m.planFinished)
  await updateRows(tx, customerId, 'load_plan', { plan_id: params.planId }).set({ cancel_asked: true }).execute()
  rowChanged(tx, 'load-plan', params.planId)
})

const accept = route(contract.acceptPlan, async ({ app, own, audit, viewer, nowMs, params, body }) => {
  const sent = await own(async (tx, customerId) => {
    const plan = await locked(tx, customerId, params.planId)
    const name = await nameOf(tx, customerId, viewer.userId)
    const followed = await follow(tx, plan, { name, nowMs, replace: body.replace })
    await audit(tx, 'load-plan.accept', plan.name, {
      after: {
        plan: plan.plan_id,
        until: plan.to_at?.toISOString(),
        ...(followed.ended.length > 0 && { ended: followed.ended }),
      },
    })
    return followed
  })
  await sendToEdges(app, sent)
})

const end = route(contract.endPlan, async ({ app, own, audit, nowMs, params }) => {
  const sent = await own(async (tx, customerId) => {
    const plan = await locked(tx, customerId, params.planId)
    if (plan.accepted_at === null || plan.ended_at !== null) throw new Refusal(409, m.planNotAccepted)
    await audit(tx, 'load-plan.end', plan.name, { before: { plan: plan.plan_id } })
    return endFollowing(tx, customerId, plan.plan_id, 'by-hand', nowMs)
  })
  await sendToEdges(app, sent)
})

const savings = route(contract.planSavings, ({ own, query: { format, ...page } }) =>
  format
    ? Promise.resolve({ file: ledgerFile(own, page) })
    : own(async (tx, customerId) => ({
        savings: (await findEntries(tx, customerId, page)).map(({ asked: _, ...entry }) => entry),
        totalCount: await countPlans(tx, customerId, { isAccepted: true }),
        total: await totalOf(tx, customerId),
      })),
)

const findBacktests = ownRoute(backtestContract.findBacktests, async (tx, customerId, { query }) => ({
  backtests: (await findBacktestRows(tx, customerId, query)).map(toBacktest),
  totalCount: (await countBacktests(tx, customerId, query.loadId)).total,
}))

const makeBacktest = route(backtestContract.makeBacktest, async ({ own, audit, viewer, nowMs, body }) => {
  const backtestId = newId(nowMs)
  await own(async (tx, customerId) => {
    const load = await checkLoad(tx, customerId, body, nowMs)
    if ((await countBacktests(tx, customerId)).open >= limits.openBacktests) throw new Refusal(409, m.tooManyBacktests)
    const { name } = load.target
    const madeByName = await nameOf(tx, customerId, viewer.userId)
    await addBacktest(tx, customerId, { backtestId, name, asked: body, madeByName, nowMs })
    await audit(tx, 'load-backtest.make', name, { after: { backtest: backtestId, ...body } })
  })
  return { _id: backtestId }
})

const getBacktest = ownRoute(backtestContract.getBacktest, async (tx, customerId, { params, query }) => {
  const row = await readBacktest(tx, customerId, params.backtestId)
  if (!row) throw notFound()
  const backtest = toDetail(row)
  return query.format ? { file: backtestFile(backtest) } : { backtest }
})

const cancelBacktest = ownRoute(backtestContract.cancelBacktest, async (tx, customerId, { nowMs, params }) => {
  const row = await readBacktest(tx, customerId, params.backtestId, true)
  if (!row) throw notFound()
  if (row.state === 'queued')
    return void (await changeBacktest(tx, row, { state: 'cancelled', finished_at: new Date(nowMs) }))
  if (row.state !== 'running') throw new Refusal(409, m.backtestFinished)
  await changeBacktest(tx, row, { cancel_asked: true })
  rowChanged(tx, 'load-backtest', params.backtestId)
})

export const loadShifting = [
  find,
  plans,
  make,
  get,
  cancel,
  accept,
  end,
  savings,
  findBacktests,
  makeBacktest,
  getBacktest,
  cancelBacktest,
]
