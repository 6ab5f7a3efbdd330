import type { MeterTotals } from '@gridmast/contract/meters/data-hub.ts'
import { expect, test } from 'vitest'
import { comparedWords } from './meter-words.ts'

test('a change of a meter is an exact percentage', () => {
  const coverage = { intervals: 1, read: 1, estimated: 0, unpriced: 0, unmatched: 0 }
  const totals = (kwh: string) => ({ kwh, dkk: null, kgCo2: null, coverage }) as unknown as MeterTotals // what the words are made of
  expect(comparedWords(totals('1.0005'), totals('1'), 'day')).toContain('(+0,1 %)')
  expect(comparedWords(totals('0'), totals('0'), 'day')).toContain('(–)')
})
