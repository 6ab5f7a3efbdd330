import { localDateOf } from '@gridmast/contract/time.ts'
import { storedAfter } from './baseline.ts'
import { siteWh } from './bill.ts'
import type { Load, LoadSchedule, OnOff, PlanProblem, SoldReserve, Storage } from './plan.ts'
import type { LimitName } from '@gridmast/contract/planning/load-plan-answer.ts'
import {
  gridOf,
  minPowerKw,
  maxPowerKw,
  runsOf,
  storageHours,
  usableHours,
  type Consumer,
  type Grid,
} from './quarters.ts'

type Violation = { limit: LimitName; id: string | null; q: number }

const slackWh = 2

const runViolations = (grid: Grid, load: OnOff, isOn: readonly boolean[]): Violation[] => {
  const { forcedOn, forcedOff } = runsOf(grid, load)
  const violations: Violation[] = []
  const violation = (limit: LimitName, q: number) => violations.push({ limit, id: load.id, q })
  const starts = new Map<string, number>([[localDateOf(grid.fromMs[0] ?? 0), load.startsToday]])
  let since = 0
  isOn.forEach((on, q) => {
    const before = q === 0 ? load.isOn : (isOn[q - 1] ?? false)
    if ((q < forcedOn && !on) || (q < forcedOff && on)) violation('min-run', q)
    if (on === before) return
    // Runs since before the first quarter are checked above.
    const lasted = q - since
    if (since > 0 && lasted < (before ? load.minRunQuarters : load.minPauseQuarters)) violation('min-run', q)
    since = q
    if (!on) return
    const day = localDateOf(grid.fromMs[q] ?? 0)
    starts.set(day, (starts.get(day) ?? 0) + 1)
    if (load.maxStartsADay !== null && (starts.get(day) ?? 0) > load.maxStartsADay) violation('starts', q)
  })
  const isCut = since > 0 && isOn.at(-1) === true && isOn.length - since < load.minRunQuarters
  return isCut ? [...violations, { limit: 'min-run', id: load.id, q: since }] : violations
}

const consumerViolations = (grid: Grid, load: Consumer, wh: readonly number[]): Violation[] => {
  const usable = usableHours(grid, load)
  const power = usable.flatMap((hours, q): Violation[] => {
    const of = wh[q] ?? 0
    const most = maxPowerKw(load) * hours * 1000
    const least = load.kind === 'on-off' ? most : minPowerKw(load) * hours * 1000
    const isFine = Math.abs(of) <= slackWh || (of >= least - slackWh && of <= most + slackWh)
    return isFine ? [] : [{ limit: 'load-power', id: load.id, q }]
  })
  const usedWh = wh.reduce((sum, of) => sum + of, 0)
  const isMet =
    usedWh >= load.needKwh * 1000 - slackWh && (load.kind === 'on-off' || usedWh <= load.needKwh * 1000 + slackWh)
  const isOn = wh.map((of) => of > slackWh)
  return [
    ...power,
    ...(isMet ? [] : [{ limit: 'need' as const, id: load.id, q: wh.length - 1 }]),
    ...(load.kind === 'on-off' ? runViolations(grid, load, isOn) : []),
  ]
}

const storageViolations = (grid: Grid, load: Storage, wh: readonly number[]): Violation[] => {
  const stored = storedAfter(load, wh)
  const floor = Math.min(load.lowestKwh, load.nowKwh) * 1000
  const top = Math.max(load.capacityKwh, load.nowKwh) * 1000
  return storageHours(grid, load).flatMap((hours, q): Violation[] => {
    const [of, in_] = [wh[q] ?? 0, stored[q] ?? 0]
    const violation = (limit: LimitName, isBroken: boolean): Violation[] =>
      isBroken ? [{ limit, id: load.id, q }] : []
    const [most, maxBack] = [load.chargeKw * hours * 1000, load.dischargeKw * hours * 1000]
    return [
      ...violation('load-power', of > most + slackWh || -of > maxBack + slackWh),
      ...violation('stored-lowest', in_ < floor - slackWh),
      ...violation('stored-capacity', in_ > top + slackWh),
    ]
  })
}

const whOf = (loads: readonly LoadSchedule[], id: string, q: number) =>
  loads.find(({ loadId }) => loadId === id)?.wh[q] ?? 0

const roomWh = (grid: Grid, load: Load, q: number, wh: number, way: 'up' | 'down') => {
  const hours = grid.hours[q] ?? 0
  if (load.kind === 'storage')
    return way === 'up' ? load.dischargeKw * hours * 1000 + wh : load.chargeKw * hours * 1000 - wh
  return way === 'up' ? wh : maxPowerKw(load) * (usableHours(grid, load)[q] ?? 0) * 1000 - wh
}

