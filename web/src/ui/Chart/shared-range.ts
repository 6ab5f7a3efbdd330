import type { Span } from '@gridmast/contract/time.ts'
import { createContext, use } from 'react'

export const shortestRangeMs = 5000

/** The time range that the charts of a screen share. */
export type SharedRange = {
  span: Span
  zoom: Span | null
  onZoom: (zoom: Span | null) => void
  /** Of the longest zoom that the screen can show; absent: of the window. */
  mostDays?: number
  /** The charts have the whole window and zoom inside it; these parameters name it in a copied link. Absent: a zoom is a range of its own. */
  place?: Record<string, string>
}

export const SharedRangeContext = createContext<SharedRange | null>(null)
export const useSharedRange = () => use(SharedRangeContext)
