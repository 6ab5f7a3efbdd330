import { quarterMs } from '@gridmast/contract/time.ts'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { endSchedules, saveSchedules } from './plans.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import { iso, openBench } from '#charging/ledger/charger.fixture.ts'
import { insertRow } from '#platform/records/rows.ts'
import { addRows, changeRows, storedRows } from '#testing/rows.ts'

const bench = await openBench(['a', 'old', 'joins', 'on-site'], [{ tag: 'ANNA' }])
// The clock stands during a test, which otherwise may begin in one quarter and end in the next.
beforeEach(() => bench.app.setNow(new Date().toISOString()))
afterEach(() => bench.hangUp())
afterAll(() => bench.close())

const customerId = idOf('customer', 'north')
const idOfCharger = (identity: string) => idOf('charger', 'north', identity)

type Profile = {
  chargingProfileId: number
  chargingProfilePurpose: string
  transactionId?: number
  validTo?: string
  chargingSchedule: {
    startSchedule: string
    chargingRateUnit: string
    chargingSchedulePeriod: { startPeriod: number; limit: number }[]
  }
}

const connect = async (identity: string, refused: readonly string[] = []) => {
  const profiles: Profile[] = []
  const cleared: number[] = []
  const charger = await bench.connect(identity, {
    onAsked: ({ action, payload }) => {
      const profile = payload['csChargingProfiles'] as Profile | undefined // our own server's frames
      if (profile) profiles.push(profile)
      if (action === 'ClearChargingProfile') cleared.push(Number(payload['id']))
      return { status: profile && refused.includes(profile.chargingProfilePurpose) ? 'NotSupported' : 'Accepted' }
    },
  })
  await charger.boot()
  return { charger, profiles, cleared }
}

const plan = async (identity: string, watts: number[]) => {
  const [planId, nowMs] = [newId(), bench.app.clock.now()]
  const fromMs = Math.floor(nowMs / quarterMs) * quarterMs
  await bench.app.byHand(async (tx) => {
    await insertRow(tx, customerId, 'load_plan', {
      plan_id: planId,
      series_id: planId,
      name: identity,
      state: 'done',
      asked: '{}',
      made_by_name: 'Test',
      made_at: new Date(nowMs),
    }).execute()
    await saveSchedules(tx, { customerId, planId }, [{ chargerId: idOfCharger(identity), fromMs, watts }])
  })
  await bench.door.balance()
  return { planId, fromMs }
}
const joinSite = async (identity: string) => {
  const byHand = { system: bench.app.byHand }
  const site = { site_id: newId(), name: identity, limit_a: 63, reserve_a: 0, fallback_a: 0, created_at: new Date() }
  await addRows(byHand, 'charging_site', { customer_id: customerId, ...site })
  await changeRows(byHand, 'charger', { identity }, { site_id: site.site_id })
}
const rowOf = async (identity: string) =>
  (await storedRows(bench.app.records, 'charger_schedule', { charger_id: idOfCharger(identity) }))[0]

test('a charger without a site gets the whole plan on each connector, with equal quarters merged', async () => {
  const { profiles } = await connect('a')
  const { fromMs } = await plan('a', [22_080, 22_080, 0, 11_040])
  await expect.poll(() => profiles.length).toBe(2)
  expect(profiles[0]).toMatchObject({
    chargingProfilePurpose: 'TxDefaultProfile',
    validTo: new Date(fromMs + 4 * quarterMs).toISOString(),
    chargingSchedule: {
      startSchedule: new Date(fromMs).toISOString(),
      chargingRateUnit: 'A',
      duration: 3600,
      chargingSchedulePeriod: [
        { startPeriod: 0, limit: 16, numberPhases: 3 },
        { startPeriod: 1800, limit: 0, numberPhases: 3 },
        { startPeriod: 2700, limit: 8, numberPhases: 3 },
      ],
    },
  })
  expect(await rowOf('a')).toMatchObject({ answer: 'Accepted' })
  await bench.door.balance()
  expect(profiles).toHaveLength(2)
})

test('a running session gets the plan with the full share of the charger, and ending the plan clears it', async () => {
  const { charger, profiles, cleared } = await connect('a')
  const { payload } = await charger.call('StartTransaction', {
    connectorId: 1,
    idTag: 'ANNA',
    meterStart: 0,
    timestamp: iso(1),
  })
  const { planId } = await plan('a', [11_040, 11_040, 11_040])
  const ofSession = () => profiles.filter(({ chargingProfilePurpose }) => chargingProfilePurpose === 'TxProfile')
  await expect.poll(ofSession).toMatchObject([
    {
      transactionId: payload['transactionId'],
      chargingSchedule: { chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
    },
  ])
  const before = cleared.length
  await bench.app.byHand((tx) => endSchedules(tx, customerId, planId))
  await bench.door.balance()
  await expect.poll(() => cleared.slice(before).toSorted((a, b) => a - b)).toEqual([13, 14, 23, 24])
  expect(await rowOf('a')).toBeUndefined()
})

test('a plan that ends while its charger is offline is cleared after the reconnect', async () => {
  await connect('a')
  const { planId } = await plan('a', [11_040, 11_040])
  await expect.poll(async () => (await rowOf('a'))?.answer).toBe('Accepted')
  await bench.hangUp()
  await bench.app.byHand((tx) => endSchedules(tx, customerId, planId))
  await bench.door.balance()
  expect(await rowOf('a')).toMatchObject({ watts: [] })
  const { cleared } = await connect('a')
  await bench.door.balance()
  expect(cleared.toSorted((a, b) => a - b)).toEqual([13, 14, 23, 24])
  expect(await rowOf('a')).toBeUndefined()
})

test('a charger that joins a site clears its own plan once', async () => {
  const { cleared } = await connect('joins')
  await plan('joins', [11_040, 11_040, 11_040])
  await expect.poll(async () => (await rowOf('joins'))?.answer).toBe('Accepted')
  await joinSite('joins')
  await bench.door.balance()
  await bench.door.balance()
  expect(cleared.toSorted((a, b) => a - b)).toEqual([13, 14, 23, 24])
  expect(await rowOf('joins')).toMatchObject({ told: 'site', answer: 'Accepted' })
})

test('the answer of a charger that refuses a plan is stored', async () => {
  await connect('old', ['TxDefaultProfile'])
  await plan('old', [4140, 4140])
  await expect.poll(async () => (await rowOf('old'))?.answer).toBe('NotSupported')
})

test('the balancer limits the connectors of a site to the plan, and pauses below 6 A', async () => {
  await joinSite('on-site')
  const { charger, profiles } = await connect('on-site')
  await charger.call('StartTransaction', { connectorId: 1, idTag: 'ANNA', meterStart: 0, timestamp: iso(1) })
  const newest = () =>
    profiles.findLast(({ chargingProfilePurpose }) => chargingProfilePurpose === 'TxProfile')?.chargingSchedule
      .chargingSchedulePeriod[0]?.limit
  const balanced = async () => {
    await bench.door.balance()
    return newest()
  }
  await plan('on-site', [6900, 6900, 6900])
  await expect.poll(balanced).toBe(10)
  await plan('on-site', [3000, 3000, 3000])
  await expect.poll(balanced).toBe(0)
})
