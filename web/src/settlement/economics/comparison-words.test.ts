import { expect, test } from 'vitest'
import { reasonWords } from './comparison-words.ts'

const sums = { offeredMw: '8', wonMw: '1', capacityEur: '1.005', missedHours: 0, sharePercent: '65' }

test('rates and averages are exact, halves rounded up, and unknown without a divisor', () => {
  const none = { ...sums, offeredMw: '0', wonMw: '0' }
  expect(reasonWords('price', none, sums)).toBe('1,01 € per MW won; previously –.')
  expect(reasonWords('winRate', none, sums)).toBe('12,5 % of it was won; previously –.')
})
