import { hourMs, quarterMs } from '@gridmast/contract/time.ts'

/** Priced rows of one dataset: where its columns stand and what they mean. A new dataset is a new entry here. */
export type Dataset = {
  market: string
  /** Start of the interval, UTC without a zone. Local columns repeat an hour in October and are never read. */
  timeColumn: string
  areaColumn: string
  eurColumn: string
  dkkColumn: string
  unit: string
  /** Length of the interval that starts at an instant; `nextMs` is the start of the next row of the same area, if any. */
  durationMs: (startsAtMs: number, nextMs: number | undefined) => number
}

/** Delivery from this instant on is priced in quarters (2025-10-01 Danish time); earlier rows may stand at hourly steps. */
const quartersFromMs = Date.parse('2025-09-30T22:00:00Z')

export const datasets = {
  DayAheadPrices: {
    market: 'day-ahead',
    timeColumn: 'TimeUTC',
    areaColumn: 'PriceArea',
    eurColumn: 'DayAheadPriceEUR',
    dkkColumn: 'DayAheadPriceDKK',
    unit: 'MWh',
    durationMs: (startsAtMs, nextMs) =>
      startsAtMs >= quartersFromMs || nextMs === startsAtMs + quarterMs ? quarterMs : hourMs,
  },
  Elspotprices: {
    market: 'day-ahead',
    timeColumn: 'HourUTC',
    areaColumn: 'PriceArea',
    eurColumn: 'SpotPriceEUR',
    dkkColumn: 'SpotPriceDKK',
    unit: 'MWh',
    durationMs: () => hourMs,
  },
} as const satisfies Record<string, Dataset>

export type DatasetName = keyof typeof datasets
