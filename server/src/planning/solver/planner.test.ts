import { afterAll, expect, test } from 'vitest'
import { violationsOf } from './violations.ts'
import type { PlanProblem } from './plan.ts'
import type { PlanAnswer } from '@gridmast/contract/planning/load-plan-answer.ts'
import { startPlanner } from './planner.ts'
import { at, onOff, problemOf, quartersAt, shiftable } from './planning.fixture.ts'

const planner = startPlanner({ threads: 1 })
afterAll(() => planner.close())

const quarters = quartersAt(at('2026-11-24T11:00:00Z'), [500, 100, 300, 200])
const small = problemOf(quarters, [shiftable(quarters, { needKwh: 1 })])

const large = (): PlanProblem => {
  const long = quartersAt(
    at('2026-11-23T23:00:00Z'),
    Array.from({ length: 96 }, (_, q) => 500 + ((q * 7919) % 613)),
  )
  const loads = Array.from({ length: 24 }, (_, no) =>
    onOff(long, {
      id: `load ${no}`,
      kw: 3 + (no % 7) * 1.3,
      needKwh: 11 + no,
      minRunQuarters: 3,
      minPauseQuarters: 5,
      maxStartsADay: 2,
    }),
  )
  const months = [{ fromMs: 0, toMs: at('2027-01-01T00:00:00Z'), reachedKw: 1 }]
  return problemOf(long, loads, { site: { capacity: { dkkPerKw: '40', months } } })
}

test('a plan is made in a thread, and the next one in the same', async () => {
  const plans = [await planner.plan(small, { timeLimitS: 10 }), await planner.plan(small, { timeLimitS: 10 })]
  for (const plan of plans)
    expect(plan).toMatchObject({ status: 'optimal', plan: { loads: [{ wh: [0, 1000, 0, 0] }] } })
})

test('who waits is told the place, and it moves up as others are done or leave', async () => {
  const places: Record<string, number[]> = { first: [], second: [], third: [] }
  const leaves = new AbortController()
  const ask = (name: string, problem: PlanProblem, signal?: AbortSignal): Promise<PlanAnswer> =>
    planner.plan(problem, {
      timeLimitS: 5,
      onPlace: (place) => places[name]?.push(place),
      ...(signal ? { signal } : {}),
    })
  const first = new AbortController()
  const all = [ask('first', large(), first.signal), ask('second', small, leaves.signal), ask('third', small)]
  leaves.abort()
  first.abort()
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'optimal'])
  expect(places).toEqual({ first: [0], second: [1], third: [2, 1, 0] })
})

test('what is cancelled before it is asked costs nothing', async () => {
  expect(await planner.plan(large(), { timeLimitS: 5, signal: AbortSignal.abort() })).toEqual({ status: 'cancelled' })
})

test('when its time is over, the best plan so far is told, or that there is none', async () => {
  const problem = large()
  const plan = await planner.plan(problem, { timeLimitS: 2 })
  expect(['best-found', 'timed-out']).toContain(plan.status)
  if (plan.status === 'best-found') expect(violationsOf(problem, plan.plan.loads)).toEqual([])
})

test('a thread that fails ends its own plan only', async () => {
  const broken = { ...small, quarters: [...quarters].toReversed() }
  await expect(planner.plan(broken, { timeLimitS: 5 })).rejects.toThrow('does not follow')
  expect(await planner.plan(small, { timeLimitS: 10 })).toMatchObject({ status: 'optimal' })
})

const backtestRequest = () => {
  const day = quartersAt(
    at('2026-11-23T23:00:00Z'),
    Array.from({ length: 31 * 96 }, (_, q) => 300 + (q % 7) * 50),
  )
  return {
    first: '2026-11-24',
    last: '2026-12-20',
    planAt: '00:00',
    quarters: day,
    sold: [],
    weights: small.weights,
    site: { limitKw: null, feedInKw: 0, wishedPeakKw: null, dkkPerKw: null, shared: [] },
    loads: [{ load: shiftable(day), from: '01:00', deadline: '05:00', weekdays: [1, 2, 3, 4, 5, 6, 7] }],
  }
}

test('a backtest tells its progress, and ends when it is cancelled', async () => {
  const request = backtestRequest()
  const cancel = new AbortController()
  const told: number[] = []
  const onProgress = ({ done }: { done: number }) => {
    told.push(done)
    if (done === 3) cancel.abort()
  }
  expect(await planner.backtest(request, { onProgress, signal: cancel.signal })).toBeNull()
  expect(told).toEqual([1, 2, 3])
  const whole = await planner.backtest({ ...request, last: '2026-11-25' })
  expect(whole).toMatchObject({ withoutPlan: [], months: [{ month: '2026-11' }] })
})

test('a plan goes before a backtest: while plans take every CPU its next day does not begin', async () => {
  const days = 27
  let done = 0
  let plan: Promise<unknown> | undefined
  let doneWhilePlanned = days
  const onProgress = (told: { done: number }) => {
    done = told.done
    plan ??= planner.plan(large(), { timeLimitS: 2 }).then(() => (doneWhilePlanned = done))
  }
  const backtest = await planner.backtest(backtestRequest(), { onProgress })
  await plan
  expect(doneWhilePlanned).toBeLessThan(days)
  expect(backtest).toMatchObject({ withoutPlan: [] })
  expect(done).toBe(days)
})

test('a backtest that is held back is cancelled like any other', async () => {
  const cancel = new AbortController()
  let plan: Promise<unknown> | undefined
  const onProgress = () => {
    plan ??= planner.plan(large(), { timeLimitS: 2, signal: cancel.signal, onPlace: () => cancel.abort() })
  }
  expect(await planner.backtest(backtestRequest(), { onProgress, signal: cancel.signal })).toBeNull()
  expect(await plan).toEqual({ status: 'cancelled' })
})
