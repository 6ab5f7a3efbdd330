import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams, CustomSeriesRenderItemReturn } from 'echarts'
import { type ChartModel, type ChartSeries, endOf, isDrawn } from './model.ts'
import type { Palette } from './palette.ts'
import { type Box, clearLeft, fontOf, plate, plateHeight, plateWidth } from './plate.ts'
import { columnsOf, extremesOf, indexAt } from './shape.ts'

/** Parts that ECharts has no series for, drawn as shapes in the plot's own pixels. */
type Rect = { x: number; y: number; width: number; height: number }
type Shape = Record<string, unknown>
type Place = { rect: Rect; atX: (ms: number) => number; atY: (value: number) => number }

const placeOf = (params: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI): Place => {
  const rect = params.coordSys as unknown as Rect // a cartesian grid, the only system used here
  return { rect, atX: (ms) => api.coord([ms, 0])[0] ?? 0, atY: (value) => api.coord([0, value])[1] ?? 0 }
}

const group = (children: Shape[]) =>
  ({ type: 'group', silent: true, children }) as unknown as CustomSeriesRenderItemReturn // shapes are built from parts, which the union type cannot follow

const clampedRect = ({ rect, atX }: Place, fromMs: number, toMs: number): Rect | null => {
  const left = Math.max(rect.x, atX(fromMs))
  const right = Math.min(rect.x + rect.width, atX(toMs))
  return right - left < 0.5 ? null : { x: left, y: rect.y, width: right - left, height: rect.height }
}

const onCard = ({ ink2, card }: Palette) => ({ ink: ink2, card })

const text = (x: number, y: number, words: string, style: Shape): Shape => ({
  type: 'text',
  style: { x, y, text: words, font: fontOf(11), verticalAlign: 'middle', ...style },
})

let hatchTile: { color: string; image: HTMLCanvasElement } | null = null
const hatchOf = (color: string): HTMLCanvasElement => {
  if (hatchTile?.color === color) return hatchTile.image
  const image = document.createElement('canvas')
  image.width = 8
  image.height = 8
  const context = image.getContext('2d')
  if (context) {
    context.strokeStyle = color
    context.lineWidth = 1
    for (const shift of [-8, 0, 8]) {
      context.beginPath()
      context.moveTo(shift, 8)
      context.lineTo(shift + 8, 0)
      context.stroke()
    }
  }
  hatchTile = { color, image }
  return image
}

/** Below the curves: what lies ahead, the band between two thresholds, and gaps. */
export const underlay =
  (model: ChartModel, palette: Palette) =>
  (params: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI): CustomSeriesRenderItemReturn => {
    const place = placeOf(params, api)
    const shapes: Shape[] = []
    const fill = (shape: Rect | null, style: Shape) => shape && shapes.push({ type: 'rect', shape, style })
    if (model.futureFromMs !== undefined)
      fill(clampedRect(place, model.futureFromMs, model.span.toMs), { fill: palette.sub })
    const [first, second] = model.thresholds ?? []
    if (model.band && first && second) {
      const [top, bottom] = [
        place.atY(Math.max(first.value, second.value)),
        place.atY(Math.min(first.value, second.value)),
      ]
      const { x, width } = place.rect
      fill({ x, width, y: top, height: bottom - top }, { fill: palette.data(1), opacity: 0.05 })
    }
    for (const window of model.windows ?? []) {
      const shape = clampedRect(place, window.fromMs, window.toMs)
      fill(shape, { fill: palette.sub })
      if (shape && shape.width > window.words.length * 6)
        shapes.push(text(shape.x + shape.width / 2, shape.y + 9, window.words, { fill: palette.ink2, align: 'center' }))
    }
    for (const gap of model.gaps ?? []) {
      const shape = clampedRect(place, gap.fromMs, gap.toMs)
      if (!shape || shape.width < 2) continue
      fill(shape, { fill: { image: hatchOf(palette.hatch), repeat: 'repeat' } })
      const width = plateWidth(gap.words)
      if (shape.width > width)
        shapes.push(
          ...plate(shape.x + (shape.width - width) / 2, shape.y + shape.height / 2, gap.words, onCard(palette)),
        )
    }
    return group(shapes)
  }

