import { today } from '@gridmast/contract/time.ts'
import { datasets, type DatasetName } from '#connectors/energi-data-service/datasets.ts'
import { fetchDataset, sourceName, type Fetched } from '#connectors/energi-data-service/fetch.ts'
import { isDue, publishing, requestWindow } from '#connectors/energi-data-service/publishing.ts'
import type { Tx } from '#platform/records.ts'
import { monthsBetween, planMonths } from './plan.ts'
import { runSource, type Haul, type SourceApp } from './run-source.ts'
import { coveredUntil, saveFoundRows, saveFoundSamples } from './save-found.ts'

/** Fetches one dataset around now when that is due and allowed. */
export const runFeed = (app: SourceApp, dataset: DatasetName): Promise<number | null> => {
  const schedule = publishing[dataset]
  const rules = {
    minIntervalMs: app.config.EDS_MIN_INTERVAL_MS,
    isDue: (seen: Parameters<typeof isDue>[1], nowMs: number) => isDue(schedule, seen, nowMs),
  }
  return runSource(app, { source: sourceName, dataset }, rules, async (seen, nowMs) => {
    const { fromMs, toMs } = requestWindow(schedule, seen, nowMs)
    const answer = await fetchDataset({
      dataset,
      fromUtc: new Date(fromMs),
      toUtc: new Date(toMs),
      areas: datasets[dataset].areas,
      baseUrl: app.config.EDS_URL,
    })
    const coveredMs = seen.coveredUntilMs
    return haulOf(app, dataset, answer, async (tx) => {
      // What an outage left that is too old for one request belongs to the backfill.
      if (coveredMs === null || coveredMs >= fromMs) return
      const months = monthsBetween(dataset, today(coveredMs), today(fromMs), nowMs)
      await planMonths(tx, dataset, months, { again: true })
    })
  })
}

const haulOf = async (
  app: SourceApp,
  dataset: DatasetName,
  answer: Fetched,
  also: (tx: Tx) => Promise<void>,
): Promise<Haul> => {
  if (!answer.ok) return answer
  const samples = await saveFoundSamples(app, dataset, answer)
  return {
    ...receiptOf(dataset, answer),
    save: async (tx, nowMs) => {
      await also(tx)
      return samples + (await saveFoundRows(tx, answer, nowMs))
    },
  }
}

/** What is told of a good answer. */
export const receiptOf = (dataset: DatasetName, answer: Extract<Fetched, { ok: true }>) => ({
  ok: true as const,
  url: answer.url,
  httpStatus: answer.httpStatus,
  rowCount: answer.prices.length + answer.samples.length + answer.tariffs.length,
  warnings: answer.warnings,
  coveredUntilMs: coveredUntil(answer, datasets[dataset].durationMs(0, undefined)),
})
