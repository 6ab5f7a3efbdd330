import { setTimeout } from 'node:timers/promises'
import { addDays, dayBounds, monthBounds, today, type LocalMonth } from '@gridmast/contract/time.ts'
import { datasets, type DatasetName } from '#connectors/energi-data-service/datasets.ts'
import { fetchDataset, sourceName } from '#connectors/energi-data-service/fetch.ts'
import type { App } from '#context.ts'
import { claimRequest, recordOutcome } from './claim.ts'
import { receiptOf } from './feed.ts'
import { updateMonths } from './plan.ts'
import { saveFoundSamples } from './save-found.ts'
import { savePrices } from './save-prices.ts'
import { saveTariffs } from './save-tariffs.ts'

export type BackfillApp = Pick<App, 'records' | 'readings' | 'config' | 'clock'>

/** Rows a transaction: a backfill runs for long beside people, so it holds the thread of the embedded store for some 5 ms at a time. */
const gentleBatch = 100

type MonthResult = { rows: number; changed: number } | { error: string } | null

/**
 * Fetches one local month under the same limit as the feeds. Null while it must wait. A month is saved in short transactions, so the
 * server stays quick; it counts as finished only when all of it is stored, and one that was cut off is simply fetched again.
 */
export const backfillMonth = async (
  app: BackfillApp,
  dataset: DatasetName,
  month: LocalMonth,
): Promise<MonthResult> => {
  const startedMs = app.clock.now()
  const key = { source: sourceName, dataset }
  const minIntervalMs = app.config.EDS_MIN_INTERVAL_MS
  const claim = await claimRequest(app, key, { minIntervalMs, wants: () => true }, startedMs)
  if (!claim) return null
  const { fromMs, toMs } = monthBounds(month)
  const tomorrowEndsMs = dayBounds(addDays(today(startedMs), 1)).toMs
  const answer = await fetchDataset({
    dataset,
    fromUtc: new Date(fromMs),
    toUtc: new Date(Math.min(toMs, tomorrowEndsMs)),
    areas: datasets[dataset].areas,
    baseUrl: app.config.EDS_URL,
  })
  let changed = 0
  if (answer.ok) {
    changed += await saveFoundSamples(app, dataset, answer)
    for (let i = 0; i < answer.prices.length; i += gentleBatch) {
      const part = answer.prices.slice(i, i + gentleBatch)
      const beganMs = performance.now()
      changed += await app.records.system((tx) => savePrices(tx, part, sourceName, app.clock.now()))
      await setTimeout(performance.now() - beganMs) // half of the time belongs to others
    }
  }
  const nowMs = app.clock.now()
  await app.records.system(async (tx) => {
    if (answer.ok) changed += await saveTariffs(tx, answer.tariffs, sourceName, nowMs)
    const outcome = answer.ok
      ? { ...receiptOf(dataset, answer), changed, isBackfill: true }
      : { ...answer, rowCount: 0, changed: 0, warnings: [] }
    const simulated = app.config.EDS_SIMULATED === 'on'
    await recordOutcome(tx, key, claim, outcome, {
      startedMs,
      nowMs,
      minIntervalMs,
      simulated,
    })
    await updateMonths(tx, dataset, [month])
      .set(
        outcome.ok
          ? { row_count: outcome.rowCount, finished_at: new Date(nowMs), last_error: null }
          : { last_error: `${outcome.kind}: ${outcome.detail}`.slice(0, 500) },
      )
      .execute()
  })
  if (!answer.ok) return { error: `${answer.kind}: ${answer.detail}` }
  return { rows: answer.prices.length + answer.samples.length + answer.tariffs.length, changed }
}