/** Gap between columns as a share of the slot. */
const columnGap = 0.18
/** Wider columns, such as four months on a whole page, would be blocks. */
const widestColumn = 110

export const columns =
  (series: ChartSeries, model: ChartModel, palette: Palette) =>
  (params: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI): CustomSeriesRenderItemReturn => {
    const place = placeOf(params, api)
    const { rect } = place
    const zero = Math.min(rect.y + rect.height, Math.max(rect.y, place.atY(0)))
    const shapes: Shape[] = []
    for (const { fromMs, toMs, value, phase } of columnsOf(series, model.nowMs)) {
      const [left, right] = [place.atX(fromMs), place.atX(toMs)]
      if (right <= rect.x || left >= rect.x + rect.width) continue
      const gap = Math.max((right - left) * columnGap, right - left - widestColumn)
      const end = place.atY(value)
      const up = value >= 0
      const height = value === 0 ? 1 : Math.max(up ? 1 : 2, Math.abs(end - zero))
      const radius = Math.min(3, (right - left) / 4)
      shapes.push({
        type: 'rect',
        shape: {
          x: left + gap / 2,
          y: up ? zero - height : zero,
          width: right - left - gap,
          height,
          r: up ? [radius, radius, 0, 0] : [0, 0, radius, radius],
        },
        style: { fill: palette.data(model.stale ? 6 : up ? series.colour : 3), opacity: phase === 'past' ? 0.45 : 1 },
      })
    }
    shapes.push({
      type: 'line',
      shape: { x1: rect.x, x2: rect.x + rect.width, y1: zero, y2: zero },
      style: { stroke: palette.baseLine, lineWidth: 1 },
    })
    if (model.extremes) shapes.push(...extremeLabels(series, model, palette, place, zero))
    return group(shapes)
  }

const extremeLabels = (
  series: ChartSeries,
  model: ChartModel,
  palette: Palette,
  place: Place,
  zero: number,
): Shape[] => {
  const found = extremesOf(series)
  if (!found) return []
  const { rect } = place
  const middle = (ms: number) => place.atX((ms + endOf(series, series.x.indexOf(ms))) / 2)
  const named =
    found.lowest.value < 0 && found.lowest.ms !== found.highest.ms ? [found.highest, found.lowest] : [found.highest]
  return named
    .filter(({ ms }) => middle(ms) >= rect.x && middle(ms) <= rect.x + rect.width)
    .flatMap(({ ms, value }) => {
      const up = value >= 0
      const number = formatNumber(value, { decimals: model.decimals })
      const words = value < 0 ? (model.lowestWords ?? number) : number
      const width = plateWidth(words)
      const left = Math.min(rect.x + rect.width - width, Math.max(rect.x, middle(ms) - width / 2))
      const bottom = rect.y + rect.height - plateHeight / 2
      const y = up ? Math.min(place.atY(value), zero) - 9 : Math.min(bottom, Math.max(place.atY(value), zero) + 10)
      return plate(left, y, words, onCard(palette))
    })
}

/** Columns that reach into a strip between two heights, as the boxes that a plate there must not cover. */
const columnsIn = (model: ChartModel, { atX, atY }: Place, top: number, bottom: number): Box[] =>
  model.series.flatMap((series) =>
    series.kind === 'column' && isDrawn(series)
      ? columnsOf(series).flatMap(({ fromMs, toMs, value }) => {
          const [low, high] = [atY(Math.min(0, value)), atY(Math.max(0, value))]
          return high < bottom && low > top ? [{ left: atX(fromMs), right: atX(toMs), top: high, bottom: low }] : []
        })
      : [],
  )

