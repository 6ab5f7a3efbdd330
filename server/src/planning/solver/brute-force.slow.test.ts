import { expect, test } from 'vitest'
import { violationsOf } from './violations.ts'
import { openSolver } from './highs.ts'
import { makePlan } from './make-plan.ts'
import type { Load, OnOff, PlanProblem, Shiftable, SoldReserve, Storage } from './plan.ts'
import { at, battery, onOff, problemOf, quartersAt, shiftable, slot } from './planning.fixture.ts'

/**
 * The planner against exhaustive search: for 200 small generated cases every possible schedule is billed by a second implementation of the rules. The
 * numbers are chosen so that an optimal schedule lies on the search grid.
 */

const solve = await openSolver()
const start = at('2026-11-24T11:00:00Z')
const near = 1e-7

/** Mulberry32: the same numbers per seed on every machine. */
const randomOf = (seed: number) => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return { whole, oneOf: <T>(...of: T[]): T => of[whole(0, of.length - 1)] as T } // the index lies inside
}
type Random = ReturnType<typeof randomOf>

type Sequence = number[]

function* products(options: readonly (readonly number[])[], before: Sequence = []): Generator<Sequence> {
  const [first, ...rest] = options
  if (!first) return yield before
  for (const value of first) yield* products(rest, [...before, value])
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

const stretches = (isOn: readonly boolean[]) => {
  const found: { on: boolean; length: number; fromStart: boolean }[] = []
  for (const [q, on] of [false, ...isOn].entries()) {
    const last = found.at(-1)
    if (last?.on === on) last.length++
    else found.push({ on, length: 1, fromStart: q === 0 })
  }
  return found
}

const onOffSequences = (load: OnOff, count: number): Sequence[] =>
  [...products(Array.from({ length: count }, () => [0, load.kw / 4]))].filter((kwh) => {
    const all = stretches(kwh.map((of) => of > 0))
    const isLast = (i: number) => i === all.length - 1
    const runs = all.every(({ on, length, fromStart }, i) =>
      on ? length >= load.minRunQuarters : fromStart || isLast(i) || length >= load.minPauseQuarters,
    )
    const starts = all.filter(({ on }) => on).length
    const most = Math.max(Math.ceil(load.needKwh / (load.kw / 4)), load.needKwh > 0 ? load.minRunQuarters : 0)
    const isWithin = sum(kwh) >= load.needKwh - near && kwh.filter((of) => of > 0).length <= most
    return runs && isWithin && (load.maxStartsADay === null || starts <= load.maxStartsADay)
  })

const shiftableSequences = (load: Shiftable, count: number, step: number): Sequence[] => {
  const most = Math.round(load.maxKw / 4 / step)
  const options = Array.from({ length: most + 1 }, (_, i) => i * step).filter(
    (kwh) => kwh === 0 || kwh >= load.minKw / 4 - near,
  )
  return [...products(Array.from({ length: count - 1 }, () => options))].flatMap((kwh) => {
    const rest = load.needKwh - sum(kwh)
    const fits = Math.abs(rest) < near || (rest >= load.minKw / 4 - near && rest <= load.maxKw / 4 + near)
    return fits && rest > -near ? [[...kwh, Math.max(0, rest)]] : []
  })
}

const storageSequences = (load: Storage, count: number, step: number): Sequence[] => {
  const levels: number[] = []
  for (let kwh = load.lowestKwh; kwh <= load.capacityKwh + near; kwh += step) levels.push(kwh)
  return [...products(Array.from({ length: count }, () => levels))].flatMap((stored) => {
    const kwh = stored.map((now, q) => {
      const rise = now - (stored[q - 1] ?? load.nowKwh)
      return rise > 0 ? rise / load.chargeEfficiency : rise * load.dischargeEfficiency
    })
    const isWithin = kwh.every((of) => of <= load.chargeKw / 4 + near && -of <= load.dischargeKw / 4 + near)
    return isWithin ? [kwh] : []
  })
}

const storedOf = (load: Storage, kwh: Sequence) => {
  let stored = load.nowKwh
  return [stored, ...kwh.map((of) => (stored += of > 0 ? of * load.chargeEfficiency : of / load.dischargeEfficiency))]
}

const isReserveKept = (problem: PlanProblem, sequences: readonly Sequence[], sold: SoldReserve): boolean =>
  problem.quarters.every(({ atMs }, q) => {
    if (atMs < sold.fromMs || atMs >= sold.toMs) return true
    let [up, down, upKwh, downKwh] = [0, 0, 0, 0]
    let hasStorage = false
    problem.loads.forEach((load, i) => {
      if (!sold.loadIds.includes(load.id)) return
      const kwh = sequences[i]?.[q] ?? 0
      if (load.kind === 'storage') {
        hasStorage = true
        up += load.dischargeKw / 4 + kwh
        down += load.chargeKw / 4 - kwh
        const stored = storedOf(load, sequences[i] ?? []).slice(q, q + 2)
        upKwh += (Math.min(...stored) - load.lowestKwh) * load.dischargeEfficiency
        downKwh += (load.capacityKwh - Math.max(...stored)) / load.chargeEfficiency
      } else {
        up += kwh
        down += (load.kind === 'on-off' ? load.kw : load.kind === 'shiftable' ? load.maxKw : 0) / 4 - kwh
      }
    })
    const hasPower = up >= sold.upKw / 4 - near && down >= sold.downKw / 4 - near
    return hasPower && (!hasStorage || (upKwh >= sold.upKwh - near && downKwh >= sold.downKwh - near))
  })

const priceOf = (problem: PlanProblem, sequences: readonly Sequence[], kept: readonly SoldReserve[]): number => {
  const { site, quarters } = problem
  let [dkk, peakKw, otherPeakKw] = [0, 0, 0]
  if (kept.some((sold) => !isReserveKept(problem, sequences, sold))) return Infinity
  for (const sold of problem.sold) {
    if (kept.includes(sold)) continue
    if (!sold.leaving) return Infinity
    dkk += Number(sold.leaving.lostDkk) + Number(sold.leaving.penaltyDkk)
  }
  for (const [q, quarter] of quarters.entries()) {
    const other = quarter.otherKw / 4
    const kwh = other + sum(sequences.map((sequence) => sequence[q] ?? 0))
    const called = (way: 'upKw' | 'downKw') =>
      sum(kept.filter(({ fromMs, toMs }) => quarter.atMs >= fromMs && quarter.atMs < toMs).map((sold) => sold[way])) / 4
    if (site.limitKw !== null && kwh + called('downKw') > Math.max(site.limitKw / 4, other) + near) return Infinity
    if (called('upKw') - kwh > site.feedInKw / 4 + near && called('upKw') > 0) return Infinity
    if (-kwh > site.feedInKw / 4 + near) return Infinity
    for (const { loadIds, limitKw } of site.shared) {
      const shared = sum(
        sequences.map((sequence, i) => (loadIds.includes(problem.loads[i]?.id ?? '') ? (sequence[q] ?? 0) : 0)),
      )
      if (shared > limitKw / 4 + near) return Infinity
    }
    const spot = Number(quarter.spotDkkPerMwh) / 1000
    const drawn = spot + (Number(quarter.tariffDkkPerMwh) + Number(quarter.taxDkkPerMwh)) / 1000
    dkk += (kwh > 0 ? kwh * drawn : kwh * spot) - other * drawn
    peakKw = Math.max(peakKw, kwh * 4)
    otherPeakKw = Math.max(otherPeakKw, other * 4)
  }
  const reachedKw = site.capacity?.months[0]?.reachedKw ?? 0
  dkk += Number(site.capacity?.dkkPerKw ?? 0) * (Math.max(peakKw, reachedKw) - Math.max(otherPeakKw, reachedKw))
  problem.loads.forEach((load, i) => {
    if (load.kind !== 'storage') return
    const rise = (storedOf(load, sequences[i] ?? []).at(-1) ?? 0) - load.nowKwh
    dkk -= (rise * load.dischargeEfficiency * Number(problem.storedDkkPerMwh)) / 1000
  })
  return dkk
}

const sequencesOf = (load: Load, count: number, step: number): Sequence[] => {
  if (load.kind === 'on-off') return onOffSequences(load, count)
  if (load.kind === 'shiftable') return shiftableSequences(load, count, step)
  return load.kind === 'storage' ? storageSequences(load, count, step) : []
}

const bruteForce = (problem: PlanProblem, step: number): number => {
  const options = problem.loads.map((load) => sequencesOf(load, problem.quarters.length, step))
  let best = Infinity
  const tryAll = (chosen: Sequence[]): void => {
    const of = options[chosen.length]
    if (!of) best = Math.min(best, priceOf(problem, chosen, problem.sold), priceOf(problem, chosen, []))
    else for (const sequence of of) tryAll([...chosen, sequence])
  }
  tryAll([])
  return best
}

type Case = { problem: PlanProblem; step: number }

const spotsOf = ({ whole }: Random, count: number) => Array.from({ length: count }, () => whole(-300, 2500))
const months = (reachedKw: number) => [{ fromMs: start - 1, toMs: start + 86_400_000, reachedKw }]

const runsAndPeaks = (random: Random): Case => {
  const { whole, oneOf } = random
  const quarters = quartersAt(start, spotsOf(random, 5), {
    tariffDkkPerMwh: String(whole(0, 300)),
    taxDkkPerMwh: '119',
  }).map((quarter) => ({ ...quarter, otherKw: whole(0, 4) }))
  const load = (id: string) =>
    onOff(quarters, {
      id,
      kw: whole(2, 6),
      minRunQuarters: whole(1, 3),
      minPauseQuarters: whole(1, 2),
      needKwh: whole(1, 10) / 4,
      maxStartsADay: oneOf(null, 1, 2),
    })
  const [a, b] = [load('a'), load('b')]
  const sold = slot(quarters, whole(0, 3), whole(1, 2), {
    loadIds: ['a'],
    ...oneOf({ upKw: a.kw }, { downKw: a.kw }),
    leaving: oneOf(null, { lostDkk: '0.4', penaltyDkk: '0.2' }, { lostDkk: '3', penaltyDkk: '0' }),
  })
  return {
    problem: problemOf(quarters, [a, b], {
      site: {
        limitKw: oneOf(null, 12, 14),
        capacity: oneOf(null, { dkkPerKw: String(whole(0, 20) / 10), months: months(whole(0, 8)) }),
      },
      sold: oneOf([], [sold]),
    }),
    step: 1,
  }
}

const powerUnderPeak = (random: Random): Case => {
  const { whole } = random
  const quarters = quartersAt(start, spotsOf(random, 4), { tariffDkkPerMwh: '100' }).map((quarter) => ({
    ...quarter,
    otherKw: 4 * whole(0, 1),
  }))
  const loads = [
    shiftable(quarters, { maxKw: 4 * whole(1, 2), needKwh: whole(1, 3) }),
    onOff(quarters, { kw: 4, minRunQuarters: whole(1, 2), needKwh: whole(0, 2) }),
  ]
  const capacity = { dkkPerKw: String(whole(1, 12) / 10), months: months(4 * whole(0, 1)) }
  return { problem: problemOf(quarters, loads, { site: { capacity, limitKw: 16 } }), step: 1 / 12 }
}

const batteries = (random: Random): Case => {
  const { whole, oneOf } = random
  const quarters = quartersAt(start, spotsOf(random, 4), {
    tariffDkkPerMwh: String(whole(0, 200)),
    taxDkkPerMwh: '4',
  }).map((quarter) => ({ ...quarter, otherKw: 1.28 * whole(0, 3) }))
  const store = battery({
    chargeEfficiency: 0.8,
    dischargeEfficiency: 0.8,
    capacityKwh: 2.4,
    nowKwh: 0.4 * whole(0, 6),
    chargeKw: 2 * whole(1, 3),
    dischargeKw: 1.28 * whole(1, 3),
  })
  const loads: Load[] = oneOf<Load[]>([store], [store, onOff(quarters, { kw: 1.28, needKwh: 0.64 })])
  const sold = slot(quarters, whole(0, 3), 1, {
    ...oneOf({ upKw: 1.28, upKwh: 0.32 }, { downKw: 2, downKwh: 0.5 }, { upKw: 1.28, downKw: 2, upKwh: 0.32 }),
    leaving: oneOf(null, { lostDkk: '0.5', penaltyDkk: '0.3' }),
  })
  return {
    problem: problemOf(quarters, loads, {
      site: { feedInKw: 20 },
      sold: oneOf([], [sold]),
      storedDkkPerMwh: String(whole(0, 1200)),
    }),
    step: 0.4,
  }
}

const sharedFuse = (random: Random): Case => {
  const { whole, oneOf } = random
  const quarters = quartersAt(start, spotsOf(random, 4))
  const load = (id: string) => shiftable(quarters, { id, maxKw: 8, minKw: oneOf(0, 4, 8), needKwh: whole(1, 5) })
  const loads = [load('a'), load('b')]
  const sold = slot(quarters, whole(0, 3), 1, {
    loadIds: ['a', 'b'],
    ...oneOf({ upKw: 4 }, { downKw: 8 }),
    leaving: oneOf(null, { lostDkk: '0.7', penaltyDkk: '0' }),
  })
  return {
    problem: problemOf(quarters, loads, {
      site: { shared: [{ id: 'fuse', loadIds: ['a', 'b'], limitKw: oneOf(8, 12) }], limitKw: oneOf(null, 16) },
      sold: oneOf([], [sold]),
    }),
    step: 1,
  }
}

test.each([
  ['runs, starts, peaks and slots', runsAndPeaks, 1, 60],
  ['power under a peak', powerUnderPeak, 1001, 40],
  ['batteries', batteries, 2001, 60],
  ['a shared fuse', sharedFuse, 3001, 40],
] as const)('no feasible schedule is cheaper: %s', (_, make, first, count) => {
  let possible = 0
  for (let seed = first; seed < first + count; seed++) {
    const { problem, step } = make(randomOf(seed))
    const best = bruteForce(problem, step)
    const plan = makePlan(problem, solve, { timeLimitS: 20 })
    if (best === Infinity) {
      expect(plan.status, `seed ${seed}`).toBe('infeasible')
      continue
    }
    possible++
    if (plan.status !== 'optimal') throw new Error(`seed ${seed}: ${plan.status}, but it can be done for ${best} DKK`)
    const left = problem.sold.filter(({ id }) => plan.left.some(({ soldId }) => soldId === id))
    expect(violationsOf(problem, plan.plan.loads, left), `seed ${seed}`).toEqual([])
    expect(
      Math.abs(Number(plan.plan.bill.total) - best),
      `seed ${seed}: ${plan.plan.bill.total}, ${best}`,
    ).toBeLessThan(0.01)
  }
  expect(possible).toBeGreaterThan(count / 2)
})
