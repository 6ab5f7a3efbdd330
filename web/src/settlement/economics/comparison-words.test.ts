import { expect, test } from 'vitest'
import { reasonWords } from './comparison-words.ts'

const sums = { offeredMwHours: '8', wonMwHours: '1', capacityEur: '1.005', missedHours: 0, sharePercent: '65' }

test('rates and averages are exact, halves rounded up, and unknown without a divisor', () => {
  const none = { ...sums, offeredMwHours: '0', wonMwHours: '0' }
  expect(reasonWords('price', none, sums)).toBe('1,01 € per MW·h won; previously –.')
  expect(reasonWords('winRate', none, sums)).toBe('12,5 % of it was won; previously –.')
})
