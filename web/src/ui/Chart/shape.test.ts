import { dayBounds, hourMs, localTime, minuteMs } from '@gridmast/contract/time.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChartSeries } from './model.ts'
import * as shape from './shape.ts'

const at = (iso: string) => Date.parse(iso)
const line = (x: number[], y: (number | null)[]): ChartSeries => ({
  name: 'Power',
  unit: 'kW',
  kind: 'line',
  x,
  y,
  colour: 1,
})

describe('value axis', () => {
  test('five ticks around prices on both sides of zero, zero among them', () => {
    const axis = shape.valueAxis([752.98, -189.1, 1233.09])
    expect(axis).toEqual({ min: -500, max: 1500, step: 500 })
  })
  test('given bounds apply while they contain the values; a dip below them is not cut off', () => {
    const bounds = { low: 49.8, high: 50.2 }
    expect(shape.valueAxis([49.9, null, 50.1], bounds)).toMatchObject({ min: 49.8, max: 50.2 })
    expect(shape.valueAxis([], bounds)).toMatchObject({ min: 49.8, max: 50.2 })
    const axis = shape.valueAxis([50.01, 49.2], bounds)
    expect(axis.min).toBeLessThanOrEqual(49.2)
    expect(axis.max).toBeGreaterThanOrEqual(50.2)
  })
  test('no values, one value and all zeros still give an axis', () => {
    expect(shape.valueAxis([])).toEqual({ min: 0, max: 1, step: 0.25 })
    expect(shape.valueAxis([0, 0])).toEqual({ min: 0, max: 1, step: 0.25 })
    const { min, max } = shape.valueAxis([429])
    expect(min).toBeLessThan(429)
    expect(max).toBeGreaterThan(429)
  })
  test('contains every value with four equal steps', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 }),
        fc.boolean(),
        (values, fromZero) => {
          const { min, max, step } = shape.valueAxis(values, { fromZero })
          const slack = step * 1e-6
          expect(min).toBeLessThanOrEqual(Math.min(...values) + slack)
          expect(max).toBeGreaterThanOrEqual(Math.max(...values) - slack)
          expect((max - min) / step).toBeCloseTo(4, 6)
        },
      ),
    )
  })
})

describe('two axes', () => {
  const around = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 })
  test('zero has the same height on both, and each still contains its values', () => {
    fc.assert(
      fc.property(around, around, (left, right) => {
        const sides = [left, right] as const
        const axes = shape.alignZeros(
          shape.valueAxis(left, { fromZero: true }),
          shape.valueAxis(right, { fromZero: true }),
        )
        const heights = axes.map(({ min, max }) => -min / (max - min))
        expect(heights[0]).toBeCloseTo(heights[1] ?? NaN, 6)
        axes.forEach(({ min, max, step }, i) => {
          const slack = step * 1e-2
          expect(min).toBeLessThanOrEqual(Math.min(0, ...(sides[i] ?? [])) + slack)
          expect(max).toBeGreaterThanOrEqual(Math.max(0, ...(sides[i] ?? [])) - slack)
          expect((max - min) / step).toBeCloseTo(4, 6)
        })
      }),
    )
  })
  test('consumption with a cost that is negative for an hour', () => {
    const [kwh, dkk] = shape.alignZeros(
      shape.valueAxis([300, 120], { fromZero: true }),
      shape.valueAxis([500, -80], { fromZero: true }),
    )
    expect([kwh, dkk]).toEqual([
      { min: -150, max: 450, step: 150 },
      { min: -200, max: 600, step: 200 },
    ])
  })
})

