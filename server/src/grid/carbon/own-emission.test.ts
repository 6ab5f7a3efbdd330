import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coverageOf, emittedInHour, sumOf } from './own-emission.ts'

const day = (hours: readonly (readonly [number | null, number | null])[]) =>
  sumOf(hours.map(([kwh, grams]) => emittedInHour(kwh, grams)))

test('the worked example: 300 kWh, 20 kg, an emission factor for two thirds of the energy', () => {
  const total = day([
    [100, 50],
    [100, 150],
    [100, null],
  ])
  expect(total).toEqual({ kwh: 300, coveredKwh: 200, kgCo2: 20 })
  expect(coverageOf(total)).toBeCloseTo(66.667, 3)
})

test('an unmeasured hour is in no total, and an hour of feed-in has no emission', () => {
  expect(emittedInHour(null, 100)).toBeNull()
  expect(
    day([
      [null, 100],
      [-50, 100],
      [10, 100],
    ]),
  ).toEqual({ kwh: 10, coveredKwh: 10, kgCo2: 1 })
})

test('the coverage without consumption is unknown', () => {
  expect(coverageOf(day([]))).toBeNull()
  expect(coverageOf(day([[0, 100]]))).toBeNull()
})

const amount = fc.option(fc.double({ min: -1e4, max: 1e4, noNaN: true }))
const grams = fc.option(fc.double({ min: 0, max: 1000, noNaN: true }))

test('coverage is 0 to 100, and twice the power has twice the emission', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(amount, grams), { maxLength: 25 }), (hours) => {
      const [once, twice] = [day(hours), day(hours.map(([kwh, g]) => [kwh === null ? null : kwh * 2, g]))]
      const coverage = coverageOf(once) ?? 0
      expect(coverage).toBeGreaterThanOrEqual(0)
      expect(coverage).toBeLessThanOrEqual(100)
      expect(twice.kgCo2).toBeCloseTo(once.kgCo2 * 2, 6)
    }),
  )
})
