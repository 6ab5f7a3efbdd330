import { addMonths, dayBounds, hourMs, monthBounds, quarterMs } from '@gridmast/contract/time.ts'
import { describe, expect, test } from 'vitest'
import { someDay } from './data-hub.fixture.ts'
import { meterModel } from './meter-model.ts'
import { periodOf } from './meter-words.ts'
import { rangePeriod } from './useMeterPeriod.tsx'

const date = '2026-11-19'
const of = (over: Partial<Parameters<typeof meterModel>[1]> = {}) => ({
  ...({ period: periodOf('day', date), quantity: 'consumption', nowMs: dayBounds('2026-11-22').fromMs } as const),
  words: { missing: 'No reading' },
  ...over,
})
const named = (model: ReturnType<typeof meterModel>, name: string) => model.series.find((one) => one.name === name)
const drawn = (model: ReturnType<typeof meterModel>) =>
  model.series.filter((one) => one.drawn !== false).map(({ name, kind }) => [name, kind])

describe('a day', () => {
  test('the cost is a line on its own axis, all others are columns; price and emission are in the tooltip', () => {
    const model = meterModel(someDay(date), of())
    expect(drawn(model)).toEqual([
      ['Consumption', 'column'],
      ['Cost', 'line'],
    ])
    expect(named(model, 'Cost')).toMatchObject({ side: 'right', centred: true, unit: 'DKK' })
    expect(named(model, 'Price')?.y[7]).toBe(1)
    expect(named(model, 'Emission')?.y[7]).toBe(2)
    expect([model.unit, model.gaps]).toEqual(['kWh', []])
  })
  test('the emission replaces the consumption', () => {
    const model = meterModel(someDay(date), of({ quantity: 'co2' }))
    expect([drawn(model), model.unit]).toEqual([
      [
        ['Cost', 'line'],
        ['Emission', 'column'],
      ],
      'kg CO₂',
    ])
  })
  test.each([
    ['2026-03-29', 'quarter', 92],
    ['2026-03-29', 'hour', 23],
    ['2026-10-25', 'quarter', 100],
    ['2026-10-25', 'hour', 25],
  ] as const)('%s by the %s has %i columns that fill it', (day, step, count) => {
    const model = meterModel(someDay(day, { step }), of({ period: periodOf('day', day) }))
    const { x = [], ends = [] } = named(model, 'Consumption') ?? {}
    expect([x.length, x[0], ends.at(-1)]).toEqual([count, model.span.fromMs, model.span.toMs])
    const stepMs = step === 'hour' ? hourMs : quarterMs
    expect(new Set(x.map((from, i) => (ends[i] ?? 0) - from))).toEqual(new Set([stepMs]))
  })
  test('a gap is one named hatching; the price of a missing reading is unknown', () => {
    const day = someDay(date, { quality: (i) => (i >= 12 && i < 16 ? 'missing' : 'measured') })
    const model = meterModel(day, of())
    expect(model.gaps?.map(({ words }) => words)).toEqual(['No reading 03:00–04:00'])
    expect(named(model, 'Price')?.y.slice(11, 13)).toEqual([1, null])
  })
  test('estimated values are marked in both curves', () => {
    const day = someDay(date, { quality: (i) => (i === 4 || i === 5 ? 'estimated' : 'measured') })
    const fromMs = dayBounds(date).fromMs + hourMs
    const estimated = [{ fromMs, toMs: fromMs + 2 * quarterMs }]
    const model = meterModel(day, of())
    expect([named(model, 'Consumption')?.estimated, named(model, 'Cost')?.estimated]).toEqual([estimated, estimated])
  })
  test('today has no gap before it is over, and a day without readings has none', () => {
    const half = someDay(date, { quality: (i) => (i < 40 ? 'measured' : 'missing') })
    expect(meterModel(half, of({ nowMs: dayBounds(date).fromMs + 20 * hourMs })).gaps).toEqual([])
    expect(meterModel(half, of()).gaps).toHaveLength(1)
    expect(meterModel(someDay(date, { quality: () => 'missing' }), of()).gaps).toBeUndefined()
  })
  test('small meters keep their digits', () => {
    const day = someDay(date)
    const small = { ...day, graph: day.graph.map((one) => ({ ...one, y: one.y.map((value) => (value ?? 0) / 1000) })) }
    expect([meterModel(day, of()).decimals, meterModel(small, of()).decimals]).toEqual([2, 3])
  })
})

