import { datasets, type DatasetName } from '#connectors/energi-data-service/datasets.ts'
import { sourceName } from '#connectors/energi-data-service/fetch.ts'
import type { Found } from '#connectors/energi-data-service/parse.ts'
import type { App } from '#context.ts'
import type { Tx } from '#platform/records.ts'
import { savePrices } from './save-prices.ts'
import { saveSamples } from './save-samples.ts'
import { saveTariffs } from './save-tariffs.ts'

/** Where the data of a body ends; null for an empty one. */
export const coveredUntil = ({ prices, samples }: Found, durationMs: number): number | null => {
  let covered = 0
  for (const row of prices)
    if (row.priceEur !== null || row.priceDkk !== null)
      covered = Math.max(covered, row.startsAtMs + row.durationS * 1000)
  for (const sample of samples) if (sample.value !== null) covered = Math.max(covered, sample.atMs + durationMs)
  return covered > 0 ? covered : null
}

/** Samples go to the readings store, which knows no transactions: before the records, and the same again when those fail. */
export const saveFoundSamples = async (
  app: Pick<App, 'records' | 'readings'>,
  dataset: DatasetName,
  { samples }: Found,
): Promise<number> => {
  const { content, durationMs } = datasets[dataset]
  if (content.kind !== 'samples') return 0
  const series = { kind: content.signal, unit: content.unit, source: sourceName, dataset }
  return saveSamples(app, series, samples, durationMs(0, undefined))
}

export const saveFoundRows = async (tx: Tx, { prices, tariffs }: Found, nowMs: number): Promise<number> =>
  (await savePrices(tx, prices, sourceName, nowMs)) + (await saveTariffs(tx, tariffs, sourceName, nowMs))
