import type { LiveProgress } from '@gridmast/contract/live.ts'
import type { Live } from './live.ts'

export type Progress = (done: number, total: number) => void

const everyMs = 250

/**
 * Publishes the progress of a long call a few times per second, under the id from the caller; without an id nothing
 * is published.
 */
export const openProgress = (live: Live, customerId: string, watch: string | undefined): Progress => {
  let toldAtMs = -Infinity
  return (done, total) => {
    if (watch === undefined || (done < total && performance.now() - toldAtMs < everyMs)) return
    toldAtMs = performance.now()
    live.publish(customerId, 'progress', { watch, done, total } satisfies LiveProgress)
  }
}
