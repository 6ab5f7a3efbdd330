import { dayBounds, localDate, type LocalMonth } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { MeterReadings, ItemError } from '#connectors/eloverblik/parse.ts'
import type { Tx } from '#platform/records/records.ts'
import type { App } from '#context.ts'
import type { Failure } from '#connectors/fetch-text.ts'
import { bundleSize, fetchDetails, fetchTimeSeries } from '#connectors/eloverblik/fetch.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { sqlRows, updateRows } from '#platform/records/rows.ts'
import { finishMonth, finishSync, freeBundle, nextMonthBundle, nextSyncBundle, type Bundle, planMonths } from './due.ts'
import { requestEloverblik, type EloverblikApp, saveRefreshToken, warnOfEnd } from './eloverblik.ts'
import { runListing } from './listing.ts'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'

type MeterKey = { customer_id: string; meter_id: string }

const lastReadOf = (days: MeterReadings['days']): Date | null => {
  const ends = days.flatMap(({ day, stepMs, wh }) => {
    const last = wh.findLastIndex((value) => value !== null)
    return last < 0 ? [] : [dayBounds(day).fromMs + (last + 1) * stepMs]
  })
  return ends.length > 0 ? new Date(Math.max(...ends)) : null
}

/**
 * Stores days of one meter and returns the number of new or changed ones. An unchanged day is not written, a changed one is kept as a revision, and a
 * day that the source omits keeps its readings.
 */
export const saveReadings = async (
  tx: Tx,
  { customer_id, meter_id }: MeterKey,
  days: MeterReadings['days'],
  nowMs: number,
): Promise<number> => {
  if (days.length === 0) return 0
  const now = new Date(nowMs)
  const readings = days.map(({ day, stepMs, wh, quality }) => ({ day, step_s: stepMs / 1000, wh, quality }))
  const rows = sql`json_to_recordset(${JSON.stringify(readings)}::json) as g(day date, step_s int, wh int[], quality text)`
  await sql`
    insert into meter_day_revision (customer_id, meter_id, day, version, step_s, wh, quality, fetched_at, replaced_at, corrected)
    select d.customer_id, d.meter_id, d.day, d.version, d.step_s, d.wh, d.quality, d.fetched_at, ${now},
      d.step_s <> g.step_s or exists (select from unnest(d.wh, g.wh) as u(before, after) where before is not null and before is distinct from after)
    from ${rows} join meter_day d on d.customer_id = ${customer_id} and d.meter_id = ${meter_id} and d.day = g.day
    where (d.step_s, d.wh, d.quality) is distinct from (g.step_s, g.wh, g.quality)`.execute(tx)
  const saved = await sql`
    insert into meter_day as d (customer_id, meter_id, day, step_s, wh, quality, fetched_at)
    select ${customer_id}, ${meter_id}, g.day, g.step_s, g.wh, g.quality, ${now} from ${rows}
    on conflict (customer_id, meter_id, day) do update
    set step_s = excluded.step_s, wh = excluded.wh, quality = excluded.quality, fetched_at = excluded.fetched_at, version = d.version + 1
    where (d.step_s, d.wh, d.quality) is distinct from (excluded.step_s, excluded.wh, excluded.quality)`.execute(tx)
  await sql`
    update meter set last_read_at = greatest(last_read_at, ${lastReadOf(days)}::timestamptz),
      step_s = (select d.step_s from meter_day d where d.customer_id = meter.customer_id and d.meter_id = meter.meter_id order by d.day desc limit 1)
    where customer_id = ${customer_id} and meter_id = ${meter_id}`.execute(tx)
  return Number(saved.numAffectedRows ?? 0)
}

const runMs = 50_000

const isError = (item: object): item is ItemError => 'error' in item

const saveBundle = async (tx: Tx, bundle: Bundle, items: readonly (MeterReadings | ItemError)[], nowMs: number) => {
  const errors = new Map(items.filter(isError).map(({ meteringPointId, error }) => [meteringPointId, error]))
  const counts = new Map<string, number>()
  let changed = 0
  for (const meter of bundle.meters) {
    const item = items.find(({ meteringPointId }) => meteringPointId === meter.metering_point_id)
    if (!item) errors.set(meter.metering_point_id, 'no answer for this meter')
    if (!item || isError(item)) continue
    changed += await saveReadings(tx, meter, item.days, nowMs)
    const values = item.days.flatMap(({ wh }) => wh.filter((value) => value !== null))
    counts.set(meter.metering_point_id, values.length)
  }
  for (const { customer_id, meter_id, metering_point_id } of bundle.meters)
    await updateRows(tx, customer_id, 'meter', { meter_id })
      .set({ last_error: errors.get(metering_point_id)?.slice(0, 300) ?? null })
      .execute()
  if (bundle.month === null) await finishSync(tx, bundle, nowMs, errors)
  else await finishMonth(tx, bundle, nowMs, errors, counts)
  const rowCount = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return { rowCount, changed, warnings: [...errors].map(([point, error]) => `${point}: ${error}`) }
}

