import { describe, expect, test } from 'vitest'
import { type Activation, findActivations } from './activations.ts'
import { everySecond, follows, lostPowerStation, t0Ms, without } from './delivery.fixture.ts'
import type { Measured } from './measured.ts'
import { demandOf, products } from './products.ts'
import { scoreActivation } from './score.ts'

const { 'FCR-D-INC': increase, 'FCR-D-DEC': decrease, FFR } = products
const capacityKw = 1000
const loadKw = 2500
const frequency = everySecond(lostPowerStation)
const asked = lostPowerStation.map((hz) => capacityKw * demandOf(increase)(0, hz))
const share = (of: number) => asked.map((kw) => of * kw)

const consumption = (delivered: number[]): Measured => ({
  trigger: frequency,
  power: everySecond(delivered.map((kw) => loadKw - kw)),
  capacityKw,
})

const only = (found: Activation[]): Activation => {
  const [one, ...others] = found
  if (!one || others.length > 0) throw new Error(`${found.length} activations`)
  return one
}
const activation = only(findActivations(increase, frequency))
const score = (measured: Measured, judged = activation) => {
  const found = scoreActivation(increase, measured, judged)
  if (found.method !== 'response') throw new Error(found.method)
  return found
}

describe('the lost power station of the domain notes', () => {
  test.each([
    ['at once', share(1), 100.0, 'delivered'],
    ['after 1 s, lag 1.5 s', follows(asked, 1, 1.5), 100.0, 'delivered'],
    ['after 2 s, lag 3 s', follows(asked, 2, 3), 100.0, 'delivered'],
    ['after 3 s, lag 3 s', follows(asked, 3, 3), 94.6, 'partly delivered'],
    ['after 6 s, lag 3 s', follows(asked, 6, 3), 78.0, 'not delivered'],
    ['after 10 s, lag 3 s', follows(asked, 10, 3), 66.5, 'not delivered'],
    ['80 % of it', share(0.8), 89.3, 'partly delivered'],
    ['half of it', share(0.5), 61.5, 'not delivered'],
    ['130 % of it', share(1.3), 99.3, 'delivered'],
    ['nothing', share(0), 0.0, 'not delivered'],
  ] as const)('answered %s', (_, delivered, expected, verdict) => {
    const found = score(consumption([...delivered]))
    expect(Math.abs((found.score ?? NaN) - expected)).toBeLessThanOrEqual(1)
    expect(found.verdict).toBe(verdict)
    expect(found).toMatchObject({ baseKw: loadKw, missingShare: 0, fromMs: activation.startMs, toMs: activation.endMs })
  })

  test('the processed delta load is the largest delivery in percent of the capacity', () => {
    expect(activation.deltaLoadPct).toBe(70)
    expect(score(consumption(share(0.8))).processedDeltaLoadPct).toBe(56)
    expect(score(consumption(share(0).map((_, i) => -i))).processedDeltaLoadPct).toBe(0)
  })

  test('a battery that consumes and produces is judged like a load', () => {
    const delivered = follows(asked, 3, 3)
    const asLoad = score(consumption(delivered))
    expect(score({ ...consumption(delivered), power: everySecond(delivered.map((kw) => 200 - kw)) }).score).toBe(
      asLoad.score,
    )
  })

  test('a mirrored frequency scores the same', () => {
    const trigger = everySecond(lostPowerStation.map((hz) => 100 - hz))
    const judged = only(findActivations(decrease, trigger))
    const power = everySecond(follows(asked, 3, 3).map((kw) => loadKw + kw))
    const found = scoreActivation(decrease, { ...consumption([]), trigger, power }, judged)
    expect(judged).toMatchObject({ direction: 'decreased', extremeHz: 50.38, startMs: activation.startMs })
    const up = score(consumption(follows(asked, 3, 3)))
    expect([found.score, found.verdict, found.toMs]).toEqual([up.score, up.verdict, up.toMs])
  })

  test('a plan replaces the load before the activation as base', () => {
    const falling = asked.map((_, i) => (i < 76 ? 2000 : 1000))
    const plan = { x: [0, t0Ms + 76_000], y: [2000, 1000] }
    expect(score({ ...consumption([]), power: everySecond(falling) }).score).toBeGreaterThan(75)
    const planned = score({ ...consumption([]), power: everySecond(falling), plan })
    expect(planned).toMatchObject({ score: 0, verdict: 'not delivered', processedDeltaLoadPct: 0 })
  })

  test('the curves are those of the score', () => {
    const { curves } = score(consumption(share(0.8)))
    const first = (activation.startMs - t0Ms) / 1000
    expect(curves.x.length).toBe(((activation.endMs ?? 0) - activation.startMs) / 1000)
    expect(curves.x[0]).toBe(activation.startMs)
    curves.x.forEach((_, i) => {
      expect(curves.requiredKw[i]).toBeCloseTo(asked[first + i] ?? NaN, 9)
      expect(curves.deliveredKw[i]).toBeCloseTo(0.8 * (asked[first + i] ?? NaN), 9)
      expect(curves.floorKw[i] ?? NaN).toBeLessThanOrEqual(curves.requiredKw[i] ?? NaN)
      expect(curves.ceilingKw[i] ?? NaN).toBeGreaterThanOrEqual(1.2 * (curves.requiredKw[i] ?? NaN) + 49.999)
    })
    expect(curves.floorKw.slice(0, 3)).toEqual([0, 0, (curves.requiredKw[0] ?? NaN) / 3])
  })
})

