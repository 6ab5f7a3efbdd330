import { dayBounds, hourMs } from '@gridmast/contract/time.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addHour, figuresOf, hoursOf, noEmission, sumOf, type Factors } from './emitted.ts'
import type { DayReadings } from '#meters/data-hub/day-readings.ts'

const day = '2026-11-20'
const { fromMs } = dayBounds(day)
const quarters = (wh: (number | null)[]): DayReadings => ({
  day,
  step_s: 900,
  wh,
  quality: wh.map((value) => (value === null ? '-' : 'm')).join(''),
})
const factors = (...grams: (number | null)[]): Factors => ({ fromMs, grams })
const figures = (readings: DayReadings | undefined, of: Factors | null, date = day) => {
  const sum = noEmission()
  for (const hour of hoursOf(date, readings, of)) addHour(sum, hour)
  return figuresOf(sum)
}

test('the worked example: gaps and hours without a factor have no emission and are not counted as 0', () => {
  const one = quarters([500, 500, 500, 500, 1000, 1000, null, 1000, 250, 250, 250, 250])
  const sum = noEmission()
  for (const hour of [...hoursOf(day, one, factors(100, 50, null))].slice(0, 3)) addHour(sum, hour)
  expect(figuresOf(sum)).toEqual({
    kwh: '6.000',
    kgCo2: 0.35,
    kwhWithoutFactor: '1.000',
    hours: { all: 3, measured: 2.75, estimated: 0, incomplete: 0, missing: 0.25, withoutFactor: 1 },
  })
})

test('energy without readings is unknown; readings without a factor have energy and no emission', () => {
  expect(figures(undefined, factors(100))).toMatchObject({ kwh: null, kgCo2: null, hours: { all: 24, missing: 24 } })
  const hourly = { day, step_s: 3600, wh: Array.from({ length: 24 }, () => 1000), quality: 'e'.repeat(24) }
  expect(figures(hourly, null)).toMatchObject({
    kwh: '24.000',
    kgCo2: null,
    kwhWithoutFactor: '24.000',
    hours: { estimated: 24, withoutFactor: 24 },
  })
})

test.each([
  ['2026-03-29', 23],
  ['2026-10-25', 25],
])('%s has %i hours, each with its own factor', (date, count) => {
  const grams = Array.from({ length: count }, (_, hour) => hour)
  const wh = Array.from({ length: count * 4 }, () => 250)
  const of = { fromMs: dayBounds(date).fromMs, grams }
  const hours = [...hoursOf(date, { day: date, step_s: 900, wh, quality: 'm'.repeat(count * 4) }, of)]
  expect(hours.map(({ gramsPerKwh }) => gramsPerKwh)).toEqual(grams)
  expect(hours.at(-1)?.fromMs).toBe(dayBounds(date).toMs - hourMs)
  expect(figures({ day: date, step_s: 900, wh, quality: 'm'.repeat(count * 4) }, of, date).kgCo2).toBeCloseTo(
    (count * (count - 1)) / 2 / 1000,
    12,
  )
})

test('property: kinds of hours add up to all hours, and parts to their total', () => {
  const reading = fc.constantFrom<[number | null, string]>([null, '-'], [120, 'm'], [7, 'e'], [0, 'i'], [999, 'a'])
  fc.assert(
    fc.property(
      fc.array(reading, { minLength: 96, maxLength: 96 }),
      fc.array(fc.option(fc.integer({ min: 0, max: 900 })), { minLength: 24, maxLength: 24 }),
      (values, grams) => {
        const readings = { ...quarters(values.map(([wh]) => wh)), quality: values.map(([, letter]) => letter).join('') }
        const parts = [...hoursOf(day, readings, factors(...grams))].map((hour) => {
          const sum = noEmission()
          addHour(sum, hour)
          return sum
        })
        const { kwh, kwhWithoutFactor, hours } = figuresOf(sumOf(parts))
        expect(hours.measured + hours.estimated + hours.incomplete + hours.missing).toBe(24)
        expect(hours.withoutFactor).toBeLessThanOrEqual(24 - hours.missing)
        expect(Number(kwh ?? 0)).toBeGreaterThanOrEqual(Number(kwhWithoutFactor))
        const read = values.flatMap(([wh]) => wh ?? []).reduce((a, b) => a + b, 0)
        expect(Math.round(Number(kwh ?? 0) * 1000)).toBe(read)
      },
    ),
  )
})
