import type { App } from '#context.ts'
import type { Failure } from '#connectors/ask.ts'
import type { Seen } from '#connectors/energi-data-service/publishing.ts'
import type { Tx } from '#platform/records.ts'
import { claimRequest, recordOutcome, type Outcome, type SourceKey } from './claim.ts'

export type SourceApp = Pick<App, 'records' | 'readings' | 'config' | 'clock' | 'live' | 'log'>

/** What a request brought: how it ended, and what is to be written together with that. */
export type Haul = { url: string; httpStatus: number | null } & (
  | {
      ok: true
      rowCount: number
      warnings: string[]
      coveredUntilMs: number | null
      /** Answers how many rows are new or changed. */
      save: (tx: Tx, nowMs: number) => Promise<number>
    }
  | Failure
)

type Rules = { minIntervalMs: number; isDue: (seen: Seen, nowMs: number) => boolean }

/**
 * Asks one source when that is due and allowed. Rows, state and the run's line are written in one transaction; a failure keeps the last
 * good data and marks the source. Answers how many rows are new or changed, or null when nothing was asked.
 */
export const runSource = async (
  app: SourceApp,
  key: SourceKey,
  { minIntervalMs, isDue }: Rules,
  request: (seen: Seen, nowMs: number) => Promise<Haul>,
): Promise<number | null> => {
  const startedMs = app.clock.now()
  const rules = { minIntervalMs, wants: (seen: Seen) => isDue(seen, startedMs) }
  const claim = await claimRequest(app, key, rules, startedMs)
  if (!claim) return null
  const haul = await request(claim.seen, startedMs)
  const nowMs = app.clock.now()
  const changed = await app.records.system(async (tx) => {
    const saved = haul.ok ? await haul.save(tx, nowMs) : 0
    const simulated = app.config.EDS_SIMULATED === 'on'
    await recordOutcome(tx, key, claim, outcomeOf(haul, saved), { startedMs, nowMs, minIntervalMs, simulated })
    return saved
  })
  if (changed > 0) app.live.announce('prices', { dataset: key.dataset })
  if (!haul.ok) app.log.warn({ ...key, kind: haul.kind, detail: haul.detail }, 'market data not fetched')
  return changed
}

/** What the state keeps of a request. */
const outcomeOf = (haul: Haul, changed: number): Outcome => {
  const { url, httpStatus } = haul
  if (!haul.ok) return { ...haul, rowCount: 0, changed: 0, warnings: [] }
  const { rowCount, warnings, coveredUntilMs } = haul
  return { ok: true, url, httpStatus, rowCount, changed, warnings, coveredUntilMs }
}
