import { m } from '@gridmast/contract/messages.ts'
import { expect, test } from 'vitest'
import { errorsOf, isMarketOf, initialChoice, withArea } from './choice.ts'

const defaults = initialChoice('2026-11', ['DK2', 'DK1'])

test('defaults: the last six months, 1 MW, DKK, the first area of the company', () => {
  expect(defaults).toEqual({
    area: 'DK2',
    market: 'FCR-D-INC',
    capacity: '1',
    currency: 'DKK',
    startDate: '2026-05',
    endDate: '2026-10',
  })
  expect(initialChoice('2026-01', [])).toMatchObject({
    area: 'DK1',
    market: 'FCR',
    startDate: '2025-07',
    endDate: '2025-12',
  })
})

test('another area takes its first market', () => {
  expect(withArea(defaults, 'DK1').market).toBe('FCR')
  expect(withArea({ ...defaults, market: 'AFRR-DEC' }, 'SE3').market).toBe('FCR-D-INC')
  expect([isMarketOf('DK2', 'FCR'), isMarketOf('DK1', 'FCR'), isMarketOf('SE1', 'AFRR-INC')]).toEqual([
    false,
    true,
    false,
  ])
})

test.each([
  ['', m.required],
  ['many', m.number],
  ['0', m.positive],
  ['0.001', undefined],
  ['10000', undefined],
  ['10000.1', m.atMost(10_000)],
])('capacity %s', (capacity, error) => {
  expect(errorsOf({ ...defaults, capacity }).capacity).toBe(error)
})

test.each([
  ['2026-05', '2026-04', m.endBeforeStart],
  ['2026-05', '2026-05', undefined],
  ['2021-11', '2026-10', undefined],
  ['2021-10', '2026-10', m.tooManyMonths(60)],
])('months %s to %s', (startDate, endDate, error) => {
  expect(errorsOf({ ...defaults, startDate, endDate }).endDate).toBe(error)
})
