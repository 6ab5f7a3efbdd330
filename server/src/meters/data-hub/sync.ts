import type { App } from '#context.ts'
import type { Failure } from '#connectors/fetch-text.ts'
import { bundleSize, fetchDetails, fetchTimeSeries } from '#connectors/eloverblik/fetch.ts'
import type { ItemError, MeterReadings } from '#connectors/eloverblik/parse.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Tx } from '#platform/records/records.ts'
import { updateRows } from '#platform/records/rows.ts'
import { finishMonth, finishSync, freeBundle, nextMonthBundle, nextSyncBundle, type Bundle } from './due.ts'
import { askEloverblik, type EloverblikApp } from './eloverblik.ts'
import { runListing } from './listing.ts'
import { saveReadings } from './save-readings.ts'
import { keepRefreshToken, warnOfEnd } from './token.ts'

const runMs = 50_000

const isError = (item: object): item is ItemError => 'error' in item

const keepError = async (tx: Tx, bundle: Pick<Bundle, 'meters'>, errors: ReadonlyMap<string, string>) => {
  for (const { customer_id, meter_id, metering_point_id } of bundle.meters)
    await updateRows(tx, customer_id, 'meter', { meter_id })
      .set({ last_error: errors.get(metering_point_id)?.slice(0, 300) ?? null })
      .execute()
}

const saveBundle = async (tx: Tx, bundle: Bundle, items: readonly (MeterReadings | ItemError)[], nowMs: number) => {
  const errors = new Map(items.filter(isError).map(({ meteringPointId, error }) => [meteringPointId, error]))
  const counts = new Map<string, number>()
  let changed = 0
  for (const meter of bundle.meters) {
    const found = items.find(({ meteringPointId }) => meteringPointId === meter.metering_point_id)
    if (!found) errors.set(meter.metering_point_id, 'nothing was answered')
    if (!found || isError(found)) continue
    changed += await saveReadings(tx, meter, found.days, nowMs)
    counts.set(
      meter.metering_point_id,
      found.days.reduce((sum, { wh }) => sum + wh.filter((value) => value !== null).length, 0),
    )
  }
  await keepError(tx, bundle, errors)
  if (bundle.month === null) await finishSync(tx, bundle, nowMs, errors)
  else await finishMonth(tx, bundle, nowMs, errors, counts)
  const rowCount = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return { rowCount, changed, warnings: [...errors].map(([point, error]) => `${point}: ${error}`) }
}

const runBundle = async (
  app: EloverblikApp,
  next: (tx: Tx, nowMs: number) => Promise<Bundle | null>,
): Promise<{ rowCount: number } | Failure | null> => {
  const bundle = await app.records.system((tx) => next(tx, app.clock.now()))
  if (!bundle) return null
  const points = bundle.meters.map(({ metering_point_id }) => metering_point_id)
  const done = await askEloverblik(
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
  return askEloverblik(
    app,
    { waitMs: 20_000 },
    (access) => fetchDetails(access, points),
    async (tx, items, nowMs) => {
      for (const { customer_id, meter_id, metering_point_id } of meters) {
        const found = items.find(({ meteringPointId }) => meteringPointId === metering_point_id)
        await updateRows(tx, customer_id, 'meter', { meter_id })
          .set({
            details_at: new Date(nowMs),
            ...(found && !isError(found) ? { grid_company: found.gridCompany, grid_company_gln: found.gln } : {}),
          })
          .execute()
      }
      return { rowCount: items.length, changed: meters.length, warnings: [] }
    },
  )
}

/** The sync first, then new meters, then the past, then new metering points: a failing list blocks nothing. Returns the number of requests. */
export const runMeters = async (app: EloverblikApp, untilMs: number): Promise<number> => {
  await keepRefreshToken(app)
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
