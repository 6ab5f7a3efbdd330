import * as contract from '@gridmast/contract/planning/load-shifting.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { afterAll, expect, test } from 'vitest'
import { newId } from '#platform/records/ids.ts'
import { prepareConfigs } from '#testing/edge-config.ts'
import { checkSize } from './routes.ts'
import { chargerOf, nowIso, ofCold, ofSite, openPlans, putDay, taken } from './plans.fixture.ts'
import { insertRow } from '#platform/records/rows.ts'
import { addRows, storedRow } from '#testing/rows.ts'

const plans = await openPlans()
afterAll(() => plans.close())

const post = (planId: string, call: typeof contract.acceptPlan | typeof contract.endPlan, body?: object) =>
  plans.app.ask(call, { token: plans.token, params: { planId }, body })
const accept = (planId: string, body: { replace?: boolean } = {}) => post(planId, contract.acceptPlan, body)
const schedules = () =>
  plans.app.records.system((tx) => tx.selectFrom('charger_schedule').selectAll().orderBy('charger_id').execute())
const total = (of: readonly { kwh: number }[]) => of.reduce((sum, { kwh }) => sum + kwh, 0)

test('instances, sites and chargers that can be planned, each with its stored data', async () => {
  const { body } = await plans.app.ask(contract.findLoads, { token: plans.token })
  expect(body.data.loads.map(({ target, suggested }) => [target.kind, target.name, suggested.kind])).toEqual([
    ['instance', 'North Cold', 'shiftable'],
    ['instance', 'North Heat', 'shiftable'],
    ['site', 'Yard', 'session'],
    ['charger', 'a', 'session'],
    ['charger', 'b', 'session'],
    ['charger', 'alone', 'session'],
  ])
})

test('the default need of a site per day is the energy of its chargers in the previous week', async () => {
  const { customer_id, app } = plans
  await addRows(
    { system: app.byHand },
    'charger_transaction',
    [
      ['a', '2026-11-18T08:00:00Z', '49000'],
      ['a', '2026-11-19T08:00:00Z', '7000'],
      ['b', '2026-11-19T08:00:00Z', '14000'],
      ['b', '2026-11-12T08:00:00Z', '99000'],
    ].map(([identity = '', at = '', consumption_wh = '']) => ({
      customer_id,
      transaction_id: newId(),
      charger_id: chargerOf(identity),
      evse_no: 1,
      mode: 'tag',
      state: 'ended',
      started_at: new Date(at),
      ended_at: new Date(at),
      consumption_wh,
    })),
  )
  const { body } = await app.ask(contract.findLoads, { token: plans.token })
  expect(body.data.loads.map(({ target, suggested }) => [target.name, suggested.needKwh]).slice(-4)).toEqual([
    ['Yard', 10],
    ['a', 8],
    ['b', 2],
    ['alone', null],
  ])
  await app.byHand((tx) => tx.deleteFrom('charger_transaction').execute())
})

test('a problem with too many chargers over too many quarters is refused', () => {
  const chargers = Array.from({ length: 30 }, (_, i) => ({
    chargerId: `${i}`,
    name: '',
    online: i > 0,
    maxKw: 11,
    phases: 3 as const,
  }))
  const form = (deadline: string) => contract.planForm.parse({ ...ofSite, deadline })
  const check = (deadline: string) => () => checkSize(form(deadline), { chargers }, Date.parse(nowIso))
  expect(check('2026-11-27T21:15:00Z')).not.toThrow()
  expect(check('2026-11-27T21:30:00Z')).toThrow(expect.objectContaining({ errors: { deadline: m.planTooLarge } }))
})

test('the limit of waiting plans per customer holds for concurrent requests', async () => {
  await plans.planning.close()
  const ask = () => plans.app.ask(contract.makePlan, { token: plans.token, body: ofCold })
  for (let i = 0; i < limits.waitingPlans - 1; i++) expect((await ask()).status).toBe(200)
  const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status)
  expect(statuses.filter((status) => status === 409)).toHaveLength(2)
  await plans.app.byHand((tx) => tx.deleteFrom('load_plan').execute())
  await plans.reopen()
})

test('a site is planned in its cheap quarters, compared with immediate charging', async () => {
  const plan = await plans.make(ofSite)
  expect(plan).toMatchObject({ state: 'done', answer: { status: 'optimal' }, target: { kind: 'site', name: 'Yard' } })
  const kwh = taken(plan)
  expect(total(kwh)).toBeCloseTo(60, 1)
  const cheap = kwh.filter(
    ({ fromMs }) => fromMs >= Date.parse('2026-11-20T23:00:00Z') && fromMs < Date.parse('2026-11-21T05:00:00Z'),
  )
  expect(total(cheap)).toBeCloseTo(60, 1)
  expect(Math.max(...kwh.map((one) => one.kwh))).toBeLessThan(7.51)
  if (!plan.answer || !('plan' in plan.answer)) throw new Error('no plan')
  // Without a plan: 2 h at 30 kW and 1.5 DKK; planned at 0.2; tax is equal.
  expect(Number(plan.answer.savedDkk)).toBeCloseTo(60 * 1.3, 0)
})

