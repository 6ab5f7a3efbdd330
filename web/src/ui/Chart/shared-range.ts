import { limits } from '@gridmast/contract/limits.ts'
import { type Span, dayMs } from '@gridmast/contract/time.ts'
import { createContext, use } from 'react'

export const shortestRangeMs = 5000
export const longestRangeMs = limits.exportDays * dayMs

/** The time range that the charts of a screen share. */
export type SharedRange = {
  span: Span
  zoom: Span | null
  onZoom: (zoom: Span | null) => void
}

export const SharedRangeContext = createContext<SharedRange | null>(null)
export const useSharedRange = () => use(SharedRangeContext)

const secondOf = (ms: number) => `${new Date(Math.round(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`

/** An interval of ISO 8601 in whole seconds: `2026-11-20T10:00:00Z/2026-11-20T12:00:00Z`. */
export const intervalText = ({ fromMs, toMs }: Span): string => `${secondOf(fromMs)}/${secondOf(toMs)}`

/** An address that shows the same span on another day. */
export const linkTo = (href: string, shared: SharedRange | null): string => {
  const url = new URL(href)
  if (!shared) return href
  url.searchParams.set('range', intervalText(shared.span))
  url.searchParams.delete('zoom')
  return url.href
}
