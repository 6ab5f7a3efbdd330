import { interval, relativeRanges, type RelativeRange } from './range-search.ts'
import { type Span, dayMs, hourMs, localMonthOf, minuteMs, monthBounds } from '@gridmast/contract/time.ts'
import { longestRangeMs, type SharedRange, shortestRangeMs } from './shared-range.ts'

/** Length of each relative range, and how often its end moves; `month` begins with the local month. */
const lengths = {
  '1h': { lengthMs: hourMs, stepMs: minuteMs },
  '6h': { lengthMs: 6 * hourMs, stepMs: 5 * minuteMs },
  '24h': { lengthMs: dayMs, stepMs: 5 * minuteMs },
  '7d': { lengthMs: 7 * dayMs, stepMs: hourMs },
  '30d': { lengthMs: 30 * dayMs, stepMs: hourMs },
  month: { lengthMs: null, stepMs: hourMs },
} as const

export const isRange = ({ fromMs, toMs }: Span): boolean =>
  toMs - fromMs >= shortestRangeMs && toMs - fromMs <= longestRangeMs

export const parseInterval = (text: string): Span | null => {
  const [, from, to] = interval.exec(text) ?? []
  const span = { fromMs: Date.parse(from ?? ''), toMs: Date.parse(to ?? '') }
  return isRange(span) ? span : null
}

const secondOf = (ms: number) => `${new Date(Math.round(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`

/** An interval of ISO 8601 in whole seconds: `2026-11-20T10:00:00Z/2026-11-20T12:00:00Z`. */
export const intervalText = ({ fromMs, toMs }: Span): string => `${secondOf(fromMs)}/${secondOf(toMs)}`

export const isRelative = (range: string): range is RelativeRange => relativeRanges.some((one) => one === range)

export type ChosenRange = {
  span: Span
  /** Until now: with the length of the sliding window, or null for the month. */
  running: { lengthMs: number | null } | null
}

export const rangeOf = (range: string, nowMs: number): ChosenRange | null => {
  if (!isRelative(range)) {
    const span = parseInterval(range)
    return span && { span, running: null }
  }
  const { lengthMs, stepMs } = lengths[range]
  const toMs = Math.ceil(nowMs / stepMs) * stepMs
  const fromMs = lengthMs === null ? monthBounds(localMonthOf(nowMs)).fromMs : toMs - lengthMs
  const span = { fromMs, toMs: Math.max(toMs, fromMs + stepMs) }
  return { span, running: { lengthMs } }
}

/** An address that shows the same span on another day. */
export const linkTo = (href: string, shared: SharedRange | null): string => {
  const url = new URL(href)
  if (!shared) return href
  if (shared.place) {
    for (const [name, value] of Object.entries(shared.place)) url.searchParams.set(name, value)
    return url.href
  }
  url.searchParams.set('range', intervalText(shared.span))
  url.searchParams.delete('zoom')
  return url.href
}
