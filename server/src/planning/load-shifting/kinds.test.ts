import * as contract from '@gridmast/contract/planning/load-shifting.ts'
import { m } from '@gridmast/contract/messages.ts'
import { quarterMs } from '@gridmast/contract/time.ts'
import { afterAll, afterEach, expect, test } from 'vitest'
import { checkFollowedPlans, adoptReplan } from './replanning.ts'
import { nowIso, ofCold, ofSite, openPlans, putDay, taken } from './plans.fixture.ts'
import { openSolving } from './solve.ts'
import { changeRows, storedRow, storedRows } from '#testing/rows.ts'

const plans = await openPlans()
afterEach(async () => {
  plans.app.setNow(nowIso)
  await plans.app.byHand(async (tx) => {
    for (const table of ['load_plan', 'bid', 'bid_request', 'outbox'] as const) await tx.deleteFrom(table).execute()
    await tx.updateTable('charger').set({ online: true }).execute()
  })
})
afterAll(() => plans.close())

const instanceId = ofCold.instanceId ?? ''
const answered = (plan: contract.PlanDetail) => {
  if (!plan.answer || !('plan' in plan.answer)) throw new Error(`no plan: ${plan.answer?.status} ${plan.state}`)
  return plan.answer
}
const total = (of: readonly number[]) => of.reduce((sum, wh) => sum + wh, 0)
const asKind = (kind: 'battery' | 'load') =>
  plans.app.byHand((tx) => tx.updateTable('instance').set({ kind }).where('instance_id', '=', instanceId).execute())
const at = (hour: number) => new Date(Date.parse('2026-11-21T00:00:00Z') + hour * 3_600_000)

