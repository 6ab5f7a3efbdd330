import { describe, expect, test } from 'vitest'
import { findActivations } from './activations.ts'
import { everySecond, follows, t0Ms, without } from './delivery.fixture.ts'
import type { Measured } from './measured.ts'
import { demandOf, products } from './products.ts'
import { scoreActivation, scoreWindows } from './score.ts'

const capacityKw = 500
const loadKw = 900
const seconds = 3600

const hz = Array.from(
  { length: seconds },
  (_, s) => 50 + 0.05 * Math.sin(s / 61) + 0.025 * Math.sin(s / 23 + 1) + 0.02 * Math.sin(s / 173),
)
const trigger = everySecond(hz)
const askedOf = (market: 'FCR' | 'FCR-N') => hz.map((value) => capacityKw * demandOf(products[market])(0, value))
const measured = (delivered: number[]): Measured => ({
  trigger,
  power: everySecond(delivered.map((kw) => loadKw - kw)),
  capacityKw,
})
const windows = (market: 'FCR' | 'FCR-N', input: Measured) =>
  scoreWindows(products[market], input, t0Ms, t0Ms + seconds * 1000)

describe.each(['FCR', 'FCR-N'] as const)('%s in quarters of an hour', (market) => {
  const asked = askedOf(market)

  test.each([
    ['at once', asked],
    ['after 3 s, lag 3 s', follows(asked, 3, 3)],
    ['after 10 s', asked.map((_, s) => asked[s - 10] ?? 0)],
  ])('an answer %s is delivered', (_, delivered) => {
    const found = windows(market, measured(delivered))
    expect(found.map((one) => one.verdict)).toEqual(['delivered', 'delivered', 'delivered', 'delivered'])
    for (const one of found) {
      expect(one.score).toBeGreaterThanOrEqual(98)
      expect(one.parts.slope).toBeGreaterThan(0.9)
      expect(one.parts.slope).toBeLessThan(1.1)
      expect(Math.abs((one.baseKw ?? NaN) - loadKw)).toBeLessThan(0.03 * capacityKw)
    }
  })

  test.each([
    ['not at all', 0, 0],
    ['by 80 %', 0.8, 0.8],
    ['by 130 %', 1.3, 1.3],
    ['the wrong way', -1, -1],
  ])('an answer %s is not delivered', (_, gain, slope) => {
    for (const one of windows(market, measured(asked.map((_, s) => gain * (asked[s - 5] ?? 0))))) {
      expect(one.parts.slope).toBeCloseTo(slope, 2)
      expect(one.verdict).toBe('not delivered')
    }
  })

  test('an answer a minute late is not delivered', () => {
    for (const one of windows(market, measured(asked.map((_, s) => asked[s - 60] ?? 0)))) {
      expect(one.verdict).toBe('not delivered')
      expect(one.score).toBeLessThan(80)
    }
  })
})

test('a unit that follows each flicker at once has a slope of 1', () => {
  const flicker = hz.map((value, s) => value + 0.015 * Math.sin(s * 1.3) + 0.015 * Math.sin(s / 1.7))
  const u = flicker.map((value) => capacityKw * demandOf(products['FCR-N'])(0, value))
  const found = windows('FCR-N', { ...measured(u), trigger: everySecond(flicker) })
  for (const one of found) expect(one.parts.slope).toBeCloseTo(1, 6)
})

test('the bias is the excess energy', () => {
  const plan = { x: [0], y: [loadKw] }
  const [found] = windows('FCR-N', { ...measured(askedOf('FCR-N').map((kw) => kw + 20)), plan })
  expect(found?.parts.biasKwh).toBeCloseTo(20 * 0.25, 6)
  expect(found).toMatchObject({ baseKw: loadKw, score: 100, verdict: 'delivered' })
})

test('a quiet quarter and one with gaps are not judged', () => {
  const calm = everySecond(hz.map(() => 50.01))
  expect(windows('FCR', { ...measured(hz.map(() => 0)), trigger: calm }).map((one) => one.verdict)).toEqual(
    Array.from({ length: 4 }, () => 'too small'),
  )
  const whole = measured(askedOf('FCR-N'))
  const torn = (missing: number) =>
    windows('FCR-N', {
      ...whole,
      power: without(whole.power, (ms) => ms >= t0Ms + 960_000 && ms < t0Ms + 960_000 + missing * 1000),
    })
  expect(torn(45).map((one) => one.verdict)[1]).toBe('delivered')
  expect(torn(46).map((one) => one.verdict)).toEqual(['delivered', 'insufficient data', 'delivered', 'delivered'])
})

test('only whole quarters of an hour are windows', () => {
  const found = scoreWindows(products.FCR, measured(askedOf('FCR')), t0Ms + 1, t0Ms + 2_699_999)
  expect(found.map((one) => [one.fromMs - t0Ms, one.toMs - t0Ms])).toEqual([[900_000, 1_800_000]])
  expect(scoreWindows(products['FCR-D-INC'], measured([]), t0Ms, t0Ms + 3_600_000)).toEqual([])
})

test('an activation is judged over its quarters, and its delivery over its seconds', () => {
  const input = measured(follows(askedOf('FCR-N'), 2, 2))
  const found = findActivations(products['FCR-N'], trigger)
  const later = found.find((one) => one.startMs > t0Ms + 900_000)
  if (!later?.endMs) throw new Error('none')
  const score = scoreActivation(products['FCR-N'], input, later)
  const [window] = scoreWindows(products['FCR-N'], input, score.fromMs, score.toMs)
  expect(score).toMatchObject({ score: window?.score, verdict: 'delivered', parts: window?.parts })
  expect(Math.abs((score.processedDeltaLoadPct ?? NaN) - later.deltaLoadPct)).toBeLessThan(10)
})

test('a running activation is judged up to the last sample', () => {
  const input = measured(follows(askedOf('FCR-N'), 2, 2))
  const upTo = (second: number): Measured => ({
    ...input,
    trigger: { x: Array.from(trigger.x).slice(0, second), y: Array.from(trigger.y).slice(0, second) },
    power: { x: Array.from(input.power.x).slice(0, second), y: Array.from(input.power.y).slice(0, second) },
  })
  const later = findActivations(products['FCR-N'], trigger).find((one) => one.startMs > t0Ms + 1_000_000)
  const second = ((later?.startMs ?? 0) - t0Ms) / 1000 + 20
  const running = findActivations(products['FCR-N'], upTo(second).trigger).find((one) => one.endMs === null)
  if (!running) throw new Error('none')
  const soFar = scoreActivation(products['FCR-N'], upTo(second), running)
  expect(soFar.toMs).toBe(t0Ms + second * 1000)
  expect(soFar.verdict).toBe('delivered')
  const ended = { ...running, endMs: t0Ms + second * 1000 }
  expect(scoreActivation(products['FCR-N'], upTo(second), ended)).toEqual(soFar)
})
