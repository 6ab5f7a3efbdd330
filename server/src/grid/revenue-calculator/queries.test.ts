import {
  addDecimals,
  compareDecimals,
  multiplyDecimals,
  roundDecimal,
  sumDecimals,
} from '@gridmast/contract/numbers.ts'
import { slots } from '@gridmast/contract/slots.ts'
import { addDays, dayBounds } from '@gridmast/contract/time.ts'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { CalculatorMarket } from '@gridmast/contract/choices.ts'
import { putPrices, putRates } from '#testing/prices.ts'
import { openTestRecords } from '#testing/records.ts'
import { findRevenueOfDays } from './queries.ts'
import { monthsOf, sumOf, soldAs } from './revenue.ts'

const published = '2026-11-20T00:00:00Z'
const records = await openTestRecords()
await putRates(records, { '2026-03-02': '7.4', '2026-09-14': '7.4', '2026-10-13': '7.4', '2026-10-20': '7.5' })
afterAll(() => records.close())

type Price = { eur?: string; dkk?: string }
const put = (market: string, area: string, auction: string, date: string, price: (hour: number) => Price | null) =>
  putPrices(
    records,
    slots('hour', date).flatMap((slot) => {
      const found = price(slot.index)
      if (!found) return []
      const at = new Date(slot.fromMs).toISOString()
      return [{ market, area, auction, at, priceEur: found.eur ?? null, priceDkk: found.dkk ?? null }]
    }),
    published,
  )

const daysOf = (signal: CalculatorMarket, area: string, dates: [string, string], capacityMw = '1') =>
  records.system((tx) =>
    findRevenueOfDays(
      tx,
      soldAs(signal),
      area,
      { fromMs: dayBounds(dates[0]).fromMs, toMs: dayBounds(dates[1]).toMs },
      capacityMw,
    ),
  )

test('the worked example: 2 MW of FCR-D (LER) for one hour and 1 MW of FCR for one block', async () => {
  const date = '2026-09-15'
  await put('FCR-D-INC', 'DK2', 'Total', date, (hour) => (hour === 12 ? { eur: '6' } : null))
  await put('FCR-D-DEC', 'DK2', 'Total', date, (hour) => (hour === 12 ? { eur: '3.5' } : null))
  const [both] = await daysOf('FCR-D (LER)', 'DK2', [date, date], '2')
  expect(both).toMatchObject({ day: date, hours: 1, eur: '19', dkk: '140.6', hasRate: true })
  await put('FCR', 'DK1', '', date, (hour) => (hour < 4 ? { eur: '11.62', dkk: '86.88' } : null))
  const [block] = await daysOf('FCR', 'DK1', [date, date])
  expect(block).toMatchObject({ hours: 4, eur: '11.62', dkk: '86.88', hasDkk: true, hasRate: false })
})

test.each([
  ['2026-03-29', 23, 3],
  ['2026-10-25', 25, 5],
])('FCR: on %s, with %i hours, the first block has %i rows and is paid once', async (date, dayHours, rows) => {
  const first = slots('block', date)[0]
  expect(((first?.toMs ?? 0) - (first?.fromMs ?? 0)) / 3_600_000).toBe(rows)
  await put('FCR', 'DK1', '', date, (hour) => (hour < rows ? { eur: '10.01', dkk: '74.9' } : { eur: '1', dkk: '7' }))
  expect(await daysOf('FCR', 'DK1', [date, date])).toMatchObject([{ hours: dayHours, eur: '15.01', dkk: '109.9' }])
})

test('FCR-D (LER): an hour with one published side does not count', async () => {
  const date = '2026-09-16'
  await put('FCR-D-INC', 'SE1', 'Total', date, () => ({ eur: '2' }))
  await put('FCR-D-DEC', 'SE1', 'Total', date, (hour) => (hour < 10 ? { eur: '1' } : null))
  expect(await daysOf('FCR-D (LER)', 'SE1', [date, date])).toMatchObject([{ hours: 10, eur: '30' }])
  expect(await daysOf('FCR-D-INC', 'SE1', [date, date])).toMatchObject([{ hours: 24, eur: '48' }])
})