test('unpublished prices are assumed and marked', async () => {
  await putDay(plans.app, '2026-11-15')
  const plan = await plans.make({ ...ofSite, deadline: '2026-11-22T20:00:00Z' })
  const assumed = plan.quarters.filter(({ isAssumed }) => isAssumed).map(({ fromMs }) => fromMs)
  expect(assumed[0]).toBe(Date.parse('2026-11-21T23:00:00Z'))
  expect(plan).toMatchObject({ answer: { assumedMs: assumed }, hasAssumedPrices: true })
})

test('an infeasible firm need names the limit and the smallest feasible value', async () => {
  const plan = await plans.make({ ...ofCold, needKwh: 800, isFirm: true })
  if (plan.answer?.status !== 'infeasible') throw new Error(`not infeasible: ${plan.answer?.status}`)
  // 14 h at 50 kW are 700 kWh.
  const need = plan.answer.relaxations.find(({ limit }) => limit === 'need')
  expect(need).toMatchObject({ unit: 'kWh', now: 800, isEnough: true })
  expect(need?.works).toBeCloseTo(700, 0)
  expect((await accept(plan._id)).body.message).toBe(m.planNotDone)
})

test('sold capacity of an instance stays reserved', async () => {
  const { customer_id, app } = plans
  const slot = (hour: number) => new Date(Date.parse('2026-11-21T00:00:00Z') + hour * 3_600_000)
  await app.byHand(async (tx) => {
    const { licence_id } = await tx
      .selectFrom('instance')
      .select('licence_id')
      .where('instance_id', '=', ofCold.instanceId ?? '')
      .executeTakeFirstOrThrow()
    const request_id = '018f0000-0000-7000-8000-00000000b001'
    const instance_id = ofCold.instanceId ?? ''
    await insertRow(tx, customer_id, 'bid_request', {
      request_id,
      instance_id,
      licence_id,
      market: 'FCR-D-DEC',
      note: '',
      status: 'placed',
      start_date: '2026-11-21',
      end_date: '2026-11-21',
      excluded_days: '[]',
      custom_bidding: true,
      capacity_mw: [],
      price_eur: [],
      created_at: new Date(nowIso),
      updated_at: new Date(nowIso),
    }).execute()
    await insertRow(tx, customer_id, 'bid', {
      instance_id,
      request_id,
      market: 'FCR-D-DEC',
      product: 'FCR-D-DEC',
      auction: '',
      starts_at: slot(0),
      ends_at: slot(4),
      day: '2026-11-21',
      slot: 0,
      capacity_mw: '0.05',
      price_eur: '1',
      won: true,
      won_mw: '0.05',
      sent_at: new Date(nowIso),
    }).execute()
  })
  const plan = await plans.make({ ...ofCold, needKwh: 60 })
  const sold = taken(plan).filter(({ fromMs }) => fromMs >= slot(0).getTime() && fromMs < slot(4).getTime())
  expect(total(sold)).toBe(0)
  expect(plan.quarters.filter(({ soldKw }) => soldKw === 50)).toHaveLength(16)
  await app.byHand((tx) => tx.deleteFrom('bid').execute())
})

test('C4 an accepted plan is a schedule per charger and on the trail; it is accepted once', async () => {
  const plan = await plans.make(ofSite)
  expect((await accept(plan._id)).body).toMatchObject({ success: true, message: m.planAccepted })
  const rows = await schedules()
  expect(rows.map(({ charger_id }) => charger_id).toSorted()).toEqual([chargerOf('a'), chargerOf('b')].toSorted())
  const watts = rows.flatMap((row) => row.watts)
  expect(watts.reduce((sum, watt) => sum + watt, 0) / 4000).toBeCloseTo(60, 0)
  // A car charges with at least 6 A on three phases.
  expect(watts.filter((watt) => watt > 0 && watt < 4100)).toEqual([])
  expect((await accept(plan._id)).body).toMatchObject({ success: false, message: m.planTaken })
  const accepted = { action: 'load-plan.accept', who: 'sudoer@north.example' }
  expect((await plans.app.trail('load-plan.%')).at(-1)).toMatchObject(accepted)
})

