import type { RelativeRange } from '#choices.ts'
import { dayMs, hourMs, localMonthOf, minuteMs, monthBounds, type Span } from '#time.ts'

/** Length of each relative range, and how often its end moves; `month` begins with the local month. */
const lengths = {
  '1h': { lengthMs: hourMs, stepMs: minuteMs },
  '6h': { lengthMs: 6 * hourMs, stepMs: 5 * minuteMs },
  '24h': { lengthMs: dayMs, stepMs: 5 * minuteMs },
  '7d': { lengthMs: 7 * dayMs, stepMs: hourMs },
  '30d': { lengthMs: 30 * dayMs, stepMs: hourMs },
  month: { lengthMs: null, stepMs: hourMs },
} as const

/** The span until now, with the length of the sliding window, or null for the month. */
export const relativeSpan = (range: RelativeRange, nowMs: number): { span: Span; lengthMs: number | null } => {
  const { lengthMs, stepMs } = lengths[range]
  const toMs = Math.ceil(nowMs / stepMs) * stepMs
  const fromMs = lengthMs === null ? monthBounds(localMonthOf(nowMs)).fromMs : toMs - lengthMs
  return { span: { fromMs, toMs: Math.max(toMs, fromMs + stepMs) }, lengthMs }
}
