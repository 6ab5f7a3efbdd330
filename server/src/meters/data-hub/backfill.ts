import { setTimeout } from 'node:timers/promises'
import { localDate, type LocalMonth } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { App } from '#context.ts'
import type { Tx } from '#platform/records/records.ts'
import { planMonths } from './due.ts'
import type { EloverblikApp } from './eloverblik.ts'
import { runMeters } from './sync.ts'

export const meterBackfill = z.strictObject({
  dataset: z.literal('eloverblik'),
  from: localDate,
  to: localDate,
  again: z.boolean(),
})
type Request = z.infer<typeof meterBackfill>

type Progress =
  | { there: number; months: number; minIntervalMs: number }
  | { month: LocalMonth; rows: number; left: number }
  | { month: LocalMonth; error: string }

const plan = (app: EloverblikApp, { from, to, again }: Request): Promise<LocalMonth[]> =>
  app.records.system(async (tx) => {
    const meters = await tx
      .selectFrom('meter')
      .select(['customer_id', 'meter_id'])
      .where('enabled', '=', true)
      .where('price_signal_id', 'is not', null)
      .execute()
    const months = await planMonths(tx, meters, { from, to, again })
    return meters.length > 0 ? months : []
  })

const findMonths = async (tx: Tx, months: readonly LocalMonth[]) => {
  const { rows } = await sql<{ month: LocalMonth; done: boolean; rows: number; error: string | null }>`
    select w.month, bool_and(w.finished_at is not null) as done, coalesce(sum(w.row_count), 0)::int as rows,
      max(w.last_error) filter (where w.finished_at is null) as error
    from meter_month w join meter m on m.customer_id = w.customer_id and m.meter_id = w.meter_id and m.enabled
    where w.month = any(${months}::text[]) group by 1 order by 1 desc`.execute(tx)
  return rows
}

export const watchMeters = async function* (
  app: EloverblikApp & Partial<Pick<App, 'jobs'>>,
  request: Request,
  { everyMs = 1000, work }: { everyMs?: number; work?: () => Promise<unknown> } = {},
): AsyncGenerator<Progress> {
  const months = await plan(app, request)
  await app.jobs?.kick('meter-readings')
  const waiting = new Set(months)
  const errors = new Map<LocalMonth, string>()
  for (let first = true; ; first = false) {
    for (const { month, done, rows, error } of await app.records.system((tx) => findMonths(tx, months))) {
      if (done && waiting.delete(month) && !first) yield { month, rows, left: waiting.size }
      if (error && error !== errors.get(month) && !first) yield { month, error }
      errors.set(month, error ?? '')
    }
    const { ELOVERBLIK_MIN_INTERVAL_MS: minIntervalMs } = app.config
    if (first) yield { there: months.length - waiting.size, months: months.length, minIntervalMs }
    if (waiting.size === 0) return
    await work?.()
    await setTimeout(everyMs)
  }
}

export const workOff = (app: EloverblikApp) => () => runMeters(app, performance.now() + 5000)
