import * as contract from '@gridmast/contract/planning/load-shifting.ts'
import { quarterMs } from '@gridmast/contract/time.ts'
import { startPlanner } from '#planning/solver/planner.ts'
import { newId } from '#platform/records/ids.ts'
import { getRow } from '#platform/records/rows.ts'
import { afterAll, afterEach, expect, test } from 'vitest'
import { checkFollowedPlans, adoptReplan } from './replanning.ts'
import { chargerOf, nowIso, ofCold, ofSite, openPlans, putDay, taken } from './plans.fixture.ts'
import { addPlan, readPlan } from './queries.ts'
import { closePlans } from './savings.ts'
import { openSolving } from './solve.ts'
import { readProblem, SocUnknown } from './problem.ts'
import { changeRows, storedRows } from '#testing/rows.ts'

const plans = await openPlans()
afterEach(async () => {
  plans.app.setNow(nowIso)
  await plans.app.byHand(async (tx) => {
    await tx.deleteFrom('load_plan').execute()
    await tx.updateTable('charger').set({ online: true }).execute()
  })
  for (const day of ['2026-11-20', '2026-11-21']) await putDay(plans.app, day)
})
afterAll(() => plans.close())

const powerNo = async () => {
  const key = { instance_id: ofCold.instanceId ?? '', kind: 'power' }
  const { no } = await plans.app.records.system((tx) => getRow(tx, plans.customer_id, 'signal', key, ['no']))
  return no
}

const measure = async (quarters: readonly { fromMs: number; kwh: number }[]) => {
  const signalNo = await powerNo()
  const values = quarters.map(({ kwh }) => kwh * 4)
  await plans.app.readings.insert([{ signalNo, t0Ms: quarters[0]?.fromMs ?? 0, dtMs: quarterMs, values }])
}

const versionsOf = async (planId: string) =>
  (await plans.read(planId)).versions.map(({ version, reason, accepted: by, ended }) => [
    version,
    reason,
    by?.by ?? null,
    ended?.reason ?? null,
  ])

