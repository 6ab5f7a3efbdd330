import { today } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import { datasets, type DatasetName } from '#connectors/energi-data-service/datasets.ts'
import { fetchDataset, sourceName, type Fetched } from '#connectors/energi-data-service/fetch.ts'
import type { ParsedRows } from '#connectors/energi-data-service/parse.ts'
import { isDue, publishing, requestWindow } from '#connectors/energi-data-service/publishing.ts'
import { monthsBetween, planMonths } from './plan.ts'
import { runSource, type SourceApp } from '#grid/published/run-source.ts'
import { savePrices, saveTariffs } from './save-prices.ts'
import { saveSamples } from './save-samples.ts'

export const originOf = (app: Pick<App, 'config'>) => ({
  source: sourceName,
  simulated: app.config.EDS_SIMULATED === 'on',
})

/** The readings store has no transactions: samples are written before the records, and again when those fail. */
export const saveSamplesOf = async (
  app: Pick<App, 'records' | 'readings'>,
  dataset: DatasetName,
  { samples }: ParsedRows,
): Promise<number> => {
  const { content, durationMs } = datasets[dataset]
  if (content.kind !== 'samples') return 0
  const series = { kind: content.signal, unit: content.unit, source: sourceName, dataset }
  return saveSamples(app, series, samples, durationMs(0, undefined))
}

type Good = Extract<Fetched, { ok: true }>

export const resultOf = ({ url, httpStatus, warnings, prices, samples, tariffs }: Good) => ({
  ok: true as const,
  url,
  httpStatus,
  warnings,
  rowCount: prices.length + samples.length + tariffs.length,
})

export const runFeed = (app: SourceApp, dataset: DatasetName): Promise<number | null> => {
  const schedule = publishing[dataset]
  const rules = {
    minIntervalMs: app.config.EDS_MIN_INTERVAL_MS,
    isDue: (state: Parameters<typeof isDue>[1], nowMs: number) => isDue(schedule, state, nowMs),
  }
  return runSource(app, { source: sourceName, dataset }, rules, async ({ state, withoutFilter }, nowMs) => {
    const { fromMs, toMs } = requestWindow(schedule, state, nowMs)
    const answer = await fetchDataset({
      dataset,
      fromUtc: new Date(fromMs),
      toUtc: new Date(toMs),
      areas: datasets[dataset].areas,
      baseUrl: app.config.EDS_URL,
      withoutFilter,
    })
    if (!answer.ok) return answer
    const samples = await saveSamplesOf(app, dataset, answer)
    return {
      ...resultOf(answer),
      save: async (tx, savedMs) => {
        const { newestMs } = state
        if (newestMs !== null && newestMs < fromMs) {
          const months = monthsBetween(dataset, today(newestMs), today(fromMs), nowMs)
          await planMonths(tx, dataset, months, { again: true })
        }
        const prices = await savePrices(tx, answer.prices, originOf(app), savedMs)
        return samples + prices + (await saveTariffs(tx, answer.tariffs, sourceName, savedMs))
      },
    }
  })
}