describe('time axis in Berlin', () => {
  const labels = (day: string, most: number) => {
    const span = dayBounds(day)
    return shape.timeTicks(span, most).map((ms) => shape.timeLabel(ms, span))
  }
  test('a normal day has 00:00 to 24:00 every three hours', () => {
    expect(labels('2026-11-20', 9)).toEqual([
      '00:00',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
      '15:00',
      '18:00',
      '21:00',
      '24:00',
    ])
  })
  test('over several days a midnight reads its date, the last one 24:00', () => {
    const span = { fromMs: dayBounds('2026-10-24').fromMs, toMs: dayBounds('2026-10-26').toMs }
    expect(shape.timeTicks(span, 13).map((ms) => shape.timeLabel(ms, span))).toEqual([
      '24.10.',
      '06:00',
      '12:00',
      '18:00',
      '25.10.',
      '06:00',
      '12:00',
      '18:00',
      '26.10.',
      '06:00',
      '12:00',
      '18:00',
      '24:00',
    ])
  })
  test('the 23-hour day skips no label and has no wrong one', () => {
    const span = dayBounds('2026-03-29')
    const ticks = shape.timeTicks(span, 9)
    expect(ticks.map((ms) => shape.timeLabel(ms, span))).toEqual([
      '00:00',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
      '15:00',
      '18:00',
      '21:00',
      '24:00',
    ])
    expect((ticks[1] ?? 0) - (ticks[0] ?? 0)).toBe(2 * hourMs)
  })
  test('the 25-hour day has four hours before 03:00 and one label for each', () => {
    const span = dayBounds('2026-10-25')
    const ticks = shape.timeTicks(span, 9)
    expect((ticks[1] ?? 0) - (ticks[0] ?? 0)).toBe(4 * hourMs)
    expect(shape.timeTicks(span, 13).map((ms) => shape.timeLabel(ms, span, 'hour'))).toEqual([
      '00',
      '02A',
      '04',
      '06',
      '08',
      '10',
      '12',
      '14',
      '16',
      '18',
      '20',
      '22',
      '24',
    ])
  })
  test('half an hour is cut at five minutes on the wall', () => {
    const span = { fromMs: at('2026-11-20T16:42:08Z'), toMs: at('2026-11-20T17:12:08Z') }
    expect(shape.timeTicks(span, 8).map((ms) => localTime(ms))).toEqual([
      '17:45',
      '17:50',
      '17:55',
      '18:00',
      '18:05',
      '18:10',
    ])
  })
  test('never more ticks than requested, up to a year', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10_000, max: 365 * 24 * hourMs }),
        fc.integer({ min: 3, max: 14 }),
        (length, most) => {
          const fromMs = at('2026-02-03T04:05:06Z')
          expect(shape.timeTicks({ fromMs, toMs: fromMs + length }, most).length).toBeLessThanOrEqual(most + 1)
        },
      ),
      { numRuns: 40 },
    )
  })
  test('slots read as hours or as quarters, the last one to 24', () => {
    const { fromMs, toMs } = dayBounds('2026-11-20')
    expect(shape.slotLabel(fromMs + 18 * hourMs, fromMs + 19 * hourMs)).toBe('18–19')
    expect(shape.slotLabel(fromMs + 15 * minuteMs, fromMs + 30 * minuteMs)).toBe('00:15–00:30')
    expect(shape.slotLabel(toMs - hourMs, toMs)).toBe('23–24')
  })
})

describe('gaps', () => {
  test('nulls and missing samples are gaps, a slow step is none', () => {
    const x = [0, 1000, 2000, 3000, 60_000, 61_000]
    expect(shape.findGaps(x, [1, null, null, 2, 3, 4], 1500)).toEqual([
      { fromMs: 0, toMs: 3000 },
      { fromMs: 3000, toMs: 60_000 },
    ])
    expect(shape.findGaps(x, [1, 1, 1, 1, 1, 1], 60_000)).toEqual([])
  })
  test('a line never bridges a gap', () => {
    const points = shape.linePoints(line([0, 10, 100], [1, 2, 3]), [{ fromMs: 10, toMs: 100 }])
    expect(points).toEqual([
      [0, 1],
      [10, 2],
      [55, null],
      [100, 3],
    ])
  })
  test('words name the Berlin times', () => {
    const gaps = [{ fromMs: at('2026-11-20T08:40:00Z'), toMs: at('2026-11-20T09:25:00Z') }]
    expect(shape.describeGaps(gaps, 'No telemetry')[0]?.words).toBe('No telemetry 09:40–10:25')
  })
  test('estimated parts leave the measured line and share its ends', () => {
    const parts = shape.splitEstimated(
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 4],
      ],
      [{ fromMs: 1, toMs: 2 }],
    )
    expect(parts.measured).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ])
    expect(parts.estimated).toEqual([
      [0, null],
      [1, 2],
      [2, 3],
      [3, null],
    ])
  })
})

