import {
  addDecimals,
  compareDecimals,
  multiplyDecimals,
  negateDecimal,
  normalDecimal,
} from '@gridmast/contract/numbers.ts'
import { slots } from '@gridmast/contract/slots.ts'
import { atLocalTime, hourMs, quarterMs } from '@gridmast/contract/time.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addCost,
  costOf,
  dkkOf,
  dkkPerMwhOf,
  noCost,
  priceOf,
  pricesOf,
  spotRate,
  tariffRate,
  totalOf,
  type Cost,
  type Rates,
  type Unknown,
} from './cost-of-energy.ts'

const source = { name: 'Energi Data Service', dataset: 'DayAheadPrices', licence: null, simulated: false }

const t0 = Date.parse('2026-11-20T10:00:00Z')
const quarter = (n: number) => ({ fromMs: t0 + n * quarterMs, toMs: t0 + (n + 1) * quarterMs })
const hour = { fromMs: t0, toMs: t0 + hourMs }

const quarterPrices = (...prices: string[]) =>
  spotRate(
    prices.map((dkkPerMwh, n) => ({ ...quarter(n), dkkPerMwh })),
    source,
  )
const only = (spot: Rates['spot'], tax = '0'): Rates => ({ spot, tariff: null, tax: priceOf(tax) })

const dkk = (cost: Cost | Unknown) =>
  typeof cost === 'string' ? cost : { ...mapped(cost), total: dkkOf(totalOf(cost)), shown: dkkOf(totalOf(cost), 2) }
const mapped = ({ spot, tariff, tax }: Cost) => ({ spot: dkkOf(spot), tariff: dkkOf(tariff), tax: dkkOf(tax) })

const flatTariff = (dkkPerKwh: string, validFrom = '2026-01-01', validTo: string | null = null) => ({
  validFrom,
  validTo,
  dkkPerKwh: Array.from({ length: 24 }, () => dkkPerKwh),
})

describe('the worked example of cost-of-energy.md', () => {
  const rates: Rates = {
    spot: quarterPrices('500.01', '600.02', '700.03', '-100.04'),
    tariff: tariffRate([flatTariff('0.3')], source),
    tax: priceOf('119'),
  }

  test('an hourly meter uses the mean of four quarter prices, and the parts are kept', () => {
    const prices = pricesOf(hour, rates)
    expect(typeof prices === 'string' ? prices : dkkPerMwhOf(prices.spot)).toBe('425.005')
    expect(dkk(costOf({ ...hour, wh: 2437 }, rates))).toEqual({
      spot: '1.035737185',
      tariff: '0.7311',
      tax: '0.290003',
      total: '2.056840185',
      shown: '2.06',
    })
  })

  test('a quarter meter uses the price of its quarter', () => {
    expect(dkk(costOf({ ...quarter(3), wh: 1000 }, rates))).toMatchObject({ spot: '-0.10004', total: '0.31896' })
  })
})

test('a quarter meter with hourly prices uses the price of the hour in each quarter', () => {
  const rates = only(spotRate([{ ...hour, dkkPerMwh: '812.345678' }], source))
  for (const n of [0, 1, 2, 3])
    expect(dkk(costOf({ ...quarter(n), wh: 1 }, rates))).toMatchObject({ spot: '0.000812345678' })
  expect(costOf({ ...quarter(4), wh: 1 }, rates)).toBe('spot')
})

describe('missing input makes the cost unknown and never 0', () => {
  test('no reading', () => expect(costOf({ ...quarter(0), wh: null }, only(quarterPrices('1')))).toBe('reading'))
  test('one of the four quarter prices of an hour', () =>
    expect(costOf({ ...hour, wh: 5 }, only(quarterPrices('1', '1', '1')))).toBe('spot'))
  test('a selected tariff that does not cover the day', () => {
    const tariff = tariffRate([flatTariff('0.1', '2026-01-01', '2026-11-20')], source)
    expect(costOf({ ...hour, wh: 5 }, { ...only(quarterPrices('1', '1', '1', '1')), tariff })).toBe('tariff')
  })
  test('zero energy has a cost of zero', () =>
    expect(dkk(costOf({ ...quarter(0), wh: 0 }, only(quarterPrices('-3'), '119')))).toMatchObject({ total: '0' }))
})

