import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { minChargingA, nextLimits, type Connector, type Phase, share, sitePhases } from './load-balancing.ts'

const three: readonly Phase[] = sitePhases
const connector = (id: string, more: Partial<Connector> = {}): Connector => ({
  id,
  phases: three,
  maxA: 32,
  fallbackA: 0,
  heldA: 0,
  isCharging: false,
  isReachable: true,
  priority: 1,
  sinceMs: 0,
  ...more,
})
const toObject = (map: Map<string, number>) => Object.fromEntries(map)

test('the worked example of load-balancing.md', () => {
  const a = { priority: 2, sinceMs: 1, isCharging: true }
  const b = { sinceMs: 2, isCharging: true }
  const c = { sinceMs: 3, isCharging: true }
  const next = (...connectors: Connector[]) => toObject(nextLimits(40, connectors))
  expect(next(connector('A', a), connector('B'), connector('C'))).toEqual({ A: 32, B: 0, C: 0 })
  expect(next(connector('A', { ...a, heldA: 32 }), connector('B', b), connector('C'))).toEqual({ A: 32, B: 8, C: 0 })
  const held = [connector('A', { ...a, heldA: 32 }), connector('B', { ...b, heldA: 8 })]
  expect(next(...held, connector('C', c))).toEqual({ A: 28, B: 6, C: 0 })
  const less = [connector('A', { ...a, heldA: 28 }), connector('B', { ...b, heldA: 6 })]
  expect(next(...less, connector('C', c))).toEqual({ A: 28, B: 6, C: 6 })
  const gone = connector('A', { ...a, heldA: 28, isReachable: false })
  const rest = [connector('B', { ...b, heldA: 6 }), connector('C', { ...c, heldA: 6 })]
  expect(next(gone, ...rest)).toEqual({ B: 6, C: 6 })
  expect(next({ ...gone, heldA: 0 }, ...rest)).toEqual({ B: 20, C: 20 })
})

describe('shares', () => {
  test('higher priority is filled first, and each connector keeps 6 A while there is room', () => {
    const one = { isCharging: true }
    const connectors = [
      connector('low', one),
      connector('high', { ...one, priority: 3 }),
      connector('mid', { ...one, priority: 2 }),
    ]
    expect(toObject(share(50, connectors))).toEqual({ low: 6, high: 32, mid: 12 })
    expect(toObject(share(13, connectors))).toEqual({ low: 0, high: 7, mid: 6 })
  })

  test('phases are shared separately', () => {
    const on = (phase: Phase) => ({ isCharging: true, phases: [phase] })
    const connectors = [connector('a', on('L1')), connector('b', on('L1')), connector('c', on('L2'))]
    expect(toObject(share(32, connectors))).toEqual({ a: 16, b: 16, c: 32 })
  })
})

type Real = { allowedA: number; endsAt: number; fallbackA: number; isThere: boolean; isCharging: boolean }
type ConnectorState = { confirmedA: number; confirmedUntil: number; sentA: number; sentUntil: number }

const lifeSteps = 5
const step = fc.record({
  who: fc.nat(5),
  what: fc.constantFrom('start', 'stop', 'vanish', 'return', 'time', 'limit'),
  answer: fc.constantFrom('yes', 'yes', 'yes', 'refused', 'lost', 'deaf'),
})

test('for any events and lost answers the allowed current never exceeds the limit of a phase', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ phases: fc.constantFrom<readonly Phase[]>(three, ['L1'], ['L2'], ['L3']), priority: fc.nat(2) }),
        {
          minLength: 2,
          maxLength: 6,
        },
      ),
      fc.integer({ min: 24, max: 120 }),
      fc.boolean(),
      fc.array(step, { maxLength: 60 }),
      (made, limitA, hasFallback, steps) => {
        const fallbackA = hasFallback ? Math.floor(limitA / 6 / 2) : 0
        const reals = made.map((): Real => ({ allowedA: 0, endsAt: 0, fallbackA, isThere: true, isCharging: false }))
        const known = made.map((): ConnectorState => ({ confirmedA: 0, confirmedUntil: 0, sentA: 0, sentUntil: 0 }))
        let now = 0
        const drawn = (real: Real) => (now < real.endsAt ? Math.max(real.allowedA, 0) : real.fallbackA)
        const heldOf = (i: number) => {
          const one = known[i]
          const ofSession = one && now < one.confirmedUntil ? one.confirmedA : fallbackA
          return Math.max(fallbackA, ofSession, one && now < one.sentUntil ? one.sentA : 0)
        }
        const connectors = () =>
          made.map((one, i) =>
            connector(String(i), {
              ...one,
              fallbackA,
              heldA: heldOf(i),
              sinceMs: i,
              isCharging: reals[i]?.isCharging ?? false,
              isReachable: reals[i]?.isThere ?? false,
            }),
          )
        const check = () => {
          for (const phase of sitePhases) {
            const sum = reals.reduce((all, real, i) => all + (made[i]?.phases.includes(phase) ? drawn(real) : 0), 0)
            expect(sum).toBeLessThanOrEqual(limitA)
          }
        }
        for (const { who, what, answer } of steps) {
          const i = who % made.length
          const [real, mine] = [reals[i], known[i]]
          if (!real || !mine) continue
          if (what === 'start') real.isCharging = true
          if (what === 'stop') real.isCharging = false
          if (what === 'vanish') real.isThere = false
          if (what === 'return') real.isThere = true
          if (what === 'time') now++
          if (what === 'limit' && real.isThere) {
            const toldA = nextLimits(limitA, connectors()).get(String(i)) ?? fallbackA
            const until = now + lifeSteps
            Object.assign(mine, { sentA: Math.max(toldA, heldOf(i)), sentUntil: Math.max(until, mine.confirmedUntil) })
            if (answer === 'yes' || answer === 'lost') Object.assign(real, { allowedA: toldA, endsAt: until })
            if (answer === 'yes')
              Object.assign(mine, { confirmedA: toldA, confirmedUntil: until, sentA: 0, sentUntil: 0 })
            if (answer === 'refused') Object.assign(mine, { sentA: 0, sentUntil: 0 })
          }
          check()
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('a limit is 0 or at least the minimum of a car', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100 }),
      fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }),
      (limitA, held) => {
        const connectors = held.map((heldA, i) => connector(String(i), { heldA, isCharging: true, sinceMs: i }))
        for (const given of nextLimits(limitA, connectors).values())
          expect(given === 0 || given >= minChargingA, `${given} A`).toBe(true)
      },
    ),
  )
})
