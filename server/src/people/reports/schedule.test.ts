import { expect, test } from 'vitest'
import { nextAt, periodOf } from './schedule.ts'

const next = (every: 'daily' | 'weekly' | 'monthly', time: string, after: string) =>
  new Date(nextAt({ every, time }, Date.parse(after))).toISOString()

test('the local time holds across the days of 23 and 25 hours, and each day has one report', () => {
  expect(next('daily', '07:00', '2026-03-28T12:00:00Z')).toBe('2026-03-29T05:00:00.000Z')
  expect(next('daily', '07:00', '2026-10-24T12:00:00Z')).toBe('2026-10-25T06:00:00.000Z')
  // 02:30 does not exist on 29 March, and exists twice on 25 October.
  expect(next('daily', '02:30', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
  expect(next('daily', '02:30', '2026-03-29T01:00:00Z')).toBe('2026-03-30T00:30:00.000Z')
  expect(next('daily', '02:30', '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z')
  expect(next('daily', '02:30', '2026-10-25T00:30:00Z')).toBe('2026-10-26T01:30:00.000Z')
})

test('weekly is the next Monday, monthly the next first of a month', () => {
  expect(next('weekly', '08:00', '2026-11-22T23:30:00Z')).toBe('2026-11-23T07:00:00.000Z')
  expect(next('weekly', '08:00', '2026-11-23T07:00:00Z')).toBe('2026-11-30T07:00:00.000Z')
  expect(next('monthly', '08:00', '2026-11-20T12:00:00Z')).toBe('2026-12-01T07:00:00.000Z')
  expect(next('monthly', '08:00', '2026-12-01T06:59:59Z')).toBe('2026-12-01T07:00:00.000Z')
})

test('the period is the previous local day, week or month', () => {
  const at = Date.parse('2026-11-30T23:30:00Z') // 1 December, 00:30
  expect(periodOf('daily', at)).toEqual({ first: '2026-11-30', last: '2026-11-30' })
  expect(periodOf('weekly', at)).toEqual({ first: '2026-11-23', last: '2026-11-29' })
  expect(periodOf('monthly', at)).toEqual({ first: '2026-11-01', last: '2026-11-30' })
})
