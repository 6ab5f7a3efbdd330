import { limits } from '@gridmast/contract/limits.ts'
import type { Data } from '@gridmast/contract/call.ts'
import type { systemStatus } from '@gridmast/contract/operator/system.ts'

export type Source = Data<typeof systemStatus>['sources'][number]
export type SourceState = 'fresh' | 'stale' | 'failed' | 'silent'

/** Edges report all the time; market data is published once a day, and two hours late is still on time. */
const edgeLateS = limits.edgeAliveMs / 1000
const marketLateS = 26 * 3600
const publishedLateS = 2 * 3600

export const isEdge = ({ source }: Pick<Source, 'source'>): boolean => source.startsWith('Edge ')

/** Of published data, by how much earlier it ends than it should. */
export const isLate = (lateS: number): boolean => lateS > publishedLateS

export const stateOf = ({ source, lagS, lateS, detail }: Source): SourceState => {
  if (detail !== null) return 'failed'
  if (lagS === null) return 'silent'
  // A source that answers, but with nothing new, is as stale as one that does not.
  if (isLate(lateS ?? 0)) return 'stale'
  return lagS > (isEdge({ source }) ? edgeLateS : marketLateS) ? 'stale' : 'fresh'
}
