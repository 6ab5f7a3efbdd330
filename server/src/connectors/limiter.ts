import { minuteMs } from '@gridmast/contract/time.ts'
import type { FailureKind } from './ask.ts'

type Outcome = { ok: true } | { ok: false; kind: FailureKind; retryAfterMs: number | null }

/** Request state of one dataset, stored where all workers see it. */
export type LimiterState = { lastRequestAtMs: number | null; notBeforeMs: number | null; failures: number }

export const freshState: LimiterState = { lastRequestAtMs: null, notBeforeMs: null, failures: 0 }

/** Energi Data Service accepts one request per dataset, minute and address, since 2025-08-26. */
const defaultMinIntervalMs = 61_000

const rateLimitedMs = 120_000
const longestWaitMs = 15 * minuteMs

/** Earliest instant of the next request; up to `nowMs` means now. A last request in the future (clock set back) counts as now. */
export const nextAllowed = (state: LimiterState, nowMs: number, minIntervalMs = defaultMinIntervalMs): number =>
  Math.max(
    state.lastRequestAtMs === null ? nowMs : Math.min(state.lastRequestAtMs, nowMs) + minIntervalMs,
    state.notBeforeMs ?? nowMs,
    nowMs,
  )

/** Stored before a request is sent, so that a crash in between does not repeat it. */
export const afterAsking = (state: LimiterState, nowMs: number): LimiterState => ({ ...state, lastRequestAtMs: nowMs })

/**
 * Success resets the wait. A failure waits as long as the server requires; else 120 s after a 429 and one interval after other failures,
 * doubled each time up to 15 minutes.
 */
export const afterAnswer = (
  state: LimiterState,
  answer: Outcome,
  nowMs: number,
  minIntervalMs = defaultMinIntervalMs,
): LimiterState => {
  if (answer.ok) return { ...state, notBeforeMs: null, failures: 0 }
  const failures = state.failures + 1
  const first = answer.kind === 'rate-limited' ? rateLimitedMs : minIntervalMs
  const backOffMs = Math.min(first * 2 ** Math.min(failures - 1, 20), longestWaitMs)
  return { ...state, failures, notBeforeMs: nowMs + (answer.retryAfterMs ?? backOffMs) }
}
