import { describe, expect, test } from 'vitest'
import { pricedMarkets } from '@gridmast/contract/grid/price-signals.ts'
import { datasets, datasetNames, datasetOf, type DatasetName } from './datasets.ts'
import { parseBody, type ParsedRows, type PriceRow } from './parse.ts'
import { exampleRecords } from './records.fixture.ts'

const day = { fromMs: Date.parse('2026-09-14T22:00:00Z'), toMs: Date.parse('2026-09-15T22:00:00Z') }

const bodyOf = (...records: string[]) => `{"total":${records.length},"records":[${records.join(',')}]}`

const read = (dataset: DatasetName, records: readonly string[], span = day): ParsedRows => {
  const { areas } = datasets[dataset]
  const parsed = parseBody(bodyOf(...records), datasets[dataset], { ...span, areas })
  if (!parsed.ok) throw new Error(parsed.detail)
  return parsed
}

const brief = (rows: PriceRow[]) =>
  rows.map((row) => [
    row.market,
    row.area,
    row.product,
    row.auction,
    row.priceEur,
    row.priceDkk,
    row.volumeMw,
    row.unit,
  ])

describe('records as they were published', () => {
  test.each<[DatasetName, unknown[]]>([
    ['FcrDK1', [['FCR', 'DK1', '', '', '11.62', '86.88', '5.0', 'MW']]],
    [
      'FcrNdDK2',
      [
        ['FCR-D-DEC', 'DK2', '', 'D-1 early', '3.5', null, '430.0', 'MW'],
        ['FCR-D-DEC', 'DK2', '', 'D-1 late', '1.0', null, '144.0', 'MW'],
        ['FCR-D-DEC', 'DK2', '', 'Total', '2.872822', null, '574.0', 'MW'],
      ],
    ],
    [
      'AfrrReservesNordic',
      [
        ['aFRR-DEC', 'DK2', '', '', '1.14', '8.521728', '70.0', 'MW'],
        ['aFRR-INC', 'DK2', '', '', '13.0', '97.1776', '52.0', 'MW'],
      ],
    ],
    [
      'MfrrCapacityMarket',
      [
        ['mFRR-DEC', 'DK1', '', '', '0.11', '0.822272', '3.0', 'MW'],
        ['mFRR-INC', 'DK1', '', '', '2.01', '15.025152', '390.0', 'MW'],
      ],
    ],
    [
      'MfrrCapacityMarketExtra',
      [
        ['mFRR-DEC', 'DK1', 'extra', '', null, null, null, 'MW'],
        ['mFRR-INC', 'DK1', 'extra', '', '4.5', '33.6384', '20.0', 'MW'],
      ],
    ],
    ['FfrDK2', [['FFR', 'DK2', '', '', '23.0', '171.9296', '6.2', 'MW']]],
    [
      'ImbalancePrice',
      [
        ['aFRR-energy-DEC', 'DK1', '', '', '66.46', '496.8', null, 'MWh'],
        ['aFRR-energy-INC', 'DK1', '', '', null, null, null, 'MWh'],
        ['imbalance', 'DK1', '', '', '66.46', '496.8', null, 'MWh'],
      ],
    ],
    [
      'MfrrEnergyActivationMarket',
      [
        ['mFRR-energy-DEC', 'DK2', '', '', '171.0', null, null, 'MWh'],
        ['mFRR-energy-INC', 'DK2', '', '', '254.17', null, '76', 'MWh'],
      ],
    ],
  ])('%s', (dataset, rows) => {
    expect(brief(read(dataset, exampleRecords[dataset]).prices)).toEqual(rows)
  })

  test.each<DatasetName>(['CO2Emis', 'CO2EmisProg'])('%s is a measured series, not a price', (dataset) => {
    expect(read(dataset, exampleRecords[dataset])).toMatchObject({
      prices: [],
      samples: [{ area: 'DK1', atMs: Date.parse('2026-09-15T21:55:00Z'), value: 88 }],
    })
  })

  test('a tariff has 24 hours; those without a price take the first', () => {
    const { tariffs } = read('DatahubPricelist', exampleRecords.DatahubPricelist)
    expect(tariffs).toHaveLength(2)
    expect(tariffs[0]).toMatchObject({
      ownerGln: '5790000432752',
      chargeType: 'D03',
      code: 'EA-001',
      validFrom: '2026-01-01',
      validTo: '2028-01-01',
      resolution: 'P1D',
      prices: Array.from({ length: 24 }, () => '0.008'),
    })
    expect(tariffs[1]).toMatchObject({ validTo: null, resolution: 'PT1H' })
    expect(tariffs[1]?.prices[17]).toBe('0.3036')
  })

  test('hours last an hour and quarters a quarter', () => {
    const durations = (dataset: DatasetName) =>
      new Set(read(dataset, exampleRecords[dataset]).prices.map((row) => row.durationS))
    for (const dataset of ['FcrDK1', 'FcrNdDK2', 'AfrrReservesNordic', 'MfrrCapacityMarket', 'FfrDK2'] as const)
      expect(durations(dataset)).toEqual(new Set([3600]))
    for (const dataset of ['ImbalancePrice', 'MfrrEnergyActivationMarket'] as const)
      expect(durations(dataset)).toEqual(new Set([900]))
  })
})