test('only the total of the auctions counts', async () => {
  const date = '2026-09-17'
  for (const auction of ['D-1 early', 'D-1 late']) await put('FCR-D-DEC', 'SE2', auction, date, () => ({ eur: '99' }))
  await put('FCR-D-DEC', 'SE2', 'Total', date, () => ({ eur: '1' }))
  expect(await daysOf('FCR-D-DEC', 'SE2', [date, date])).toMatchObject([{ eur: '24' }])
})

test('DKK are those of the data set, else EUR by the last rate on or before the day, else by the central rate', async () => {
  const of = async (date: string, price: Price) => {
    await put('aFRR-INC', 'DK1', '', date, (hour) => (hour === 0 ? price : null))
    return (await daysOf('AFRR-INC', 'DK1', [date, date]))[0]
  }
  expect(await of('2026-10-21', { eur: '2', dkk: '14.9' })).toMatchObject({ dkk: '14.9', hasDkk: true, hasRate: false })
  expect(await of('2026-10-22', { eur: '2' })).toMatchObject({ dkk: '15', hasDkk: false, hasRate: true })
  expect(await of('2026-10-19', { eur: '2' })).toMatchObject({
    dkk: '14.8',
    hasRate: true,
    hasCentral: false,
    dkkPerEur: '7.4',
  })
  expect(await of('2026-03-09', { eur: '2' })).toMatchObject({ hasRate: false, dkkPerEur: '7.46038' })
  expect(await of('2026-03-01', { eur: '2' })).toMatchObject({ dkk: '14.92076', hasRate: false, hasCentral: true })
})

const cents = fc
  .integer({ min: -5000, max: 9_999_999 })
  .map((n) =>
    addDecimals(
      '0',
      `${n < 0 ? '-' : ''}${Math.floor(Math.abs(n) / 10_000)}.${String(Math.abs(n) % 10_000).padStart(4, '0')}`,
    ),
  )

test('property: revenue is linear in capacity, and days add up to months and months to the total', async () => {
  let n = 0
  const first = '2024-10-20'
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(cents, { freq: 8 }), { minLength: 14 * 25, maxLength: 14 * 25 }),
      fc.integer({ min: 1, max: 99 }),
      async (prices, tenths) => {
        const area = `P${n++}`
        const dates = Array.from({ length: 14 }, (_, i) => addDays(first, i))
        for (const [i, date] of dates.entries())
          await put('aFRR-DEC', area, '', date, (hour) => {
            const eur = prices[i * 25 + hour]
            return eur === null || eur === undefined ? null : { eur, dkk: multiplyDecimals(eur, '7') }
          })
        const capacity = `${Math.floor(tenths / 10)}.${tenths % 10}`
        const span: [string, string] = [first, dates.at(-1) ?? first]
        const [one, many] = [await daysOf('AFRR-DEC', area, span), await daysOf('AFRR-DEC', area, span, capacity)]
        const total = sumOf(many)
        expect(compareDecimals(total.eur, multiplyDecimals(sumOf(one).eur, capacity))).toBe(0)
        expect(compareDecimals(sumOf(monthsOf(many)).eur, total.eur)).toBe(0)
        expect(compareDecimals(total.dkk, multiplyDecimals(total.eur, '7'))).toBe(0)
        const byHand = dates.flatMap((date, i) => slots('hour', date).map((slot) => prices[i * 25 + slot.index] ?? '0'))
        expect(compareDecimals(sumOf(one).eur, sumDecimals(byHand))).toBe(0)
        const known = dates.flatMap((date, i) =>
          slots('hour', date).filter((slot) => prices[i * 25 + slot.index] != null),
        )
        expect(total.hours).toBe(known.length)
        expect(roundDecimal(total.eur, 2)).toMatch(/^-?\d+\.\d\d$/)
      },
    ),
    { numRuns: 8 },
  )
}, 120_000)
