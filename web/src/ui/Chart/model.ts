import type { Series } from '@gridmast/contract/series.ts'
import { hourMs, type Span } from '@gridmast/contract/time.ts'
import { translateText } from '#lib/i18n.ts'

/** Place in the chart palette: 1 own measurement or price columns, 2 cost, 3 negative price, 4 and 5 further markets, 6 required or baseline (dashed). */
export type PaletteIndex = 1 | 2 | 3 | 4 | 5 | 6

export type ChartSeries = Series & {
  colour: PaletteIndex
  /** Length of one column or step; it stands from x to x + slotMs. */
  slotMs?: number
  /** Where each column or step ends, if their lengths differ. */
  ends?: readonly number[]
  /** False: only in the tooltip and the table. */
  drawn?: false
  /** A line whose colour says its value too: the carbon scale, in g/kWh. */
  scale?: 'carbon'
  /** Parts of the series that were not measured; drawn dashed. */
  estimated?: Span[]
  /** On the axis of the right side, in its own unit. */
  side?: 'right'
  /** Where they differ from the chart's. */
  decimals?: number
  /** A line of slots: each point in the middle of its own, with a dot while there is room. */
  centred?: true
  /** What lies below it at each point: it stands on that as a band, so that bands add up. */
  under?: readonly number[]
  /** Columns behind the others, as wide as their slots: what those are compared with. */
  behind?: true
  /** The name is a customer's own: shown as it is, never translated. */
  isOwnName?: true
}

export const seriesName = ({ name, isOwnName }: ChartSeries): string => (isOwnName ? name : translateText(name))

/** A level with its name; with `isReached` the value axis goes as far as it. `side: 'right'` is for a figure of the chart itself, such as an average, and says no unit. */
export type Threshold = { name: string; value: number; plate: 'above' | 'below'; side?: 'right'; isReached?: true }
export type Gap = Span & { words: string }

/** All that a chart shows, ready to draw: no dates to parse, no colours, nothing of ECharts. */
export type ChartModel = {
  series: ChartSeries[]
  span: Span
  unit: string
  decimals: number
  /** What the value axis shows at least; left out, it follows the values. */
  low?: number
  high?: number
  /** In a small card: the line alone, without axes. */
  bare?: boolean
  /** The value axis starts at zero. */
  fromZero?: boolean
  thresholds?: Threshold[]
  /** Tints what lies between the first two thresholds. */
  band?: boolean
  gaps?: Gap[]
  /** Spans worth a look, named at their top. */
  windows?: Gap[]
  /** Two lines by their names: where `got` lies below `wanted` the space between is filled. */
  shortfall?: { wanted: string; got: string }
  /** Finds the gaps of a live line anew as it grows: silences longer than this, named by these words. */
  gapsOver?: { ms: number; words: string }
  /** Nothing has come for too long: the line stays, greyed. */
  stale?: boolean
  /** A line with the word 'Now'; columns before it are past. */
  nowMs?: number
  /** A line at an instant, with a word. */
  moment?: { atMs: number; words: string }
  /** From here on nothing can have been measured yet. */
  futureFromMs?: number
  /** Marks the newest point with a dot; `plate` adds its value at the edge. */
  liveEnd?: 'dot' | 'plate'
  /** Names the highest and lowest column. */
  extremes?: boolean
  /** Said of the lowest column instead of its value. */
  lowestWords?: string
  /** Labels of the time axis: clock times, bare hours, or months under their columns. */
  timeLabels?: 'clock' | 'hour' | 'month'
}

/** Where the column or step at `i` ends. */
export const endOf = ({ x, ends, slotMs }: Pick<ChartSeries, 'x' | 'ends' | 'slotMs'>, i: number): number =>
  ends?.[i] ?? (x[i] ?? 0) + (slotMs ?? hourMs)

export const isDrawn = ({ drawn }: ChartSeries): boolean => drawn !== false

/** Each value stands for a span of time, not for an instant. */
export const isSlots = ({ kind, ends, centred }: ChartSeries): boolean =>
  kind === 'column' || centred === true || ends !== undefined

/** The unit of the axis on the right; undefined where there is none. */
export const rightUnit = (model: ChartModel): string | undefined =>
  model.series.find((series) => series.side && isDrawn(series))?.unit

const isKnown = (value: number | null) => value !== null && Number.isFinite(value)

export const hasValues = (model: ChartModel): boolean => model.series.some((s) => isDrawn(s) && s.y.some(isKnown))