test('a second plan on a charger is refused with the conflict, and replaces the first on request', async () => {
  const one = await plans.make({ ...ofSite, siteId: undefined, chargerId: chargerOf('a'), needKwh: 20, maxKw: 11 })
  expect(one.followed).toMatchObject({ name: 'Yard' })
  expect((await accept(one._id)).body).toMatchObject({ success: false, message: m.anotherPlan })
  expect((await accept(one._id, { replace: true })).status).toBe(200)
  const { body } = await plans.app.ask(contract.findPlans, { token: plans.token, query: { accepted: 'yes' } })
  expect(Object.fromEntries(body.data.plans.map(({ target, ended }) => [target.name, ended?.reason ?? null]))).toEqual({
    a: null,
    Yard: 'another',
  })
  const rows = await schedules()
  expect(rows.find(({ charger_id }) => charger_id === chargerOf('a'))?.plan_id).toBe(one._id)
  expect(rows.find(({ charger_id }) => charger_id === chargerOf('b'))?.watts).toEqual([])
  await plans.make({ ...ofCold, needKwh: 800, isFirm: true })
  const shown = async (query: Record<string, string>) =>
    (await plans.app.data(contract.findPlans, { token: plans.token, query })).plans.map(({ _id }) => _id)
  expect((await shown({ first: 'followed' }))[0]).toBe(one._id)
  const ofA = await plans.app.ask(contract.findPlans, { token: plans.token, query: { loadId: chargerOf('a') } })
  expect(ofA.body.data).toMatchObject({ plans: [{ _id: one._id }], totalCount: 1 })
  expect((await post(one._id, contract.endPlan)).body.message).toBe(m.planEnded)
  expect((await schedules()).map(({ watts }) => watts)).toEqual([[], []])
  expect((await post(one._id, contract.endPlan)).body.message).toBe(m.planNotAccepted)
})

test('an accepted plan of an instance is sent to its edge until it is ended', async () => {
  const plan = await plans.make(ofCold)
  await accept(plan._id)
  await prepareConfigs(plans.app)
  const groups = async () => {
    const row = await storedRow(plans.app.records, 'edge_config', { customer_id: plans.customer_id }, ['groups'])
    return row.groups as { groupId: string; schedule?: { planId: string; from: string; kW: number[] } }[]
  }
  const [cold, heat] = await groups()
  expect(cold).toMatchObject({ groupId: 'cold', schedule: { planId: plan._id, from: '2026-11-20T17:00:00Z' } })
  expect((cold?.schedule?.kW ?? []).reduce((sum, kw) => sum + kw, 0) / 4).toBeCloseTo(100, 1)
  expect(heat).not.toHaveProperty('schedule')
  expect((await plans.read(plan._id)).told).toEqual([{ name: 'Edge', at: nowIso.replace('Z', '.000Z'), answer: null }])
  await post(plan._id, contract.endPlan)
  await prepareConfigs(plans.app)
  expect((await groups())[0]).not.toHaveProperty('schedule')
})

test.each([
  [{ deadline: '2026-11-20T17:10:00Z' }, { deadline: m.deadlinePassed }],
  [{ deadline: '2026-12-20T17:10:00Z' }, { deadline: m.deadlineTooFar }],
  [{ start: '2026-11-21T08:00:00Z' }, { start: m.startAfterDeadline }],
  [{ needKwh: undefined }, { needKwh: m.needRequired }],
  [{ kind: 'session' as const }, { kind: m.kindOfLoad }],
  [{ kind: 'storage' as const }, { kind: m.kindOfLoad }],
  [{ maxKw: 0 }, { maxKw: m.aboveZero }],
  [{ capacityDkkPerKw: '-40' }, { capacityDkkPerKw: m.atLeast(0) }],
  [{ costWeight: 66.667 }, { costWeight: m.decimals(2) }],
])('an invalid form is refused: %o', async (part, errors) => {
  const { status, body } = await plans.app.ask(contract.makePlan, { token: plans.token, body: { ...ofCold, ...part } })
  expect([status, body.errors]).toEqual([400, errors])
})

test.each([
  [{ chargerId: chargerOf('a') }],
  [{ siteId: ofSite.siteId }],
  [{ instanceId: undefined, siteId: ofSite.siteId, chargerId: chargerOf('a'), kind: 'session' as const }],
  [{ instanceId: undefined }],
])('a form with two subjects or none is refused: %o', async (part) => {
  const { status, body } = await plans.app.ask(contract.makePlan, { token: plans.token, body: { ...ofCold, ...part } })
  expect([status, body.message]).toEqual([409, m.loadRequired])
})

test.each([
  ['02:30 B of the 25-hour day', '2026-10-24', '2026-10-25'],
  ['03:30 of the 23-hour day', '2026-03-28', '2026-03-29'],
])('deadline %s with a weight of 0 is accepted', async (_, before, day) => {
  plans.app.setNow(`${before}T20:00:00Z`)
  for (const one of [before, day]) await putDay(plans.app, one)
  await plans.app.byHand((tx) => tx.updateTable('charger').set({ online: true }).execute())
  const plan = await plans.make({ ...ofSite, deadline: `${day}T01:30:00Z`, needKwh: 20, costWeight: 0 })
  expect(plan.answer?.status).toBe('optimal')
  expect(plan.quarters).toHaveLength(22)
  expect(total(taken(plan))).toBeCloseTo(20, 1)
  plans.app.setNow(nowIso)
})
