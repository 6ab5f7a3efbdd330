import type { ComparedLine } from '@gridmast/contract/settlement/reconciliation.ts'
import { addDays } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { halfMonthBefore, statementOf } from './statement.ts'

test.each([
  ['2026-11-24T17:00:00Z', '2026-11-01', '2026-11-15'],
  ['2026-11-17T00:30:00Z', '2026-11-01', '2026-11-15'],
  ['2026-11-16T12:00:00Z', '2026-10-16', '2026-10-31'],
  ['2026-03-01T12:00:00Z', '2026-02-01', '2026-02-15'],
  ['2026-03-02T12:00:00Z', '2026-02-16', '2026-02-28'],
  ['2026-03-10T12:00:00Z', '2026-02-16', '2026-02-28'],
])('on %s the last half of a month is %s to %s', (now, first, last) => {
  expect(halfMonthBefore(Date.parse(now))).toEqual({ first, last })
})

const lineOf = (n: number): ComparedLine => ({
  kind: 'differs',
  row: n + 2,
  instanceId: '01930000-0000-7000-8000-000000000001',
  instance: 'Nordhavn Køl 1',
  date: addDays('2026-09-01', n),
  type: 'FCR-D-INC',
  auction: null,
  start: null,
  compares: 'customer',
  ours: { mw: '9.6', priceEur: '20.5', availability: '100', share: '70', grossEur: '196.80', customerEur: '137.76' },
  theirs: null,
  oursEur: '137.76',
  theirsEur: '0',
  differenceEur: '-137.76',
  parts: null,
  version: 1,
})

test('most rows agree, one in seven differs by one figure, and one is missing', () => {
  const rows = statementOf(Array.from({ length: 43 }, (_, n) => lineOf(n)))
    .trimEnd()
    .split('\r\n')
    .map((row) => row.split(';'))
  expect(rows).toHaveLength(1 + 42)
  expect(rows[1]).toEqual(['Nordhavn Køl 1', 'FCR-D-INC', '2026-09-01', '9,6', '20,5', '100', '70', '137,76'])
  const differing = rows.slice(1).filter((row) => row[7] !== '137,76')
  expect(differing.map((row) => row.slice(3))).toEqual([
    ['8,640', '20,500000', '100,0000', '70,0000', '123,98'],
    ['9,600', '19,885000', '100,0000', '70,0000', '133,63'],
    ['9,600', '20,500000', '95,0000', '70,0000', '130,87'],
    ['9,600', '20,500000', '100,0000', '68,6000', '135,00'],
    ['9,600', '20,500000', '100,0000', '70,0000', '140,52'],
  ])
})
