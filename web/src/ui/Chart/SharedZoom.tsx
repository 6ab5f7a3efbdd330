import type { Span } from '@gridmast/contract/time.ts'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { SharedRangeContext } from './shared-range.ts'
import { useTimeRange } from './useTimeRange.ts'

type Props = {
  span: Span
  /** Parameters of the address that name the window in a copied link, also where it is the default. */
  place?: Record<string, string>
  children: ReactNode
}

const noPlace = {}

/** Charts of one window, such as a day, share a zoom inside it, which is kept in the URL. */
export const SharedZoom = ({ span, place = noPlace, children }: Props) => {
  const { zoom: chosen, onZoom } = useTimeRange().sharedWith(span)
  const isOutside = chosen !== null && (chosen.fromMs < span.fromMs || chosen.toMs > span.toMs)
  const drop = useEffectEvent(() => onZoom(null))
  useEffect(() => {
    if (isOutside) drop()
  }, [isOutside])
  const zoom = isOutside ? null : chosen
  return <SharedRangeContext value={{ span: zoom ?? span, zoom, onZoom, place }}>{children}</SharedRangeContext>
}
