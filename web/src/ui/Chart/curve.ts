import { carbonColour } from '#ui/theme/tokens.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { type ChartModel, type ChartSeries, isDrawn } from './model.ts'
import type { Palette } from './palette.ts'
import { type Fill, fillCircle, type Pen } from './pen.ts'
import type { Plot } from './plot.ts'
import { type Point, linePoints, splitEstimated, stepPoints } from './shape.ts'

const densePoints = 400
/** With more points dots would touch; an isolated point always has one, because no line leads to it. */
const dottedPoints = 40
const dash = [4, 3]
const areaOpacity = 0.16
const carbonAreaOpacity = 0.14

/** Connected points in pixels: a null ends a run. */
const runsOf = (points: readonly Point[], plot: Plot, { kind, side }: ChartSeries): [x: number, y: number][][] => {
  const runs: [number, number][][] = []
  let run: [number, number][] | null = null
  for (const [ms, value] of points) {
    if (value === null || !Number.isFinite(value)) {
      run = null
      continue
    }
    const [x, y] = [plot.x(ms), plot.y(value, side)]
    const before = run?.at(-1)
    if (!run) runs.push((run = []))
    if (before && kind === 'step') run.push([x, before[1]])
    run.push([x, y])
  }
  return runs
}

const follow = (pen: Pen, run: readonly [x: number, y: number][]) =>
  run.forEach(([x, y], i) => (i === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)))

const rangeOf = (points: readonly Point[]): { low: number; high: number } | null => {
  let [low, high] = [Infinity, -Infinity]
  for (const [, value] of points) {
    if (value === null || !Number.isFinite(value)) continue
    if (value < low) low = value
    if (value > high) high = value
  }
  return low > high ? null : { low, high }
}

const carbonFill = (pen: Pen, plot: Plot, { low, high }: { low: number; high: number }): Fill => {
  if (high - low < 1) return carbonColour(low)
  const gradient = pen.createLinearGradient(0, plot.y(high), 0, plot.y(low))
  for (let i = 0; i <= 12; i++) gradient.addColorStop(i / 12, carbonColour(high - (i / 12) * (high - low)))
  return gradient
}

/** The base of an area: zero when values are on both sides of it, else the bottom of the plot. */
const baseOf = ({ axis, top, height, y }: Plot) => (axis.min < 0 && axis.max > 0 ? y(0) : top + height)

const areaFill = (pen: Pen, plot: Plot, { low, high }: { low: number; high: number }, color: string): Fill => {
  const base = baseOf(plot)
  const [top, bottom] = [Math.min(base, plot.y(high)), Math.max(base, plot.y(low))]
  const gradient = pen.createLinearGradient(0, top, 0, bottom)
  const turn = bottom > top ? (base - top) / (bottom - top) : 1
  if (turn > 0) gradient.addColorStop(0, color)
  gradient.addColorStop(turn, `${color}00`)
  if (turn < 1) gradient.addColorStop(1, color)
  return gradient
}

type Pair = { required: ChartSeries; delivered: ChartSeries }
type Look = { stale: boolean; alone: boolean; dashed?: boolean }

const drawCurve = (
  pen: Pen,
  plot: Plot,
  palette: Palette,
  series: ChartSeries,
  points: readonly Point[],
  look: Look,
) => {
  const range = rangeOf(points)
  if (!range) return
  const runs = runsOf(points, plot, series)
  const color = palette.data(look.stale ? 6 : series.colour)
  const isCarbon = series.scale === 'carbon' && !look.stale
  const stroke = isCarbon ? carbonFill(pen, plot, range) : color
  if (look.alone) {
    const base = baseOf(plot)
    pen.beginPath()
    for (const run of runs) {
      const [first, last] = [run[0], run.at(-1)]
      if (!first || !last) continue
      follow(pen, [[first[0], base], ...run, [last[0], base]])
      pen.closePath()
    }
    pen.globalAlpha = isCarbon ? carbonAreaOpacity : areaOpacity
    pen.fillStyle = isCarbon ? stroke : areaFill(pen, plot, range, color)
    pen.fill()
    pen.globalAlpha = 1
  }
  pen.beginPath()
  for (const run of runs) follow(pen, run)
  pen.strokeStyle = stroke
  pen.lineWidth = series.scale ? 2 : points.length > densePoints ? 1.25 : 1.5
  pen.lineJoin = 'round'
  pen.setLineDash(look.dashed || series.colour === 6 ? dash : [])
  pen.stroke()
  if (!series.centred) return
  const dots = points.length <= dottedPoints ? runs : runs.filter(({ length }) => length === 1)
  for (const [x, y] of dots.flat()) {
    fillCircle(pen, x, y, 3.5, palette.card)
    fillCircle(pen, x, y, 2, color)
  }
}

