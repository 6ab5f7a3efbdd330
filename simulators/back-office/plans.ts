import { acceptPlan, findLoads, findPlans, getPlan, makePlan } from '@gridmast/contract/planning/load-shifting.ts'
import { addDays, atLocalTime, hourMs, localDateOf } from '@gridmast/contract/time.ts'
import { setTimeout } from 'node:timers/promises'
import type { Portal } from './portal.ts'

const solvedMs = 500
const tries = 120

type Ask = Portal['ask']

const solved = async (ask: Ask, planId: string) => {
  for (let left = tries; left > 0; left--) {
    const { plan } = await ask(getPlan, { params: { planId }, query: {} })
    if (plan.state === 'done' || plan.state === 'failed') return plan
    await setTimeout(solvedMs)
  }
  throw new Error('a plan was not solved')
}

/** The next midnight that is at least three hours away. */
const endOfDay = (nowMs: number) => {
  const days = atLocalTime(addDays(localDateOf(nowMs), 1), '00:00') - nowMs < 3 * hourMs ? 2 : 1
  return new Date(atLocalTime(addDays(localDateOf(nowMs), days), '00:00')).toISOString()
}

const tomorrow = (nowMs: number, time: string) =>
  new Date(atLocalTime(addDays(localDateOf(nowMs), 1), time, 'end')).toISOString()

export const writePlans = async (ask: Ask, nowMs: number): Promise<number> => {
  const { plans } = await ask(findPlans, { query: {} })
  if (plans.some(({ target }) => target.kind !== 'instance')) return 0
  const { loads } = await ask(findLoads, {})
  const idOf = (name: string) => loads.find(({ target }) => target.name === name)?.target._id
  const [site, cold, battery] = [idOf('Port og gæster'), idOf('Nordhavn Køl 2'), idOf('Nordhavn Batteri')]
  const socPercent = loads.find(({ target }) => target._id === battery)?.suggested.socPercent
  let count = 0
  if (site) {
    const { _id } = await ask(makePlan, {
      body: {
        siteId: site,
        kind: 'session',
        needKwh: 120,
        maxKw: 30,
        costWeight: 70,
        deadline: tomorrow(nowMs, '08:00'),
      },
    })
    if ((await solved(ask, _id)).status === 'optimal') await ask(acceptPlan, { params: { planId: _id }, body: {} })
    count++
  }
  if (battery && socPercent != null) {
    const { _id } = await ask(makePlan, {
      body: {
        instanceId: battery,
        kind: 'storage',
        maxKw: 1000,
        socPercent: Math.round(socPercent),
        storage: { capacityKwh: 2400, dischargeKw: 1000, efficiencyPercent: 90, lowestPercent: 20 },
        deadline: endOfDay(nowMs),
      },
    })
    if ((await solved(ask, _id)).status === 'optimal') await ask(acceptPlan, { params: { planId: _id }, body: {} })
    count++
  }
  if (cold) {
    const { _id } = await ask(makePlan, {
      body: {
        instanceId: cold,
        kind: 'on-off',
        needKwh: 900,
        // The full flexible power: sold downward capacity must be startable while the load is off.
        maxKw: 300,
        costWeight: 70,
        otherKw: 160,
        onOff: { minRunQuarters: 4, minPauseQuarters: 2, maxStartsADay: 3 },
        wishedPeakKw: 480,
        capacityDkkPerKw: '26.5',
        reachedKw: 430,
        deadline: tomorrow(nowMs, '16:00'),
      },
    })
    await solved(ask, _id)
    count++
  }
  return count
}
