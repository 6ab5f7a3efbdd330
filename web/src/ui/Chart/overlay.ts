import { formatNumber } from '@gridmast/contract/numbers.ts'
import { type ChartMark, type ChartModel, type ChartSeries, endOf, isDrawn } from './model.ts'
import type { Palette } from './palette.ts'
import {
  type Box,
  type Pen,
  drawLine,
  fillBox,
  fillCircle,
  fontOf,
  write,
  type Sides,
  clearFromLeft,
  clearLeft,
  clearOfLine,
  drawPlate,
  plateHeight,
  plateWidth,
} from './pen.ts'
import type { Plot } from './plot.ts'
import { columnsOf, extremesOf, indexAt } from './shape.ts'

const boxBetween = ({ left, top, width, height, x }: Plot, fromMs: number, toMs: number): Box | null => {
  const from = Math.max(left, x(fromMs))
  const to = Math.min(left + width, x(toMs))
  return to - from < 0.5 ? null : { x: from, y: top, width: to - from, height }
}

let hatchTile: { color: string; image: HTMLCanvasElement } | null = null
const hatchOf = (color: string): HTMLCanvasElement => {
  if (hatchTile?.color === color) return hatchTile.image
  const image = document.createElement('canvas')
  image.width = 8
  image.height = 8
  const pen = image.getContext('2d')
  if (pen) for (const shift of [-8, 0, 8]) drawLine(pen, [shift, 8], [shift + 8, 0], color)
  hatchTile = { color, image }
  return image
}

/** The times in a gap's label, omitted when they do not fit. */
const gapTimes = / \d\d:\d\d\S*$/

const drawMark = (pen: Pen, { fromMs, toMs, colour }: ChartMark, plot: Plot, palette: Palette) => {
  const color = colour === 'ink2' ? palette.ink2 : palette.data(colour)
  const box = toMs === null ? null : boxBetween(plot, fromMs, toMs)
  if (box) fillBox(pen, box, color, { opacity: 0.08 })
  const x = Math.round(plot.x(fromMs)) + 0.5
  if (x >= plot.left && x <= plot.left + plot.width)
    drawLine(pen, [x, plot.top - 6], [x, plot.top + plot.height], color, [2, 3])
}

export const drawUnderlay = (pen: Pen, model: ChartModel, plot: Plot, palette: Palette) => {
  const ahead = model.futureFromMs === undefined ? null : boxBetween(plot, model.futureFromMs, model.span.toMs)
  if (ahead) fillBox(pen, ahead, palette.sub)
  const [first, second] = model.thresholds ?? []
  if (model.band && first && second) {
    const [top, bottom] = [plot.y(Math.max(first.value, second.value)), plot.y(Math.min(first.value, second.value))]
    const band = { x: plot.left, width: plot.width, y: top, height: bottom - top }
    fillBox(pen, band, palette.data(1), { opacity: 0.05 })
  }
  for (const window of model.windows ?? []) {
    const box = boxBetween(plot, window.fromMs, window.toMs)
    if (!box) continue
    fillBox(pen, box, palette.ink2, { opacity: 0.06 })
    const width = plateWidth(pen, window.words)
    const line = model.nowMs === undefined ? null : plot.x(model.nowMs)
    const left = clearOfLine({ left: box.x, right: box.x + box.width }, width, line)
    if (left !== null) write(pen, window.words, [left + width / 2, box.y + 9], { color: palette.ink2, align: 'center' })
  }
  for (const mark of model.marks ?? []) drawMark(pen, mark, plot, palette)
  const hatch = (model.gaps ?? []).length > 0 ? pen.createPattern(hatchOf(palette.hatch), 'repeat') : null
  for (const gap of model.gaps ?? []) {
    const box = boxBetween(plot, gap.fromMs, gap.toMs)
    if (!box || box.width < 2 || !hatch) continue
    fillBox(pen, box, hatch)
    const words = [gap.words, gap.words.replace(gapTimes, '')].find((one) => box.width > plateWidth(pen, one))
    if (!words) continue
    const width = plateWidth(pen, words)
    drawPlate(pen, box.x + (box.width - width) / 2, box.y + box.height / 2, words, palette)
  }
}

/** Gap between columns as a share of the slot. */
const columnGap = 0.18
/** The same for columns in front of others, and for those behind. */
const gapInFront = 0.44
const gapBehind = 0.08
/** Limit of the column width, for few columns on a wide page. */
const widestColumn = 110

const isEstimated = ({ estimated = [] }: ChartSeries, ms: number) =>
  estimated.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)

const outline = (pen: Pen, { x, y, width, height }: Box, color: string) => {
  pen.strokeStyle = color
  pen.lineWidth = 1
  pen.setLineDash([3, 2])
  pen.strokeRect(x + 0.5, y + 0.5, Math.max(0, width - 1), Math.max(0, height - 1))
}