const shortfallOpacity = 0.28

/** Values of a line at the instants of another, because decimated lines rarely share instants. Null in a gap. */
const alongside = ({ x, y }: ChartSeries, instants: readonly number[], gaps: readonly Span[]): (number | null)[] => {
  let i = 0
  return instants.map((ms) => {
    while (i + 1 < x.length && (x[i + 1] ?? Infinity) <= ms) i++
    const [fromMs = Infinity, from = null, toMs = -Infinity, to = null] = [x[i], y[i], x[i + 1], y[i + 1]]
    if (ms === fromMs || from === null) return from
    if (ms < fromMs || ms > toMs || to === null || gaps.some((gap) => ms > gap.fromMs && ms < gap.toMs)) return null
    return from + ((to - from) * (ms - fromMs)) / (toMs - fromMs)
  })
}

/** The area between the lines where `delivered` is below `required` and both are known. */
const drawShortfall = (
  pen: Pen,
  { required, delivered }: Pair,
  plot: Plot,
  palette: Palette,
  gaps: readonly Span[],
) => {
  const deliveredAt = alongside(delivered, required.x, gaps)
  const known = required.x.map((ms, i) => ({
    x: plot.x(ms),
    most: required.y[i] ?? null,
    least: deliveredAt[i] ?? null,
  }))
  pen.beginPath()
  known.forEach(({ x, most, least }, i) => {
    const next = known[i + 1]
    if (!next || most === null || least === null || next.most === null || next.least === null) return
    if (least >= most && next.least >= next.most) return
    pen.moveTo(x, plot.y(most))
    pen.lineTo(next.x, plot.y(next.most))
    pen.lineTo(next.x, plot.y(Math.min(next.most, next.least)))
    pen.lineTo(x, plot.y(Math.min(most, least)))
    pen.closePath()
  })
  pen.globalAlpha = shortfallOpacity
  pen.fillStyle = palette.data(2)
  pen.fill()
  pen.globalAlpha = 1
}

const bandOpacity = 0.62

const drawBand = (pen: Pen, { x, y, under = [], colour }: ChartSeries, plot: Plot, palette: Palette) => {
  pen.beginPath()
  x.forEach((ms, i) => {
    const [value, next, nextMs] = [y[i] ?? null, y[i + 1] ?? null, x[i + 1]]
    if (value === null || next === null || nextMs === undefined) return
    const [low, nextLow] = [under[i] ?? 0, under[i + 1] ?? 0]
    pen.moveTo(plot.x(ms), plot.y(low))
    pen.lineTo(plot.x(ms), plot.y(low + value))
    pen.lineTo(plot.x(nextMs), plot.y(nextLow + next))
    pen.lineTo(plot.x(nextMs), plot.y(nextLow))
    pen.closePath()
  })
  pen.globalAlpha = bandOpacity
  pen.fillStyle = palette.data(colour)
  pen.fill()
  pen.globalAlpha = 1
}

/** Estimated parts are dashed, and a single line has an area below it. */
export const drawCurves = (pen: Pen, model: ChartModel, plot: Plot, palette: Palette) => {
  const drawn = model.series.filter(isDrawn)
  const stale = model.stale ?? false
  const [required, delivered] = [model.shortfall?.required, model.shortfall?.delivered].map((name) =>
    model.series.find((one) => one.name === name),
  )
  if (required && delivered) drawShortfall(pen, { required, delivered }, plot, palette, model.gaps ?? [])
  for (const series of drawn) {
    if (series.kind === 'column') continue
    if (series.under) {
      drawBand(pen, series, plot, palette)
      continue
    }
    const points = series.ends && !series.centred ? stepPoints(series) : linePoints(series, model.gaps)
    const parts = splitEstimated(points, series.estimated)
    drawCurve(pen, plot, palette, series, parts.measured, { stale, alone: drawn.length === 1 })
    drawCurve(pen, plot, palette, series, parts.estimated, { stale: false, alone: false, dashed: true })
  }
}
