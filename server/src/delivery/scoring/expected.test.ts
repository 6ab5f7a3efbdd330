import { addDays, dayBounds, hourMs, weekday } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { type HourlyKw, openExpected, profileSpan, usualOf } from './expected.ts'

const nowMs = Date.parse('2026-11-24T11:00:00Z')
const at = (day: string, hour: number) => dayBounds(day).fromMs + hour * hourMs
const open = (hourly: HourlyKw, lastHourKw: number | null, now = nowMs) =>
  openExpected({ usual: usualOf(hourly, now), lastHourKw, nowMs: now })
const rounded = (found: { kw: number; usualErrorKw: number } | null) =>
  found && [Math.round(found.kw), Math.round(found.usualErrorKw)]

const threeDays = ['2026-11-18', '2026-11-20', '2026-11-23']
const example = new Map([
  ...threeDays.map((day, i) => [at(day, 15), 400 + 10 * i] as const),
  ...threeDays.map((day) => [at(day, 11), 500] as const),
  [at('2026-11-21', 15), 90] as const,
])

test('the worked example of the page', () => {
  const expectedAt = open(example, 380)
  expect(rounded(expectedAt(at('2026-11-24', 15)))).toEqual([360, 10])
  expect(rounded(open(example, null)(at('2026-11-24', 15)))).toEqual([410, 10])
  expect(rounded(expectedAt(at('2026-11-25', 15)))).toEqual([410, 10])
})

test('an hour is expected from three days of its kind, weekday or weekend, before today', () => {
  const expectedAt = open(example, 380)
  expect(expectedAt(at('2026-11-28', 15))).toBeNull()
  expect(expectedAt(at('2026-11-24', 16))).toBeNull()
  const today = new Map([
    ...threeDays.slice(1).map((day) => [at(day, 15), 1] as const),
    [at('2026-11-24', 9), 1] as const,
  ])
  expect(open(today, null)(at('2026-11-25', 15))).toBeNull()
})

test('the expected power is not negative', () => {
  expect(open(example, 0)(at('2026-11-24', 15))?.kw).toBe(410 - 500 * Math.exp(-3.5 / 4))
  const low = new Map([...example].map(([ms, kw]) => [ms, kw / (ms % 2 === 0 && kw < 490 ? 100 : 1)] as const))
  expect(open(low, 0)(at('2026-11-24', 15))?.kw).toBe(0)
})

test.each([
  ['2026-03-31T10:00:00Z', '2026-03-29', 23],
  ['2026-10-27T11:00:00Z', '2026-10-25', 25],
])('%s: a day of another length in the profile moves no hour of the others', (now, changed, hoursOfDay) => {
  const { fromMs, toMs } = profileSpan(Date.parse(now))
  expect((dayBounds(changed).toMs - dayBounds(changed).fromMs) / hourMs).toBe(hoursOfDay)
  const hourly = new Map<number, number>()
  for (let ms = fromMs; ms < toMs; ms += hourMs)
    hourly.set(ms, Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', timeZone: 'Europe/Berlin' }).format(ms)))
  const expectedAt = open(hourly, null, Date.parse(now))
  const day = addDays(changed, 3)
  expect(weekday(day)).toBe(3)
  for (const hour of [0, 1, 2, 3, 12, 23]) expect(expectedAt(at(day, hour))).toEqual({ kw: hour, usualErrorKw: 0 })
})
