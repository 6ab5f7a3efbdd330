import type { Span } from '@gridmast/contract/time.ts'
import { type ReactNode, useState } from 'react'
import { SharedRangeContext } from './shared-range.ts'

const noPlace = {}

/** The charts of a window that no address has, as in a dialog, share a zoom; it is not in the URL either. */
export const LocalZoom = ({ span, children }: { span: Span; children: ReactNode }) => {
  const [zoom, onZoom] = useState<Span | null>(null)
  return <SharedRangeContext value={{ span, zoom, onZoom, place: noPlace }}>{children}</SharedRangeContext>
}
