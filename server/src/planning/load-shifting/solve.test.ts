import * as contract from '@gridmast/contract/planning/load-shifting.ts'
import type { PlanAnswer } from '@gridmast/contract/planning/load-plan-answer.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import { afterAll, expect, test } from 'vitest'
import { nowIso, ofCold, openPlans } from './plans.fixture.ts'
import { addPlan } from './queries.ts'
import { openSolving, type Solve } from './solve.ts'

const plans = await openPlans()
await plans.planning.close()
afterAll(() => plans.close())

const ask = async () => {
  const { body, status } = await plans.app.ask(contract.makePlan, { token: plans.token, body: ofCold })
  expect(status).toBe(200)
  return body.data._id
}
const iso = (afterS: number) => new Date(Date.parse(nowIso) + afterS * 1000).toISOString()
const stateOf = async (planId: string) => (await plans.read(planId)).state

const setPlan = (planId: string, set: { state: string; started_at?: Date; tries?: number }) =>
  plans.app.byHand((tx) => tx.updateTable('load_plan').set(set).where('plan_id', '=', planId).execute())

const timedOut: PlanAnswer = { status: 'timed-out' }
const solveBy = (solve: Solve = async () => timedOut, onSolved: (planId: string) => unknown = () => {}) =>
  openSolving(plans.app, solve, async ({ plan_id }) => void (await onSolved(plan_id)))

test('a plan interrupted by the end of its process stays queued for the next one', async () => {
  const planId = await ask()
  const begun = Promise.withResolvers<void>()
  const settled: string[] = []
  const untilStopped: Solve = (_, signal) => {
    begun.resolve()
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ status: 'cancelled' })))
  }
  const first = solveBy(untilStopped, (id) => settled.push(id))
  await begun.promise
  expect(await stateOf(planId)).toBe('running')
  await first.close()
  expect([await stateOf(planId), settled]).toEqual(['queued', []])
  const next = solveBy(undefined, (id) => settled.push(id))
  await next.idle()
  expect(await plans.read(planId)).toMatchObject({ state: 'done', status: 'timed-out' })
  expect(settled).toEqual([planId])
  await next.close()
})

test('a plan waits for an unavailable store and does not fail', async () => {
  const planId = await ask()
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  let tries = 0
  const solving = solveBy(() => {
    tries++
    return Promise.reject(away)
  })
  await solving.idle()
  expect(await plans.read(planId)).toMatchObject({ state: 'queued' })
  expect(tries).toBeLessThan(10)
  await solving.close()
  const next = solveBy()
  await next.idle()
  expect(await stateOf(planId)).toBe('done')
  await next.close()
})

test('a version that cannot be stored does not delay other plans', async () => {
  const [one, other] = [await ask(), await ask()]
  const failing = solveBy(undefined, () => Promise.reject(new Error('the store is away')))
  await failing.idle()
  expect([await stateOf(one), await stateOf(other)]).toEqual(['done', 'done'])
  await failing.close()
})

test('a plan requested in the last minute of a quarter begins with the next quarter', async () => {
  const begins: string[] = []
  const solving = solveBy(async (problem) => {
    begins.push(new Date(problem.nowMs).toISOString())
    return timedOut
  })
  for (const afterS of [840, 840.001, 899.8, 900]) {
    plans.app.setNow(iso(afterS))
    await ask()
    await solving.idle()
  }
  await solving.close()
  plans.app.setNow(nowIso)
  expect(begins).toEqual([iso(840), iso(900), iso(900), iso(900)])
})

test('customers take turns, and each queued plan states its position', async () => {
  await plans.app.byHand((tx) => tx.deleteFrom('load_plan').execute())
  const first = await ask()
  plans.app.setNow(iso(1))
  const second = await ask()
  const west = newId()
  await plans.app.records.system((tx) =>
    addPlan(tx, idOf('customer', 'west'), {
      planId: west,
      seriesId: west,
      version: 1,
      name: 'West',
      load: {},
      asked: contract.planForm.parse(ofCold),
      madeBy: null,
      madeByName: 'West',
      nowMs: Date.parse(iso(2)),
    }),
  )
  plans.app.setNow(nowIso)
  expect([(await plans.read(first)).place, (await plans.read(second)).place]).toEqual([0, 2])
  const order: string[] = []
  const solving = solveBy(undefined, (id) => order.push(id))
  await solving.idle()
  await solving.close()
  expect(order).toEqual([first, west, second])
})

test('a plan of a dead process is solved by another one and given up at the third death', async () => {
  const [again, given] = [await ask(), await ask()]
  const started_at = new Date(Date.parse(nowIso) - 61_000)
  await setPlan(again, { state: 'running', started_at, tries: 2 })
  await setPlan(given, { state: 'running', started_at, tries: 3 })
  const solving = solveBy()
  await solving.idle()
  await solving.close()
  expect([await stateOf(again), await stateOf(given)]).toEqual(['done', 'failed'])
})