describe('reading a chart', () => {
  const prices: ChartSeries = {
    name: 'Price',
    unit: 'DKK/MWh',
    kind: 'column',
    colour: 1,
    slotMs: hourMs,
    x: [0, hourMs],
    y: [10, -5],
  }
  test('a column covers its whole hour, a line gives its nearest point', () => {
    expect(shape.valuesAt([prices], hourMs - 1)[0]?.value).toBe(10)
    expect(shape.valuesAt([prices], 2 * hourMs)).toEqual([])
    expect(shape.valuesAt([line([0, 100], [1, 2])], 70)[0]).toMatchObject({ ms: 100, value: 2 })
  })
  test('columns know past, now and future', () => {
    expect(shape.columnsOf(prices, hourMs + 1).map((c) => c.phase)).toEqual(['past', 'now'])
    expect(shape.columnsOf(prices, -1).map((c) => c.phase)).toEqual(['coming', 'coming'])
  })
  test('the table has each instant once and null where a series is silent', () => {
    const rows = shape.tableRows({
      series: [line([0, 1], [1, 2]), line([1, 2], [8, 9])],
      span: { fromMs: 0, toMs: 2 },
      unit: 'kW',
      decimals: 1,
    })
    expect(rows).toEqual([
      { ms: 0, values: [1, null] },
      { ms: 1, values: [2, 8] },
      { ms: 2, values: [null, 9] },
    ])
  })
  test('extremes skip unmeasured values', () => {
    expect(shape.extremesOf(line([0, 1, 2], [null, 3, null]))?.latest).toEqual({ ms: 1, value: 3 })
    expect(shape.extremesOf(line([0], [null]))).toBeNull()
  })
})

test('the repeated hour in October is distinct', () => {
  const second = Date.parse('2026-10-25T00:00:00Z')
  expect(shape.slotLabel(second, second + hourMs)).toBe('02A–03')
  expect(shape.slotLabel(second + hourMs, second + 2 * hourMs)).toBe('02B–03')
  expect(shape.slotLabel(second + 15 * 60_000, second + 30 * 60_000)).toBe('02:15A–02:30A')
  expect(shape.slotLabel(second - hourMs, second)).toBe('01–02')
})

test('a step lasts until its end, and nothing bridges to a later one', () => {
  const steps = {
    name: 's',
    unit: '',
    kind: 'step' as const,
    colour: 1 as const,
    x: [0, 10, 30],
    y: [1, 2, 3],
    ends: [10, 20, 40],
  }
  expect(shape.stepPoints(steps)).toEqual([
    [0, 1],
    [10, 2],
    [20, 2],
    [20, null],
    [30, 3],
    [40, 3],
    [40, null],
  ])
  expect(shape.valuesAt([steps], 25)).toEqual([])
  expect(shape.valuesAt([steps], 15)[0]).toMatchObject({ ms: 10, endMs: 20, value: 2 })
})

test('the last known step before an unknown one lasts until its end', () => {
  const steps = { ...line([0, 10, 20], [1, 2, null]), kind: 'step' as const, ends: [10, 20, 30] }
  expect(shape.stepPoints(steps)).toEqual([
    [0, 1],
    [10, 2],
    [20, 2],
    [20, null],
    [20, null],
  ])
})
