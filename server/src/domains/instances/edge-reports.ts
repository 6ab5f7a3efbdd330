import type { EdgeStatus } from '@gridmast/contract/edge.ts'
import type { Log } from '#platform/log.ts'
import type { Records } from '#platform/records.ts'
import type { EdgeEntry } from './directory.ts'
import { saveEdgeReports, type EdgeReport } from './queries.ts'

const flushMs = 5000

/** Signs of life come with every message; they are written together every 5 s, only the newest of each edge. */
export const openEdgeReports = (records: Records, log: Log) => {
  const waiting = new Map<string, EdgeReport>()
  const flush = async () => {
    if (waiting.size === 0) return
    const reports = [...waiting.values()]
    waiting.clear()
    await records.system((tx) => saveEdgeReports(tx, reports))
  }
  const timer = setInterval(() => {
    flush().catch((error: unknown) => log.warn({ err: error }, 'edge reports not written; the next ones will be'))
  }, flushMs)
  return {
    note: (edge: EdgeEntry, atMs: number, status: EdgeStatus | null) => {
      const before = waiting.get(edge.edgeId)
      waiting.set(edge.edgeId, {
        customerId: edge.customerId,
        edgeId: edge.edgeId,
        atMs,
        online: status?.online ?? before?.online ?? null,
        codeVersion: status?.codeVersion ?? before?.codeVersion ?? null,
      })
    },
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
