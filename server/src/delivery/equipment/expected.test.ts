import { expect, test } from 'vitest'
import { expectedAt } from './routes.ts'

const at = (y: (number | null)[], bases: [number, number][], perPct = -4) =>
  expectedAt({ x: y.map((_, i) => i), y }, new Map(bases), perPct).y

test('each set point moves the power before the first one, and 0 expects nothing', () => {
  expect(
    at(
      [0, 40, 70, 40, 0, 0, 10],
      [
        [1, 400],
        [6, 390],
      ],
    ),
  ).toEqual([null, 240, 120, 240, null, null, 350])
})
test('a downward market and a negative set point of a two-way market add load', () => {
  expect(at([0, 40], [[1, 400]], 4)).toEqual([null, 560])
  expect(at([0, -40], [[1, 400]])).toEqual([null, 560])
})
test('without a known start or with an unknown set point nothing is expected', () => {
  expect(at([40, 40, 0, 40], [[3, 400]])).toEqual([null, null, null, 240])
  expect(at([0, 40, null, 40], [[1, 400]])).toEqual([null, 240, null, 240])
})