describe('tariffs', () => {
  const byHour = {
    validFrom: '2026-01-01',
    validTo: null,
    dkkPerKwh: Array.from({ length: 24 }, (_, h) => `0.${10 + h}`),
  }
  const at = (date: string, time: string, edge: 'start' | 'end' = 'start') => atLocalTime(date, time, edge)

  test('a tariff follows the local hour in summer and in winter', () => {
    const { at: price } = tariffRate([byHour], source)
    expect(price(Date.parse('2026-07-01T15:45:00Z'))).toBe(priceOf('270'))
    expect(price(Date.parse('2026-12-01T15:45:00Z'))).toBe(priceOf('260'))
  })
  test('the repeated hour in October has the same tariff twice', () => {
    const { at: price } = tariffRate([byHour], source)
    expect(at('2026-10-25', '02:00', 'end') - at('2026-10-25', '02:00')).toBe(hourMs)
    expect(price(at('2026-10-25', '02:00', 'end'))).toBe(price(at('2026-10-25', '02:00')))
  })
  test('of two overlapping tariffs the later one applies from its first local midnight', () => {
    const { at: price } = tariffRate([flatTariff('0.1'), flatTariff('0.2', '2026-04-01', '2026-10-01')], source)
    expect(price(at('2026-04-01', '00:00') - 1)).toBe(priceOf('100'))
    expect(price(at('2026-04-01', '00:00'))).toBe(priceOf('200'))
    expect(price(at('2026-10-01', '00:00'))).toBe(priceOf('100'))
  })
})

test.each([
  ['2026-03-29', 92, 23],
  ['2026-06-01', 96, 24],
  ['2026-10-25', 100, 25],
])('%s: %i quarters cost the same as %i hours with evenly distributed energy', (date, quarters, hours) => {
  const ofQuarters = slots('quarter', date)
  const ofHours = slots('hour', date)
  expect([ofQuarters.length, ofHours.length]).toEqual([quarters, hours])
  const prices = ofQuarters.map(({ index, ...span }) => ({ ...span, dkkPerMwh: String(index * 7 - 200) }))
  const rates: Rates = { ...only(spotRate(prices, source), '4'), tariff: tariffRate([flatTariff('0.1')], source) }
  const sum = (spans: { fromMs: number; toMs: number }[], wh: number) =>
    spans.reduce((all, span) => {
      const cost = costOf({ ...span, wh }, rates)
      if (typeof cost === 'string') throw new Error(cost)
      return addCost(all, cost)
    }, noCost)
  expect(sum(ofHours, 4000)).toEqual(sum(ofQuarters, 1000))
})

describe('rounding', () => {
  test('the cost is rounded once, half away from zero', () => {
    const half = priceOf('5') // 1 Wh at 5 DKK/MWh is 0.000005 DKK
    expect(dkkOf(half * 100n * 1000n, 2)).toBe('0.01')
    expect(dkkOf(-half * 100n * 1000n, 2)).toBe('-0.01')
    expect(dkkOf(-half * 100n * 999n, 2)).toBe('0.00')
    expect(dkkOf(0n, 2)).toBe('0.00')
  })
  test('a price with too many decimals is refused', () => {
    expect(priceOf('0.1234560000')).toBe(123456n)
    expect(priceOf('-0.5')).toBe(-500000n)
    expect(() => priceOf('0.1234567')).toThrow(RangeError)
    expect(() => priceOf('1e3')).toThrow(RangeError)
  })
  test('an interval other than a quarter or an hour is refused', () =>
    expect(() => costOf({ fromMs: t0, toMs: t0 + 2 * quarterMs, wh: 1 }, only(quarterPrices('1', '1')))).toThrow(
      RangeError,
    ))
})

describe('for any readings and prices', () => {
  const price = fc
    .integer({ min: -500_000_000, max: 9_000_000_000 })
    .map((millionths) => multiplyDecimals(String(millionths), '0.000001'))
  const wh = fc.integer({ min: 0, max: 40_000_000 })
  const inMwh = (energy: number) => multiplyDecimals(String(energy), '0.000001')

  test('the cost is the formula in exact decimals', () =>
    fc.assert(
      fc.property(fc.tuple(price, price, price, price), price, wh, (four, tax, energy) => {
        const cost = costOf({ ...hour, wh: energy }, only(quarterPrices(...four), tax))
        const mean = multiplyDecimals(addDecimals(...four), '0.25')
        const expected = multiplyDecimals(addDecimals(mean, tax), inMwh(energy))
        expect(typeof cost === 'string' ? cost : dkkOf(totalOf(cost))).toBe(expected)
      }),
    ))

  test('the sum of costs does not depend on the order, and its display is at most half an øre off', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(wh, price), { minLength: 1, maxLength: 96 }), price, (readings, tax) => {
        const known = readings
          .map(([energy, one]) => costOf({ ...quarter(0), wh: energy }, only(quarterPrices(one), tax)))
          .filter((cost) => typeof cost !== 'string')
        const sum = known.reduce(addCost, noCost)
        expect(known.toReversed().reduce(addCost, noCost)).toEqual(sum)
        const exact = addDecimals(
          ...readings.map(([energy, one]) => multiplyDecimals(addDecimals(one, tax), inMwh(energy))),
        )
        expect(dkkOf(totalOf(sum))).toBe(normalDecimal(exact))
        const off = addDecimals(dkkOf(totalOf(sum), 2), negateDecimal(exact))
        expect(compareDecimals(off.replace('-', ''), '0.005')).toBeLessThanOrEqual(0)
      }),
    ))
})
