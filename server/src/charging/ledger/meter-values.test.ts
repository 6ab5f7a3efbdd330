import { hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import type { Sampled } from '#protocols/ocpp/facts.ts'
import { v16 } from '#protocols/ocpp/v16.ts'
import { v201 } from '#protocols/ocpp/v201.ts'
import { effectiveTime, skewOf } from './messages.ts'
import { registerKwh, type Registers } from './overview.ts'
import { normalise, registerAt } from './meter-values.ts'

const at = '2026-11-20T10:00:00Z'
const timeOf = (said: string | null) => Date.parse(said ?? at)

const of = (...sampledValue: object[]) => {
  const fact = v16.read('MeterValues', { connectorId: 1, meterValue: [{ timestamp: at, sampledValue }] })
  const { readings, implausible } = normalise(fact.kind === 'values' ? fact.values : [], { maxKw: 22, timeOf })
  return [
    ...readings.map(({ kind, value }) => `${kind} ${value}`),
    ...(implausible ? [`${implausible} implausible`] : []),
  ]
}
const of201 = (...sampledValue: object[]) => {
  const fact = v201.read('MeterValues', { evseId: 1, meterValue: [{ timestamp: at, sampledValue }] })
  return normalise(fact.kind === 'values' ? fact.values : [], { maxKw: 22, timeOf }).readings.map(({ value }) => value)
}
const sum = ['power 6900']
const phases = ['power-l1 2300', 'power-l2 2310', 'power-l3 2290']
const watt = (value: unknown, phase?: string, more: object = {}) => ({
  value,
  measurand: 'Power.Active.Import',
  unit: 'W',
  ...more,
  ...(phase ? { phase } : {}),
})

test.each([
  ['defaults of the protocol', [{ value: '165333.00' }], ['energy 165333']],
  ['kWh', [{ value: '1.2345', unit: 'kWh' }], ['energy 1234.5']],
  ['kW', [watt('3.68', undefined, { unit: 'kW' })], ['power 3680']],
  ['blanks', [watt(' 9.6')], ['power 9.6']],
  ['no number', [watt(''), watt('x'), watt('NaN'), watt('Infinity'), { value: 'AP8=', format: 'SignedData' }], []],
  [
    'a total beside its phases',
    [watt('2450', 'L1'), watt('2450', 'L2'), watt('7360'), watt('2450', 'L3')],
    ['power 7360', 'power-l1 2450', 'power-l2 2450', 'power-l3 2450'],
  ],
  ['phases only', [watt('2300', 'L1'), watt('2310', 'L2'), watt('2290', 'L3')], [...sum, ...phases]],
  ['phases against neutral', [watt('2300', 'L1-N'), watt('2310', 'L2-N'), watt('2290', 'L3-N')], [...sum, ...phases]],
  ['one phase', [watt('3600', 'L1')], ['power 3600', 'power-l1 3600']],
  [
    'neutral, and between two phases',
    [watt('1000', 'L1'), watt('30', 'N'), watt('500', 'L1-L2')],
    ['power 1000', 'power-l1 1000'],
  ],
  ['only between two phases', [watt('500', 'L1-L2')], []],
  ['the outlet first', [watt('11000', undefined, { location: 'Inlet' }), watt('10800')], ['power 10800']],
  ['elsewhere if nowhere else', [watt('11000', undefined, { location: 'Inlet' })], ['power 11000']],
  ['another unit', [watt('7000', undefined, { unit: 'Wh' }), watt('7000', undefined, { unit: 'A' })], []],
  ['a battery', [{ value: '54', measurand: 'SoC', unit: 'Percent', location: 'EV' }], ['soc 54']],
  ['what nobody asked for', [{ value: '16', measurand: 'Current.Import', unit: 'A', phase: 'L1' }], []],
  ['implausible', [watt('70000'), { value: '140', measurand: 'SoC', unit: 'Percent' }], ['2 implausible']],
])('%s', (_, samples, expected) => expect(of(...samples)).toEqual(expected))

test('2.0.1 values have a power of ten', () => {
  expect(of201({ value: 1.2, unitOfMeasure: { unit: 'Wh', multiplier: 3 } })).toEqual([1200])
  expect(of201({ value: 12, unitOfMeasure: { unit: 'kWh', multiplier: -1 } })).toEqual([1200])
})

test('the registers of begin and end are those of their context, else the first and the last', () => {
  const register = (value: string, context: string, second: number): { at: string; samples: Sampled[] } => ({
    at: `2026-11-20T10:00:0${second}Z`,
    samples: [
      {
        value,
        context,
        measurand: 'Energy.Active.Import.Register',
        phase: null,
        unit: null,
        multiplier: 0,
        location: 'Outlet',
      },
    ],
  })
  const all = [
    register('30', 'Transaction.End', 3),
    register('10', 'Transaction.Begin', 1),
    register('99', 'Sample.Clock', 0),
  ]
  const { readings } = normalise(all, { maxKw: 22, timeOf })
  expect([registerAt(readings, 'Begin'), registerAt(readings, 'End')]).toEqual([10, 30])
  const plain = normalise([register('5', 'Sample.Periodic', 2), register('4', 'Sample.Periodic', 1)], {
    maxKw: 22,
    timeOf,
  })
  expect([registerAt(plain.readings, 'Begin'), registerAt(plain.readings, 'End')]).toEqual([4, 5])
  expect(registerAt([], 'Begin')).toBeNull()
})

test('a plausible timestamp is used, else it is moved by the clock skew, else it is the time of arrival', () => {
  const received = Date.parse('2026-11-20T10:00:00Z')
  const time = (said: string | null, skewMs: number | null = null) => {
    const { atMs, isMoved } = effectiveTime(said, received, skewMs)
    return [new Date(atMs).toISOString().slice(0, 19), isMoved]
  }
  expect(time('2026-11-20T09:59:00Z')).toEqual(['2026-11-20T09:59:00', false])
  expect(time('2026-11-20T10:59:00+01:00')).toEqual(['2026-11-20T09:59:00', false])
  expect(time('2026-11-20T09:59:00')).toEqual(['2026-11-20T09:59:00', false])
  expect(time('2026-11-20T10:04:00Z')).toEqual(['2026-11-20T10:00:00', false])
  expect(time('2026-11-20T11:00:00Z')).toEqual(['2026-11-20T10:00:00', true])
  expect(time('1970-01-01T00:05:00Z')).toEqual(['2026-11-20T10:00:00', true])
  expect(time(null)).toEqual(['2026-11-20T10:00:00', true])
  expect(time('soon')).toEqual(['2026-11-20T10:00:00', true])
  const skew = skewOf('1970-01-01T00:10:00Z', received)
  expect(time('1970-01-01T00:05:00Z', skew)).toEqual(['2026-11-20T09:55:00', true])
  expect(skewOf('2026-11-20T09:00:00Z', received)).toBeNull()
})

type Pair = [number | null, number | null]

test('consumption per interval is counted from the previous register, and from the first reading after a reset', () => {
  const of = (sessions: Registers['sessions'], ...pairs: Pair[]) => {
    const readings = pairs.flatMap((pair, hour) =>
      pair.flatMap((wh, i) => (wh === null ? [] : { atMs: hour * hourMs + (10 + 40 * i) * minuteMs, wh })),
    )
    const hours = pairs.map((_, hour) => ({ fromMs: hour * hourMs, toMs: (hour + 1) * hourMs }))
    return registerKwh({ readings, sessions, maxKw: 22 }, hours)
  }
  expect(of([], [1000, 2000], [2500, 4000])).toEqual([1, 2])
  expect(of([], [1000, 2000], [null, null], [3000, 3000])).toEqual([1, null, 1])
  expect(of([], [9000, 9500], [0, 700])).toEqual([0.5, 0.7])
  expect(of([], [9000, 9500], [4_296_951_000, 4_296_951_700])).toEqual([0.5, 0.7])
  const session = { atMs: 59 * minuteMs, wh: 30_000, isConfirmed: false }
  expect(of([session], [1000, 2000], [30_500, 31_000])).toEqual([1, 1])
})