const reserveViolations = (
  problem: PlanProblem,
  grid: Grid,
  loads: readonly LoadSchedule[],
  skipped: readonly SoldReserve[],
): Violation[] => {
  const required = problem.sold.filter(({ id }) => !skipped.some((one) => one.id === id))
  return required.flatMap((slot) =>
    [...grid.hours.keys()].flatMap((q): Violation[] => {
      const isIn = (one: SoldReserve) => (grid.toMs[q] ?? 0) > one.fromMs && (grid.fromMs[q] ?? 0) < one.toMs
      if (!isIn(slot)) return []
      const simultaneous = required.filter((one) => isIn(one) && one.loadIds.some((id) => slot.loadIds.includes(id)))
      const slotLoads = problem.loads.filter(({ id }) => slot.loadIds.includes(id))
      const hours = grid.hours[q] ?? 0
      const isShort = (['up', 'down'] as const).some((way) => {
        const kw = simultaneous.reduce((sum, one) => sum + (way === 'up' ? one.upKw : one.downKw), 0)
        const kwh = simultaneous.reduce((sum, one) => sum + (way === 'up' ? one.upKwh : one.downKwh), 0)
        const rooms = slotLoads.map((load) => roomWh(grid, load, q, whOf(loads, load.id, q), way))
        const power = rooms.reduce((sum, wh) => sum + wh, 0)
        if (kw > 0 && power < kw * hours * 1000 - slackWh * slotLoads.length) return true
        const storages = slotLoads.filter((load) => load.kind === 'storage')
        if (kwh <= 0 || storages.length === 0) return false
        const lasting = rooms.filter((_, i) => slotLoads[i]?.kind !== 'storage')
        const others = lasting.reduce((sum, wh) => sum + (wh / hours) * (kwh / kw), 0)
        return [q - 1, q].some((end) => {
          const energy = storages.reduce((sum, load) => {
            const wh = loads.find(({ loadId }) => loadId === load.id)?.wh ?? []
            const in_ = end < 0 ? load.nowKwh * 1000 : (storedAfter(load, wh)[end] ?? 0)
            if (way === 'up') return sum + (in_ - load.lowestKwh * 1000) * load.dischargeEfficiency
            return sum + (load.capacityKwh * 1000 - in_) / load.chargeEfficiency
          }, 0)
          return energy + others < kwh * 1000 - slackWh * slotLoads.length
        })
      })
      return isShort ? [{ limit: 'sold-reserve', id: slot.id, q }] : []
    }),
  )
}

const siteViolations = (
  problem: PlanProblem,
  grid: Grid,
  loads: readonly LoadSchedule[],
  skipped: readonly SoldReserve[],
): Violation[] => {
  const { limitKw, feedInKw, shared } = problem.site
  const required = problem.sold.filter(({ id }) => !skipped.some((one) => one.id === id))
  const slack = slackWh * Math.max(1, loads.length)
  return siteWh(problem, loads).flatMap(({ wh, otherWh, hours }, q): Violation[] => {
    const of = required.filter(({ fromMs, toMs }) => (grid.toMs[q] ?? 0) > fromMs && (grid.fromMs[q] ?? 0) < toMs)
    const called = (way: 'upKw' | 'downKw') => of.reduce((sum, slot) => sum + slot[way], 0) * hours * 1000
    const isOver = limitKw !== null && wh + called('downKw') > Math.max(limitKw * hours * 1000, otherWh) + slack
    const isFed = called('upKw') - wh > Math.max(feedInKw * hours * 1000, -otherWh) + slack
    return [
      ...(isOver ? [{ limit: 'site-limit' as const, id: null, q }] : []),
      ...(isFed ? [{ limit: 'feed-in' as const, id: null, q }] : []),
      ...shared.flatMap(({ id, loadIds, limitKw: kw }): Violation[] => {
        const sum = loadIds.reduce((all, loadId) => all + whOf(loads, loadId, q), 0)
        return Math.abs(sum) > kw * hours * 1000 + slack ? [{ limit: 'shared-limit', id, q }] : []
      }),
    ]
  })
}

export const violationsOf = (
  problem: PlanProblem,
  loads: readonly LoadSchedule[],
  skipped: readonly SoldReserve[] = [],
): Violation[] => {
  const grid = gridOf(problem)
  const loadViolations = problem.loads.flatMap((load) => {
    const wh = loads.find(({ loadId }) => loadId === load.id)?.wh ?? []
    return load.kind === 'storage' ? storageViolations(grid, load, wh) : consumerViolations(grid, load, wh)
  })
  return [
    ...loadViolations,
    ...siteViolations(problem, grid, loads, skipped),
    ...reserveViolations(problem, grid, loads, skipped),
  ]
}

export const brokenSlots = (problem: PlanProblem, loads: readonly LoadSchedule[]): SoldReserve[] => {
  const broken = new Set(violationsOf(problem, loads).map(({ limit, id }) => (limit === 'sold-reserve' ? id : null)))
  return problem.sold.filter(({ id }) => broken.has(id))
}

export const slotsToSkip = (problem: PlanProblem, loads: readonly LoadSchedule[]): SoldReserve[] => {
  return brokenSlots(problem, loads).filter(({ leaving }) => leaving !== null)
}
