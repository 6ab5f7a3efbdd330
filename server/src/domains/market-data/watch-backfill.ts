import { setTimeout } from 'node:timers/promises'
import { localDate, type LocalMonth } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import type { App } from '#context.ts'
import { datasetNames } from '#connectors/energi-data-service/datasets.ts'
import { findMonths, monthsBetween, planMonths } from './plan.ts'

export const backfillRequest = z.strictObject({
  dataset: z.enum(datasetNames),
  from: localDate,
  to: localDate,
  again: z.boolean(),
})
export type BackfillRequest = z.infer<typeof backfillRequest>

/** How far a backfill is; the first says what is there and the least time between two requests. `changed` is unknown where another process did the work. */
export type BackfillProgress =
  | { there: number; months: number; minIntervalMs: number }
  | { month: LocalMonth; rows: number; changed?: number; left: number }
  | { month: LocalMonth; error: string }

/** Puts the months on the list that this server works off, and tells of each that is done or has failed, until none is left. */
export const watchBackfill = async function* (
  app: Pick<App, 'records' | 'clock' | 'jobs' | 'config'>,
  request: BackfillRequest,
  { everyMs = 1000 }: { everyMs?: number } = {},
): AsyncGenerator<BackfillProgress> {
  const { dataset, from, to, again } = request
  const months = monthsBetween(dataset, from, to, app.clock.now())
  await app.records.system((tx) => planMonths(tx, dataset, months, { again, askedAtMs: app.clock.now() }))
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
