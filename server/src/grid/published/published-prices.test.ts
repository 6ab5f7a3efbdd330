import { afterAll, expect, test } from 'vitest'
import { dayBounds } from '@gridmast/contract/time.ts'
import { slots } from '@gridmast/contract/slots.ts'
import type { PriceRow } from '#connectors/energi-data-service/parse.ts'
import { savePrices } from '#testing/published.ts'
import { openTestRecords } from '#testing/records.ts'
import { findDayAheadPrices } from './published-prices.ts'

const records = await openTestRecords()
afterAll(() => records.close())

const origin = { source: 'energi-data-service', simulated: false }
const untaxed = (area: string) => ({ area, tax_dkk_per_mwh: '0' })

const price = (startsAtMs: number, priceDkk: string | null, priceEur: string | null = '1.00'): PriceRow => ({
  market: 'day-ahead',
  area: 'DK2',
  product: '',
  auction: '',
  startsAtMs,
  durationS: 900,
  priceEur,
  priceDkk,
  volumeMw: null,
  unit: 'MWh',
})

test('a price keeps every published digit', async () => {
  const at = Date.UTC(2026, 10, 20, 9)
  await records.system((tx) => savePrices(tx, [price(at, '779.540001'), price(at + 900_000, '-0.1')], origin, 1))
  const rows = await records.system((tx) =>
    findDayAheadPrices(tx, untaxed('DK2'), { fromMs: at, toMs: at + 3_600_000 }, 'quarter'),
  )
  expect(rows.map((row) => row.price_dkk)).toEqual(['779.540001', '-0.1'])
})

test.each([
  ['2026-03-29', 23],
  ['2026-10-25', 25],
  ['2026-11-20', 24],
])('the hours of %s are %i means of four quarters', async (date, hours) => {
  const quarters = slots('quarter', date)
  const rows = quarters.map((slot) => ({ ...price(slot.fromMs, String(slot.index % 4)), area: date }))
  await records.system((tx) => savePrices(tx, rows, origin, 1))
  const means = await records.system((tx) => findDayAheadPrices(tx, untaxed(date), dayBounds(date), 'hour'))
  expect(means).toHaveLength(hours)
  expect(new Set(means.map((row) => row.price_dkk))).toEqual(new Set(['1.5']))
})

test('an hour without one of its quarters has no mean', async () => {
  const at = Date.UTC(2026, 10, 22, 9)
  const rows = [0, 1, 2].map((n) => ({ ...price(at + n * 900_000, '10'), area: 'GAP' }))
  await records.system((tx) => savePrices(tx, rows, origin, 1))
  expect(
    await records.system((tx) => findDayAheadPrices(tx, untaxed('GAP'), { fromMs: at, toMs: at + 3_600_000 }, 'hour')),
  ).toEqual([])
})

test('a EUR price uses the last rate before or on its day and states its day', async () => {
  const at = Date.UTC(2026, 10, 23, 9)
  await records.system(async (tx) => {
    await tx
      .insertInto('exchange_rate')
      .values(
        ['2026-11-20', '2026-11-24'].map((day, i) => ({
          currency: 'EUR',
          day,
          dkk_per_unit: i === 0 ? '7.4745' : '9',
          source: 'test',
          fetched_at: new Date(1),
        })),
      )
      .execute()
    await savePrices(tx, [{ ...price(at, null, '-10'), area: 'FX' }], origin, 1)
  })
  const rows = await records.system((tx) =>
    findDayAheadPrices(tx, untaxed('FX'), { fromMs: at, toMs: at + 3_600_000 }, 'quarter'),
  )
  expect(rows).toMatchObject([{ price_dkk: '-74.745', dkk_per_eur: '7.4745', source: 'energi-data-service' }])
  const old = Date.UTC(2026, 11, 1, 9)
  await records.system((tx) => savePrices(tx, [{ ...price(old, null, '-10'), area: 'FX' }], origin, 1))
  const [later] = await records.system((tx) =>
    findDayAheadPrices(tx, untaxed('FX'), { fromMs: old, toMs: old + 3_600_000 }, 'quarter'),
  )
  expect(later).toMatchObject({ price_dkk: '-74.6038', dkk_per_eur: '7.46038' })
})