describe('auctions', () => {
  const nordic = (fields: object) =>
    JSON.stringify({
      HourUTC: '2026-09-15T10:00:00',
      PriceArea: 'DK2',
      ProductName: 'FCR-N',
      AuctionType: 'Total',
      PurchasedVolumeTotal: 100,
      PriceTotalEUR: 10,
      ...fields,
    })
  const both = [
    nordic({ AuctionType: 'D-1 early', PurchasedVolumeTotal: 30, PriceTotalEUR: 20 }),
    nordic({ AuctionType: 'D-1 late', PurchasedVolumeTotal: 70, PriceTotalEUR: 10 }),
  ]

  test('a total that is not the weighted mean of its auctions is said', () => {
    expect(read('FcrNdDK2', [...both, nordic({ PriceTotalEUR: 13.0 })]).warnings).toEqual([])
    expect(read('FcrNdDK2', [...both, nordic({ PriceTotalEUR: 13.02 })]).warnings).toEqual([
      '1 totals are not the weighted mean of their auctions: FCR-N DK2 2026-09-15T10:00:00.000Z: 13.02 instead of 13.000000',
    ])
  })

  test('nothing bought, or no volume known: nothing to say', () => {
    const none = [nordic({ AuctionType: 'D-1 early', PurchasedVolumeTotal: 0, PriceTotalEUR: null }), nordic({})]
    expect(read('FcrNdDK2', none).warnings).toEqual(['1 rows without a price'])
    const unknown = [nordic({ AuctionType: 'D-1 early', PurchasedVolumeTotal: null }), nordic({ PriceTotalEUR: 99 })]
    expect(read('FcrNdDK2', unknown).warnings).toEqual([])
  })

  test('the old names of the auctions are kept as they are', () => {
    const old = { fromMs: Date.parse('2023-04-30T22:00:00Z'), toMs: Date.parse('2023-05-31T22:00:00Z') }
    const rows = ['D-2', 'D-1'].map((AuctionType) => nordic({ HourUTC: '2023-05-15T10:00:00', AuctionType }))
    expect(read('FcrNdDK2', rows, old).prices.map((row) => row.auction)).toEqual(['D-1', 'D-2'])
  })

  test('a product that is not known is left out and said', () => {
    const found = read('FcrNdDK2', [nordic({ ProductName: 'FCR-X' }), nordic({})])
    expect(found.prices).toHaveLength(1)
    expect(found.warnings).toEqual(['1 rows of products that are not read'])
  })
})

describe('zero, null and none', () => {
  const ffr = (price: string) =>
    `{"HourUTC":"2026-09-15T10:00:00","FFR_PurchasedMW":0.0,"FFR_PriceEUR":${price},"FFR_PriceDKK":${price}}`

  test('FFR in winter costs 0.0; null is no price', () => {
    expect(read('FfrDK2', [ffr('0.0')]).prices[0]?.priceEur).toBe('0.0')
    expect(read('FfrDK2', [ffr('null')])).toMatchObject({
      prices: [{ priceEur: null, priceDkk: null }],
      warnings: ['1 rows without a price'],
    })
  })

  test('a mean price of 0 over no energy is none, over some energy it is 0', () => {
    const record = exampleRecords.ImbalancePrice[0] ?? ''
    const up = (text: string) =>
      read('ImbalancePrice', [text]).prices.find((row) => row.market === 'aFRR-energy-INC')?.priceEur
    expect(up(record)).toBeNull()
    expect(up(record.replace('"aFRRUpMW":0.0', '"aFRRUpMW":2.5'))).toBe('0.0')
    expect(up(record.replace('"aFRRUpMW":0.0', '"aFRRUpMW":null'))).toBeNull()
  })
})

test('every priced market of the portal has a dataset that serves each of its areas', () => {
  const served = new Set(
    datasetNames.flatMap((name) => {
      const { content, areas } = datasets[name]
      return content.kind === 'prices'
        ? content.prices.flatMap((one) => areas.map((area) => `${one.market} ${area}`))
        : []
    }),
  )
  for (const [market, { areas }] of Object.entries(pricedMarkets))
    for (const area of areas) expect(served).toContain(`${market} ${area}`)
})

test('a dataset is found by its name in any case', () => {
  expect(datasetOf('FFRDK2')).toBe('FfrDK2')
  expect(datasetOf('Nothing')).toBeNull()
})
