import type { EdgeStatus } from '@gridmast/contract/delivery/edge.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import type { Bus } from '#platform/messaging/bus.ts'

const backlog = z.object({
  customerId: z.string(),
  edgeId: z.string(),
  atMs: z.number(),
  backlogS: z.number(),
  keptS: z.number(),
})
type Backlog = z.infer<typeof backlog>

/** An edge reports every minute; older reports are unknown. */
const validMs = 3 * minuteMs
/** A smaller backlog is the usual delay of live samples. */
const smallS = 120

/** Unsent samples as reported by edges: in memory, and broadcast to the other processes. */
export type Backlogs = {
  note: (edge: { customerId: string; edgeId: string }, atMs: number, status: EdgeStatus) => void
  /** Share of the samples of a customer's edges that has arrived, 0 to 1; null without a backlog. */
  arrivedShare: (customerId: string, nowMs: number) => number | null
}

export const openBacklogs = (bus: Pick<Bus, 'broadcast' | 'listen'>): Backlogs => {
  const byEdge = new Map<string, Backlog>()
  const keep = (report: Backlog) => void byEdge.set(report.edgeId, report)
  bus.listen('edge-backlog', (data) => {
    const read = backlog.safeParse(data)
    if (read.success) keep(read.data)
  })
  return {
    note: ({ customerId, edgeId }, atMs, { backlogS, keptS, online }) => {
      if (backlogS === undefined || keptS === undefined || !online) return void byEdge.delete(edgeId)
      const report = { customerId, edgeId, atMs, backlogS, keptS: Math.max(backlogS, keptS) }
      keep(report)
      bus.broadcast('edge-backlog', report)
    },
    arrivedShare: (customerId, nowMs) => {
      const current = [...byEdge.values()].filter(
        (report) => report.customerId === customerId && nowMs - report.atMs < validMs,
      )
      if (!current.some(({ backlogS }) => backlogS > smallS)) return null
      const sum = (key: 'backlogS' | 'keptS') => current.reduce((total, report) => total + report[key], 0)
      return 1 - sum('backlogS') / sum('keptS')
    },
  }
}
