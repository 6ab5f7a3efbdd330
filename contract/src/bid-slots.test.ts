import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  auctionsOfMarket,
  bidSlots,
  cutOffMs,
  energyPriced,
  firstOpenDay,
  gateMs,
  nextOpenDay,
  requestSlots,
} from './bid-slots.ts'
import { markets } from './markets.ts'
import { addDays, dayBounds, hourMs, today } from './time.ts'

const early = { market: 'FCR-D-INC', auction: 'D-1 early', daysAhead: 1, closesAt: '00:30' }
const late = { market: 'FCR-D-INC', auction: 'D-1 late', daysAhead: 1, closesAt: '18:00' }

test.each([
  ['FCR', 6],
  ['FFR', 24],
  ['FCR-D-INC', 24],
  ['FCR-D-DEC', 24],
  ['FCR-N', 24],
  ['aFRR', 24],
  ['aFRR-DK1-INC', 24],
  ['mFRR', 24],
  ['local flexibility', 1],
  ['DC-PLANNER', null],
  ['FCR-D (LER)', null],
])('a request for %s has %j slots', (market, slots) => {
  expect(requestSlots(market)).toBe(slots)
})

test('energy is priced in aFRR and mFRR, and Nordic FCR has two auctions', () => {
  expect(Object.keys(markets).filter(energyPriced)).toEqual([
    'aFRR',
    'aFRR-DK1-INC',
    'aFRR-DK1-DEC',
    'aFRR-DK2-INC',
    'aFRR-DK2-DEC',
    'mFRR',
  ])
  expect(Object.keys(markets).filter((market) => auctionsOfMarket(market).length === 2)).toEqual([
    'FCR-N',
    'FCR-D-INC',
    'FCR-D-DEC',
  ])
})

const hoursOf = (market: string, date: string) =>
  bidSlots(market, date).map(({ fromMs, toMs }) => (toMs - fromMs) / hourMs)

test('the hour skipped in March is empty and the hour repeated in October lasts two hours', () => {
  expect(hoursOf('FFR', '2026-03-29')).toEqual([1, 1, 0, ...Array.from({ length: 21 }, () => 1)])
  expect(hoursOf('FFR', '2026-10-25')).toEqual([1, 1, 2, ...Array.from({ length: 21 }, () => 1)])
  expect(hoursOf('FCR', '2026-03-29')).toEqual([3, 4, 4, 4, 4, 4])
  expect(hoursOf('FCR', '2026-10-25')).toEqual([5, 4, 4, 4, 4, 4])
  expect(hoursOf('local flexibility', '2026-10-25')).toEqual([25])
  expect(hoursOf('DC-PLANNER', '2026-10-25')).toEqual([])
})

test('slots cover the day without gaps or overlaps', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom('FCR', 'FFR', 'elsewhere'), (n, market) => {
      const date = addDays('2000-01-01', n)
      const found = bidSlots(market, date)
      const day = dayBounds(date)
      let at = day.fromMs
      for (const slot of found) {
        expect(slot.fromMs).toBe(at)
        at = slot.toMs
      }
      expect(at).toBe(day.toMs)
    }),
    { numRuns: 300 },
  )
})

describe('gate closures', () => {
  test('the worked example of the gate documentation', () => {
    const nowMs = Date.parse('2026-11-20T14:00:00Z')
    expect(nextOpenDay(early, nowMs)).toBe('2026-11-22')
    expect(nextOpenDay(late, nowMs)).toBe('2026-11-21')
    expect(firstOpenDay([early, late], nowMs)).toBe('2026-11-21')
    expect(firstOpenDay([early, late], nowMs + hourMs - 1)).toBe('2026-11-21')
    expect(firstOpenDay([early, late], nowMs + hourMs)).toBe('2026-11-22')
  })

  test('the cut-off is two elapsed hours before the gate, also across a clock change', () => {
    expect(new Date(gateMs(early, '2026-10-26')).toISOString()).toBe('2026-10-24T22:30:00.000Z')
    expect(new Date(cutOffMs(early, '2026-10-26')).toISOString()).toBe('2026-10-24T20:30:00.000Z')
    const four = { ...early, closesAt: '04:00' }
    expect(new Date(gateMs(four, '2026-10-26')).toISOString()).toBe('2026-10-25T03:00:00.000Z')
    expect(new Date(cutOffMs(four, '2026-10-26')).toISOString()).toBe('2026-10-25T01:00:00.000Z')
  })

  test('a market without a gate is open from tomorrow', () => {
    const nowMs = Date.parse('2026-11-20T23:30:00Z')
    expect(today(nowMs)).toBe('2026-11-21')
    expect(firstOpenDay([], nowMs)).toBe('2026-11-22')
  })

  test('the next open day is the first day with a future cut-off', () => {
    const times = fc.integer({ min: Date.parse('2026-01-01T00:00:00Z'), max: Date.parse('2027-12-31T00:00:00Z') })
    const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    fc.assert(
      fc.property(times, clock, fc.integer({ min: 0, max: 7 }), (nowMs, [hour, minute], daysAhead) => {
        const closesAt = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
        const gate = { market: 'FFR', auction: '', daysAhead, closesAt }
        const day = nextOpenDay(gate, nowMs)
        expect(cutOffMs(gate, day)).toBeGreaterThan(nowMs)
        if (day > today(nowMs)) expect(cutOffMs(gate, addDays(day, -1))).toBeLessThanOrEqual(nowMs)
      }),
      { numRuns: 500 },
    )
  })
})
