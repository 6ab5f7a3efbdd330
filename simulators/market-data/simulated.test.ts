import { join } from 'node:path'
import { hourMs } from '@gridmast/contract/time.ts'
import { describe, expect, test } from 'vitest'
import {
  datasets as read,
  datasetNames,
  type DatasetName,
} from '../../server/src/connectors/energi-data-service/datasets.ts'
import { parseBody } from '../../server/src/connectors/energi-data-service/parse.ts'
import { datasets, rowsWithin } from './datasets.ts'
import { readSource } from './dataset.ts'

const source = readSource(join(import.meta.dirname, '../../demo/recorded'))
const nowMs = Date.parse('2026-11-20T20:00:00Z')

const rowsOf = (name: DatasetName, from: string, to: string, atMs = nowMs) => {
  const { areas, areaColumn } = read[name]
  const dataset = datasets.find((one) => one.name === name)
  if (!dataset) throw new Error(`no ${name}`)
  return rowsWithin(
    dataset,
    source,
    { fromMs: Date.parse(from), toMs: Date.parse(to) },
    (area) => !areaColumn || areas.includes(area),
    atMs,
  )
}

const parsedDay = (name: DatasetName, from: string, to: string, atMs = nowMs) => {
  const records = rowsOf(name, from, to, atMs)
  const asked = { fromMs: Date.parse(from), toMs: Date.parse(to), areas: read[name].areas }
  const parsed = parseBody(JSON.stringify({ total: records.length, records }), read[name], asked)
  if (!parsed.ok) throw new Error(parsed.detail)
  return parsed
}

describe('every data set is valid for its connector', () => {
  const days: [string, string, number][] = [
    ['2026-11-18T23:00Z', '2026-11-19T23:00Z', 24],
    ['2026-03-28T23:00Z', '2026-03-29T22:00Z', 23],
    ['2026-10-24T22:00Z', '2026-10-25T23:00Z', 25],
  ]
  const perHour: Partial<Record<DatasetName, number>> = {
    DayAheadPrices: 4 * 4,
    FcrDK1: 1,
    FcrNdDK2: 5 * 3 * 3,
    AfrrReservesNordic: 2 * 2,
    MfrrCapacityMarket: 2 * 2,
    FfrDK2: 1,
    ImbalancePrice: 4 * 2 * 3,
    MfrrEnergyActivationMarket: 4 * 2 * 2,
  }
  for (const [from, to, hours] of days)
    test.each(datasetNames.filter((name) => perHour[name]))(`%s of a day of ${hours} hours`, (name) => {
      const { prices, warnings } = parsedDay(name, from, to)
      expect(prices).toHaveLength((perHour[name] ?? 0) * hours)
      // aFRR energy has no price without activation; any other warning is a fault of the simulator.
      if (name !== 'ImbalancePrice') expect(warnings).toEqual([])
    })

  test.each<DatasetName>(['CO2Emis', 'CO2EmisProg'])('%s has a value every five minutes', (name) => {
    const { samples } = parsedDay(name, '2026-11-18T23:00Z', '2026-11-19T23:00Z')
    expect(samples).toHaveLength(2 * 288)
    for (const { value } of samples) expect(value).toBeGreaterThan(0)
  })

  test('the price list has national and local tariffs of 24 hours', () => {
    const { tariffs } = parsedDay('DatahubPricelist', '2024-12-31T23:00Z', '2027-12-31T23:00Z')
    expect(tariffs.find((one) => one.code === 'EA-001' && one.validFrom === '2026-01-01')?.prices[0]).toBe('0.008')
    expect(new Set(tariffs.map((one) => one.ownerGln)).size).toBe(5)
  })
})

test('400 days of history exist, with reproducible prices per hour', () => {
  const early = rowsOf('FcrNdDK2', '2025-10-20T10:00Z', '2025-10-20T11:00Z')
  expect(early).toHaveLength(45)
  expect(rowsOf('FcrNdDK2', '2025-10-20T10:00Z', '2025-10-20T11:00Z', nowMs - 24 * hourMs)).toEqual(early)
  expect(rowsOf('FcrNdDK2', '2025-10-10T10:00Z', '2025-10-10T11:00Z')).toEqual([])
})

test('recorded digits are kept where a recording exists', () => {
  // Thursday 2026-08-27 is Thursday 2021-08-26, five years of whole weeks earlier.
  const [row] = rowsOf('FcrNdDK2', '2026-08-27T10:00Z', '2026-08-27T11:00Z').filter(
    (one) => one['PriceArea'] === 'DK2' && one['ProductName'] === 'FCR-N' && one['AuctionType'] === 'D-1 early',
  )
  const recorded = source.hours.fcrDk2.get('2021-08-26')?.[12]?.get('FCR_N_PriceEUR')
  expect(recorded).toBeGreaterThan(0)
  expect(row?.['PriceTotalEUR']).toBe(recorded)
})

test('tomorrow has the early auction in the morning, the late one and the total at 19:00', () => {
  const tomorrow = ['2026-11-20T23:00Z', '2026-11-21T23:00Z'] as const
  const auctions = (iso: string) =>
    [...new Set(rowsOf('FcrNdDK2', ...tomorrow, Date.parse(iso)).map((row) => row['AuctionType']))]
      .map(String)
      .toSorted((a, b) => a.localeCompare(b))
  expect(auctions('2026-11-20T03:59:00Z')).toEqual([])
  expect(auctions('2026-11-20T04:00:00Z')).toEqual(['D-1 early'])
  expect(auctions('2026-11-20T17:59:00Z')).toEqual(['D-1 early'])
  expect(auctions('2026-11-20T18:00:00Z')).toEqual(['D-1 early', 'D-1 late', 'Total'])
})

test('FFR costs 0 in winter and more in summer', () => {
  const prices = (from: string, to: string) => rowsOf('FfrDK2', from, to).map((row) => Number(row['FFR_PriceEUR']))
  expect(new Set(prices('2026-11-01T00:00Z', '2026-11-08T00:00Z'))).toEqual(new Set([0]))
  expect(Math.max(...prices('2026-07-01T00:00Z', '2026-07-08T00:00Z'))).toBeGreaterThan(5)
})
