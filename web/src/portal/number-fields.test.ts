import { expect, test } from 'vitest'
import { valueOf } from '#trading/bid-requests/slot-values.ts'

const sources: Record<string, string> = import.meta.glob(['/src/**/*.{ts,tsx}', '!/src/**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const filesWith = (part: RegExp) =>
  Object.entries(sources).flatMap(([path, text]) => (part.test(text) ? [path.replace('/src/', '')] : []))

test('a number is typed into a DecimalField or a cell of the slot grid, and nowhere else', () => {
  expect(filesWith(/inputMode="decimal"/).toSorted()).toEqual([
    'trading/bid-requests/FillTools.tsx',
    'trading/bid-requests/SlotGrid.tsx',
    'ui/DecimalField.tsx',
  ])
  expect(filesWith(/\bNumberInput\b|type="number"|\bparseFloat\(|valueAsNumber/)).toEqual([])
})

test.each([
  ['5.000', 5000],
  ['5,000', 5],
  ['5000', 5000],
  ['1.250,5', 1250.5],
  ['0,5', 0.5],
  ['-1', -1],
  [' 7 ', 7],
  ['1e3', Number.NaN],
  ['５', Number.NaN],
])('a cell of the slot grid reads %j as the fields do', (typed, value) => {
  expect(valueOf('capacity', typed)).toBe(value)
})
