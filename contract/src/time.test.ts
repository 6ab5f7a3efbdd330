import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as time from './time.ts'

const ms = (iso: string) => Date.parse(iso)
const firstMs = ms('2015-01-01T00:00:00Z')
const lastMs = ms('2036-01-01T00:00:00Z')
const instant = fc.integer({ min: firstMs, max: lastMs })
const day = fc.integer({ min: 0, max: 7669 }).map((n) => time.addDays('2015-01-01', n))
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))

describe('local days', () => {
  test.each([
    ['2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 23],
    ['2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 25],
    ['2027-03-28', '2027-03-27T23:00:00Z', '2027-03-28T22:00:00Z', 23],
    ['2027-10-31', '2027-10-30T22:00:00Z', '2027-10-31T23:00:00Z', 25],
    ['2026-11-20', '2026-11-19T23:00:00Z', '2026-11-20T23:00:00Z', 24],
  ])('%s lasts from %s to %s: %i hours', (date, from, to, hours) => {
    const bounds = time.dayBounds(date)
    expect(bounds).toEqual({ fromMs: ms(from), toMs: ms(to) })
    expect((bounds.toMs - bounds.fromMs) / time.hourMs).toBe(hours)
  })

  test('every day begins at the end of the previous day and has 23, 24 or 25 hours', () => {
    fc.assert(
      fc.property(day, (date) => {
        const bounds = time.dayBounds(date)
        expect(time.dayBounds(time.addDays(date, 1)).fromMs).toBe(bounds.toMs)
        expect([23, 24, 25]).toContain((bounds.toMs - bounds.fromMs) / time.hourMs)
        expect(time.localDateOf(bounds.fromMs)).toBe(date)
        expect(time.localDateOf(bounds.toMs - 1)).toBe(date)
      }),
    )
  })

  test('each year has one day of 23 hours and one of 25', () => {
    for (let year = 2015; year <= 2035; year++) {
      const lengths = time.datesBetween(`${year}-01-01`, `${year}-12-31`).map((date) => {
        const { fromMs, toMs } = time.dayBounds(date)
        return (toMs - fromMs) / time.hourMs
      })
      expect(lengths.filter((hours) => hours === 23)).toHaveLength(1)
      expect(lengths.filter((hours) => hours === 25)).toHaveLength(1)
    }
  })

  test('an instant lies within the bounds of its day and month', () => {
    fc.assert(
      fc.property(instant, (at) => {
        for (const bounds of [time.dayBounds(time.localDateOf(at)), time.monthBounds(time.localMonthOf(at))]) {
          expect(at).toBeGreaterThanOrEqual(bounds.fromMs)
          expect(at).toBeLessThan(bounds.toMs)
        }
      }),
    )
  })

  test('local text equals the text of Intl, and local dates are monotonic', () => {
    const intl = new Intl.DateTimeFormat('sv-SE', { timeZone: time.zone, dateStyle: 'short', timeStyle: 'medium' })
    fc.assert(
      fc.property(instant, instant, (a, b) => {
        expect(time.localText(a)).toBe(intl.format(a))
        expect(time.localDateOf(Math.min(a, b)) <= time.localDateOf(Math.max(a, b))).toBe(true)
      }),
    )
  })

  test('the bounds of a month are those of its days', () => {
    for (const month of ['2026-02', '2026-03', '2026-10', '2028-02']) {
      const bounds = time.monthBounds(month)
      const dates = time.datesBetween(time.localDateOf(bounds.fromMs), time.localDateOf(bounds.toMs - 1))
      const sum = dates.map(time.dayBounds).reduce((total, one) => total + one.toMs - one.fromMs, 0)
      expect(sum).toBe(bounds.toMs - bounds.fromMs)
    }
    expect(time.addMonths('2026-11', 3)).toBe('2027-02')
  })

  test('the number of days between two dates is exact across clock changes', () => {
    expect(time.daysBetween('2026-03-28', '2026-03-30')).toBe(2)
    expect(time.daysBetween('2026-11-20', '2026-11-18')).toBe(-2)
    expect(time.datesBetween('2026-10-24', '2026-10-26')).toEqual(['2026-10-24', '2026-10-25', '2026-10-26'])
    expect(time.datesBetween('2026-10-26', '2026-10-24')).toEqual([])
    expect(time.weekday('2026-11-20')).toBe(5)
    const week = time.datesBetween('1969-12-29', '1970-01-04').map(time.weekday)
    expect([week, time.weekday('2000-02-29'), time.weekday('2027-01-31')]).toEqual([[1, 2, 3, 4, 5, 6, 7], 2, 7])
    expect(() => time.weekday('2026-13-01')).toThrow(RangeError)
  })

  test('a nonexistent date is refused', () => {
    for (const date of ['2026-02-29', '2026-13-01', 'today']) {
      expect(() => time.dayBounds(date)).toThrow(RangeError)
      expect(time.localDate.safeParse(date).success).toBe(false)
    }
    expect(time.localDate.safeParse('1026-11-20').success).toBe(false)
    expect(time.month.safeParse('2026-13').success).toBe(false)
    expect(time.month.safeParse('2026-11').success).toBe(true)
    expect(() => time.localDateOf(NaN)).toThrow(RangeError)
  })
})

describe('clock times', () => {
  test.each([
    ['2026-03-29', '01:59', '2026-03-29T00:59:00Z', '2026-03-29T00:59:00Z'],
    ['2026-03-29', '02:00', '2026-03-29T01:00:00Z', '2026-03-29T01:00:00Z'],
    ['2026-03-29', '02:30', '2026-03-29T01:00:00Z', '2026-03-29T01:00:00Z'],
    ['2026-03-29', '03:00', '2026-03-29T01:00:00Z', '2026-03-29T01:00:00Z'],
    ['2026-10-25', '02:00', '2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z'],
    ['2026-10-25', '02:59', '2026-10-25T00:59:00Z', '2026-10-25T01:59:00Z'],
    ['2026-10-25', '03:00', '2026-10-25T02:00:00Z', '2026-10-25T02:00:00Z'],
    ['2026-10-25', '24:00', '2026-10-25T23:00:00Z', '2026-10-25T23:00:00Z'],
  ])('%s %s starts at %s and ends at %s', (date, text, start, end) => {
    expect(time.atLocalTime(date, text, 'start')).toBe(ms(start))
    expect(time.atLocalTime(date, text, 'end')).toBe(ms(end))
  })

  test('a later time of day is never an earlier instant and is formatted as parsed', () => {
    fc.assert(
      fc.property(day, clock, clock, (date, a, b) => {
        const [early, late] = a <= b ? [a, b] : [b, a]
        for (const edge of ['start', 'end'] as const) {
          expect(time.atLocalTime(date, early, edge)).toBeLessThanOrEqual(time.atLocalTime(date, late, edge))
          const read = time.localTime(time.atLocalTime(date, a, edge))
          expect([a, '03:00']).toContain(read)
        }
      }),
    )
  })

  test('start and end are instants with a zone or HH:mm on the date', () => {
    const date = '2026-11-20'
    expect(time.instantOf('10:00', date, 'start')).toBe(ms('2026-11-20T09:00:00Z'))
    expect(time.instantOf('24:00', date, 'end')).toBe(ms('2026-11-20T23:00:00Z'))
    expect(time.instantOf('2026-11-20T10:00:00.5Z', date, 'start')).toBe(ms('2026-11-20T10:00:00.500Z'))
    expect(time.instantOf('2026-11-20T10:00:00+01:00', date, 'end')).toBe(ms('2026-11-20T09:00:00Z'))
    for (const text of ['2026-11-20T10:00:00', '25:00', '10:60', '', 'now', '1']) {
      expect(time.instantOf(text, date, 'start')).toBeNull()
    }
  })
})

describe('windows and formats', () => {
  test('the frequency window is 30 minutes, the capacity window from 16 minutes before to 1 minute after the report', () => {
    const at = ms('2026-11-20T17:00:00Z')
    expect(time.frequencyWindow(at)).toEqual({ fromMs: ms('2026-11-20T16:30:00Z'), toMs: at })
    expect(time.capacityWindow(at)).toEqual({ fromMs: ms('2026-11-20T16:44:00Z'), toMs: ms('2026-11-20T17:01:00Z') })
  })

  test('dates, times and the name of the zone', () => {
    const winter = ms('2026-11-20T17:12:08.999Z')
    expect(time.formatDate(winter)).toBe('20.11.2026')
    expect(time.formatDate('2026-11-20')).toBe('20.11.2026')
    expect(time.formatTime(winter)).toBe('18:12:08')
    expect(time.formatDateTime(winter)).toBe('20.11.2026 18:12:08')
    expect(time.zoneLabel(winter)).toBe('CET')
    expect(time.zoneLabel(ms('2026-07-01T12:00:00Z'))).toBe('CEST')
    expect(time.today(ms('2026-11-20T23:00:00Z'))).toBe('2026-11-21')
  })
})

test('a lookup of the last millisecond before a clock change does not shift later hours', () => {
  for (const change of ['2026-10-25T01:00:00Z', '2026-03-29T01:00:00Z', '2027-10-31T01:00:00Z']) {
    const at = Date.parse(change)
    const hoursOf = (ms: number) => Number(time.localTime(ms).slice(0, 2))
    expect(hoursOf(at - 1)).toBe(1 + Number(change.includes('-10-')))
    expect(hoursOf(at)).toBe(change.includes('-10-') ? 2 : 3)
    expect(time.localTime(at + 30 * time.minuteMs)).toBe(change.includes('-10-') ? '02:30' : '03:30')
  }
})

test('hours of a day with a clock change include the zone, hours of other days do not', () => {
  const from = (iso: string) => time.localSpan(Date.parse(iso), Date.parse(iso) + time.hourMs)
  expect(from('2026-10-25T00:00:00Z')).toBe('02:00 CEST–02:00 CET')
  expect(from('2026-10-25T01:00:00Z')).toBe('02:00–03:00 CET')
  expect(from('2026-10-25T22:00:00Z')).toBe('23:00–00:00 CET')
  expect(from('2026-03-29T00:00:00Z')).toBe('01:00 CET–03:00 CEST')
  expect(from('2026-11-20T22:00:00Z')).toBe('23:00–00:00')
})
