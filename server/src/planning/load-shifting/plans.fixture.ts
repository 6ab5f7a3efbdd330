import * as contract from '@gridmast/contract/planning/load-shifting.ts'
import type { z } from 'zod'
import { idOf } from '#platform/records/ids.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { addChargers } from '#testing/chargers.ts'
import { putDay as putPricesOfDay } from '#charging/costs/costs.fixture.ts'
import { checkFollowedPlans } from './replanning.ts'
import { startPlanning } from './start.ts'
import { insertRow } from '#platform/records/rows.ts'

export const nowIso = '2026-11-20T17:00:00Z'
export const chargerOf = (identity: string) => idOf('charger', 'north', identity)
const siteId = '018f0000-0000-7000-8000-00000000a001'

const dkkAt = (index: number) => (index < 24 ? 200 : index >= 68 && index < 84 ? 1500 : 800)

export const putDay = (app: TestApp, day: string, dkk: (index: number) => number = dkkAt) =>
  putPricesOfDay(app, day, dkk, nowIso)

export const openPlans = async () => {
  const app = await openTestApp()
  app.setNow(nowIso)
  await addChargers(app.records, [{ identity: 'a' }, { identity: 'b' }, { identity: 'alone' }])
  const customer_id = idOf('customer', 'north')
  await app.byHand(async (tx) => {
    for (const customer of ['north', 'west'])
      await insertRow(tx, idOf('customer', customer), 'licence', {
        licence_id: idOf('licence', customer, 'loadShifting'),
        type: 'loadShifting',
        name: 'Load shifting',
        icon: 'bolt',
        enabled: true,
      }).execute()
    const { price_signal_id } = await tx
      .selectFrom('price_signal')
      .select('price_signal_id')
      .where('customer_id', '=', customer_id)
      .executeTakeFirstOrThrow()
    await insertRow(tx, customer_id, 'charging_site', {
      site_id: siteId,
      name: 'Yard',
      limit_a: 63,
      reserve_a: 0,
      fallback_a: 6,
      created_at: new Date(nowIso),
    }).execute()
    await tx
      .updateTable('charger')
      .set({ price_signal_id, online: true, last_seen_at: new Date(nowIso), connectors: 1 })
      .execute()
    await tx.updateTable('charger').set({ site_id: siteId }).where('identity', 'in', ['a', 'b']).execute()
  })
  for (const day of ['2026-11-20', '2026-11-21']) await putDay(app, day)
  let planning = startPlanning(app)
  const signIn = () => app.tokenOf('sudoer@north.example')
  const token = await signIn()
  const ask = async (form: z.input<typeof contract.planForm>) => {
    const { body, status } = await app.ask(contract.makePlan, { token, body: form })
    if (status !== 200) throw new Error(`${status} ${body.message} ${JSON.stringify(body.errors)}`)
    await planning.idle()
    return body.data._id
  }
  const read = async (planId: string) => {
    const { body } = await app.ask(contract.getPlan, { token: await signIn(), params: { planId } })
    return body.data.plan
  }
  const make = async (form: z.input<typeof contract.planForm>) => read(await ask(form))
  const accept = async (planId: string) => {
    const { status, body } = await app.ask(contract.acceptPlan, { token: await signIn(), params: { planId }, body: {} })
    if (status !== 200) throw new Error(`${status} ${body.message}`)
  }
  return {
    app,
    token,
    signIn,
    ask,
    read,
    customer_id,
    planning: { idle: () => planning.idle(), close: () => planning.close() },
    reopen: async () => {
      planning = startPlanning(app)
      await planning.idle()
    },
    make,
    accepted: async (form: z.input<typeof contract.planForm>) => {
      const plan = await make(form)
      await accept(plan._id)
      return plan
    },
    accept,
    checkFollowed: async () => {
      await checkFollowedPlans(app)
      await planning.idle()
    },
    close: async () => {
      await planning.close()
      await app.close()
    },
  }
}

export const ofSite: z.input<typeof contract.planForm> = {
  siteId,
  kind: 'session',
  needKwh: 60,
  maxKw: 30,
  deadline: '2026-11-21T07:00:00Z',
}
export const ofCold: z.input<typeof contract.planForm> = {
  instanceId: idOf('instance', 'north', 'cold'),
  kind: 'shiftable',
  needKwh: 100,
  maxKw: 50,
  deadline: '2026-11-21T07:00:00Z',
}
export const taken = (plan: contract.PlanDetail) => {
  if (!plan.answer || !('plan' in plan.answer)) throw new Error(`no plan: ${plan.answer?.status} ${plan.state}`)
  const { loads } = plan.answer.plan
  return plan.quarters.map(({ fromMs }, q) => ({
    fromMs,
    kwh: loads.reduce((sum, { wh }) => sum + (wh[q] ?? 0), 0) / 1000,
  }))
}
