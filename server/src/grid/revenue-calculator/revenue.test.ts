import { addDays, dayBounds } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { coverageOf, dayHours, dkkBasisOf, hoursOf, monthHours, monthsBetween, monthsOf, sumOf } from './revenue.ts'

const day = (date: string, more: object = {}) => ({
  day: date,
  hours: 24,
  eur: '0.005',
  dkk: '0.004',
  hasDkk: false,
  hasRate: false,
  hasCentral: false,
  dkkPerEur: null,
  ...more,
})

test('amounts are added before rounding', () => {
  const days = [day('2026-10-30'), day('2026-10-31'), day('2026-11-01', { hours: 1 })]
  expect(sumOf(days)).toEqual({ eur: '0.015', dkk: '0.012', hours: 49 })
  expect(monthsOf(days)).toEqual([
    { month: '2026-10', eur: '0.01', dkk: '0.008', hours: 48 },
    { month: '2026-11', eur: '0.005', dkk: '0.004', hours: 1 },
  ])
  expect(sumOf([])).toEqual({ eur: '0', dkk: '0', hours: 0 })
})

test.each([
  [24, 24, 100],
  [23, 24, 95.83],
  [743_999, 744_000, 99.99],
  [0, 24, 0],
])('%i of %i hours are a coverage of %d, and 100 means complete', (hours, ofHours, percent) => {
  expect(coverageOf(hours, ofHours)).toBe(percent)
})

test('a day has the hours of its bounds on every day of twelve years', () => {
  for (let date = '2018-01-01'; date < '2030-01-01'; date = addDays(date, 1))
    if (dayHours(date) !== hoursOf(dayBounds(date))) expect.fail(date)
  expect(['2026-03-29', '2026-10-25', '2026-11-20'].map(dayHours)).toEqual([23, 25, 24])
})

test('months with a clock change have their number of hours', () => {
  expect(['2026-03', '2026-10', '2026-11'].map(monthHours)).toEqual([743, 745, 720])
})

test('the months of a range across a year', () => {
  expect(monthsBetween('2025-11', '2026-02')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02'])
  expect(monthsBetween('2025-11', '2025-11')).toEqual(['2025-11'])
})

test('the source of DKK amounts is one, mixed or none', () => {
  expect(dkkBasisOf([])).toBeNull()
  expect(dkkBasisOf([day('2026-10-30', { hasDkk: true })])).toBe('dataset')
  expect(dkkBasisOf([day('2026-10-30', { hasRate: true })])).toBe('rate of the day')
  expect(dkkBasisOf([day('2026-10-30', { hasCentral: true })])).toBe('central rate')
  expect(dkkBasisOf([day('2026-10-30', { hasDkk: true }), day('2026-10-31', { hasRate: true })])).toBe('mixed')
})
