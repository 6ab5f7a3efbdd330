import { hourMs, minuteMs, quarterMs } from '@gridmast/contract/time.ts'

/** Columns of one price in each record. */
export type PriceColumns = {
  market: string
  product?: string
  unit: 'MWh' | 'MW'
  eur?: string
  dkk?: string
  /** Purchased MW at this price. */
  volume?: string
  /** Only records with this value in this column. */
  only?: readonly [column: string, value: string]
  /** A price of 0 means no price while this column is 0 or null. */
  noneWithout?: string
}

type Content =
  | { kind: 'prices'; prices: readonly PriceColumns[]; auctionColumn?: string }
  | { kind: 'samples'; signal: 'co2' | 'co2Prognosis'; column: string; unit: string }
  | { kind: 'tariffs' }

/** The columns of one dataset and their meaning. A new dataset is a new entry here. */
export type Dataset = {
  /** Start of the interval, UTC without a zone. Local columns repeat an hour in October and are not read. */
  timeColumn: string
  /** Null for a dataset of one area. */
  areaColumn: string | null
  areas: readonly string[]
  /** Length of the interval that starts at an instant; `nextMs` is the start of the next row of the same series, if any. */
  durationMs: (startsAtMs: number, nextMs: number | undefined) => number
  content: Content
}

/** Quarter-hour prices start with this delivery (2025-10-01 Danish time); earlier rows may be hourly. */
export const quartersFromMs = Date.parse('2025-09-30T22:00:00Z')

const danish = ['DK1', 'DK2']
const nordic = ['DK2', 'SE1', 'SE2', 'SE3', 'SE4']
const spotAreas = ['DK1', 'DK2', 'SE3', 'SE4']
const anHour = () => hourMs
const aQuarter = () => quarterMs

const bothWays = [
  ['INC', 'Up'],
  ['DEC', 'Down'],
] as const

/** Reserve capacity in both directions of one record. */
const upAndDown = (name: 'aFRR' | 'mFRR', product = ''): readonly PriceColumns[] =>
  bothWays.map(([direction, side]) => ({
    market: `${name}-${direction}`,
    product,
    unit: 'MW',
    eur: `${side}PriceEUR`,
    dkk: `${side}PriceDKK`,
    volume: `${side}ProcuredMW`,
  }))

/** Activated aFRR energy at its weighted mean price. */
const activated: readonly PriceColumns[] = bothWays.map(([direction, side]) => ({
  market: `aFRR-energy-${direction}`,
  unit: 'MWh',
  noneWithout: `aFRR${side}MW`,
  eur: `aFRRVWA${side}EUR`,
  dkk: `aFRRVWA${side}DKK`,
}))

const reserve = (name: 'aFRR' | 'mFRR', product = ''): Dataset => ({
  timeColumn: 'TimeUTC',
  areaColumn: 'PriceArea',
  areas: danish,
  durationMs: anHour,
  content: { kind: 'prices', prices: upAndDown(name, product) },
})

/** EUR only; the product names are those of the Swedish auction. */
const nordicProduct = (market: string, productName: string): PriceColumns => ({
  market,
  unit: 'MW',
  eur: 'PriceTotalEUR',
  volume: 'PurchasedVolumeTotal',
  only: ['ProductName', productName],
})

const emission = (signal: 'co2' | 'co2Prognosis'): Dataset => ({
  timeColumn: 'Minutes5UTC',
  areaColumn: 'PriceArea',
  areas: danish,
  durationMs: () => 5 * minuteMs,
  content: { kind: 'samples', signal, column: 'CO2Emission', unit: 'g/kWh' },
})

