import type { EdgeStatus } from '@gridmast/contract/delivery/edge.ts'
import { isPermanent } from '#platform/http/errors.ts'
import type { Log } from '#platform/process/log.ts'
import type { EdgeEntry } from './directory.ts'
import type { EdgeReport } from './queries.ts'

const flushMs = 5000
/** The first report of an edge is saved sooner: until then it counts as silent and accepts no command. */
const firstMs = 250

type Options = { save: (reports: EdgeReport[]) => Promise<void>; log: Pick<Log, 'warn'> }

/**
 * Every message is a sign of life. Only the newest per edge is saved, every 5 s, the first of an edge at once. A report that the store always
 * refuses is dropped; the others, and all of them during an outage of the store, are saved later.
 */
export const openEdgeReports = ({ save, log }: Options) => {
  const waiting = new Map<string, EdgeReport>()
  const known = new Set<string>()
  let first: NodeJS.Timeout | undefined

  const oneByOne = async (reports: EdgeReport[]) => {
    for (const report of reports)
      await save([report]).catch((error: unknown) => {
        if (!isPermanent(error)) throw error
        log.warn({ err: error, edgeId: report.edgeId }, 'edge report rejected by the store')
      })
  }

  const flush = async () => {
    if (waiting.size === 0) return
    const reports = [...waiting.values()]
    waiting.clear()
    try {
      await save(reports).catch((error: unknown) => {
        if (!isPermanent(error)) throw error
        return oneByOne(reports)
      })
    } catch (error) {
      for (const report of reports) waiting.set(report.edgeId, newer(report, waiting.get(report.edgeId)))
      throw error
    }
  }
  const flushOrWarn = () =>
    void flush().catch((error: unknown) => log.warn({ err: error }, 'edge reports not stored, will be retried'))
  const timer = setInterval(flushOrWarn, flushMs)
  const flushFirst = () => {
    first = undefined
    flushOrWarn()
  }

  return {
    note: ({ customerId, edgeId }: EdgeEntry, atMs: number, status: EdgeStatus | null) => {
      const report = {
        customerId,
        edgeId,
        atMs,
        online: status?.online ?? null,
        codeVersion: status?.codeVersion ?? null,
      }
      const before = waiting.get(edgeId)
      waiting.set(edgeId, before ? newer(before, report) : report)
      if (known.has(edgeId)) return
      known.add(edgeId)
      first ??= setTimeout(flushFirst, firstMs)
    },
    flush,
    close: async () => {
      clearInterval(timer)
      clearTimeout(first)
      await flush()
    },
  }
}

const newer = (earlier: EdgeReport, later: EdgeReport = earlier): EdgeReport => ({
  ...later,
  online: later.online ?? earlier.online,
  codeVersion: later.codeVersion ?? earlier.codeVersion,
})
