import { describe, expect, test } from 'vitest'
import { findActivations } from './activations.ts'
import { everySecond, follows, t0Ms, without } from './delivery.fixture.ts'
import type { Measured } from './measured.ts'
import { products } from './products.ts'
import { scoreActivation } from './score.ts'

const capacityKw = 1000
const loadKw = 3000
const restS = 400
const setPoint = [
  ...Array.from({ length: restS }, () => 0),
  ...Array.from({ length: 600 }, () => 60),
  ...Array.from({ length: 1200 }, () => 100),
  ...Array.from({ length: 100 }, () => 0),
]
const asked = setPoint.map((percent) => (percent / 100) * capacityKw)
const scaled = (share: number, of: readonly number[] = asked) => of.map((kw) => share * kw)
const ramped = (rampS: number, deadTimeS: number) =>
  asked.map((_, s) => {
    let sum = 0
    for (let back = 0; back < rampS; back++) sum += asked[s - deadTimeS - back] ?? 0
    return sum / rampS
  })

const score = (market: 'aFRR' | 'mFRR', delivered: number[], sign: 1 | -1 = 1, measured: Partial<Measured> = {}) => {
  const trigger = everySecond(setPoint.map((percent) => sign * percent))
  const [activation, other] = findActivations(products[market], measured.trigger ?? trigger)
  if (!activation || other) throw new Error('one activation')
  const power = everySecond(delivered.map((kw) => loadKw - sign * kw))
  return scoreActivation(products[market], { trigger, power, capacityKw, ...measured }, activation)
}

describe.each([
  ['aFRR', 300],
  ['mFRR', 750],
] as const)('%s', (market, rampS) => {
  test.each([
    ['at once', asked],
    ['within seconds', follows(asked, 3, 5)],
    ['as slowly as allowed', ramped(rampS, 30)],
    ['5 % below', scaled(0.95, ramped(rampS / 2, 10))],
  ])('an answer %s is inside all the time', (_, delivered) => {
    expect(score(market, delivered)).toMatchObject({ score: 100, verdict: 'delivered', parts: { insideShare: 1 } })
  })

  test.each([0.9, 1.1])('an answer on the border, %d of the demand, is inside for any capacity', (share) => {
    const onBorder = Array.from({ length: 60 }, (_, n) => {
      const kw = 307 + 17.3 * n
      const delivered = setPoint.map((percent) => Math.round((percent * kw * share * 1e6) / 100) / 1e6)
      return score(market, delivered, 1, { capacityKw: kw }).score
    })
    expect(new Set(onBorder)).toEqual(new Set([100]))
  })

  test('an answer twice as slow is outside while it rises', () => {
    expect(score(market, ramped(2 * rampS, 60)).verdict).toBe('not delivered')
  })

  test('80 %, 125 % and no answer are outside', () => {
    expect(score(market, scaled(0.8)).score).toBeLessThan(80)
    expect(score(market, scaled(1.25)).verdict).toBe('not delivered')
    expect(score(market, scaled(0)).score).toBeLessThan(10)
  })
})

test('down-regulation is judged with its own sign', () => {
  const found = score('aFRR', follows(asked, 3, 5), -1)
  expect(found).toMatchObject({ score: 100, baseKw: loadKw })
  expect(found.processedDeltaLoadPct).toBeCloseTo(100, 0)
  expect(score('aFRR', scaled(-1, follows(asked, 3, 5)), -1).score).toBeLessThan(10)
})

test('a falling set point can be followed at once', () => {
  const percents = [
    ...Array.from({ length: 1000 }, (_, s) => (s < 100 ? 0 : 100)),
    ...Array.from({ length: 600 }, () => 30),
  ]
  const trigger = everySecond([...percents, ...Array.from({ length: 100 }, () => 0)])
  const delivered = follows([...percents.map((percent) => percent * 10), ...Array.from({ length: 100 }, () => 0)], 2, 3)
  expect(score('aFRR', delivered, 1, { trigger })).toMatchObject({ score: 100 })
})

test('gaps of more than 5 % give no verdict, and an unknown set point keeps the previous one', () => {
  const trigger = everySecond(setPoint)
  const torn = (missing: number) =>
    score('aFRR', follows(asked, 3, 5), 1, {
      trigger: without(trigger, (ms) => ms >= t0Ms + 900_000 && ms < t0Ms + 900_000 + missing * 1000),
    })
  expect(torn(90)).toMatchObject({ score: 100, missingShare: 0.05 })
  expect(torn(91)).toMatchObject({ score: null, verdict: 'insufficient data' })
})

test('a set point every 4 s is continuous, one every 6 s is not', () => {
  const every = (s: number) => without(everySecond(setPoint), (ms) => ((ms - t0Ms) / 1000) % s !== 0)
  const delivered = follows(asked, 3, 5)
  expect(score('aFRR', delivered, 1, { trigger: every(4) })).toMatchObject({ score: 100, missingShare: 0 })
  const activation = { direction: 'increased', startMs: t0Ms + restS * 1000, endMs: t0Ms + 2_200_000 } as const
  const power = everySecond(delivered.map((kw) => loadKw - kw))
  const measured = { trigger: every(6), power, capacityKw }
  expect(scoreActivation(products.aFRR, measured, activation).verdict).toBe('insufficient data')
})

test('a running activation is judged up to the last second with demand', () => {
  const delivered = follows(asked, 3, 5).map((kw, s) => (s > 1200 ? 0 : kw))
  const upTo = (second: number) => ({
    trigger: everySecond(setPoint.slice(0, second)),
    power: everySecond(delivered.slice(0, second).map((kw) => loadKw - kw)),
  })
  expect(score('aFRR', [], 1, upTo(1100))).toMatchObject({ score: 100, toMs: t0Ms + 1_100_000 })
  const whole = score('aFRR', delivered)
  expect(score('aFRR', [], 1, upTo(restS + 1830))).toEqual(whole)
  expect(whole.score).toBeLessThan(80)
})
