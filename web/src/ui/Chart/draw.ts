import type { Span } from '@gridmast/contract/time.ts'
import { drawTimeAxis, drawValueAxis } from './axes.ts'
import { drawCurves } from './curve.ts'
import { type ChartModel, isDrawn } from './model.ts'
import { drawColumns, drawExtremes, drawOverlay, drawUnderlay } from './overlay.ts'
import type { Palette } from './palette.ts'
import type { Pen } from './pen.ts'
import { plotOf } from './plot.ts'

export type View = { span: Span; size: { width: number; height: number }; words: { now: string; notFromZero: string } }

/** From the lowest layer to the top one. */
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
