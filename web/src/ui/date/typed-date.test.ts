import { expect, test } from 'vitest'
import { parseDate, parseMonth, parseTime, presets } from './typed-date.ts'

test.each([
  ['20.11.2026', '2026-11-20'],
  ['1.2.26', '2026-02-01'],
  ['20-11-2026', '2026-11-20'],
  [' 2026-11-20 ', '2026-11-20'],
])('%s is a day', (typed, iso) => expect(parseDate(typed)).toBe(iso))

test.each(['31.02.2026', '20.13.2026', '20.11', 'tomorrow', '', '20.11.1926'])('%s is no day', (typed) =>
  expect(parseDate(typed)).toBeNull(),
)

test('months', () => {
  expect(parseMonth('11.2026')).toBe('2026-11')
  expect(parseMonth('2026-02')).toBe('2026-02')
  expect(parseMonth('13.2026')).toBeNull()
})

test('presets reach back over a month and a leap day', () => {
  const named = Object.fromEntries(presets('2028-03-03').map(({ name, range }) => [name, range]))
  expect(named['Last 7 days']).toEqual({ start: '2028-02-26', end: '2028-03-03' })
  expect(named['Last month']).toEqual({ start: '2028-02-01', end: '2028-02-29' })
})

test.each([
  ['8:05', '08:05'],
  ['18.12', '18:12'],
  ['0805', '08:05'],
  ['24:00', '24:00'],
  ['24:01', null],
  ['18:60', null],
  ['18', null],
])('time %s', (typed, time) => {
  expect(parseTime(typed)).toBe(time)
})