const runBundle = async (app: EloverblikApp, next: (tx: Tx, nowMs: number) => Promise<Bundle | null>) => {
  const bundle = await app.records.system((tx) => next(tx, app.clock.now()))
  if (!bundle) return null
  const points = bundle.meters.map(({ metering_point_id }) => metering_point_id)
  const done = await requestEloverblik(
    app,
    { waitMs: 20_000 },
    (access) => fetchTimeSeries(access, points, bundle),
    (tx, items, nowMs) => saveBundle(tx, bundle, items, nowMs),
  )
  if (!('result' in done)) await app.records.system((tx) => freeBundle(tx, bundle.meters))
  return done
}

const runDetails = async (app: EloverblikApp): Promise<{ rowCount: number } | Failure | null> => {
  const meters = await app.records.system((tx) =>
    tx
      .selectFrom('meter')
      .select(['customer_id', 'meter_id', 'metering_point_id'])
      .where('details_at', 'is', null)
      .orderBy('added_at')
      .limit(bundleSize)
      .execute(),
  )
  if (meters.length === 0) return null
  const points = meters.map(({ metering_point_id }) => metering_point_id)
  return requestEloverblik(
    app,
    { waitMs: 20_000 },
    (access) => fetchDetails(access, points),
    async (tx, items, nowMs) => {
      for (const { customer_id, meter_id, metering_point_id } of meters) {
        const item = items.find(({ meteringPointId }) => meteringPointId === metering_point_id)
        await updateRows(tx, customer_id, 'meter', { meter_id })
          .set({
            details_at: new Date(nowMs),
            ...(item && !isError(item) ? { grid_company: item.gridCompany, grid_company_gln: item.gln } : {}),
          })
          .execute()
      }
      return { rowCount: items.length, changed: meters.length, warnings: [] }
    },
  )
}

/** The sync first, then new meters, then the past, then new metering points: a failing list blocks nothing. Returns the number of requests. */
export const runMeters = async (app: EloverblikApp, untilMs: number): Promise<number> => {
  await saveRefreshToken(app)
  await warnOfEnd(app)
  const steps = [
    () => runBundle(app, nextSyncBundle),
    () => runDetails(app),
    () => runBundle(app, nextMonthBundle),
    () => runListing(app),
  ]
  let requests = 0
  for (const step of steps)
    while (performance.now() < untilMs) {
      const done = await step()
      if (!done) break
      if ('ok' in done) return requests
      requests++
    }
  return requests
}

export const dataHubJobs: Job<App>[] = [
  {
    name: 'meter-readings',
    cron: '* * * * *',
    atStart: true,
    retries: 0,
    run: async (app) => {
      const requests = await runMeters(app, performance.now() + runMs)
      if (requests > 0) app.log.info({ requests }, 'meter readings requested')
    },
  },
]

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

const planBackfill = (app: EloverblikApp, { from, to, again }: Request): Promise<LocalMonth[]> =>
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

const findMonths = (tx: Tx, months: readonly LocalMonth[]) => sqlRows<{
  month: LocalMonth
  done: boolean
  rows: number
  error: string | null
}>(tx)`
    select w.month, bool_and(w.finished_at is not null) as done, coalesce(sum(w.row_count), 0)::int as rows,
      max(w.last_error) filter (where w.finished_at is null) as error
    from meter_month w join meter m on m.customer_id = w.customer_id and m.meter_id = w.meter_id and m.enabled
    where w.month = any(${months}::text[]) group by 1 order by 1 desc`

export const watchMeters = async function* (
  app: EloverblikApp & Partial<Pick<App, 'jobs'>>,
  request: Request,
  { everyMs = 1000, work }: { everyMs?: number; work?: () => Promise<unknown> } = {},
): AsyncGenerator<Progress> {
  const months = await planBackfill(app, request)
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

export const runSlice = (app: EloverblikApp) => () => runMeters(app, performance.now() + 5000)