describe('missing data', () => {
  const answered = consumption(follows(asked, 3, 3))
  const inside = (from: number, to: number) => (ms: number) =>
    ms >= activation.startMs + from * 1000 && ms < activation.startMs + to * 1000
  const seconds = ((activation.endMs ?? 0) - activation.startMs) / 1000

  test('up to 5 % missing changes little, more gives no verdict', () => {
    const few = Math.floor(seconds * 0.05)
    const little = score({ ...answered, power: without(answered.power, inside(60, 60 + few)) })
    expect(little.missingShare).toBeCloseTo(few / seconds, 9)
    expect(Math.abs((little.score ?? NaN) - (score(answered).score ?? NaN))).toBeLessThan(2)
    const more = score({ ...answered, power: without(answered.power, inside(60, 61 + few)) })
    expect(more).toMatchObject({ score: null, verdict: 'insufficient data' })
    const alike = score({ ...answered, trigger: without(frequency, inside(60, 61 + few)) })
    expect(alike).toMatchObject({ score: null, verdict: 'insufficient data' })
  })

  test('a null equals an absent sample', () => {
    const away = inside(20, 25)
    const absent = score({ ...answered, power: without(answered.power, away) })
    const nulls = {
      x: answered.power.x,
      y: Array.from(answered.power.y, (kw, i) => (away(answered.power.x[i] ?? 0) ? null : kw)),
    }
    expect(score({ ...answered, power: nulls })).toEqual(absent)
    expect(absent.curves.deliveredKw.slice(19, 26).map((kw) => kw === null)).toEqual([
      false,
      true,
      true,
      true,
      true,
      true,
      false,
    ])
  })

  test('unknown seconds before the start count as missing', () => {
    const gap = (before: number) => {
      const trigger = without(frequency, inside(-before, 2))
      return score({ ...answered, trigger }, only(findActivations(increase, trigger)))
    }
    expect(gap(1)).toMatchObject({ missingShare: 0, verdict: 'delivered' })
    expect(gap(20)).toMatchObject({ score: null, verdict: 'insufficient data' })
    expect(gap(20).fromMs).toBe(activation.startMs + 2000)
  })

  test('without half of the minute before there is no base and no verdict', () => {
    const missing = (from: number) => score({ ...answered, power: without(answered.power, inside(from, -4)) })
    expect(missing(-31).verdict).toBe('partly delivered')
    expect(missing(-35)).toMatchObject({
      score: null,
      verdict: 'insufficient data',
      baseKw: null,
      processedDeltaLoadPct: null,
    })
  })

  test('a demand below 5 % of the capacity is too small', () => {
    const trigger = everySecond(Array.from({ length: 300 }, (_, s) => (s >= 100 && s < 160 ? 49.885 : 50)))
    const judged = only(findActivations(increase, trigger))
    const power = everySecond(Array.from({ length: 300 }, () => loadKw))
    const found = score({ ...answered, trigger, power }, judged)
    expect(found).toMatchObject({ score: null, verdict: 'too small', parts: { energy: 0, ramp: null } })
    const second = everySecond(Array.from({ length: 300 }, (_, s) => (s === 100 ? 49.6 : 50)))
    expect(score({ ...answered, trigger: second, power }, only(findActivations(increase, second)))).toMatchObject({
      score: null,
      verdict: 'too small',
      parts: { energy: null },
    })
  })

  test('a capacity that is not positive is an error', () => {
    for (const none of [0, -1, NaN]) expect(() => score({ ...answered, capacityKw: none })).toThrow(RangeError)
  })
})