describe('comparison', () => {
  test('the compared period is grey in the background; its cost is in the tooltip only', () => {
    const day = someDay(date)
    const [consumption, cost] = day.graph
    if (!consumption || !cost) throw new Error('no graph')
    const before = [
      { ...consumption, name: 'consumption before' },
      { ...cost, name: 'cost before' },
    ]
    const model = meterModel({ ...day, graph: [...day.graph, ...before] }, of())
    expect(model.series[0]).toMatchObject({ name: 'Consumption before', behind: true, colour: 6 })
    expect(named(model, 'Cost before')).toMatchObject({ drawn: false })
    const average = { ...consumption, name: 'average' }
    expect(drawn(meterModel({ ...day, graph: [...day.graph, average] }, of()))[0]).toEqual([
      'Average profile',
      'column',
    ])
  })
})

test('months of a year end where the next begins, and the last with the year', () => {
  const x = Array.from({ length: 12 }, (_, i) => monthBounds(addMonths('2026-01', i)).fromMs)
  const graph = [
    { name: 'consumption', unit: 'kWh', kind: 'column' as const, x, y: x.map((_, i) => (i < 3 ? null : i)) },
  ]
  const model = meterModel({ graph, readings: null }, of({ period: periodOf('year', '2026-05-05') }))
  expect(named(model, 'Consumption')?.ends?.at(-1)).toBe(dayBounds('2027-01-01').fromMs)
  expect(model.gaps).toEqual([{ fromMs: x[0], toMs: x[3], words: 'No reading' }])
  expect(model.timeLabels).toBe('month')
})

test('a range of days: each column is a local day, also over the change of the clock, and its span has complete days', () => {
  const x = ['2026-10-24', '2026-10-25', '2026-10-26'].map((day) => dayBounds(day).fromMs)
  const period = rangePeriod(
    { fromMs: dayBounds('2026-10-24').fromMs + hourMs, toMs: dayBounds('2026-11-05').toMs },
    '',
  )
  const graph = [{ name: 'consumption', unit: 'kWh', kind: 'column' as const, x, y: [1, 2, 3] }]
  const model = meterModel({ graph, readings: null }, of({ period }))
  const ends = named(model, 'Consumption')?.ends ?? []
  expect(x.map((from, i) => ((ends[i] ?? 0) - from) / hourMs)).toEqual([24, 25, 24])
  expect(model.span).toEqual({ fromMs: x[0], toMs: dayBounds('2026-11-05').toMs })
  expect(model.timeLabels).toBe('clock')
})

test('a range of hours: complete hours, and the last column is an hour where the readings end before it', () => {
  const { fromMs } = dayBounds(date)
  const period = rangePeriod({ fromMs: fromMs + 90 * 60_000, toMs: fromMs + 6.5 * hourMs }, '')
  const x = [1, 2, 3].map((hour) => fromMs + hour * hourMs)
  const graph = [{ name: 'consumption', unit: 'kWh', kind: 'column' as const, x, y: [1, 2, 3] }]
  const model = meterModel({ graph, readings: null }, of({ period }))
  expect(model.span).toEqual({ fromMs: fromMs + hourMs, toMs: fromMs + 7 * hourMs })
  expect(named(model, 'Consumption')?.ends?.at(-1)).toBe(fromMs + 4 * hourMs)
})
