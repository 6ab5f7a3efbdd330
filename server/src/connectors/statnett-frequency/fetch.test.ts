import { expect, test } from 'vitest'
import { parseFrequency } from './fetch.ts'

const fromMs = Date.parse('2026-11-20T10:00:00Z')
const span = { fromMs, toMs: fromMs + 10_000 }
const body = (values: unknown[], fields: object = {}) =>
  JSON.stringify({
    StartPointUTC: fromMs,
    EndPointUTC: fromMs + 1000 * values.length,
    PeriodTickMs: 1000,
    Measurements: values,
    ...fields,
  })

test('sample i stands at the start plus i periods; nulls in the tail stay unknown', () => {
  expect(parseFrequency(body([49.98, 49.981, null]), span)).toEqual({
    stepMs: 1000,
    samples: [
      { atMs: fromMs, hz: 49.98 },
      { atMs: fromMs + 1000, hz: 49.981 },
      { atMs: fromMs + 2000, hz: null },
    ],
    warnings: [],
  })
})

test('a value that no grid has is left out and said: 45 and 55 Hz are the last that count', () => {
  const parsed = parseFrequency(body([44.999, 45, 55, 55.001, 0]), span)
  expect(parsed).toMatchObject({ warnings: ['3 values outside 45 to 55 Hz'] })
  expect(typeof parsed === 'string' ? [] : parsed.samples.map((one) => one.hz)).toEqual([null, 45, 55, null, null])
})

test('what was not asked for is left out', () => {
  expect(parseFrequency(body([50, 50], { StartPointUTC: fromMs - 1000 }), span)).toMatchObject({
    samples: [{ hz: 50 }],
  })
})

test.each([
  ['not JSON', 'Too many requests'],
  ['a list', '[50]'],
  ['no start', body([50], { StartPointUTC: null })],
  ['no period', body([50], { PeriodTickMs: 0 })],
  ['a text for a value', body(['50'])],
  ['no values', body([], { Measurements: {} })],
])('L4 %s is refused with a reason', (_, text) => {
  expect(parseFrequency(text, span)).toEqual(expect.any(String))
})
