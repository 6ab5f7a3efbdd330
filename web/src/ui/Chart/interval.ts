import type { Span } from '@gridmast/contract/time.ts'
import type { SharedRange } from './shared-range.ts'

const secondOf = (ms: number) => `${new Date(Math.round(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`

/** An interval of ISO 8601 in whole seconds: `2026-11-20T10:00:00Z/2026-11-20T12:00:00Z`. */
export const intervalText = ({ fromMs, toMs }: Span): string => `${secondOf(fromMs)}/${secondOf(toMs)}`

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
