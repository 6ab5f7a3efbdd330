import type { LiveProgress } from '@gridmast/contract/live.ts'
import type { Live } from './live.ts'

export type Progress = (done: number, total: number) => void

const everyMs = 250

/** Tells the streams of a customer how far a long call is, a few times a second, under the id that its caller gave; nobody where none did. */
export const openProgress = (live: Live, customerId: string, watch: string | undefined): Progress => {
  let toldAtMs = -Infinity
  return (done, total) => {
    if (watch === undefined || (done < total && performance.now() - toldAtMs < everyMs)) return
    toldAtMs = performance.now()
    live.publish(customerId, 'progress', { watch, done, total } satisfies LiveProgress)
  }
}
