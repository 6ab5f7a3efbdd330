import { atLocalTime } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { canBeStale, missingWords } from './price-figures.ts'

const at = (time: string) => atLocalTime('2026-11-20', time)

test.each([
  ['2026-11-21', '12:00', 'Not published yet, expected 20.11.2026 around 12:55'],
  ['2026-11-21', '13:24', 'Not published yet, expected 20.11.2026 around 12:55'],
  ['2026-11-21', '13:26', 'Late, expected 20.11.2026 around 12:55'],
  ['2026-11-22', '13:26', 'Not published yet, expected 21.11.2026 around 12:55'],
  ['2026-11-20', '00:10', 'Late, expected 19.11.2026 around 12:55'],
  ['2026-11-19', '13:26', 'No prices for this day'],
])('%s without prices, seen on 20.11.2026 at %s: %s', (date, time, words) => {
  expect(missingWords(date, at(time))).toBe(words)
})

test('a past day is never stale', () => {
  expect([canBeStale('2026-11-19', at('12:00')), canBeStale('2026-11-20', at('12:00'))]).toEqual([false, true])
})
