import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { App } from '#context.ts'
import { isReady } from '#platform/process/health.ts'
import type { Metrics } from '#platform/process/metrics.ts'
import { version } from '#platform/process/version.ts'
import { sqlRows } from '#platform/records/rows.ts'
import { findConnectorStates } from './queries.ts'

/** A scrape by several Prometheus servers, or of several metrics, reads the records once. */
const validMs = 5000

const readRecords = (app: Pick<App, 'records'>) =>
  app.records.system(async (tx) => ({
    items: await sqlRows<{ kind: string; due: number; later: number; failed: number; oldest_s: number }>(tx)`
      select kind, count(*) filter (where next_attempt_at <= now())::int as due,
        count(*) filter (where next_attempt_at > now())::int as later,
        count(*) filter (where next_attempt_at is null and done_at is null)::int as failed,
        coalesce(extract(epoch from now() - min(next_attempt_at) filter (where next_attempt_at <= now())), 0)::float8 as oldest_s
      from outbox group by kind`,
    marks: await sqlRows<{ table: string; count: number; oldest_s: number | null }>(tx)`
      select 'settlement_due' as table, count(*)::int, coalesce(extract(epoch from now() - min(marked_at)), 0)::float8 as oldest_s from settlement_due
      union all
      select 'reconciliation_due', count(*)::int, coalesce(extract(epoch from now() - min(marked_at)), 0)::float8 from reconciliation_due
      union all
      select 'charging_due', count(*)::int, null from charging_due where marked`,
    jobs: await sqlRows<{ name: string; at_s: number }>(tx)`
      select name, extract(epoch from succeeded_at)::float8 as at_s from job where succeeded_at is not null`,
    sources: await findConnectorStates(tx),
    nowMs: (await sql<{ now: Date }>`select now()`.execute(tx)).rows[0]?.now.getTime() ?? 0,
  }))

/** Metrics of what all processes share, read by a process with the role `jobs`. */
const shareMetrics = (app: Pick<App, 'records' | 'metrics'>) => {
  let latest: { atMs: number; reading: ReturnType<typeof readRecords> } | undefined
  const read = () => {
    if (!latest || performance.now() - latest.atMs > validMs)
      latest = { atMs: performance.now(), reading: readRecords(app) }
    return latest.reading
  }
  const { gauge } = app.metrics
  gauge('gridmast_outbox_items', async () =>
    (await read()).items.flatMap(({ kind, due, later, failed }) =>
      Object.entries({ due, later, failed }).map(([state, value]) => ({ labels: { kind, state }, value })),
    ),
  )
  gauge('gridmast_outbox_oldest_due_seconds', async () =>
    (await read()).items.map(({ kind, oldest_s }) => ({ labels: { kind }, value: oldest_s })),
  )
  gauge('gridmast_marks', async () =>
    (await read()).marks.map(({ table, count }) => ({ labels: { table }, value: count })),
  )
  gauge('gridmast_marks_oldest_seconds', async () =>
    (await read()).marks.flatMap(({ table, oldest_s }) =>
      oldest_s === null ? [] : [{ labels: { table }, value: Math.max(0, oldest_s) }],
    ),
  )
  gauge('gridmast_job_last_success_timestamp_seconds', async () =>
    (await read()).jobs.map(({ name, at_s }) => ({ labels: { name }, value: at_s })),
  )
  const sourceOf = ({ source, dataset }: { source: string; dataset: string }) => ({ source: `${source}: ${dataset}` })
  gauge('gridmast_source_age_seconds', async () => {
    const { sources, nowMs } = await read()
    return sources.flatMap((row) =>
      row.last_success_at
        ? [{ labels: sourceOf(row), value: Math.max(0, (nowMs - row.last_success_at.getTime()) / 1000) }]
        : [],
    )
  })
  gauge('gridmast_source_failing', async () =>
    (await read()).sources.map((row) => ({ labels: sourceOf(row), value: row.last_error === null ? 0 : 1 })),
  )
}

export const countInserts = ({ counter, histogram }: Metrics) => {
  const inserts = histogram('gridmast_readings_insert_seconds')
  const failures = counter('gridmast_readings_insert_failures_total')
  return (seconds: number, isStored: boolean): void => (isStored ? inserts.observe(seconds) : failures.inc())
}

export const countRuns = ({ counter, histogram }: Metrics) => {
  const runs = counter('gridmast_job_runs_total')
  const durations = histogram('gridmast_job_seconds')
  return (name: string, seconds: number, isDone: boolean): void => {
    runs.inc({ name, result: isDone ? 'done' : 'failed' })
    durations.observe(seconds, { name })
  }
}

/** The metrics of the process as a whole; protocols and jobs count for themselves. */
export const openProcessMetrics = (app: App): void => {
  const { gauge } = app.metrics
  // Before the metrics that read the records: their queries would count as waiting in each scrape.
  gauge('gridmast_records_connections', () =>
    Object.entries(app.records.connections()).map(([state, value]) => ({ labels: { state }, value })),
  )
  const labels = { version, node: process.versions.node, roles: app.config.ROLES.join(',') }
  gauge('gridmast_build_info', () => [{ labels, value: 1 }])
  gauge('gridmast_part_ready', () =>
    Promise.all(
      Object.entries(app.parts).map(async ([part, probe]) => ({
        labels: { part },
        value: (await isReady(probe)) ? 1 : 0,
      })),
    ),
  )
  const disk = () => statfs(app.config.dataDir)
  gauge('gridmast_disk_free_bytes', async () => disk().then(({ bavail, bsize }) => bavail * bsize))
  gauge('gridmast_disk_size_bytes', async () => disk().then(({ blocks, bsize }) => blocks * bsize))
  gauge('gridmast_live_streams', app.live.count)
  gauge('gridmast_readings_broken_parts', app.readings.brokenParts)
  gauge('gridmast_readings_put_aside_files', app.readings.putAside)
  gauge('gridmast_last_hour_series', () => app.readings.held().series)
  gauge('gridmast_last_hour_bytes', () => app.readings.held().bytes)
  if (!app.config.ROLES.includes('jobs')) return
  gauge('gridmast_readings_rollup_lag_seconds', app.readings.rollupLagS)
  shareMetrics(app)
}
