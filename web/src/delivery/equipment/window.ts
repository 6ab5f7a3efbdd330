import { type Span, hourMs, minuteMs } from '@gridmast/contract/time.ts'

/** What the charts show when a test begins: the quarter of an hour before it. */
export const testWindow = (nowMs: number): Span => ({ fromMs: nowMs - 15 * minuteMs, toMs: nowMs })

/** While it refreshes the end is one minute ahead (specification text 1, section 4); what began more than an hour ago leaves at the other side. */
export const refreshedWindow = ({ fromMs }: Span, nowMs: number): Span => {
  const toMs = nowMs + minuteMs
  return { fromMs: Math.max(fromMs, toMs - hourMs), toMs }
}
