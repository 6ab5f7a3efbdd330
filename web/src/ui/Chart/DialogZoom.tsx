import type { Span } from '@gridmast/contract/time.ts'
import { type ReactNode, useState } from 'react'
import { SharedRangeContext } from './shared-range.ts'

const noPlace = {}

/** The charts of a dialog share a zoom; no address opens the dialog, so none has the zoom. */
export const DialogZoom = ({ span, children }: { span: Span; children: ReactNode }) => {
  const [zoom, onZoom] = useState<Span | null>(null)
  return <SharedRangeContext value={{ span, zoom, onZoom, place: noPlace }}>{children}</SharedRangeContext>
}
