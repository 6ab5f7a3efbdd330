import { describe, expect, test } from 'vitest'
import { comparedWords, coverageWords, leftOutWords } from './meter-words.ts'
import { someTotals } from './data-hub.fixture.ts'

const of = (coverage: Parameters<typeof someTotals>[1]) => someTotals(96, coverage).coverage

describe('the share of readings', () => {
  const day = { isDay: true, resolution: 'quarter' } as const
  test('measured, estimated and missing are distinct', () => {
    expect(coverageWords(of({}), day)).toBe('96 of 96 quarters measured')
    expect(coverageWords(of({ coverage: { read: 90, estimated: 4 } }), day)).toBe(
      '86 of 96 quarters measured, 4 estimated, 6 missing',
    )
    expect(coverageWords({ ...of({}), intervals: 23, read: 23 }, { isDay: true, resolution: 'hour' })).toBe(
      '23 of 23 hours measured',
    )
  })
  test('a month in percent; a future period has no figures', () => {
    const month = { isDay: false, resolution: 'quarter' } as const
    expect(coverageWords(of({ coverage: { intervals: 1000, read: 990, estimated: 15 } }), month)).toBe(
      '97,5 % measured, 1,5 % estimated, 1 % missing',
    )
    expect(coverageWords(of({ coverage: { intervals: 0, read: 0 } }), month)).toBe('')
  })
  test('readings without a price or an emission are named', () => {
    expect(leftOutWords(of({}))).toEqual([])
    expect(leftOutWords(of({ coverage: { priced: 72, emission: 0 } }))).toEqual([
      '25 % of the readings have no price and no cost.',
      '100 % of the readings have no known emission.',
    ])
    expect(leftOutWords(of({ coverage: { read: 0, priced: 0, emission: 0 } }))).toEqual([])
  })
})

describe('the previous period', () => {
  const before = (over: Parameters<typeof someTotals>[1] = {}) =>
    someTotals(96, { kwh: '4000.000', dkk: { total: '6000.00', spot: '0', tariff: '0', tax: '0' }, ...over })
  test('in a line with its changes', () => {
    expect(comparedWords(someTotals(96), before(), 'day')).toBe(
      'The day before: 4.000,0 kWh (+21,9 %) · 6.000,00 DKK (−20,0 %)',
    )
  })
  test('incomplete readings have no change: half a month is not less than a month', () => {
    const half = someTotals(96, { coverage: { read: 48, priced: 48 } })
    expect(comparedWords(half, before(), 'month')).toBe('The month before: 4.000,0 kWh · 6.000,00 DKK')
    expect(comparedWords(someTotals(96), before({ coverage: { read: 72, priced: 72 } }), 'year')).toBe(
      'The year before: 4.000,0 kWh · 6.000,00 DKK · 75 % read',
    )
  })
  test('a cost without all prices has no change, its consumption has', () => {
    expect(comparedWords(someTotals(96, { coverage: { priced: 90 } }), before(), 'day')).toBe(
      'The day before: 4.000,0 kWh (+21,9 %) · 6.000,00 DKK',
    )
  })
  test('no readings are stated, and a consumption of 0 has no percent', () => {
    expect(comparedWords(someTotals(96), before({ kwh: null, dkk: null }), 'day')).toBe('The day before: no readings')
    expect(comparedWords(someTotals(96), before({ kwh: '0.000' }), 'day')).toContain('0,0 kWh (–)')
  })
})
