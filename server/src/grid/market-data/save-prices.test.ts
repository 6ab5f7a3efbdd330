import { afterAll, expect, test } from 'vitest'
import type { PriceRow } from '#connectors/energi-data-service/parse.ts'
import { openTestRecords } from '#testing/records.ts'
import { storedRows } from '#testing/rows.ts'
import { priceBatch, savePrices } from './save-prices.ts'

const records = await openTestRecords()
afterAll(() => records.close())

const startMs = Date.UTC(2026, 10, 21, 9)
const price = (priceDkk: string | null, fields: Partial<PriceRow> = {}): PriceRow => ({
  market: 'day-ahead',
  area: 'DK2',
  product: '',
  auction: '',
  startsAtMs: startMs,
  durationS: 900,
  priceEur: '1.00',
  priceDkk,
  volumeMw: null,
  unit: 'MWh',
  ...fields,
})
const save = (rows: PriceRow[], nowMs: number) =>
  records.system((tx) => savePrices(tx, rows, { source: 'test', simulated: false }, nowMs))

test('a changed price stores its previous value as a revision, an equal price does not', async () => {
  expect(await save([price('100')], 1000)).toBe(1)
  expect(await save([price('100.000')], 2000)).toBe(0)
  expect(await save([price('101')], 3000)).toBe(1)
  const revisions = await storedRows(records, 'market_price_revision')
  expect(revisions).toMatchObject([
    { price_dkk: '100.000000', replaced_at: new Date(3000), fetched_at: new Date(1000) },
  ])
})

test('a changed volume is updated without a revision', async () => {
  const sold = (volumeMw: string) => price('5', { market: 'FCR-N', auction: 'Total', volumeMw })
  expect(await save([sold('10.5')], 1000)).toBe(1)
  expect(await save([sold('10.50')], 2000)).toBe(0)
  expect(await save([sold('11')], 3000)).toBe(1)
  const revisions = await storedRows(records, 'market_price_revision', { market: 'FCR-N' })
  expect(revisions).toEqual([])
})

test('rows without a price are dropped, and more rows than one statement accepts are all stored', async () => {
  const rows = Array.from({ length: priceBatch + 1 }, (_, i) =>
    price('7', { area: 'MANY', startsAtMs: startMs + i * 900_000 }),
  )
  expect(await save([...rows, price(null, { area: 'NONE', priceEur: null })], 1000)).toBe(priceBatch + 1)
})

test('two concurrent imports of the same prices store each price once', async () => {
  const rows = Array.from({ length: priceBatch + 50 }, (_, i) =>
    price('8', { area: 'TWICE', startsAtMs: startMs + i * 900_000 }),
  )
  const saved = await Promise.all([save(rows, 1000), save(rows, 2000)])
  expect(saved.toSorted((a, b) => a - b)).toEqual([0, rows.length])
})

test('only new and changed prices among stored ones are counted', async () => {
  const at = (i: number, dkk = '9') => price(dkk, { area: 'MIXED', startsAtMs: startMs + i * 900_000 })
  expect(await save([at(1), at(3)], 1000)).toBe(2)
  expect(await save([at(0), at(1), at(2), at(3, '10'), at(4)], 2000)).toBe(4)
  expect(await save([at(0), at(1), at(2), at(3, '10'), at(4)], 3000)).toBe(0)
})
