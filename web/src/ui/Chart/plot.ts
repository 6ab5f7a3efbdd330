import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { type ChartModel, isDrawn, rightUnit } from './model.ts'
import { alignZeros, type ValueAxis, valueAxis } from './shape.ts'

const narrowest = 48
const digitWidth = 6.3

/** Width of the longest number of a value axis. */
const roomOf = ({ min, max }: ValueAxis): number => {
  const longest = Math.max(...[min, max].map((value) => formatNumber(value, { decimals: 0 }).length))
  return Math.max(narrowest, Math.ceil(longest * digitWidth) + 12)
}

/** In pixels; the right margin includes the value plate of a live line. */
const margins = (model: ChartModel, axis: ValueAxis, right: ValueAxis | null) => {
  if (model.bare) return { left: 0, right: 8 }
  return { left: roomOf(axis), right: right ? roomOf(right) : model.liveEnd === 'plate' ? 54 : 10 }
}
const aboveAndBelow = (model: ChartModel) => (model.bare ? { top: 8, bottom: 1 } : { top: 28, bottom: 24 })

/** An axis that does not start at zero is stated to the reader, except for a frequency, which is never expected to. */
export const startsAboveZero = (model: ChartModel): boolean => valueAxisOf(model).min > 0 && model.unit !== 'Hz'

const allValues = function* (model: ChartModel, side?: 'right') {
  for (const series of model.series) if (isDrawn(series) && series.side === side) yield* series.y
}

/** As a share of the height, for labels of windows above the values; they take 20 pixels of a low chart. */
const windowRoom = 0.12
const windowWordsPx = 20

const drawnValues = function* (model: ChartModel, height: number) {
  yield* allValues(model)
  for (const { value, isReached } of model.thresholds ?? []) if (isReached) yield value
  const windows = model.windows?.filter(({ words }) => words !== '') ?? []
  if (windows.length === 0) return
  let [least, most, within] = [model.fromZero ? 0 : Infinity, -Infinity, -Infinity]
  for (const series of model.series) {
    if (!isDrawn(series) || series.side !== undefined) continue
    series.y.forEach((value, i) => {
      if (value === null) return
      least = Math.min(least, value)
      most = Math.max(most, value)
      const ms = series.x[i] ?? 0
      if (value > within && windows.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)) within = value
    })
  }
  // The axis grows with the added range, so the share of the values is larger than that of the plot.
  const share = Math.min(0.5, windowWordsPx / height)
  if (within > -Infinity) yield within + Math.max(windowRoom, share / (1 - share)) * (most - least)
}

const valueAxisOf = (model: ChartModel, height = Infinity): ValueAxis =>
  valueAxis(drawnValues(model, height), {
    ...(model.low === undefined ? {} : { low: model.low }),
    ...(model.high === undefined ? {} : { high: model.high }),
    fromZero: (model.fromZero ?? false) || model.series.some((s) => s.kind === 'column'),
  })

const axesOf = (model: ChartModel, height: number): [ValueAxis, ValueAxis | null] =>
  rightUnit(model) === undefined
    ? [valueAxisOf(model, height), null]
    : alignZeros(
        valueAxisOf({ ...model, fromZero: true }, height),
        valueAxis(allValues(model, 'right'), { fromZero: true }),
      )

export type Plot = {
  axis: ValueAxis
  right: ValueAxis | null
  left: number
  top: number
  width: number
  height: number
  /** Between the plot and the right edge of the canvas. */
  marginRight: number
  x: (ms: number) => number
  y: (value: number, side?: 'right') => number
  ms: (x: number) => number
}

/** Positions in a chart of this size, for the canvas and its overlays. */
export const plotOf = (model: ChartModel, span: Span, size: { width: number; height: number }): Plot => {
  const { top, bottom } = aboveAndBelow(model)
  const height = Math.max(1, size.height - top - bottom)
  const [axis, right] = axesOf(model, height)
  const around = { ...margins(model, axis, right), top }
  const width = Math.max(1, size.width - around.left - around.right)
  return {
    axis,
    right,
    left: around.left,
    top: around.top,
    width,
    height,
    marginRight: around.right,
    x: (ms) => around.left + ((ms - span.fromMs) / (span.toMs - span.fromMs)) * width,
    y: (value, side) => {
      const { min, max } = (side && right) ?? axis
      return around.top + (1 - (value - min) / (max - min)) * height
    },
    ms: (x) => span.fromMs + ((x - around.left) / width) * (span.toMs - span.fromMs),
  }
}
