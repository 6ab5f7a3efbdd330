import type { Series } from '@gridmast/contract/series.ts'
import type { Span } from '@gridmast/contract/time.ts'

/** Place in the chart palette: 1 own measurement or price columns, 2 cost, 3 negative price, 4 and 5 further markets, 6 required or baseline (dashed). */
export type PaletteIndex = 1 | 2 | 3 | 4 | 5 | 6

export type ChartSeries = Series & {
  colour: PaletteIndex
  /** Length of one column; columns stand from x to x + slotMs. */
  slotMs?: number
  /** Parts of the series that were not measured; drawn dashed. */
  estimated?: Span[]
}

export type Threshold = { name: string; value: number; plate: 'above' | 'below' }
export type Gap = Span & { words: string }

/** All that a chart shows, ready to draw: no dates to parse, no colours, nothing of ECharts. */
export type ChartModel = {
  series: ChartSeries[]
  span: Span
  unit: string
  decimals: number
  /** Bounds of the value axis; left out, they follow the values. */
  low?: number
  high?: number
  /** The value axis starts at zero. */
  fromZero?: boolean
  thresholds?: Threshold[]
  /** Tints what lies between the first two thresholds. */
  band?: boolean
  gaps?: Gap[]
  /** Finds the gaps of a live line anew as it grows: silences longer than this, named by these words. */
  gapsOver?: { ms: number; words: string }
  /** Nothing has come for too long: the line stays, greyed. */
  stale?: boolean
  /** A line with the word 'Now'; columns before it are past. */
  nowMs?: number
  /** From here on nothing can have been measured yet. */
  futureFromMs?: number
  /** Marks the newest point with a dot; `plate` adds its value at the edge. */
  liveEnd?: 'dot' | 'plate'
  /** Names the highest and lowest column. */
  extremes?: boolean
  /** Labels of the time axis: clock times, or bare hours under columns. */
  timeLabels?: 'clock' | 'hour'
}

export const hasValues = (model: ChartModel): boolean =>
  model.series.some((s) => s.y.some((value) => value !== null && Number.isFinite(value)))
