import { expect, test } from 'vitest'
import { clearLeft, clearOfLine } from './pen.ts'

const box = (left: number, right: number) => ({ left, right })
const room = { left: 0, right: 100 }

test('a plate stands as far right as nothing lies under it', () => {
  expect(clearLeft(room, 20, [])).toBe(80)
  expect(clearLeft(room, 20, [box(90, 95)])).toBe(70)
  expect(clearLeft(room, 20, [box(90, 95), box(60, 75)])).toBe(40)
})

test('no clear place: none is named', () => {
  expect(clearLeft(room, 20, [box(10, 30), box(40, 60), box(70, 90)])).toBeNull()
})

test.each([
  [null, 40],
  [10, 40],
  [50, 50],
  [45, 45],
  [59, 39],
])('words of a span stand in its middle, or beside the line at %s that would cut them: %s', (line, left) => {
  expect(clearOfLine({ left: 0, right: 100 }, 20, line)).toBe(left)
})
test('words that find no room are left out', () => {
  expect(clearOfLine({ left: 0, right: 30 }, 40, null)).toBeNull()
  expect(clearOfLine({ left: 0, right: 30 }, 20, 15)).toBeNull()
})
