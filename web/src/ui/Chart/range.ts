import { type RelativeRange, relativeRanges } from '@gridmast/contract/choices.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { relativeSpan } from '@gridmast/contract/relative-range.ts'
import { dayMs, offsetMs, type Span } from '@gridmast/contract/time.ts'
import { interval } from './range-search.ts'
import { type SharedRange, shortestRangeMs } from './shared-range.ts'

/** Local days over the change in October have an hour more. */
export const isRange = ({ fromMs, toMs }: Span, mostDays: number = limits.exportDays): boolean =>
  toMs - fromMs >= shortestRangeMs && toMs - fromMs <= mostDays * dayMs + Math.max(0, offsetMs(fromMs) - offsetMs(toMs))

export const parseInterval = (text: string, mostDays?: number): Span | null => {
  const [, from, to] = interval.exec(text) ?? []
  const span = { fromMs: Date.parse(from ?? ''), toMs: Date.parse(to ?? '') }
  return isRange(span, mostDays) ? span : null
}

const secondOf = (ms: number) => `${new Date(Math.round(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`

/** An interval of ISO 8601 in whole seconds: `2026-11-20T10:00:00Z/2026-11-20T12:00:00Z`. */
export const intervalText = ({ fromMs, toMs }: Span): string => `${secondOf(fromMs)}/${secondOf(toMs)}`

/** For a query. */
export const startAndEnd = ({ fromMs, toMs }: Span) => ({
  start: new Date(fromMs).toISOString(),
  end: new Date(toMs).toISOString(),
})

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
  const { span, lengthMs } = relativeSpan(range, nowMs)
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
