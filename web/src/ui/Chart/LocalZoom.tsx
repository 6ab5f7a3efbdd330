import type { Span } from '@gridmast/contract/time.ts'
import { type ReactNode, useState } from 'react'
import { SharedRangeContext } from './shared-range.ts'

type Props = {
  span: Span
  /** What the span is of; another one drops the zoom. */
  of?: string
  place?: Record<string, string>
  children: ReactNode
}

const noPlace = {}

/** The charts of a window that no address has, as in a dialog, share a zoom; it is not in the URL either. */
export const LocalZoom = ({ span, of = '', place = noPlace, children }: Props) => {
  const [zoomed, setZoomed] = useState<{ zoom: Span | null; of: string }>({ zoom: null, of })
  const zoom = zoomed.of === of ? zoomed.zoom : null
  const onZoom = (next: Span | null) => setZoomed({ zoom: next, of })
  return <SharedRangeContext value={{ span, zoom, onZoom, place }}>{children}</SharedRangeContext>
}