export const drawColumns = (pen: Pen, series: ChartSeries, model: ChartModel, plot: Plot, palette: Palette) => {
  const right = plot.left + plot.width
  const zero = Math.min(plot.top + plot.height, Math.max(plot.top, plot.y(0)))
  const isCompared = model.series.some(({ behind }) => behind)
  const share = series.behind ? gapBehind : isCompared ? gapInFront : columnGap
  for (const { fromMs, toMs, value, phase } of columnsOf(series, model.nowMs)) {
    const [from, to] = [plot.x(fromMs), plot.x(toMs)]
    if (value === 0) continue
    if (to <= plot.left || from >= right) continue
    const gap = Math.max((to - from) * share, to - from - (isCompared && !series.behind ? 0.6 : 1) * widestColumn)
    const up = value >= 0
    const height = Math.max(up ? 1 : 2, Math.abs(plot.y(value) - zero))
    const radius = Math.min(3, (to - from) / 4, height)
    const box = { x: from + gap / 2, y: up ? zero - height : zero, width: to - from - gap, height }
    const color = palette.data(model.stale ? 6 : up ? series.colour : 3)
    const estimated = isEstimated(series, fromMs)
    fillBox(pen, box, color, {
      opacity: estimated ? 0.2 : series.behind ? 0.3 : phase === 'past' ? 0.45 : 1,
      radius: up ? [radius, radius, 0, 0] : [0, 0, radius, radius],
    })
    if (estimated) outline(pen, box, color)
  }
  const y = Math.round(zero) + 0.5
  drawLine(pen, [plot.left, y], [right, y], palette.baseLine)
}

/** The label is above the plot, at the left of the line. */
const nowWordWidth = 40

/** The left edge of a plate for a column that ends at `end`, on the column's side of the line if there is space. */
export const clearOfNow = ({ nowMs }: ChartModel, plot: Plot, { left, right: end }: Sides, width: number): number => {
  const line = nowMs === undefined ? null : plot.x(nowMs)
  if (line === null || left > line || left + width < line - nowWordWidth) return left
  const [before, after] = [line - nowWordWidth - width, line + 3]
  const isAfterFree = after + width <= plot.left + plot.width
  return (end <= line && before >= plot.left) || !isAfterFree ? before : after
}

export const drawExtremes = (pen: Pen, series: ChartSeries, model: ChartModel, plot: Plot, palette: Palette) => {
  const extremes = extremesOf(series)
  if (!extremes) return
  const [right, bottom] = [plot.left + plot.width, plot.top + plot.height]
  const zero = Math.min(bottom, Math.max(plot.top, plot.y(0)))
  const named =
    extremes.lowest.value < 0 && extremes.lowest.ms !== extremes.highest.ms
      ? [extremes.highest, extremes.lowest]
      : [extremes.highest]
  for (const { ms, value } of named) {
    const endMs = endOf(series, series.x.indexOf(ms))
    const middle = plot.x((ms + endMs) / 2)
    if (middle < plot.left || middle > right) continue
    const number = formatNumber(value, { decimals: model.decimals })
    const words = value < 0 ? (model.lowestWords ?? number) : number
    const width = plateWidth(pen, words)
    const centred = Math.min(right - width, Math.max(plot.left, middle - width / 2))
    const lowest = bottom - plateHeight / 2
    const y = value >= 0 ? Math.min(plot.y(value), zero) - 9 : Math.min(lowest, Math.max(plot.y(value), zero) + 10)
    const left = y < plot.top + 10 ? clearOfNow(model, plot, { left: centred, right: plot.x(endMs) }, width) : centred
    drawPlate(pen, left, y, words, palette)
  }
}

/** Columns within a horizontal strip, which a plate must not cover. */
const columnsIn = (model: ChartModel, { x, y }: Plot, top: number, bottom: number): Sides[] =>
  model.series
    .filter((series) => series.kind === 'column' && isDrawn(series))
    .flatMap((series) =>
      columnsOf(series).flatMap(({ fromMs, toMs, value }) =>
        y(Math.max(0, value)) < bottom && y(Math.min(0, value)) > top ? [{ left: x(fromMs), right: x(toMs) }] : [],
      ),
    )

const linesIn = (model: ChartModel, { left, x, y }: Plot, top: number, bottom: number): Sides[] => {
  const runs: Sides[] = []
  for (const series of model.series) {
    if (series.kind === 'column' || !isDrawn(series)) continue
    let before: { x: number; y: number } | null = null
    series.x.forEach((ms, i) => {
      const value = series.y[i] ?? null
      const at = value === null ? null : { x: x(ms), y: y(value, series.side) }
      const from = before ?? at
      before = at
      if (!at || !from || at.x < left || Math.min(from.y, at.y) > bottom || Math.max(from.y, at.y) < top) return
      const last = runs.at(-1)
      if (last && from.x <= last.right) last.right = Math.max(last.right, at.x + lineRoom)
      else runs.push({ left: from.x - lineRoom, right: at.x + lineRoom })
    })
  }
  return runs
}

