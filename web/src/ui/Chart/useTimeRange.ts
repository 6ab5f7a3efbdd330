import { limits } from '@gridmast/contract/limits.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { useDebouncedCallback } from '@mantine/hooks'
import { useMemo } from 'react'
import { useNow } from '#lib/clock.ts'
import { useUrlState } from '#lib/url-state.ts'
import { type ChosenRange, intervalText, parseInterval, rangeOf } from './range.ts'
import { rangeSearch } from './range-search.ts'
import type { SharedRange } from './shared-range.ts'

/** A wheel or a pinch changes the address once it rests. */
const restMs = 350

/** The range of the URL: its zoom, else the chosen range, else null for the screen's own window. A zoom has at most the days that the screen can show. */
export const useTimeRange = (mostDays: number = limits.exportDays) => {
  const [{ range, zoom }, change] = useUrlState(rangeSearch)
  const nowMs = useNow(60_000)
  const chosen = useMemo(() => (range === undefined ? null : rangeOf(range, nowMs)), [range, nowMs])
  const zoomed = useMemo(() => (zoom === undefined ? null : parseInterval(zoom, mostDays)), [zoom, mostDays])
  const zoomTo = useDebouncedCallback((next: string | undefined) => change({ zoom: next }), restMs)
  const shown: ChosenRange | null = zoomed ? { span: zoomed, running: null } : chosen
  return {
    shown,
    /** The chosen range, also while a part of it is shown. */
    unzoomed: chosen?.span ?? null,
    chosen: chosen ? range : undefined,
    zoom: zoomed ? zoom : undefined,
    choose: (next: string | undefined) => {
      zoomTo.cancel()
      change({ range: next, zoom: undefined })
    },
    /** For the charts, with the window of the screen while no range is chosen. */
    sharedWith: (own: Span): SharedRange => ({
      span: shown?.span ?? own,
      zoom: zoomed,
      mostDays,
      onZoom: (next) => {
        zoomTo(next ? intervalText(next) : undefined)
        if (!next) zoomTo.flush()
      },
    }),
  }
}