const putRequest = async (hours: readonly number[], { isWon = false, priceEur = '1', day = '2026-11-21' } = {}) => {
  const { customer_id, app } = plans
  const each = (value: string) => Array.from({ length: 24 }, (_, hour) => (hours.includes(hour) ? value : '0'))
  await app.byHand(async (tx) => {
    const { licence_id } = await tx
      .selectFrom('instance')
      .select('licence_id')
      .where('instance_id', '=', instanceId)
      .executeTakeFirstOrThrow()
    const of = { customer_id, instance_id: instanceId, market: 'FCR-D-DEC' }
    const request_id = '018f0000-0000-7000-8000-00000000b001'
    await tx
      .insertInto('bid_request')
      .values({
        ...of,
        request_id,
        licence_id,
        note: '',
        status: isWon ? 'placed' : 'pending',
        custom_bidding: true,
        start_date: day,
        end_date: day,
        excluded_days: '[]',
        capacity_mw: each('0.05'),
        price_eur: each(priceEur),
        created_at: new Date(nowIso),
        updated_at: new Date(nowIso),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    if (!isWon) return
    // Hour 01 of the local day is 00:00 UTC.
    for (const hour of hours)
      await tx
        .insertInto('bid')
        .values({
          ...of,
          request_id,
          product: 'FCR-D-DEC',
          auction: '',
          day,
          slot: hour,
          starts_at: at(hour - 1),
          ends_at: at(hour),
          capacity_mw: '0.05',
          price_eur: priceEur,
          won: true,
          won_mw: '0.05',
          sent_at: new Date(nowIso),
        })
        .execute()
  })
}
const mails = async () => {
  const rows = await storedRows(plans.app.records, 'outbox', {}, ['payload'])
  return rows.map(({ payload }) => payload as { to: string; subject: string })
}

test('a battery charges in cheap night quarters, discharges in expensive evening quarters and ends at its target', async () => {
  await asKind('battery')
  const plan = await plans.make({
    instanceId,
    kind: 'storage',
    maxKw: 50,
    socPercent: 50,
    deadline: ofCold.deadline,
    storage: { capacityKwh: 100, dischargeKw: 50, efficiencyPercent: 81, lowestPercent: 10, targetPercent: 80 },
  })
  await asKind('load')
  const { plan: made, savedDkk } = answered(plan)
  // 40 kWh are above the minimum, and nine tenths of them reach the grid.
  const evening = taken(plan).filter(({ fromMs }) => fromMs < Date.parse('2026-11-20T20:00:00Z'))
  expect(total(evening.map(({ kwh }) => kwh))).toBeCloseTo(-36, 1)
  const night = taken(plan).filter(({ fromMs }) => fromMs >= at(-1).getTime() && fromMs < at(5).getTime())
  expect(Math.max(...night.map(({ kwh }) => kwh))).toBeGreaterThan(1)
  expect(made.loads[0]?.storedWh?.at(-1)).toBeGreaterThanOrEqual(79_999)
  expect(Number(savedDkk)).toBeGreaterThan(0)
})

test('a wished charge below three quarters is kept, and limits below the minimum or the target are refused', async () => {
  await asKind('battery')
  const storage = { capacityKwh: 100, dischargeKw: 50, efficiencyPercent: 81, lowestPercent: 10 }
  const form = {
    instanceId,
    kind: 'storage' as const,
    maxKw: 50,
    socPercent: 50,
    deadline: new Date(Date.parse(ofCold.deadline) + 12 * 3_600_000).toISOString(),
  }
  const maxWh = async (highestPercent: number | null) => {
    const { plan } = answered(await plans.make({ ...form, storage: { ...storage, highestPercent } }))
    return Math.max(...(plan.loads[0]?.storedWh ?? []))
  }
  const [free, wished] = [await maxWh(null), await maxWh(75)]
  const asked = plans.ask({ ...form, storage: { ...storage, highestPercent: 70, targetPercent: 80 } })
  await expect(asked).rejects.toThrow('{"storage.highestPercent":"Must be greater than or equal to 80"}')
  await asKind('load')
  expect(free).toBeGreaterThan(76_000)
  expect(wished).toBeLessThanOrEqual(75_001)
  expect(wished).toBeGreaterThan(70_000)
})

test('a baseline of previous weekdays uses measured days, scaled to the need', async () => {
  const { no } = await storedRow(plans.app.records, 'signal', { instance_id: instanceId, kind: 'power' }, ['no'])
  const t0Ms = Date.parse('2026-11-13T00:00:00Z')
  const values = Array.from({ length: 92 }, (_, q) => (q >= 76 && q < 80 ? 40 : 0))
  await plans.app.readings.insert([{ signalNo: no, t0Ms, dtMs: quarterMs, values }])
  const { baseline, scaled } = answered(await plans.make({ ...ofCold, baseline: 'weekday-profile' }))
  expect(baseline.loads[0]?.wh.flatMap((wh, q) => (wh > 0 ? [[q, wh]] : []))).toEqual([
    [8, 25_000],
    [9, 25_000],
    [10, 25_000],
    [11, 25_000],
  ])
  expect(scaled).toEqual([{ loadId: instanceId, fromWh: 40_000, toWh: 100_000 }])
})

test('a slot sold during a plan creates a next version that keeps it and a mail to the planner', async () => {
  const plan = await plans.make(ofCold)
  await plans.accept(plan._id)
  await putRequest([1, 2, 3, 4], { isWon: true })
  await plans.checkFollowed()
  const [next, first] = (await plans.read(plan._id)).versions
  expect([next?.reason, first?.ended?.reason]).toEqual(['sold', 'replanned'])
  const kept = taken(await plans.read(next?._id ?? '')).filter(
    ({ fromMs }) => fromMs >= at(0).getTime() && fromMs < at(4).getTime(),
  )
  expect(total(kept.map(({ kwh }) => kwh))).toBe(0)
  expect(await mails()).toMatchObject([
    { to: 'sudoer@north.example', subject: 'The plan of North Cold was recalculated' },
  ])
  await plans.checkFollowed()
  expect(await mails()).toHaveLength(1)
})

test('an unsent bid is released where its energy is worth more and kept otherwise', async () => {
  // 100 kWh at 0.2 instead of 0.8 DKK: 60 DKK; an hour of 0.05 MW at 1 EUR is 0.37 DKK.
  const [day, night] = ['2026-11-22', [0, 1, 2, 3, 4, 5]]
  await putDay(plans.app, day)
  const form = { ...ofCold, start: '2026-11-21T23:00:00Z', deadline: '2026-11-22T07:00:00Z' }
  await putRequest(night, { day })
  const cheap = answered(await plans.make(form))
  expect(
    cheap.left.map(({ soldId, lostDkk }) => [soldId.slice(0, 15), Number(lostDkk).toFixed(3)]).slice(0, 1),
  ).toEqual([['offer FCR-D-DEC', (0.05 * 7.46038).toFixed(3)]])
  expect(Number(cheap.leavingSavesDkk)).toBeGreaterThan(50)
  await plans.app.byHand((tx) => tx.deleteFrom('bid_request').execute())
  await putRequest(night, { day, priceEur: '400' })
  const dear = await plans.make(form)
  expect(answered(dear).left).toEqual([])
  expect(dear.quarters.every(({ soldKw }) => soldKw === 0)).toBe(true)
})

test('a next version that failed because of an offline charger is retried after 15 minutes with one notice', async () => {
  const plan = await plans.make(ofSite)
  await plans.accept(plan._id)
  await plans.planning.close()
  await changeRows({ system: plans.app.byHand }, 'charger', { identity: 'b' }, { online: false, last_seen_at: null })
  const failing = async () => {
    const solving = openSolving(
      plans.app,
      () => Promise.reject(new Error('the thread ended')),
      (one) => adoptReplan(plans.app, one),
    )
    await solving.idle()
    await solving.close()
  }
  const states = async () => (await plans.read(plan._id)).versions.map(({ version, state }) => [version, state])
  for (const iso of ['2026-11-20T17:01:00Z', '2026-11-20T17:02:00Z', '2026-11-20T17:20:00Z']) {
    plans.app.setNow(iso)
    await checkFollowedPlans(plans.app)
    await failing()
    expect(await states()).toEqual([
      [2, 'failed'],
      [1, 'done'],
    ])
  }
  expect((await mails()).map(({ subject }) => subject)).toEqual(['The plan of Yard could not be recalculated'])
  plans.app.setNow('2026-11-20T17:36:00Z')
  await checkFollowedPlans(plans.app)
  await plans.reopen()
  expect((await plans.read(plan._id)).versions.map(({ version, accepted }) => [version, accepted?.by ?? null])).toEqual(
    [
      [2, 'Gridmast'],
      [1, 'Sudo'],
    ],
  )
})

test('a plan is exported with a row per quarter, and a plan without a result states it', async () => {
  const plan = await plans.make(ofSite)
  const file = async (format: 'csv' | 'xlsx') =>
    plans.app.ask(contract.getPlan, { token: plans.token, params: { planId: plan._id }, query: { format } })
  const { text, headers } = await file('csv')
  const [head = '', ...lines] = text.trim().split('\r\n')
  expect(head).toMatch(
    /^.?Quarter \(Europe\/Berlin\),Quarter \(UTC\),Spot \(DKK\/MWh\).*Plan \(kWh\),Baseline \(kWh\),Measured \(kWh\),a \(kWh\),b \(kWh\)/,
  )
  expect(lines).toHaveLength(plan.quarters.length)
  const at = head.split(',').indexOf('Plan (kWh)')
  expect(lines.reduce((sum, line) => sum + Number(line.split(',')[at]), 0)).toBeCloseTo(60, 1)
  expect([(await file('xlsx')).status, headers['content-disposition']]).toEqual([
    200,
    expect.stringContaining('Plan_Yard_2026-11-20_version_1.csv'),
  ])
  await plans.app.byHand((tx) => tx.updateTable('load_plan').set({ plan: null }).execute())
  const { status, body } = await file('csv')
  expect([status, body.message]).toEqual([409, m.planHasNoAnswer])
})
