import { today } from '@gridmast/contract/time.ts'
import { type Failure, afterAnswer, afterRequest, nextAllowed, type LimiterState } from '#connectors/fetch-text.ts'
import type { SourceState } from '#connectors/energi-data-service/publishing.ts'
import { findCoverage, type SourceKey } from './coverage.ts'
import type { Config } from '#config.ts'
import type { Clock } from '#platform/process/clock.ts'
import { newId } from '#platform/records/ids.ts'
import type { Live } from '#platform/http/live.ts'
import type { Log } from '#platform/process/log.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import type { Readings } from '#readings/readings.ts'

export type SourceApp = {
  records: Records
  readings: Readings
  config: Config
  clock: Clock
  live: Live
  log: Log
}

export type SourceResult = { url: string; httpStatus: number | null } & (
  | { ok: true; rowCount: number; warnings: string[] }
  | Failure
)

type ResultToSave =
  | Exclude<SourceResult, { ok: true }>
  | (Extract<SourceResult, { ok: true }> & { save: (tx: Tx, nowMs: number) => Promise<number> })

const rowOf = (tx: Tx, { source, dataset }: SourceKey) =>
  tx.selectFrom('connector_state').selectAll().where('source', '=', source).where('dataset', '=', dataset)

const updateState = (tx: Tx, { source, dataset }: SourceKey) =>
  tx.updateTable('connector_state').where('source', '=', source).where('dataset', '=', dataset)

export const findState = async (tx: Tx, key: SourceKey): Promise<SourceState & { isFailing: boolean }> => {
  const row = await rowOf(tx, key).executeTakeFirst()
  return {
    lastSuccessMs: row?.last_success_at?.getTime() ?? null,
    lastRequestMs: row?.last_request_at?.getTime() ?? null,
    isFailing: (row?.last_error ?? null) !== null,
    ...(await findCoverage(tx, key)),
  }
}

export type Claim = {
  startedMs: number
  minIntervalMs: number
  limiter: LimiterState
  state: SourceState
  withoutFilter: boolean
}

/** Claims this minute's request, null where another process has it, it is too early, or `wants` declines; the row lock makes the limit shared. */
export const claimRequest = (
  app: Pick<SourceApp, 'records'>,
  key: SourceKey,
  { minIntervalMs, wants }: { minIntervalMs: number; wants: (state: SourceState) => boolean },
  nowMs: number,
): Promise<Claim | null> =>
  app.records.system(async (tx) => {
    await tx
      .insertInto('connector_state')
      .values(key)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const row = await rowOf(tx, key).forUpdate().executeTakeFirstOrThrow()
    const limiter = {
      lastRequestAtMs: row.last_request_at?.getTime() ?? null,
      notBeforeMs: row.not_before?.getTime() ?? null,
      failures: row.failures,
    }
    if (nextAllowed(limiter, nowMs, minIntervalMs) > nowMs) return null
    const state = await findState(tx, key)
    if (!wants(state)) return null
    await updateState(tx, key)
      .set({ last_request_at: new Date(nowMs) })
      .execute()
    const refusedMs = row.filter_refused_at?.getTime()
    const withoutFilter = refusedMs !== undefined && today(refusedMs) === today(nowMs)
    return { startedMs: nowMs, minIntervalMs, limiter: afterRequest(limiter, nowMs), state, withoutFilter }
  })

type Run = { nowMs: number; simulated: boolean; changed: number; isBackfill?: boolean }

/** Stores the result of a claimed request; of a backfill's result only a requested wait and a refused filter apply to the feed. */
export const recordResult = async (
  tx: Tx,
  key: SourceKey,
  { startedMs, minIntervalMs, limiter, withoutFilter }: Claim,
  result: SourceResult,
  { nowMs, simulated, changed, isBackfill = false }: Run,
): Promise<void> => {
  const next = afterAnswer(limiter, result, nowMs, minIntervalMs)
  const error = result.ok ? null : `${result.kind}: ${result.detail}`.slice(0, 500)
  const concernsFeed = !isBackfill || (!result.ok && result.kind === 'rate-limited')
  const isRefused = !result.ok && result.kind === 'forbidden'
  await updateState(tx, key)
    .set({
      simulated,
      ...(concernsFeed
        ? { failures: next.failures, not_before: next.notBeforeMs === null ? null : new Date(next.notBeforeMs) }
        : {}),
      ...(isBackfill ? {} : { last_error: error, ...(result.ok ? { last_success_at: new Date(nowMs) } : {}) }),
      // Refused without a filter too: the filter was not the reason.
      ...(isRefused ? { filter_refused_at: withoutFilter ? null : new Date(nowMs) } : {}),
    })
    .execute()
  await tx
    .insertInto('connector_run')
    .values({
      run_id: newId(nowMs),
      ...key,
      started_at: new Date(startedMs),
      finished_at: new Date(nowMs),
      http_status: result.httpStatus,
      url: result.url,
      row_count: result.ok ? result.rowCount : 0,
      changed_count: changed,
      warnings: result.ok ? result.warnings : [],
      error,
    })
    .execute()
}

/**
 * Requests one source when due and allowed. Rows, state and the run's log line are written in one transaction; a failure keeps the last good data and
 * sets the source's error. Returns the number of new or changed rows, null without a request.
 */
export const runSource = async (
  app: SourceApp,
  key: SourceKey,
  { minIntervalMs, isDue }: { minIntervalMs: number; isDue: (state: SourceState, nowMs: number) => boolean },
  request: (claim: Claim, nowMs: number) => Promise<ResultToSave>,
): Promise<number | null> => {
  const startedMs = app.clock.now()
  const rules = { minIntervalMs, wants: (state: SourceState) => isDue(state, startedMs) }
  const claim = await claimRequest(app, key, rules, startedMs)
  if (!claim) return null
  const result = await request(claim, startedMs)
  const nowMs = app.clock.now()
  const changed = await app.records.system(async (tx) => {
    const changed = result.ok ? await result.save(tx, nowMs) : 0
    await recordResult(tx, key, claim, result, { nowMs, simulated: app.config.EDS_SIMULATED === 'on', changed })
    return changed
  })
  if (changed > 0) app.live.announce('prices', { dataset: key.dataset })
  if (!result.ok) app.log.warn({ ...key, kind: result.kind, detail: result.detail }, 'market data not fetched')
  return changed
}
