import type { Viewer } from '#access/viewer.ts'
import { writeAudit } from '#platform/records/audit.ts'
import type { After, Clock } from '#platform/process/clock.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Live } from '#platform/http/live.ts'
import type { Log } from '#platform/process/log.ts'
import type { Send } from '#platform/messaging/mail.ts'
import type { Metrics } from '#platform/process/metrics.ts'
import type { Bus } from '#platform/messaging/bus.ts'
import type { ReadCache } from '#platform/records/read-cache.ts'
import type { Records } from '#platform/records/records.ts'
import { makeOwnRoute, makeRoute, type Own } from '#platform/http/route.ts'
import type { Secret } from '#platform/security/secret.ts'
import type { Backlogs } from '#readings/backlogs.ts'
import type { Readings } from '#readings/readings.ts'
import type { Config } from './config.ts'

export type App = {
  config: Config
  records: Records
  readings: Readings
  backlogs: Backlogs
  jobs: Jobs
  live: Live
  bus: Bus
  send: Send
  secret: Secret
  log: Log
  metrics: Metrics
  clock: Clock
  after: After
  /** Probes for /api/health; an error of a probe has the reason. */
  parts: Record<string, () => Promise<void>>
}

export const route = makeRoute<App, Viewer>()
export const ownRoute = makeOwnRoute<App, Viewer>()

/** Access to the rows and the audit trail of the viewer's customer only. */
export const ownOf = (
  { records, readCache }: { records: Records; readCache: ReadCache },
  { customerId, userId, email }: Viewer,
  { requestId, nowMs, signal }: { requestId: string; nowMs: number; signal?: AbortSignal | undefined },
): Own => ({
  own: (work) => records.tenant(customerId, (tx) => work(tx, customerId), { signal }),
  readCached: (read, ...of) => readCache.rows(customerId, nowMs, read, ...of),
  audit: (tx, action, subject, change) =>
    writeAudit(tx, customerId, nowMs, { userId, who: email, action, subject, requestId, ...change }),
})
