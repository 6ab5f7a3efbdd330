import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitLine } from './fit.ts'

test('a line is found again from its points', () => {
  const part = fc.integer({ min: -1000, max: 1000 })
  fc.assert(
    fc.property(part, part, (base, slope) => {
      const line = fitLine([1, 10, 100].map((size) => [size, base + slope * size]))
      expect(line.base).toBeCloseTo(base, 6)
      expect(line.slope).toBeCloseTo(slope, 6)
      expect(slope === 0 || line.isLinear).toBe(true)
    }),
  )
})

test('a curve is not linear', () => {
  expect(fitLine([1, 10, 50, 100].map((size) => [size, size ** 2])).isLinear).toBe(false)
})

test('one size has no slope', () => {
  expect(() =>
    fitLine([
      [5, 1],
      [5, 2],
    ]),
  ).toThrow('two different sizes')
})
