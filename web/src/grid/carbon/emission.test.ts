import { dayBounds, hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { emissionModel, greenestHours, ownModel, stepOf } from './emission.ts'

const span = dayBounds('2026-11-20')
const { fromMs, toMs } = span
const graphOf = (x: number[], y: (number | null)[], unit = 'g/kWh') => [
  { name: 'DK1', unit, kind: 'step' as const, x, y },
]
const options = { span, type: 'past' as const, nowMs: toMs + hourMs, missing: 'No data' }

test('each value covers its step; a silence between two is a named gap', () => {
  const x = [fromMs, fromMs + 5 * minuteMs, fromMs + hourMs]
  const model = emissionModel({ graph: graphOf(x, [90, 100, 80]) }, options)
  expect(model.series[0]?.ends).toEqual([fromMs + 5 * minuteMs, fromMs + 10 * minuteMs, fromMs + 65 * minuteMs])
  expect(model.gaps).toEqual([
    { fromMs: fromMs + 10 * minuteMs, toMs: fromMs + hourMs, words: 'No data 00:10–01:00' },
    { fromMs: fromMs + 65 * minuteMs, toMs, words: 'No data 01:05–24:00' },
  ])
})

test('no data: an empty model of the day', () => {
  const model = emissionModel({ graph: [] }, options)
  expect(model).toMatchObject({ span: { fromMs, toMs }, gaps: [] })
  expect(model.series[0]?.x).toEqual([])
})

test('a prognosis is dashed from now on; measured values end there', () => {
  const now = fromMs + 8 * hourMs
  const graph = graphOf([fromMs], [100])
  const prognosis = emissionModel({ graph }, { ...options, type: 'future', nowMs: now })
  expect(prognosis.series[0]?.estimated).toEqual([{ fromMs: now, toMs: toMs + 1 }])
  expect(prognosis.nowMs).toBe(now)
  const measured = emissionModel({ graph }, { ...options, nowMs: now })
  expect(measured.futureFromMs).toBe(now)
  expect(measured.gaps).toEqual([])
})

test('the step is the shortest distance, at most an hour', () => {
  expect(stepOf([0, 10 * minuteMs, 15 * minuteMs])).toBe(5 * minuteMs)
  expect(stepOf([0, 3 * hourMs])).toBe(hourMs)
  expect(stepOf([7])).toBe(5 * minuteMs)
})

test('own emission draws the kg and keeps the kWh in the tooltip', () => {
  const graph = [...graphOf([fromMs], [120], 'kWh'), ...graphOf([fromMs], [12], 'kg')]
  const model = ownModel(graph, { span, nowMs: toMs, missing: 'No data' })
  expect(model.series.map(({ unit, drawn }) => [unit, drawn])).toEqual([
    ['kg', undefined],
    ['kWh', false],
  ])
})

test('hours without own consumption are gaps, future hours are not', () => {
  const graph = graphOf([fromMs + hourMs, fromMs + 2 * hourMs], [12, null], 'kg')
  const now = fromMs + 5 * hourMs + minuteMs
  const model = ownModel(graph, { span, nowMs: now, missing: 'No data' })
  expect(model.gaps?.map(({ words }) => words)).toEqual(['No data 00:00–01:00', 'No data 02:00–05:00'])
  expect(model.futureFromMs).toBe(now)
  expect(ownModel([], { span, nowMs: now, missing: 'No data' }).gaps).toEqual([])
})

test('the greenest four hours are future hours in a row with the lowest mean', () => {
  const x = Array.from({ length: 24 }, (_, hour) => fromMs + hour * hourMs)
  const y: (number | null)[] = x.map((_, hour) => (hour < 4 ? 10 : hour >= 14 && hour < 18 ? 50 : 100))
  const found = (from: number) => greenestHours({ graph: graphOf(x, y) }, from)
  expect(found(fromMs)).toEqual({ fromMs, toMs: fromMs + 4 * hourMs, mean: 10 })
  expect(found(fromMs + 5 * hourMs)).toEqual({ fromMs: fromMs + 14 * hourMs, toMs: fromMs + 18 * hourMs, mean: 50 })
  y[16] = null
  expect(found(fromMs + 13 * hourMs)?.fromMs).toBe(fromMs + 17 * hourMs)
  expect(found(fromMs + 21 * hourMs)).toBeNull()
})