/** Between a plate and a vertical line. */
const lineRoom = 4

const drawThresholds = (pen: Pen, model: ChartModel, plot: Plot, palette: Palette) => {
  const [left, right] = [plot.left, plot.left + plot.width]
  for (const { name, value, plate: plateAt, side } of model.thresholds ?? []) {
    const y = Math.round(plot.y(value)) + 0.5
    if (y < plot.top - 1 || y > plot.top + plot.height + 1) continue
    drawLine(pen, [left, y], [right, y], palette.ink2, [4, 3])
    const words = `${name} ${formatNumber(value, { decimals: model.decimals })}${side === 'right' ? '' : ` ${model.unit}`}`
    const middles = plateAt === 'above' ? [y - 10, y + 10] : [y + 10, y - 10]
    const covered = (middle: number) => {
      const strip = [middle - plateHeight / 2, middle + plateHeight / 2] as const
      const boxes = [...columnsIn(model, plot, ...strip), ...linesIn(model, plot, ...strip)]
      if (model.nowMs !== undefined) boxes.push({ left: plot.x(model.nowMs) - 1, right: plot.x(model.nowMs) + 1 })
      return boxes
    }
    const [defaultMiddle = y] = middles
    if (side === 'right') {
      // The legend has a figure of the chart itself too, so without space its plate is omitted.
      const plateLeft = clearLeft({ left, right }, plateWidth(pen, words), covered(defaultMiddle))
      if (plateLeft !== null) drawPlate(pen, plateLeft, defaultMiddle, words, palette)
      continue
    }
    // With its value, or the name only when that is too wide.
    const clear = [words, name].flatMap((text) =>
      middles
        .filter((middle) => middle >= plot.top && middle <= plot.top + plot.height)
        .flatMap((middle) => {
          const plateLeft = clearFromLeft({ left: left + 6, right }, plateWidth(pen, text), covered(middle))
          return plateLeft === null ? [] : [{ plateLeft, middle, text }]
        }),
    )
    // At its default position if that is free, else anywhere without covering content.
    const place = clear.find(({ plateLeft, text }) => plateLeft === left + 6 && text === words) ?? clear[0]
    drawPlate(pen, place?.plateLeft ?? left + 6, place?.middle ?? defaultMiddle, place?.text ?? words, palette)
  }
}

const drawMoment = (pen: Pen, { span }: ChartModel, plot: Plot, palette: Palette, atMs: number, words: string) => {
  if (atMs < span.fromMs || atMs > span.toMs) return
  const x = Math.round(plot.x(atMs)) + 0.5
  if (x < plot.left || x > plot.left + plot.width) return
  const atLeft = x - plot.left > 34
  drawLine(pen, [x, plot.top - 6], [x, plot.top + plot.height], palette.ink2)
  write(pen, words, [atLeft ? x - 5 : x + 5, plot.top - 5], {
    color: palette.ink2,
    align: atLeft ? 'right' : 'left',
    font: fontOf(11, 500),
  })
}

const drawLiveEnd = (pen: Pen, model: ChartModel, plot: Plot, palette: Palette) => {
  const series = model.series[0]
  if (!model.liveEnd || !series) return
  let last = indexAt(series.x, model.span.toMs)
  while (last >= 0 && (series.y[last] ?? null) === null) last--
  const [ms, value] = [series.x[last], series.y[last]]
  if (ms === undefined || value === null || value === undefined) return
  const [x, right] = [plot.x(ms), plot.left + plot.width]
  if (x < plot.left || x > right + 1) return
  const y = Math.min(plot.top + plot.height, Math.max(plot.top, plot.y(value)))
  const color = palette.data(model.stale ? 6 : series.colour)
  fillCircle(pen, x, y, 7, color, 0.18)
  fillCircle(pen, x, y, 4, palette.card)
  fillCircle(pen, x, y, 3, color)
  if (model.liveEnd === 'dot') return
  const words = formatNumber(value, { decimals: model.decimals })
  const plate = { x: right + 9, y: y - 10, width: words.length * 6.6 + 10, height: 20 }
  fillBox(pen, plate, color, { radius: 6 })
  const middle = [plate.x + plate.width / 2, y + 0.5] as const
  write(pen, words, middle, { color: palette.onData1, font: fontOf(11.5, 600), align: 'center' })
}

export const drawOverlay = (pen: Pen, model: ChartModel, plot: Plot, palette: Palette, nowWord: string) => {
  drawThresholds(pen, model, plot, palette)
  if (model.nowMs !== undefined) drawMoment(pen, model, plot, palette, model.nowMs, nowWord)
  if (model.moment) drawMoment(pen, model, plot, palette, model.moment.atMs, model.moment.words)
  drawLiveEnd(pen, model, plot, palette)
}
