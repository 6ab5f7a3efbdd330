import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { axisLabel, slotHours, slots, type SlotKind } from './slots.ts'
import { addDays, dayBounds, hourMs } from './time.ts'

const day = fc.integer({ min: 0, max: 7669 }).map((n) => addDays('2015-01-01', n))
const kinds: SlotKind[] = ['block', 'bidHour', 'hour', 'quarter']

describe('slots of a day', () => {
  test.each(kinds)('%s slots cover every day from 2015 to 2035 exactly and in order', (kind) => {
    fc.assert(
      fc.property(day, (date) => {
        const bounds = dayBounds(date)
        let at = bounds.fromMs
        slots(kind, date).forEach((slot, index) => {
          expect(slot.index).toBe(index)
          expect(slot.fromMs).toBe(at)
          expect(slot.toMs).toBeGreaterThanOrEqual(slot.fromMs)
          at = slot.toMs
        })
        expect(at).toBe(bounds.toMs)
      }),
    )
  })

  test.each(kinds)('%s labels are unique within a day', (kind) => {
    fc.assert(
      fc.property(day, (date) => {
        const labels = slots(kind, date).map((slot) => slot.label)
        expect(new Set(labels).size).toBe(labels.length)
      }),
    )
  })

  test.each([
    ['2026-03-29', [6, 24, 23, 92]],
    ['2026-10-25', [6, 24, 25, 100]],
    ['2026-11-20', [6, 24, 24, 96]],
  ])('%s has %j blocks, bid hours, hours and quarters', (date, counts) => {
    expect(kinds.map((kind) => slots(kind, date).length)).toEqual(counts)
  })

  test('the first block has 3 hours in March, 5 in October and 4 otherwise', () => {
    const hours = (date: string) => [0, 1, 2, 3, 4, 5].map((index) => slotHours('block', date, index))
    expect(hours('2026-03-29')).toEqual([3, 4, 4, 4, 4, 4])
    expect(hours('2026-10-25')).toEqual([5, 4, 4, 4, 4, 4])
    expect(hours('2026-11-20')).toEqual([4, 4, 4, 4, 4, 4])
  })

  test('bid hour 02 is empty in March and lasts two hours in October', () => {
    const hours = (date: string) => slots('bidHour', date).map((slot) => (slot.toMs - slot.fromMs) / hourMs)
    const normal = Array.from({ length: 24 }, () => 1)
    expect(hours('2026-03-29')).toEqual(normal.with(2, 0))
    expect(hours('2026-10-25')).toEqual(normal.with(2, 2))
    expect(slotHours('bidHour', '2026-10-25', 2)).toBe(2)
    expect(() => slotHours('bidHour', '2026-10-25', 24)).toThrow(RangeError)
  })

  test('labels follow the usual notation', () => {
    const labels = (kind: SlotKind, date: string) => slots(kind, date).map((slot) => slot.label)
    expect(labels('block', '2026-11-20')).toEqual(['00–04', '04–08', '08–12', '12–16', '16–20', '20–24'])
    expect(labels('hour', '2026-11-20')[13]).toBe('13–14')
    expect(labels('hour', '2026-10-25').slice(1, 5)).toEqual(['01–02', '02A–03', '02B–03', '03–04'])
    expect(labels('hour', '2026-03-29').slice(1, 3)).toEqual(['01–02', '03–04'])
    expect(labels('quarter', '2026-10-25').slice(7, 13)).toEqual([
      '01:45',
      '02:00A',
      '02:15A',
      '02:30A',
      '02:45A',
      '02:00B',
    ])
    expect(axisLabel('2026-10-25', dayBounds('2026-10-25').toMs)).toBe('24:00')
    expect(axisLabel('2026-10-25', Date.parse('2026-10-25T01:30:00Z'))).toBe('02:30B')
    expect(axisLabel('2026-11-20', Date.parse('2026-11-20T17:15:00Z'))).toBe('18:15')
  })
})
