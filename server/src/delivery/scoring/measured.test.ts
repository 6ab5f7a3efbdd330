import fc from 'fast-check'
import { expect, test } from 'vitest'
import { extremeOfLast } from './measured.ts'
import { heldPerSecond, perSecond } from './samples.ts'

const values = fc.array(fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constant(NaN)), { maxLength: 60 })

test('the extreme of the last values equals that of each window', () => {
  fc.assert(
    fc.property(values, fc.nat({ max: 12 }), fc.constantFrom(1, -1), (list, back, sign) => {
      const expected = list.map((_, i) => {
        const known = list.slice(Math.max(0, i - back), i + 1).filter((value) => !Number.isNaN(value))
        return known.length === 0 ? NaN : sign * Math.max(...known.map((value) => sign * value))
      })
      const found = Array.from(extremeOfLast(Float64Array.from(list), back, sign))
      expect(found.map((value) => value + 0)).toEqual(expected.map((value) => value + 0))
    }),
  )
})

test('clocks that jitter by up to half a second lose no second', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -499, max: 499 }), { minLength: 1, maxLength: 50 }), (jitter) => {
      const samples = { x: jitter.map((ms, i) => 1e12 + i * 1000 + ms), y: jitter.map((_, i) => i) }
      expect(Array.from(perSecond(samples, 1e12, jitter.length))).toEqual(samples.y)
    }),
  )
})

test('a second without a sample is NaN, and samples outside do not count', () => {
  const samples = { x: [-2000, 0, 1000, 3000, 3200, 5000], y: [9, 1, null, 3, 4, 9] }
  expect(Array.from(perSecond(samples, 0, 5))).toEqual([1, NaN, NaN, 3.5, NaN])
})

test('a scheduled value holds until the next one', () => {
  const schedule = { x: [-900_000, 2000, 4000], y: [10, 20, null] }
  expect(Array.from(heldPerSecond(schedule, 0, 6))).toEqual([10, 10, 20, 20, NaN, NaN])
  expect(Array.from(heldPerSecond(schedule, -901_000, 2))).toEqual([NaN, 10])
})