test('a finished plan is ended, and its saving is the measured energy against its baseline', async () => {
  const plan = await plans.accepted(ofCold)
  const done = taken(plan)
  const first = done.findIndex(({ kwh }) => kwh >= 10)
  await measure(done.map(({ fromMs, kwh }, q) => ({ fromMs, kwh: q === first ? kwh - 10 : kwh })))
  plans.app.setNow('2026-11-21T07:15:00Z')
  await closePlans(plans.app)
  const { ended, saving, measuredWh } = await plans.read(plan._id)
  expect(ended?.reason).toBe('over')
  expect(measuredWh.reduce<number>((sum, wh) => sum + (wh ?? 0), 0)).toBeCloseTo(90_000, -1)
  expect(saving).toMatchObject({ coverage: 1, isScaled: true })
  expect(saving?.measuredKwh).toBeCloseTo(90, 1)
  // The baseline of 100 kWh at 1.5 DKK is scaled to 90; 90 kWh were used at 0.2.
  expect(saving?.baselineKwh).toBeCloseTo(90, 1)
  expect(Number(saving?.savedDkk)).toBeCloseTo(90 * 1.3, 0)
  const { bills, quarters = [] } = saving ?? {}
  expect(Number(bills?.baseline.total) - Number(bills?.measured.total)).toBeCloseTo(Number(saving?.savedDkk), 2)
  expect(quarters.reduce((sum, one) => sum + one.measured.wh, 0)).toBeCloseTo(90_000, -1)
  const saved = quarters.map(({ baseline, measured: own }) => Number(baseline.dkk) - Number(own.dkk))
  expect(saved.reduce((sum, dkk) => sum + dkk, 0)).toBeCloseTo(Number(saving?.savedDkk), 1)
  const token = await plans.signIn()
  const { body } = await plans.app.ask(contract.planSavings, { token })
  expect(body.data.total).toMatchObject({ plans: 1, savedDkk: saving?.savedDkk })
  expect(body.data.savings[0]?.saving).toMatchObject({ savedDkk: saving?.savedDkk, bills })
  expect(body.data.savings[0]?.saving).not.toHaveProperty('quarters')
  const { text } = await plans.app.ask(contract.planSavings, { token, query: { format: 'csv' } })
  const [head = '', line = ''] = text.trim().split('\r\n')
  const cellsOf = (row: string) => [...row.matchAll(/(?:^|,)("[^"]*"|[^,]*)/g)].map(([, cell]) => cell)
  const cell = (header: string) => cellsOf(line)[cellsOf(head).indexOf(header)]
  expect([cell('Measured saving (DKK)'), cell('Measured: Total (DKK)'), cell('State')]).toEqual([
    String(Number(saving?.savedDkk)),
    String(Number(bills?.measured.total)),
    'Over',
  ])
  const rows = await storedRows(plans.app.records, 'instance_schedule')
  expect(rows).toEqual([])
})

test('energy before acceptance or after the end of a plan does not count for its saving', async () => {
  const plan = await plans.make(ofCold)
  const done = taken(plan)
  await measure(done.map(({ fromMs }) => ({ fromMs, kwh: 2 })))
  plans.app.setNow('2026-11-20T17:20:00Z')
  const params = { planId: plan._id }
  const sent = async () => ({ token: await plans.signIn(), params })
  expect((await plans.app.ask(contract.acceptPlan, { ...(await sent()), body: {} })).status).toBe(200)
  plans.app.setNow('2026-11-20T18:40:00Z')
  expect((await plans.app.ask(contract.endPlan, await sent())).status).toBe(200)
  plans.app.setNow('2026-11-21T07:15:00Z')
  await closePlans(plans.app)
  expect((await plans.read(plan._id)).saving).toMatchObject({ coverage: 1, measuredKwh: 8 })
})

test('a bid released by a plan and not held is lost to it, also to a baseline that would not have held it', async () => {
  const plan = await plans.accepted(ofCold)
  await measure(taken(plan))
  const slot = (hour: string, kw: number) => ({
    id: `offer ${hour}`,
    market: 'FCR-D-DEC',
    loadIds: [ofCold.instanceId],
    upKw: 0,
    downKw: kw,
    upKwh: 0,
    downKwh: 0,
    fromMs: Date.parse(hour),
    toMs: Date.parse(hour) + 4 * quarterMs,
    leaving: { lostDkk: '7', penaltyDkk: '0' },
  })
  const slots = [slot('2026-11-20T18:00:00Z', 50), slot('2026-11-21T01:00:00Z', 50)]
  await plans.app.byHand(async (tx) => {
    const { plan: answer, problem } = (await readPlan(tx, plans.customer_id, plan._id)) ?? {}
    if (!answer || !('plan' in answer) || !problem) throw new Error('no plan')
    const left = slots.slice(1).map(({ id, market }) => ({ soldId: id, market, lostDkk: '7', penaltyDkk: '0' }))
    await tx
      .updateTable('load_plan')
      .set({
        plan: JSON.stringify({ ...answer, left }),
        problem: JSON.stringify({ ...problem, problem: { ...problem.problem, sold: slots } }),
      })
      .execute()
  })
  plans.app.setNow('2026-11-21T07:15:00Z')
  await closePlans(plans.app)
  const { saving } = await plans.read(plan._id)
  expect([saving?.bills?.measured.reserve, saving?.bills?.baseline.reserve]).toEqual(['7', '7'])
  expect(Number(saving?.savedDkk)).toBeCloseTo(100 * 1.3, 0)
})

test('large price changes create a next version that takes over, small ones do not', async () => {
  const plan = await plans.accepted({ ...ofSite, deadline: '2026-11-21T10:00:00Z' })
  await putDay(plans.app, '2026-11-21', (index) => (index < 24 ? 220 : 800))
  await plans.checkFollowed()
  expect(await versionsOf(plan._id)).toEqual([[1, null, 'Sudo', null]])
  await putDay(plans.app, '2026-11-21', (index) => (index < 24 ? 2000 : index < 44 ? 100 : 800))
  await plans.checkFollowed()
  expect(await versionsOf(plan._id)).toEqual([
    [2, 'prices', 'Gridmast', null],
    [1, null, 'Sudo', 'replanned'],
  ])
  const { versions } = await plans.read(plan._id)
  const [newest, first] = [await plans.read(versions[0]?._id ?? ''), await plans.read(plan._id)]
  const morning = taken(newest).filter(({ fromMs }) => fromMs >= Date.parse('2026-11-21T05:00:00Z'))
  expect(morning.reduce((sum, { kwh }) => sum + kwh, 0)).toBeCloseTo(60, 1)
  const rows = await storedRows(plans.app.records, 'charger_schedule', {}, ['plan_id', 'watts'])
  expect(new Set(rows.filter(({ watts }) => watts.length > 0).map(({ plan_id }) => plan_id))).toEqual(
    new Set([newest._id]),
  )
  const adopted = { action: 'load-plan.again', who: 'Gridmast' }
  expect((await plans.app.trail('load-plan.%')).at(-1)).toMatchObject(adopted)
  const { body } = await plans.app.ask(contract.planSavings, { token: plans.token })
  expect(body.data.savings).toMatchObject([{ plan: { version: 2, from: first.from }, promisedDkk: first.savedDkk }])
  expect(newest.savedDkk).not.toBe(first.savedDkk)
  await plans.checkFollowed()
  expect(await versionsOf(plan._id)).toHaveLength(2)
  const row = await plans.app.records.system((tx) => readPlan(tx, plans.customer_id, newest._id))
  if (!row) throw new Error('no plan')
  await adoptReplan(plans.app, row)
  expect(await versionsOf(plan._id)).toHaveLength(2)
})

test('a reason is evaluated once, and a later change creates a new one', async () => {
  const plan = await plans.accepted(ofSite)
  await putDay(plans.app, '2026-11-20', () => 1600)
  await plans.checkFollowed()
  expect(await versionsOf(plan._id)).toHaveLength(1)
  await plans.planning.close()
  plans.app.setNow('2026-11-20T17:46:00Z')
  await checkFollowedPlans(plans.app)
  expect(await versionsOf(plan._id)).toHaveLength(1)
  await putDay(plans.app, '2026-11-21', (index) => (index < 24 ? 2000 : 100))
  await checkFollowedPlans(plans.app)
  expect(await versionsOf(plan._id)).toHaveLength(2)
  await plans.reopen()
  expect((await versionsOf(plan._id))[0]).toEqual([2, 'prices', 'Gridmast', null])
})

test('an offline charger in the middle of a plan is removed from the next version, with a notice', async () => {
  const plan = await plans.accepted(ofSite)
  plans.app.setNow('2026-11-20T18:00:00Z')
  await putDay(plans.app, '2026-11-21', (index) => (index < 24 ? 300 : 900))
  await plans.app.byHand((tx) => tx.updateTable('charger').set({ online: false }).where('identity', '=', 'b').execute())
  await plans.checkFollowed()
  const [newest, first] = (await plans.read(plan._id)).versions
  expect([newest?.reason, first?.ended?.reason]).toEqual(['charger', 'replanned'])
  const { answer } = await plans.read(newest?._id ?? '')
  if (!answer || !('plan' in answer)) throw new Error('no plan')
  expect(answer.plan.loads.map(({ loadId }) => loadId)).toEqual([chargerOf('a')])
  expect((answer.plan.loads[0]?.wh ?? []).reduce((sum, wh) => sum + wh, 0)).toBeCloseTo(30_000, -2)
})

test('a next version that could not be stored takes over a minute later', async () => {
  const plan = await plans.accepted(ofSite)
  await plans.planning.close()
  await putDay(plans.app, '2026-11-21', (index) => (index < 24 ? 2000 : index < 44 ? 100 : 800))
  await checkFollowedPlans(plans.app)
  const planner = startPlanner()
  const solving = openSolving(
    plans.app,
    (problem, signal) => planner.plan(problem, { timeLimitS: 8, signal }),
    () => Promise.reject(new Error('the store is away')),
  )
  await solving.idle()
  await solving.close()
  await planner.close()
  expect((await versionsOf(plan._id))[0]).toEqual([2, 'prices', null, null])
  await checkFollowedPlans(plans.app)
  expect((await versionsOf(plan._id))[0]).toEqual([2, 'prices', 'Gridmast', null])
  await plans.reopen()
})

test('a series is listed by its followed version, not by a failed next one', async () => {
  const plan = await plans.accepted(ofCold)
  await plans.planning.close()
  const next = newId()
  await plans.app.records.system(async (tx) => {
    await addPlan(tx, plans.customer_id, {
      planId: next,
      seriesId: plan._id,
      version: 2,
      name: 'Cold',
      load: {},
      asked: plan.asked,
      reason: 'prices',
      madeBy: null,
      madeByName: 'Gridmast',
      nowMs: Date.parse(nowIso) + 1000,
    })
    await tx.updateTable('load_plan').set({ state: 'failed' }).where('plan_id', '=', next).execute()
  })
  const { body } = await plans.app.ask(contract.findPlans, { token: plans.token })
  expect(body.data.plans.map(({ _id }) => _id)).toEqual([plan._id])
  expect(body.data.totalCount).toBe(1)
  await plans.reopen()
})

test('measured deviation from the plan creates a next version', async () => {
  const plan = await plans.accepted(ofCold)
  await measure([0, 1, 2, 3].map((q) => ({ fromMs: Date.parse(nowIso) + q * quarterMs, kwh: 10 })))
  plans.app.setNow('2026-11-20T18:01:00Z')
  await plans.checkFollowed()
  const { versions } = await plans.read(plan._id)
  expect(versions.map(({ reason }) => reason)).toContain('readings')
  const newest = await plans.read(versions[0]?._id ?? '')
  expect(taken(newest).reduce((sum, { kwh }) => sum + kwh, 0)).toBeCloseTo(60, 0)
})

test('a storage with unknown state of charge is not planned as empty, and its followed plan waits', async () => {
  const asKind = (kind: 'battery' | 'load') =>
    changeRows({ system: plans.app.byHand }, 'instance', { instance_id: ofCold.instanceId ?? '' }, { kind })
  await asKind('battery')
  const plan = await plans.accepted({
    instanceId: ofCold.instanceId,
    kind: 'storage',
    maxKw: 50,
    socPercent: 50,
    deadline: ofCold.deadline,
    storage: { capacityKwh: 100, dischargeKw: 50 },
  })
  const row = await plans.app.records.system((tx) => readPlan(tx, plans.customer_id, plan._id))
  if (!row) throw new Error('no plan')
  const { socPercent: _, ...asked } = row.asked
  await expect(readProblem(plans.app, { ...row, asked })).rejects.toThrow(SocUnknown)
  await putDay(plans.app, '2026-11-21', (index) => (index < 24 ? 2000 : 100))
  await plans.checkFollowed()
  expect(await versionsOf(plan._id)).toHaveLength(1)
  await asKind('load')
})

test('a queued plan is stopped before it begins and states it', async () => {
  await plans.planning.close()
  const { body } = await plans.app.ask(contract.makePlan, { token: plans.token, body: ofCold })
  const waiting = await plans.read(body.data._id)
  expect(waiting).toMatchObject({ state: 'queued', place: 0 })
  const params = { planId: body.data._id }
  expect((await plans.app.ask(contract.cancelPlan, { token: plans.token, params })).status).toBe(200)
  await plans.reopen()
  expect((await plans.read(body.data._id)).answer).toEqual({ status: 'cancelled' })
  expect((await plans.app.ask(contract.cancelPlan, { token: plans.token, params })).status).toBe(409)
})
