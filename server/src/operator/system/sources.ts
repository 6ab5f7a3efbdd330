import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import type { freshness } from '@gridmast/contract/operator/system.ts'
import { dayMs, formatDate, minuteMs } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import { failureText } from '#connectors/fetch-text.ts'
import { expectedUntil, nextDue } from '#connectors/energi-data-service/publishing.ts'
import { type Coverage, findCoverage, latenessMs, publishingOf } from '#grid/published/coverage.ts'
import { findGaps, type Gaps } from './gaps.ts'
import { findBackfills, findConnectorStates, findTokenEnds } from './queries.ts'

export type Count<T> = { value: T; countedAtMs: number }
type Kept = { last: Count<unknown> | null; counting: Promise<unknown> | null }

const kept = new WeakMap<App['records'], Map<string, Kept>>()

/** Wait for a new count: a busy store took minutes (measured: 187 s), and the last count is as good. */
const patienceMs = 1000

/**
 * Expensive counts run at most once a minute for all callers. A caller waits `patienceMs` and then gets the last count, or null without one; the
 * count continues.
 */
export const lastCount = async <T>(
  { records }: Pick<App, 'records'>,
  nowMs: number,
  name: string,
  count: () => Promise<T>,
): Promise<Count<T> | null> => {
  const all = kept.get(records) ?? new Map<string, Kept>()
  kept.set(records, all)
  const state = all.get(name) ?? { last: null, counting: null }
  all.set(name, state)
  const minuteOf = (ms: number) => Math.floor(ms / minuteMs)
  if (state.last === null || minuteOf(state.last.countedAtMs) !== minuteOf(nowMs)) {
    state.counting ??= count()
      .then((value) => void (state.last = { value, countedAtMs: nowMs }))
      .finally(() => void (state.counting = null))
    const failed = state.last === null ? undefined : () => {}
    const late = new AbortController()
    await Promise.race([
      state.counting.catch(failed),
      pause(patienceMs, undefined, { signal: late.signal }).catch(() => {}),
    ])
    late.abort()
    state.counting?.catch(() => {})
  }
  return state.last as Count<T> | null // stored under this name
}

type Freshness = z.output<typeof freshness>
type State = Awaited<ReturnType<typeof findConnectorStates>>[number]
type Backfill = Awaited<ReturnType<typeof findBackfills>>[number]

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
const secondsSince = (at: number | null, nowMs: number) =>
  at === null ? null : Math.max(0, Math.round((nowMs - at) / 1000))

/** The operator also gets a mail (data-hub/token.ts). */
const warnedAheadMs = 30 * dayMs

const tokenWarning = (endsMs: number | undefined, nowMs: number): string | null => {
  if (endsMs === undefined || endsMs - nowMs > warnedAheadMs) return null
  return endsMs > nowMs ? `The refresh token ends on ${formatDate(endsMs)}` : 'The refresh token has ended'
}

const sourceOf = (
  app: Pick<App, 'config'>,
  row: State,
  coverage: Coverage,
  backfill: Backfill | undefined,
  gaps: Gaps | null,
  tokenEndsMs: number | undefined,
  nowMs: number,
): Freshness => {
  const schedule = publishingOf(row)
  const lastRequestMs = row.last_request_at?.getTime() ?? null
  const lastSuccessMs = row.last_success_at?.getTime() ?? null
  const expectedMs = schedule ? expectedUntil(schedule, nowMs) : null
  const wantedMs = schedule ? nextDue(schedule, { lastSuccessMs, lastRequestMs, ...coverage }, nowMs) : null
  const lateS = (coveredUntilMs: number | null) => {
    const lateMs =
      expectedMs === null ? null : latenessMs({ coveredUntilMs, newestMs: coverage.newestMs }, expectedMs, nowMs)
    return lateMs === null ? null : Math.round(lateMs / 1000)
  }
  // A failed month of history waits for its next try; after its import the error is cleared.
  const error = row.last_error ?? backfill?.error ?? null
  const allowedMs = Math.max(row.not_before?.getTime() ?? 0, (lastRequestMs ?? 0) + app.config.EDS_MIN_INTERVAL_MS)
  return {
    source: `${row.source}: ${row.dataset}`,
    lastSuccess: iso(lastSuccessMs),
    lagS: secondsSince(lastSuccessMs, nowMs),
    simulated: row.simulated,
    detail: error === null ? tokenWarning(tokenEndsMs, nowMs) : failureText(error),
    coveredUntil: iso(coverage.coveredUntilMs),
    lateS: lateS(coverage.coveredUntilMs),
    areas: coverage.areas.map(({ area, coveredUntilMs }) => ({
      area,
      coveredUntil: iso(coveredUntilMs),
      lateS: lateS(coveredUntilMs),
    })),
    nextDue: wantedMs === null ? null : iso(Math.max(wantedMs, allowedMs)),
    gaps,
    backfill: backfill ? { done: backfill.done, all: backfill.all, failed: backfill.failed } : null,
  }
}

export const readSources = async (
  app: Pick<App, 'config' | 'records' | 'readings'>,
  nowMs: number,
): Promise<Freshness[]> => {
  const { states, backfills, tokenEnds } = await app.records.system(async (tx) => ({
    states: await findConnectorStates(tx),
    backfills: await findBackfills(tx),
    tokenEnds: await findTokenEnds(tx),
  }))
  const sources: Freshness[] = []
  for (const row of states) {
    const backfill = backfills.find((one) => one.source === row.source && one.dataset === row.dataset)
    const coverage = await app.records.system((tx) => findCoverage(tx, row))
    sources.push(
      sourceOf(app, row, coverage, backfill, await findGaps(app, row, nowMs), tokenEnds.get(row.source), nowMs),
    )
  }
  return sources
}

export const lastSources = (
  app: Pick<App, 'config' | 'records' | 'readings'>,
  nowMs: number,
): Promise<Count<Freshness[]> | null> => lastCount(app, nowMs, 'sources', () => readSources(app, nowMs))
