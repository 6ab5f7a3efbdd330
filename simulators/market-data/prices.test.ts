import { join } from 'node:path'
import { slots } from '@gridmast/contract/slots.ts'
import { addDays, dayBounds, quarterMs, weekday } from '@gridmast/contract/time.ts'
import { describe, expect, test } from 'vitest'
import { areas, dayPrices, standIn } from './prices.ts'
import { readRecorded } from './recorded.ts'

const recorded = readRecorded(join(import.meta.dirname, '../../demo/recorded'))

describe('prices from recorded days', () => {
  test('complete recorded days are read, incomplete ones are skipped', () => {
    expect(recorded.get('DK2')?.get('2025-03-30')?.prices.size).toBe(23)
    expect(recorded.get('DK1')?.get('2020-10-25')?.prices.size).toBe(25)
    expect(recorded.get('DK2')?.get('2026-03-15')?.prices.size).toBe(96)
    expect(recorded.get('DK2')?.has('2024-10-25')).toBe(false)
  })

  test('every day of four years has a reproducible recording of the same weekday', () => {
    for (let i = 0; i < 4 * 365; i++) {
      const date = addDays('2025-10-01', i)
      for (const area of ['DK1', 'DK2'] as const) {
        const found = standIn(recorded, area, date)
        expect(found && weekday(found.date)).toBe(weekday(date))
      }
    }
  })

  test('a date uses the newest recording of its season', () => {
    expect(standIn(recorded, 'DK2', '2026-11-20')?.date).toBe('2025-11-21')
    expect(standIn(recorded, 'DK2', '2026-06-10')?.date).toBe('2025-06-11')
    expect(standIn(recorded, 'DK1', '2026-11-20')?.date).toBe('2020-11-20')
  })

  test.each(['2026-03-29', '2026-10-25', '2026-11-20', '2027-03-28', '2027-10-31'])(
    'the quarters of %s cover the day in every area',
    (date) => {
      for (const area of areas) {
        const prices = dayPrices(recorded, area, date) ?? []
        expect(prices.map(({ fromMs }) => fromMs)).toEqual(slots('quarter', date).map(({ fromMs }) => fromMs))
        expect((prices.at(-1)?.fromMs ?? 0) + quarterMs).toBe(dayBounds(date).toMs)
        for (const { eur, dkk } of prices) expect(Number.isFinite(eur) && Number.isFinite(dkk)).toBe(true)
      }
    },
  )

  test('recorded digits are kept, and an hourly recording has four equal quarters', () => {
    const quarters = dayPrices(recorded, 'DK2', '2026-11-20') ?? []
    const source = recorded.get('DK2')?.get('2025-11-21')
    expect(source?.kind).toBe('quarter')
    expect(quarters.map(({ eur, dkk }) => ({ eur, dkk }))).toEqual([...(source?.prices.values() ?? [])])
    const hourly = dayPrices(recorded, 'DK1', '2026-11-20') ?? []
    expect(new Set(hourly.slice(0, 4).map(({ eur }) => eur)).size).toBe(1)
    expect(new Set(hourly.map(({ eur }) => eur)).size).toBeGreaterThan(12)
  })

  test('an area without a recording follows a recorded one and is reproducible', () => {
    const once = dayPrices(recorded, 'SE4', '2026-11-20')
    expect(dayPrices(recorded, 'SE4', '2026-11-20')).toEqual(once)
    expect(once).not.toEqual(dayPrices(recorded, 'DK2', '2026-11-20'))
  })
})
