import type { Series } from '@gridmast/contract/series.ts'
import { hourMs, type Span } from '@gridmast/contract/time.ts'
import { translateText } from '#lib/i18n.ts'

/**
 * Colours of the chart palette: 1 own measurement or price columns, 2 cost, 3 negative price, 4 and 5 further markets, 6 required or baseline
 * (dashed).
 */
export type PaletteIndex = 1 | 2 | 3 | 4 | 5 | 6

export type ChartSeries = Series & {
  colour: PaletteIndex
  /** Length of one column or step, from x to x + slotMs. */
  slotMs?: number
  /** End of each column or step, if their lengths differ. */
  ends?: readonly number[]
  /** False: only in the tooltip and the table. */
  drawn?: false
  /** The colour follows the carbon scale, in g/kWh. */
  scale?: 'carbon'
  /** Estimated spans, drawn dashed. */
  estimated?: Span[]
  /** On the right axis, in its own unit. */
  side?: 'right'
  decimals?: number
  /** A line of slots, each point in the middle of its slot, with a dot when there is space. */
  centred?: true
  /** Lower edge of a stacked band at each point. */
  under?: readonly number[]
  /** Wide columns behind the others, as a comparison. */
  behind?: true
  /** The name is a customer's text and not translated. */
  isCustomerText?: true
}

export const seriesName = ({ name, isCustomerText }: ChartSeries): string =>
  isCustomerText ? name : translateText(name)

/**
 * With `isReached` the value axis includes the level. `side: 'right'` is for a figure of the chart itself, such as an average, without a unit.
 */
export type Threshold = { name: string; value: number; plate: 'above' | 'below'; side?: 'right'; isReached?: true }
export type Gap = Span & { words: string }

/** A thing at a time, or during a span; a mark that runs on has the end of the window. */
export type ChartMark = {
  key: string
  /** For the legend, with its switch. */
  kind: string
  fromMs: number
  toMs: number | null
  words: string
  colour: PaletteIndex | 'ink2'
}

/** The content of a chart, ready to draw: times in milliseconds, colours as places in the palette. */
export type ChartModel = {
  series: ChartSeries[]
  span: Span
  unit: string
  decimals: number
  /** Minimum range of the value axis; default the range of the values. */
  low?: number
  high?: number
  bare?: boolean
  fromZero?: boolean
  thresholds?: Threshold[]
  band?: boolean
  gaps?: Gap[]
  /** Highlighted spans with a label at the top. */
  windows?: Gap[]
  marks?: ChartMark[]
  /** Two lines by name: the area between them is filled where `delivered` is below `required`. */
  shortfall?: { required: string; delivered: string }
  /** Updates the gaps of a live line: silences longer than this, with this label. */
  gapsOver?: { ms: number; words: string }
  stale?: boolean
  /** A line with the label 'Now'; columns before it are past. */
  nowMs?: number
  /** A line with a label at an instant. */
  moment?: { atMs: number; words: string }
  /** From here on no measurement is possible yet. */
  futureFromMs?: number
  /** A dot at the newest point; `plate` adds its value at the edge. */
  liveEnd?: 'dot' | 'plate'
  extremes?: boolean
  lowestWords?: string
  timeLabels?: 'clock' | 'hour' | 'month'
}

export const endOf = ({ x, ends, slotMs }: Pick<ChartSeries, 'x' | 'ends' | 'slotMs'>, i: number): number =>
  ends?.[i] ?? (x[i] ?? 0) + (slotMs ?? hourMs)

export const isDrawn = ({ drawn }: ChartSeries): boolean => drawn !== false

/** Values are for a span of time, not an instant. */
export const isSlots = ({ kind, ends, centred }: ChartSeries): boolean =>
  kind === 'column' || centred === true || ends !== undefined

export const rightUnit = (model: ChartModel): string | undefined =>
  model.series.find((series) => series.side && isDrawn(series))?.unit

const isKnown = (value: number | null) => value !== null && Number.isFinite(value)

export const hasValues = (model: ChartModel): boolean => model.series.some((s) => isDrawn(s) && s.y.some(isKnown))