const thresholdShapes = (model: ChartModel, palette: Palette, place: Place): Shape[] =>
  (model.thresholds ?? []).flatMap(({ name, value, plate: plateAt, side }) => {
    const { rect, atY } = place
    const y = Math.round(atY(value)) + 0.5
    if (y < rect.y - 1 || y > rect.y + rect.height + 1) return []
    const words = `${name} ${formatNumber(value, { decimals: model.decimals })}${side === 'right' ? '' : ` ${model.unit}`}`
    const width = plateWidth(words)
    const middle = plateAt === 'above' ? y - 10 : y + 10
    const room = { left: rect.x, right: rect.x + rect.width }
    const boxes = columnsIn(model, place, middle - plateHeight / 2, middle + plateHeight / 2)
    const left = side === 'right' ? (clearLeft(room, width, boxes) ?? room.right - width) : rect.x + 6
    return [
      {
        type: 'line',
        shape: { x1: rect.x, x2: rect.x + rect.width, y1: y, y2: y },
        style: { stroke: palette.ink2, lineWidth: 1, lineDash: [4, 3] },
      },
      ...plate(left, middle, words, onCard(palette)),
    ]
  })

const nowShapes = (model: ChartModel, palette: Palette, words: string, { rect, atX }: Place): Shape[] => {
  if (model.nowMs === undefined || model.nowMs < model.span.fromMs || model.nowMs > model.span.toMs) return []
  const x = Math.round(atX(model.nowMs)) + 0.5
  if (x < rect.x || x > rect.x + rect.width) return []
  const atLeft = x - rect.x > 34
  return [
    {
      type: 'line',
      shape: { x1: x, x2: x, y1: rect.y - 6, y2: rect.y + rect.height },
      style: { stroke: palette.ink2, lineWidth: 1 },
    },
    text(atLeft ? x - 5 : x + 5, rect.y - 5, words, {
      fill: palette.ink2,
      align: atLeft ? 'right' : 'left',
      font: fontOf(11, 500),
    }),
  ]
}

const liveEndShapes = (model: ChartModel, palette: Palette, { rect, atX, atY }: Place): Shape[] => {
  const series = model.series[0]
  if (!model.liveEnd || !series) return []
  let last = indexAt(series.x, model.span.toMs)
  while (last >= 0 && (series.y[last] ?? null) === null) last--
  const [ms, value] = [series.x[last], series.y[last]]
  if (ms === undefined || value === null || value === undefined) return []
  const [x, rawY] = [atX(ms), atY(value)]
  if (x < rect.x || x > rect.x + rect.width + 1) return []
  const y = Math.min(rect.y + rect.height, Math.max(rect.y, rawY))
  const color = palette.data(model.stale ? 6 : series.colour)
  const dot: Shape[] = [
    { type: 'circle', shape: { cx: x, cy: y, r: 7 }, style: { fill: color, opacity: 0.18 } },
    { type: 'circle', shape: { cx: x, cy: y, r: 3.5 }, style: { fill: color, stroke: palette.card, lineWidth: 1 } },
  ]
  if (model.liveEnd === 'dot') return dot
  const words = formatNumber(value, { decimals: model.decimals })
  const [plateX, plateWidth] = [rect.x + rect.width + 9, words.length * 6.6 + 10]
  return [
    ...dot,
    { type: 'rect', shape: { x: plateX, y: y - 10, width: plateWidth, height: 20, r: 6 }, style: { fill: color } },
    text(plateX + plateWidth / 2, y + 0.5, words, { fill: palette.onData1, font: fontOf(11.5, 600), align: 'center' }),
  ]
}

/** Above the curves: thresholds with their plates, the now line, the live end. */
export const overlay =
  (model: ChartModel, palette: Palette, nowWord: string) =>
  (params: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI): CustomSeriesRenderItemReturn => {
    const place = placeOf(params, api)
    return group([
      ...thresholdShapes(model, palette, place),
      ...nowShapes(model, palette, nowWord, place),
      ...liveEndShapes(model, palette, place),
    ])
  }
