import { slots as daySlots } from '@gridmast/contract/slots.ts'
import { dayBounds, hourMs, quarterMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { bandFigures, dayAheadFigures, missingSpans, type PriceSlot } from './day-ahead.ts'

const day = '2026-11-20'
const start = dayBounds(day).fromMs
const hour = (index: number, price: string, fromMs = start): PriceSlot => ({
  fromMs: fromMs + index * hourMs,
  toMs: fromMs + (index + 1) * hourMs,
  price,
})
const quarters = (date: string, price: (index: number) => string): PriceSlot[] =>
  daySlots('quarter', date).map(({ fromMs, toMs, index }) => ({
    fromMs,
    toMs,
    price: price(index),
  }))

test('average, lowest, highest and spread are exact', () => {
  const figures = dayAheadFigures([hour(0, '0.1'), hour(1, '-0.97'), hour(2, '0.2')])
  expect(figures).toMatchObject({ average: '-0.22', spread: '1.17', belowZero: 1, cheapest: null })
  expect([figures?.lowest.fromMs, figures?.highest.fromMs]).toEqual([start + hourMs, start + 2 * hourMs])
})

test('the cheapest four hours are in a row, on quarters, the earliest of equal ones', () => {
  const figures = dayAheadFigures(quarters(day, (i) => (i >= 46 && i < 62 ? '1.5' : '500')))
  expect(figures?.cheapest).toEqual({
    fromMs: start + 46 * quarterMs,
    toMs: start + 62 * quarterMs,
    average: '1.50',
  })
  expect(dayAheadFigures(quarters(day, () => '7'))?.cheapest?.fromMs).toBe(start)
})

test('the cheapest four hours are not in the past; on a past day they cover the whole day', () => {
  const slots = quarters(day, (i) => (i < 16 ? '1' : i < 40 ? '9' : '5'))
  const cheapestAt = (hours: number) => dayAheadFigures(slots, start + hours * hourMs)?.cheapest?.fromMs
  expect(cheapestAt(0.2)).toBe(start)
  expect(cheapestAt(0.3)).toBe(start + quarterMs)
  expect(cheapestAt(5)).toBe(start + 10 * hourMs)
  expect(cheapestAt(21)).toBeUndefined()
  expect(cheapestAt(30)).toBe(start)
})

test('a gap is never inside the cheapest four hours', () => {
  const cheapAroundGap = [hour(0, '1'), hour(1, '1'), hour(3, '1'), hour(4, '1'), hour(5, '9'), hour(6, '9')]
  expect(dayAheadFigures(cheapAroundGap)?.cheapest?.fromMs).toBe(start + 3 * hourMs)
})

test('an hour counts as four quarters next to days that have quarters', () => {
  const half = [hour(0, '100'), { ...hour(1, '200'), toMs: start + hourMs + quarterMs }]
  expect(dayAheadFigures(half)?.average).toBe('120.00')
})

test('no prices: no figures, and the whole day is missing', () => {
  expect(dayAheadFigures([])).toBeNull()
  expect(missingSpans(dayBounds(day), [])).toEqual([dayBounds(day)])
})

test('missing prices inside a day and at its ends', () => {
  expect(missingSpans(dayBounds(day), [hour(1, '1'), hour(3, '1')])).toEqual([
    { fromMs: start, toMs: start + hourMs },
    { fromMs: start + 2 * hourMs, toMs: start + 3 * hourMs },
    { fromMs: start + 4 * hourMs, toMs: dayBounds(day).toMs },
  ])
})

test.each([
  ['2026-03-29', 92, 20],
  ['2026-11-20', 96, 24],
  ['2026-10-25', 100, 28],
])('%s has %i quarters, %i of them in the night; none is missing', (date, count, night) => {
  const all = quarters(date, (i) => (i < night ? '10' : '90'))
  expect(all).toHaveLength(count)
  expect(missingSpans(dayBounds(date), all)).toEqual([])
  expect(bandFigures(all, { from: 0, to: 6 })).toEqual({ average: '10.00', lowest: '10', highest: '10' })
  expect(bandFigures(all, { from: 6, to: 12 })?.average).toBe('90.00')
})
