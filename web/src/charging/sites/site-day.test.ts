import { dayBounds, minuteMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { amperesOf, bandsOf, kwOf, siteModel } from './site-day.ts'

const span = dayBounds('2026-11-20')
const { fromMs } = span
const at = (minute: number) => fromMs + minute * minuteMs
const line = (name: string, points: [minute: number, kw: number][]) => ({
  name,
  unit: 'kW',
  kind: 'line' as const,
  x: points.map(([minute]) => at(minute)),
  y: points.map(([, kw]) => kw),
})

test('a limit in kW is never rounded up to more amperes', () => {
  expect([kwOf(40), amperesOf(27.6), amperesOf(27.5), amperesOf(0.69)]).toEqual([27.6, 40, 39, 1])
})

test('connectors are stacked minute by minute; one that is silent for three minutes has no height', () => {
  const minutes = [1, 2, 3, 4, 5].map(at)
  const [a, b] = bandsOf(
    [
      line('A', [[1, 10]]),
      line(
        'B',
        [1, 2, 3, 4, 5].map((i) => [i, 4]),
      ),
    ],
    minutes,
  )
  expect([a?.y, a?.under]).toEqual([
    [10, 10, 10, null, null],
    [0, 0, 0, 0, 0],
  ])
  expect([b?.y, b?.under]).toEqual([
    [4, 4, 4, 4, 4],
    [10, 10, 10, 0, 0],
  ])
})

test('the limit is a line at the newest value; after a change its steps are drawn too', () => {
  const day = { span, nowMs: at(60), limit: { name: 'Limit', kw: 27.6 } }
  const chart = [
    line('Limit', [[1, 34.5]]),
    line('Total', [[1, 20]]),
    line('Reserved', []),
    line('Port 1 · 1', [[1, 20]]),
  ]
  const same = siteModel(chart, day)
  expect(same.thresholds).toMatchObject([{ name: 'Limit', value: 34.5 }])
  expect(same.series.map(({ name }) => name)).toEqual(['Port 1 · 1', 'Total'])
  expect(same.series[0]?.x).toHaveLength(60)
  expect(same.high).toBeGreaterThan(34.5)
  const moved = siteModel(
    [
      line('Limit', [
        [1, 34.5],
        [9, 20.7],
      ]),
      ...chart.slice(1),
    ],
    day,
  )
  expect(moved.series.map(({ name }) => name)).toContain('Limit')
  expect(moved.thresholds).toMatchObject([{ value: 20.7 }])
  expect(siteModel([], day).thresholds).toMatchObject([{ value: 27.6 }])
})

test('a range of days is the total by the means that the call answers, which end without a mean', () => {
  const week = { fromMs, toMs: fromMs + 7 * 24 * 60 * minuteMs }
  const day = { span: week, nowMs: week.toMs, limit: { name: 'Limit', kw: 27.6 } }
  const total = line('Total', [
    [0, 20],
    [15, 10],
    [60, 5],
  ])
  const { series } = siteModel([total], day)
  expect(series.map(({ name }) => name)).toEqual(['Total'])
  expect(series[0]?.x).toEqual([at(0), at(15), at(30), at(60)])
  expect(series[0]?.y).toEqual([20, 10, null, 5])
})
