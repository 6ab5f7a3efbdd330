import type { Span } from '@gridmast/contract/time.ts'
import { drawCurves } from './curve.ts'
import { type ChartModel, isDrawn, hasValues, rightUnit } from './model.ts'
import { drawColumns, drawExtremes, drawOverlay, drawUnderlay } from './overlay.ts'
import type { Palette } from './palette.ts'
import { type Pen, drawLine, widthOf, write } from './pen.ts'
import { plotOf, type Plot, startsAboveZero } from './plot.ts'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { columnTicks, timeLabel, timeTicks, type ValueAxis } from './shape.ts'

const pixelsPerTick = 60
const pixelsPerShortTick = 34
const labelGap = 8
const lineHeight = 13
const longUnit = 4

const stepDecimals = (step: number): number => {
  for (let decimals = 0; decimals < 6; decimals++)
    if (Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) < 1e-6) return decimals
  return 6
}

const valueTicks = ({ min, max, step }: ValueAxis): number[] =>
  Array.from({ length: Math.round((max - min) / step) + 1 }, (_, i) => min + i * step)

const drawValueAxis = (pen: Pen, model: ChartModel, plot: Plot, palette: Palette, notFromZero: string) => {
  const { axis, left, top, width } = plot
  const decimals = axis.step < 1 ? Math.max(stepDecimals(axis.step), model.decimals) : stepDecimals(axis.step)
  // Without values the axis has no numbers, because they would be invented.
  const isMeasured = hasValues(model) || (model.low !== undefined && model.high !== undefined)
  const ticks = valueTicks(axis)
  const room = plot.height / (ticks.length - 1)
  const every = [1, 2].find((n) => n * room >= lineHeight) ?? ticks.length - 1
  ticks.forEach((value, i) => {
    const y = Math.round(plot.y(value)) + 0.5
    drawLine(pen, [left, y], [left + width, y], palette.gridLine)
    if (!isMeasured || i % every !== 0) return
    const words = formatNumber(value, { decimals })
    write(pen, words, [left - labelGap, plot.y(value)], { color: palette.ink3, align: 'right' })
  })
  if (!isMeasured) return
  const unit = startsAboveZero(model) ? `${model.unit} · ${notFromZero}` : model.unit
  const isLong = unit.length > longUnit
  write(pen, unit, [isLong ? 0 : left - labelGap, top - 13], {
    color: palette.ink3,
    align: isLong ? 'left' : 'right',
    baseline: 'bottom',
  })
  drawRightAxis(pen, model, plot, palette, every)
}

/** The ticks of the right axis are on the lines of the left one. */
const drawRightAxis = (pen: Pen, model: ChartModel, { right, ...plot }: Plot, palette: Palette, every: number) => {
  if (!right) return
  const x = plot.left + plot.width + labelGap
  const decimals = stepDecimals(right.step)
  valueTicks(right).forEach((value, i) => {
    if (i % every !== 0) return
    write(pen, formatNumber(value, { decimals }), [x, plot.y(value, 'right')], { color: palette.ink3 })
  })
  write(pen, rightUnit(model) ?? '', [x, plot.top - 13], { color: palette.ink3, baseline: 'bottom' })
}

/** Labels that would touch the previous one are omitted. */
const drawTimeAxis = (pen: Pen, model: ChartModel, span: Span, plot: Plot, palette: Palette) => {
  const room = model.timeLabels === 'hour' ? pixelsPerShortTick : pixelsPerTick
  const most = Math.max(2, Math.floor(plot.width / room))
  const [first] = model.series
  const isMonths = model.timeLabels === 'month' && first !== undefined
  const ticks = isMonths ? columnTicks(first, most) : timeTicks(span, most)
  let clearFrom = -Infinity
  for (const ms of ticks) {
    if (ms < span.fromMs || ms > span.toMs) continue
    const words = timeLabel(ms, span, model.timeLabels)
    const width = widthOf(pen, words)
    const centred = plot.x(ms) - (ms === span.fromMs ? 0 : ms === span.toMs ? width : width / 2)
    const x = Math.min(centred, plot.left + plot.width + plot.marginRight - width)
    if (x < clearFrom) continue
    write(pen, words, [x, plot.top + plot.height + labelGap], { color: palette.ink3, baseline: 'top' })
    clearFrom = x + width + 4
  }
}

export type View = { span: Span; size: { width: number; height: number }; words: { now: string; notFromZero: string } }

export const drawChart = (pen: Pen, model: ChartModel, palette: Palette, { span, size, words }: View) => {
  const plot = plotOf(model, span, size)
  const columns = model.series.filter((series) => series.kind === 'column' && isDrawn(series))
  if (!model.bare) {
    drawValueAxis(pen, model, plot, palette, words.notFromZero)
    drawTimeAxis(pen, model, span, plot, palette)
  }
  drawUnderlay(pen, model, plot, palette)
  pen.save()
  pen.beginPath()
  pen.rect(plot.left, plot.top - 1, plot.width, plot.height + 2)
  pen.clip()
  for (const series of columns) drawColumns(pen, series, model, plot, palette)
  drawCurves(pen, model, plot, palette)
  pen.restore()
  if (model.extremes) for (const series of columns) drawExtremes(pen, series, model, plot, palette)
  drawOverlay(pen, model, plot, palette, words.now)
}