test('below 20 % the ramp does not count, and the other parts weigh more', () => {
  const trigger = everySecond(Array.from({ length: 400 }, (_, s) => (s >= 100 && s < 220 ? 49.84 : 50)))
  const power = everySecond(Array.from({ length: 400 }, (_, s) => (s >= 130 && s < 220 ? 2350 : 2500)))
  const found = score({ ...consumption([]), trigger, power }, only(findActivations(increase, trigger)))
  expect(found.parts).toMatchObject({ ramp: null, over: 1, weights: { energy: 0.85, ramp: 0, over: 0.15 } })
  expect(found.score).toBeCloseTo(100 * (0.85 * (found.parts.energy ?? NaN) + 0.15), 0)
})

test('ten samples a second count as their mean', () => {
  const tenfold = (values: readonly number[]) => ({
    x: values.flatMap((_, i) => Array.from({ length: 10 }, (_, k) => t0Ms + i * 1000 + (k - 5) * 100)),
    y: values.flatMap((value) => Array.from({ length: 10 }, (_, k) => value + (k - 4.5) * 1e-9)),
  })
  const delivered = follows(asked, 3, 3)
  const power = tenfold(delivered.map((kw) => loadKw - kw))
  const found = score({ ...consumption([]), trigger: tenfold(lostPowerStation), power })
  expect(found.score).toBeCloseTo(score(consumption(delivered)).score ?? NaN, 1)
})

test('a running activation has the score of its seconds, without a jump at the end', () => {
  const delivered = follows(asked, 6, 3)
  const measured = consumption(delivered)
  const firstSecond = (activation.startMs - t0Ms) / 1000
  const lastSecond = ((activation.endMs ?? 0) - t0Ms) / 1000
  const upTo = (second: number): Measured => ({
    ...measured,
    trigger: { x: Array.from(frequency.x).slice(0, second), y: Array.from(frequency.y).slice(0, second) },
    power: { x: Array.from(measured.power.x).slice(0, second), y: Array.from(measured.power.y).slice(0, second) },
  })
  for (let second = firstSecond + 2; second < lastSecond + 60; second += 7) {
    const running = only(findActivations(increase, upTo(second).trigger))
    expect(running.endMs).toBeNull()
    const asOfNow = score(upTo(second), running)
    const cut = Math.min(second, lastSecond)
    expect(asOfNow).toEqual(score(upTo(second), { ...activation, endMs: t0Ms + cut * 1000 }))
    if (second >= lastSecond) expect(asOfNow).toEqual(score(measured))
  }
  expect(score(measured, only(findActivations(increase, upTo(lastSecond + 61).trigger)))).toEqual(score(measured))
})

describe('FFR', () => {
  const trigger = everySecond(Array.from({ length: 1200 }, (_, s) => (s >= 1000 && s < 1010 ? 49.65 : 49.95)))
  const answer = (delayS: number, kw = 1000) =>
    scoreActivation(
      FFR,
      {
        trigger,
        power: everySecond(
          Array.from({ length: 1200 }, (_, s) => (s >= 1000 + delayS && s < 1030 ? loadKw - kw : loadKw)),
        ),
        capacityKw,
      },
      only(findActivations(FFR, trigger)),
    )

  test('full power within 1.3 s, held for 30 s', () => {
    expect(answer(0)).toMatchObject({ score: 100, verdict: 'delivered' })
    expect(answer(2)).toMatchObject({ score: 100, verdict: 'delivered' })
    expect(answer(5).verdict).toBe('not delivered')
  })

  test('a third too much is allowed, half is not', () => {
    expect(answer(0, 1340).score).toBe(100)
    expect(answer(0, 1500).score).toBe(90)
  })
})
