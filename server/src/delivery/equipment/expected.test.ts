import { expect, test } from 'vitest'
import { expectedAt } from './routes.ts'

const at = (y: (number | null)[], bases: [number, number][], perPct = -4) =>
  expectedAt({ x: y.map((_, i) => i), y }, new Map(bases), perPct).y

test('each set point moves what was taken before the first; at rest nothing is expected', () => {
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
test('downwards adds load, and so does a negative set point of a market both ways', () => {
  expect(at([0, 40], [[1, 400]], 4)).toEqual([null, 560])
  expect(at([0, -40], [[1, 400]])).toEqual([null, 560])
})
test('without a beginning that was seen nothing is known until the next; an unknown set point expects nothing', () => {
  expect(at([40, 40, 0, 40], [[3, 400]])).toEqual([null, null, null, 240])
  expect(at([0, 40, null, 40], [[1, 400]])).toEqual([null, 240, null, 240])
})
