import type { Seen } from '#connectors/energi-data-service/publishing.ts'
import type { FailureKind } from '#connectors/ask.ts'
import { afterAnswer, afterAsking, nextAllowed, type LimiterState } from '#connectors/limiter.ts'
import type { App } from '#context.ts'
import { newId } from '#platform/ids.ts'
import type { Tx } from '#platform/records.ts'

/** One set of data of one source: what is claimed, counted and reported together. */
export type SourceKey = { source: string; dataset: string }

const ofKey = (tx: Tx, { source, dataset }: SourceKey) =>
  tx.selectFrom('connector_state').where('source', '=', source).where('dataset', '=', dataset)

export const findSeen = async (tx: Tx, key: SourceKey): Promise<Seen> => {
  const row = await ofKey(tx, key).selectAll().executeTakeFirst()
  return {
    lastSuccessMs: row?.last_success_at?.getTime() ?? null,
    coveredUntilMs: row?.covered_until?.getTime() ?? null,
    lastRequestMs: row?.last_request_at?.getTime() ?? null,
  }
}

export type Claim = { limiter: LimiterState; seen: Seen }

/**
 * Takes the one request of this minute for this process. Null when another process has it, it is too early or `wants` says no; the row
 * is locked meanwhile, so all processes on the same records share one limit.
 */
export const claimRequest = (
  app: Pick<App, 'records'>,
  key: SourceKey,
  rules: { minIntervalMs: number; wants: (seen: Seen) => boolean },
  nowMs: number,
): Promise<Claim | null> =>
  app.records.system(async (tx) => {
    await tx
      .insertInto('connector_state')
      .values(key)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const row = await ofKey(tx, key).selectAll().forUpdate().executeTakeFirstOrThrow()
    const limiter = {
      lastRequestAtMs: row.last_request_at?.getTime() ?? null,
      notBeforeMs: row.not_before?.getTime() ?? null,
      failures: row.failures,
    }
    const seen = await findSeen(tx, key)
    if (nextAllowed(limiter, nowMs, rules.minIntervalMs) > nowMs || !rules.wants(seen)) return null
    await tx
      .updateTable('connector_state')
      .where('source', '=', key.source)
      .where('dataset', '=', key.dataset)
      .set({ last_request_at: new Date(nowMs) })
      .execute()
    return { limiter: afterAsking(limiter, nowMs), seen }
  })

/** How one request ended, as the state and the run's line keep it. */
export type Outcome = {
  url: string
  httpStatus: number | null
  rowCount: number
  changed: number
  warnings: string[]
} &
  // Old months say nothing about how fresh the set is: a backfill leaves what was covered and when.
  (
    | { ok: true; coveredUntilMs: number | null; isBackfill?: boolean }
    | { ok: false; kind: FailureKind; detail: string; retryAfterMs: number | null }
  )

type Run = { startedMs: number; nowMs: number; minIntervalMs: number; simulated: boolean }

/** Keeps how a claimed request ended. What is covered never moves back: a request for older data says nothing about newer. */
export const recordOutcome = async (
  tx: Tx,
  key: SourceKey,
  { limiter, seen }: Claim,
  outcome: Outcome,
  { startedMs, nowMs, minIntervalMs, simulated }: Run,
): Promise<void> => {
  const state = afterAnswer(limiter, outcome, nowMs, minIntervalMs)
  const error = outcome.ok ? null : `${outcome.kind}: ${outcome.detail}`.slice(0, 500)
  const isFresh = outcome.ok && !outcome.isBackfill
  const coveredMs = isFresh ? Math.max(outcome.coveredUntilMs ?? 0, seen.coveredUntilMs ?? 0) : 0
  await tx
    .updateTable('connector_state')
    .where('source', '=', key.source)
    .where('dataset', '=', key.dataset)
    .set({
      not_before: state.notBeforeMs === null ? null : new Date(state.notBeforeMs),
      failures: state.failures,
      simulated,
      ...(outcome.ok && outcome.isBackfill ? {} : { last_error: error }),
      ...(isFresh ? { last_success_at: new Date(nowMs) } : {}),
      ...(coveredMs > 0 ? { covered_until: new Date(coveredMs) } : {}),
    })
    .execute()
  await tx
    .insertInto('connector_run')
    .values({
      run_id: newId(nowMs),
      ...key,
      started_at: new Date(startedMs),
      finished_at: new Date(nowMs),
      http_status: outcome.httpStatus,
      url: outcome.url,
      row_count: outcome.rowCount,
      changed_count: outcome.changed,
      warnings: outcome.warnings,
      error,
    })
    .execute()
}