const list = {
  DayAheadPrices: {
    timeColumn: 'TimeUTC',
    areaColumn: 'PriceArea',
    areas: spotAreas,
    durationMs: (startsAtMs, nextMs) =>
      startsAtMs >= quartersFromMs || nextMs === startsAtMs + quarterMs ? quarterMs : hourMs,
    content: {
      kind: 'prices',
      prices: [{ market: 'day-ahead', unit: 'MWh', eur: 'DayAheadPriceEUR', dkk: 'DayAheadPriceDKK' }],
    },
  },
  Elspotprices: {
    timeColumn: 'HourUTC',
    areaColumn: 'PriceArea',
    areas: spotAreas,
    durationMs: anHour,
    content: {
      kind: 'prices',
      prices: [{ market: 'day-ahead', unit: 'MWh', eur: 'SpotPriceEUR', dkk: 'SpotPriceDKK' }],
    },
  },
  // Each hour repeats the price of its 4-hour block. Danish bids are paid FCRdk.
  FcrDK1: {
    timeColumn: 'HourUTC',
    areaColumn: null,
    areas: ['DK1'],
    durationMs: anHour,
    content: {
      kind: 'prices',
      prices: [{ market: 'FCR', unit: 'MW', eur: 'FCRdk_EUR', dkk: 'FCRdk_DKK', volume: 'FCRdomestic_MW' }],
    },
  },
  FcrNdDK2: {
    timeColumn: 'HourUTC',
    areaColumn: 'PriceArea',
    areas: nordic,
    durationMs: anHour,
    content: {
      kind: 'prices',
      auctionColumn: 'AuctionType',
      prices: [
        nordicProduct('FCR-N', 'FCR-N'),
        nordicProduct('FCR-D-INC', 'FCR-D upp'),
        nordicProduct('FCR-D-DEC', 'FCR-D ned'),
      ],
    },
  },
  AfrrReservesNordic: reserve('aFRR'),
  MfrrCapacityMarket: reserve('mFRR'),
  MfrrCapacityMarketExtra: reserve('mFRR', 'extra'),
  FfrDK2: {
    timeColumn: 'HourUTC',
    areaColumn: null,
    areas: ['DK2'],
    durationMs: anHour,
    content: {
      kind: 'prices',
      prices: [{ market: 'FFR', unit: 'MW', eur: 'FFR_PriceEUR', dkk: 'FFR_PriceDKK', volume: 'FFR_PurchasedMW' }],
    },
  },
  ImbalancePrice: {
    timeColumn: 'TimeUTC',
    areaColumn: 'PriceArea',
    areas: danish,
    durationMs: aQuarter,
    content: {
      kind: 'prices',
      prices: [{ market: 'imbalance', unit: 'MWh', eur: 'ImbalancePriceEUR', dkk: 'ImbalancePriceDKK' }, ...activated],
    },
  },
  // A volume of null means no request; the price is valid all the same.
  MfrrEnergyActivationMarket: {
    timeColumn: 'TimeUTC',
    areaColumn: 'PriceArea',
    areas: danish,
    durationMs: aQuarter,
    content: {
      kind: 'prices',
      prices: [
        { market: 'mFRR-energy-INC', unit: 'MWh', eur: 'mFRRSAUpEUR', volume: 'mFRRSAUpReqMW' },
        { market: 'mFRR-energy-DEC', unit: 'MWh', eur: 'mFRRSADownEUR', volume: 'mFRRSADownReqMW' },
      ],
    },
  },
  CO2Emis: emission('co2'),
  CO2EmisProg: emission('co2Prognosis'),
  DatahubPricelist: {
    timeColumn: 'ValidFrom',
    areaColumn: null,
    areas: [],
    durationMs: anHour,
    content: { kind: 'tariffs' },
  },
} as const satisfies Record<string, Dataset>

export type DatasetName = keyof typeof list

export const datasets: Readonly<Record<DatasetName, Dataset>> = list

export const datasetNames = Object.keys(list) as DatasetName[] // Object.keys loses the literal key types

export const datasetOf = (text: string): DatasetName | null =>
  datasetNames.find((name) => name.toLowerCase() === text.toLowerCase()) ?? null
