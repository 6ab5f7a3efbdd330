import { setTimeout } from 'node:timers/promises'
import { addDays, dayBounds, localDate, monthBounds, today, type LocalMonth } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import type { App } from '#context.ts'
import { datasetNames, datasets, type DatasetName } from '#connectors/energi-data-service/datasets.ts'
import { fetchDataset, sourceName } from '#connectors/energi-data-service/fetch.ts'
import type { PriceRow } from '#connectors/energi-data-service/parse.ts'
import { publishing } from '#connectors/energi-data-service/publishing.ts'
import { originOf, resultOf, saveSamplesOf } from './feed.ts'
import { findMonths, leaseMonth, leaseMs, monthsBetween, planMonths, recordMonth, renewLease } from './plan.ts'
import { claimRequest, recordResult } from '#grid/published/run-source.ts'
import { addMissingPrices, savePrices, saveTariffs } from './save-prices.ts'

export type BackfillApp = Pick<App, 'records' | 'readings' | 'config' | 'clock'>

/** Rows per transaction: 500 block the thread of the embedded store for 14 ms, and a row costs half as much as with 100 (measured). */
const gentleBatch = 500

/** Inserts new prices in short transactions to keep the server responsive; returns their number and the prices that differ from stored ones. */
const addGently = async (app: BackfillApp, prices: readonly PriceRow[]) => {
  let added = 0
  const revisions: PriceRow[] = []
  for (let i = 0; i < prices.length; i += gentleBatch) {
    const part = prices.slice(i, i + gentleBatch)
    const { result, heldMs } = await app.records.system(async (tx) => {
      const beganMs = performance.now() // the wait for the store before this belongs to other work
      const result = await addMissingPrices(tx, part, originOf(app), app.clock.now())
      return { result, heldMs: performance.now() - beganMs }
    })
    added += result.added
    if (result.differs) revisions.push(...part)
    await setTimeout(heldMs)
  }
  return { added, revisions }
}

type MonthResult = { rows: number; changed: number } | { error: string } | null

/**
 * Fetches one local month within the feeds' request limit; null while it must wait. Revisions of prices are written in one transaction with the
 * finished month, so an interrupted month is simply fetched again.
 */
export const backfillMonth = async (app: BackfillApp, dataset: DatasetName, month: LocalMonth) => {
  if (!(await app.records.system((tx) => leaseMonth(tx, dataset, month, app.clock.now())))) return null
  const lease = (untilMs: number | null) => app.records.system((tx) => renewLease(tx, dataset, month, untilMs))
  const timer = setInterval(() => void lease(app.clock.now() + leaseMs).catch(() => {}), leaseMs / 4)
  try {
    return await readMonth(app, dataset, month)
  } finally {
    clearInterval(timer)
    await lease(null).catch(() => {})
  }
}

const readMonth = async (app: BackfillApp, dataset: DatasetName, month: LocalMonth): Promise<MonthResult> => {
  const startedMs = app.clock.now()
  const key = { source: sourceName, dataset }
  const rules = { minIntervalMs: app.config.EDS_MIN_INTERVAL_MS, wants: () => true }
  const claim = await claimRequest(app, key, rules, startedMs)
  if (!claim) return null
  const { fromMs, toMs } = monthBounds(month)
  const tomorrowEndsMs = dayBounds(addDays(today(startedMs), 1)).toMs
  const answer = await fetchDataset({
    dataset,
    fromUtc: new Date(fromMs),
    toUtc: new Date(Math.min(toMs, tomorrowEndsMs)),
    areas: datasets[dataset].areas,
    baseUrl: app.config.EDS_URL,
    withoutFilter: claim.withoutFilter,
    mayBeEmpty: publishing[dataset].kind === 'list', // a month contains what begins in it
  })
  const samples = answer.ok ? await saveSamplesOf(app, dataset, answer) : 0
  const { added, revisions } = await addGently(app, answer.ok ? answer.prices : [])
  const result = answer.ok ? resultOf(answer) : answer
  const nowMs = app.clock.now()
  const changed = await app.records.system(async (tx) => {
    const revised = await savePrices(tx, revisions, originOf(app), nowMs)
    const tariffs = answer.ok ? await saveTariffs(tx, answer.tariffs, sourceName, nowMs) : 0
    const changed = samples + added + revised + tariffs
    const { simulated } = originOf(app)
    await recordResult(tx, key, claim, result, { nowMs, simulated, changed, isBackfill: true })
    await recordMonth(tx, dataset, month, result, nowMs)
    return changed
  })
  return result.ok ? { rows: result.rowCount, changed } : { error: `${result.kind}: ${result.detail}` }
}

export const backfillRequest = z.strictObject({
  dataset: z.enum(datasetNames),
  from: localDate,
  to: localDate,
  again: z.boolean(),
})
export type BackfillRequest = z.infer<typeof backfillRequest>

/** The first step reports the finished months and the minimum time between requests; `changed` is missing where another process did the work. */
export type BackfillProgress =
  | { there: number; months: number; minIntervalMs: number }
  | { month: LocalMonth; rows: number; changed?: number; left: number }
  | { month: LocalMonth; error: string }

export const toTheEnd = async function* (steps: AsyncIterable<BackfillProgress>): AsyncGenerator<BackfillProgress> {
  let left: number | null = null
  for await (const step of steps) {
    if ('there' in step) left = step.months - step.there
    else if ('left' in step) left = step.left
    yield step
  }
  if (left !== 0)
    throw new Error(`The backfill ended with ${left ?? 'all'} months left; run the same command to go on.`)
}

export const watchBackfill = async function* (
  app: Pick<App, 'records' | 'clock' | 'jobs' | 'config'>,
  request: BackfillRequest,
  { everyMs = 1000 }: { everyMs?: number } = {},
): AsyncGenerator<BackfillProgress> {
  const { dataset, from, to, again } = request
  const months = monthsBetween(dataset, from, to, app.clock.now())
  await app.records.system((tx) => planMonths(tx, dataset, months, { again, requestedAtMs: app.clock.now() }))
  await app.jobs.kick('market-data-backfill')
  const waiting = new Set(months)
  const errors = new Map<LocalMonth, string>()
  for (let first = true; ; first = false) {
    for (const row of await app.records.system((tx) => findMonths(tx, dataset, months))) {
      if (row.finished_at && waiting.delete(row.month) && !first)
        yield { month: row.month, rows: row.row_count ?? 0, left: waiting.size }
      if (row.last_error && row.last_error !== errors.get(row.month) && !first)
        yield { month: row.month, error: row.last_error }
      errors.set(row.month, row.last_error ?? '')
    }
    if (first)
      yield {
        there: months.length - waiting.size,
        months: months.length,
        minIntervalMs: app.config.EDS_MIN_INTERVAL_MS,
      }
    if (waiting.size === 0) return
    await setTimeout(everyMs)
  }
}
