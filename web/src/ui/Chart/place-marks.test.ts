import { expect, test } from 'vitest'
import type { ChartMark } from './model.ts'
import { placeMarks } from './place-marks.ts'

const mark = (key: string, fromMs: number, toMs: number | null = null): ChartMark => ({
  key,
  kind: 'note',
  fromMs,
  toMs,
  words: key,
  colour: 'ink2',
})
const placed = (marks: ChartMark[]) =>
  placeMarks(marks, { fromMs: 100, toMs: 200 }, (ms) => ms - 100, 10).map(({ x, marks: together }) => [
    x,
    together.map(({ key }) => key).join(''),
  ])

test('marks are placed in order of time, and those without room between them share a place', () => {
  expect(placed([mark('c', 150), mark('a', 110), mark('b', 119), mark('d', 160)])).toEqual([
    [10, 'ab'],
    [50, 'c'],
    [60, 'd'],
  ])
})

test('a mark that began earlier is at the start; marks outside of the window are omitted', () => {
  expect(placed([mark('a', 20, 120), mark('b', 20, 90), mark('c', 20), mark('d', 250)])).toEqual([[0, 'a']])
})
