import { expect, test } from 'vitest'
import { clearLeft, clearOfLine } from './pen.ts'

const box = (left: number, right: number) => ({ left, right })
const room = { left: 0, right: 100 }

test('a plate is as far right as its place is free', () => {
  expect(clearLeft(room, 20, [])).toBe(80)
  expect(clearLeft(room, 20, [box(90, 95)])).toBe(70)
  expect(clearLeft(room, 20, [box(90, 95), box(60, 75)])).toBe(40)
})

test('without a free place none is named', () => {
  expect(clearLeft(room, 20, [box(10, 30), box(40, 60), box(70, 90)])).toBeNull()
})

test.each([
  [null, 40],
  [10, 40],
  [50, 50],
  [45, 45],
  [59, 39],
])('words of a span are in its middle, or next to the line at %s that would cut them: %s', (line, left) => {
  expect(clearOfLine({ left: 0, right: 100 }, 20, line)).toBe(left)
})
test('words without a place are omitted', () => {
  expect(clearOfLine({ left: 0, right: 30 }, 40, null)).toBeNull()
  expect(clearOfLine({ left: 0, right: 30 }, 20, 15)).toBeNull()
})
