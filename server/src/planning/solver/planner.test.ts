import { afterAll, expect, test } from 'vitest'
import { violationsOf } from './violations.ts'
import type { PlanProblem } from './plan.ts'
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

test('a plan is solved in a thread, and the next one in the same thread', async () => {
  const plans = [await planner.plan(small, { timeLimitS: 10 }), await planner.plan(small, { timeLimitS: 10 })]
  for (const plan of plans)
    expect(plan).toMatchObject({ status: 'optimal', plan: { loads: [{ wh: [0, 1000, 0, 0] }] } })
})

test('a waiting plan is solved when the earlier ones are cancelled', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const plans = [
    planner.plan(large(), { timeLimitS: 5, signal: first.signal }),
    planner.plan(small, { timeLimitS: 5, signal: second.signal }),
    planner.plan(small, { timeLimitS: 5 }),
  ]
  second.abort()
  first.abort()
  expect((await Promise.all(plans)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'optimal'])
})

test('a plan cancelled before its start does no work', async () => {
  expect(await planner.plan(large(), { timeLimitS: 5, signal: AbortSignal.abort() })).toEqual({ status: 'cancelled' })
})

test('at its time limit a plan returns the best solution so far, or none', async () => {
  const problem = large()
  const plan = await planner.plan(problem, { timeLimitS: 2 })
  expect(['best-found', 'timed-out']).toContain(plan.status)
  if (plan.status === 'best-found') expect(violationsOf(problem, plan.plan.loads)).toEqual([])
})

test('a failed thread ends its own plan only', async () => {
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

test('a backtest reports its progress and ends when it is cancelled', async () => {
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

test('plans have priority over a backtest: its next day waits while plans use every CPU', async () => {
  let done = 0
  const firstDay = Promise.withResolvers<void>()
  const onProgress = (told: { done: number }) => {
    done = told.done
    firstDay.resolve()
  }
  // From before its first day until after it: the backtest never finds a free CPU, however fast its days are.
  const cancel = new AbortController()
  const before = planner.plan(large(), { timeLimitS: 60, signal: cancel.signal })
  const backtest = planner.backtest(backtestRequest(), { onProgress })
  await firstDay.promise
  const doneWhilePlanned = planner.plan(large(), { timeLimitS: 2 }).then(() => done)
  cancel.abort()
  expect(await before).toEqual({ status: 'cancelled' })
  expect(await doneWhilePlanned).toBe(1)
  expect(await backtest).toMatchObject({ withoutPlan: [] })
  expect(done).toBe(27)
})

test('a waiting backtest can be cancelled', async () => {
  const cancel = new AbortController()
  let plan: Promise<unknown> | undefined
  const onProgress = () => {
    plan ??= planner.plan(large(), { timeLimitS: 2, signal: cancel.signal })
    cancel.abort()
  }
  expect(await planner.backtest(backtestRequest(), { onProgress, signal: cancel.signal })).toBeNull()
  expect(await plan).toEqual({ status: 'cancelled' })
})
