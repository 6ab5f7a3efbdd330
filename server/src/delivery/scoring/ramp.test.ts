import { expect, test } from 'vitest'
import { everySecond, follows, t0Ms, without } from './delivery.fixture.ts'
import { demandOf, products } from './products.ts'
import { rampProfiles, testRamp } from './ramp.ts'

const hz = Array.from({ length: 140 }, (_, s) => (s < 70 ? 49.9 : Math.max(49.45, 49.9 - 0.24 * (s - 70))))
const asked = hz.map((value) => 1000 * demandOf(products['FCR-D-INC'])(0, value))
const ramp = { startMs: t0Ms + 70_000, holdS: 60, direction: 'increased' } as const
const measured = (delivered: number[]) => ({
  power: everySecond(delivered.map((kw) => 2000 - kw)),
  counts: 'consumption' as const,
  capacityKw: 1000,
})

test('who reaches 86 % in 7.5 s and 3.2 s of energy passes', () => {
  const found = testRamp(measured(follows(asked, 1, 2)), ramp)
  expect(found.isPassed).toBe(true)
  expect(found.steadyKw).toBeCloseTo(1000, 0)
  expect(found.steadyShare).toBeCloseTo(1, 3)
  expect(found.points[0]?.share).toBeGreaterThan(0.86)
  expect(found.energyS).toBeGreaterThan(3.2)
})

test('the figures are those of straight lines between the seconds', () => {
  const steps = hz.map((_, s) => 100 * Math.min(10, Math.max(0, s - 70)))
  const { points, energyS, isPassed } = testRamp(measured(steps), ramp)
  expect(points).toEqual([{ atS: 7.5, share: 0.75, required: 0.86, isPassed: false }])
  expect(energyS).toBeCloseTo((0.5 * 7.5 * 750) / 1000, 9)
  expect(isPassed).toBe(false)
})

test('enough in the end but too little energy on the way fails', () => {
  const late = hz.map((_, s) => (s >= 76 ? 1000 : 0))
  const found = testRamp(measured(late), ramp)
  expect(found.points[0]).toMatchObject({ share: 1, isPassed: true })
  expect(found.energyS).toBeCloseTo(2, 9)
  expect(found.isPassed).toBe(false)
})

test('the older wording: half in 5 s, all in 30 s', () => {
  const slow = hz.map((_, s) => 1000 * Math.min(1, Math.max(0, (s - 70) / 10)))
  expect(testRamp(measured(slow), ramp, rampProfiles.halfIn5Seconds).isPassed).toBe(true)
  expect(testRamp(measured(slow), ramp).isPassed).toBe(false)
  const slower = hz.map((_, s) => 1000 * Math.min(1, Math.max(0, (s - 70) / 40)))
  expect(testRamp(measured(slower), ramp, rampProfiles.halfIn5Seconds).isPassed).toBe(false)
})

test('down-regulation, no answer, an answer the wrong way', () => {
  const delivered = follows(asked, 1, 2)
  const down = { ...measured([]), power: everySecond(delivered.map((kw) => 2000 + kw)) }
  expect(testRamp(down, { ...ramp, direction: 'decreased' }).isPassed).toBe(true)
  expect(testRamp(down, ramp).isPassed).toBe(false)
  expect(testRamp(measured(asked.map(() => 0)), ramp).isPassed).not.toBe(true)
})

test('what is not measured cannot be passed', () => {
  const whole = measured(follows(asked, 1, 2))
  const power = without(whole.power, (ms) => ms === t0Ms + 78_000)
  expect(testRamp({ ...whole, power }, ramp)).toMatchObject({ isPassed: null, energyS: null })
})
