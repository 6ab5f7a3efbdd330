import { dayBounds, quarterMs } from '@gridmast/contract/time.ts'
import { startPlanner } from '#planning/solver/planner.ts'
import { idOf } from '#platform/records/ids.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePast } from './demo-past.ts'
import { ofCold, openPlans, putDay } from './plans.fixture.ts'

const day = '2026-11-22'
const planner = startPlanner({ threads: 1 })
let plans: Awaited<ReturnType<typeof openPlans>>
beforeAll(async () => {
  plans = await openPlans()
  await plans.app.byHand(async (tx) => {
    await tx.updateTable('customer').set({ demo: true }).where('customer_id', '=', plans.customer_id).execute()
    await tx
      .updateTable('instance')
      .set({ kind: 'battery' })
      .where('instance_id', '=', ofCold.instanceId ?? '')
      .execute()
  })
})
afterAll(async () => {
  await planner.close()
  await plans.close()
})

const make = () => makePast(plans.app, planner.plan, 1.8)

const measure = async (firstQuarter: number, endQuarter: number) => {
  const signals = await plans.app.records.system((tx) =>
    tx
      .selectFrom('signal')
      .select(['no', 'kind'])
      .where('instance_id', '=', ofCold.instanceId ?? '')
      .where('kind', 'in', ['soc', 'power'])
      .execute(),
  )
  const values = Array.from({ length: endQuarter - firstQuarter }, () => 40)
  const t0Ms = dayBounds(day).fromMs + firstQuarter * quarterMs
  await plans.app.readings.insert(signals.map(({ no }) => ({ signalNo: no, t0Ms, dtMs: quarterMs, values })))
}

test('the plan of yesterday waits for its telemetry and its prices, and is followed with its measured curve', async () => {
  plans.app.setNow('2026-11-23T09:00:00Z')
  await measure(48, 96)
  expect(await make()).toBe(0)
  await measure(0, 48)
  expect(await make()).toBe(0)
  await putDay(plans.app, day)
  expect(await make()).toBe(1)
  const plan = await plans.read(idOf('demo plan', ofCold.instanceId ?? ''))
  expect(plan).toMatchObject({ state: 'done', status: 'optimal', hasAssumedPrices: false, accepted: { by: 'Expert' } })
  expect(plan.measuredWh).toEqual(Array.from({ length: 96 }, () => 10_000))
  expect(await make()).toBe(0)
})
