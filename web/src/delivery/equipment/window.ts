import { type Span, hourMs, minuteMs } from '@gridmast/contract/time.ts'

/** Window of the charts at the start of a test. */
export const testWindow = (nowMs: number): Span => ({ fromMs: nowMs - 15 * minuteMs, toMs: nowMs })

/** While it refreshes the end is one minute ahead (specification text 1, section 4); the window has at most an hour. */
export const refreshedWindow = ({ fromMs }: Span, nowMs: number): Span => {
  const toMs = nowMs + minuteMs
  return { fromMs: Math.max(fromMs, toMs - hourMs), toMs }
}
