import { formatNumber } from '@gridmast/contract/numbers.ts'
import type { Span } from '@gridmast/contract/time.ts'
import type { EChartsOption, LineSeriesOption, SeriesOption } from 'echarts'
import { type ChartModel, type ChartSeries, hasValues, isDrawn } from './model.ts'
import { columns, overlay, underlay } from './overlay.ts'
import { carbonColour } from '#ui/theme/carbon.ts'
import { margins, startsAboveZero, valueAxisOf } from './plot.ts'
import type { Palette } from './palette.ts'
import { type Point, columnTicks, linePoints, splitEstimated, stepPoints, timeLabel, timeTicks } from './shape.ts'

export type View = { span: Span; width: number; words: { now: string; notFromZero: string } }

/** From here on a line is so dense that it is drawn thinner. */
const densePoints = 400
const pixelsPerTick = 60
const pixelsPerShortTick = 34

/** As many decimals as the step of the axis needs, so that no two ticks read the same. */
const stepDecimals = (step: number): number => {
  for (let decimals = 0; decimals < 6; decimals++)
    if (Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) < 1e-6) return decimals
  return 6
}

const area = (color: string) => ({
  opacity: 1,
  color: {
    type: 'linear' as const,
    x: 0,
    y: 0,
    x2: 0,
    y2: 1,
    colorStops: [
      { offset: 0, color: `${color}29` },
      { offset: 1, color: `${color}00` },
    ],
  },
  origin: 'start' as const,
})

/** The line's own box is what a gradient is measured on: its top is the highest value, its bottom the lowest. */
const carbonGradient = (data: Point[]) => {
  const values = data.flatMap(([, value]) => (value === null ? [] : [value]))
  const [low, high] = [Math.min(...values), Math.max(...values)]
  if (values.length === 0 || high - low < 1) return carbonColour(values.length === 0 ? 0 : low)
  const stops = Array.from({ length: 13 }, (_, i) => i / 12)
  return {
    type: 'linear' as const,
    x: 0,
    y: 0,
    x2: 0,
    y2: 1,
    colorStops: stops.map((offset) => ({ offset, color: carbonColour(high - offset * (high - low)) })),
  }
}

/** Pairs in one typed array: the engine copies every array of an option deeply, a typed one it takes as it is. */
const packed = (points: readonly Point[]): NonNullable<LineSeriesOption['data']> => {
  const pairs = new Float64Array(points.length * 2)
  points.forEach(([ms, value], i) => {
    pairs[2 * i] = ms
    pairs[2 * i + 1] = value ?? Number.NaN
  })
  return pairs as unknown as NonNullable<LineSeriesOption['data']> // taken by every series, declared for some only
}

const lineOf = (
  series: ChartSeries,
  data: Point[],
  palette: Palette,
  { alone = false, dashed = false, stale = false },
): LineSeriesOption => {
  const color = palette.data(stale ? 6 : series.colour)
  const stroke = series.scale === 'carbon' && !stale ? carbonGradient(data) : color
  return {
    type: 'line',
    // Parts of one id are merged when the next second comes, so the id says what parts there are.
    id: [series.name, alone ? 'area' : '', dashed ? 'dashed' : ''].join('/'),
    name: series.name,
    data: packed(data),
    dimensions: ['x', 'y'],
    z: 3,
    showSymbol: false,
    silent: true,
    connectNulls: false,
    ...(series.kind === 'step' ? { step: 'end' as const } : {}),
    lineStyle: {
      color: stroke,
      width: series.scale ? 2 : data.length > densePoints ? 1.25 : 1.5,
      type: dashed || series.colour === 6 ? [4, 3] : 'solid',
      join: 'round',
    },
    itemStyle: { color },
    ...(alone
      ? {
          areaStyle:
            series.scale && stroke !== color ? { color: stroke, opacity: 0.14, origin: 'start' as const } : area(color),
        }
      : {}),
  }
}

const curves = (model: ChartModel, palette: Palette): SeriesOption[] => {
  const drawn = model.series.filter(isDrawn)
  return drawn.flatMap((series): SeriesOption[] => {
    if (series.kind === 'column')
      return [
        {
          type: 'custom',
          id: series.name,
          name: series.name,
          z: 3,
          renderItem: columns(series, model, palette),
          data: [[model.span.fromMs, 0]],
          silent: true,
        },
      ]
    const points = series.ends ? stepPoints(series) : linePoints(series, model.gaps)
    const parts = splitEstimated(points, series.estimated)
    const alone = drawn.length === 1
    return [
      lineOf(series, parts.measured, palette, { alone, stale: model.stale ?? false }),
      ...(parts.estimated.length > 0 ? [lineOf(series, parts.estimated, palette, { dashed: true })] : []),
    ]
  })
}

const shapes = (
  id: string,
  renderItem: NonNullable<Extract<SeriesOption, { type?: 'custom' }>['renderItem']>,
  z: number,
): SeriesOption => ({
  type: 'custom',
  id,
  renderItem,
  z,
  data: [[0, 0]],
  silent: true,
  clip: false,
  animation: false,
})

/** What moves when time passes or the view is zoomed. */
const timeAxisOption = (model: ChartModel, { span, width }: View): NonNullable<EChartsOption['xAxis']> => {
  const room = model.timeLabels === 'hour' ? pixelsPerShortTick : pixelsPerTick
  const most = Math.max(2, Math.floor(width / room))
  const [first] = model.series
  const isMonths = model.timeLabels === 'month' && first !== undefined
  const ticks = isMonths ? columnTicks(first, most) : timeTicks(span, most)
  return {
    type: 'value',
    min: span.fromMs,
    max: span.toMs,
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { show: false },
    axisLabel: {
      show: !model.bare,
      customValues: ticks,
      formatter: (ms: number) => timeLabel(ms, span, model.timeLabels),
      hideOverlap: true,
      margin: 8,
      alignMinLabel: ticks[0] === span.fromMs ? 'left' : 'center',
      alignMaxLabel: ticks.at(-1) === span.toMs ? 'right' : 'center',
    },
  }
}

export const chartOption = (
  model: ChartModel,
  palette: Palette,
  view: View,
): EChartsOption & { series: SeriesOption[] } => {
  const axis = valueAxisOf(model)
  const decimals = axis.step < 1 ? Math.max(stepDecimals(axis.step), model.decimals) : stepDecimals(axis.step)
  // Nothing is known, so there is nothing to measure: numbers on the axis would be made up.
  const isMeasured = hasValues(model) || (model.low !== undefined && model.high !== undefined)
  const unit = startsAboveZero(model) ? `${model.unit} · ${view.words.notFromZero}` : model.unit
  const longUnit = unit.length > 4
  const axisText = { color: palette.ink3, fontSize: 11, fontFamily: "'Inter Variable', Inter, sans-serif" }
  const time = timeAxisOption(model, view)
  return {
    animation: false,
    textStyle: { fontFamily: axisText.fontFamily },
    grid: { ...margins(model), outerBoundsMode: 'none' },
    xAxis: Array.isArray(time) ? time : { ...time, axisLabel: { ...axisText, ...(time.axisLabel as object) } }, // set just above
    yAxis: {
      type: 'value',
      min: axis.min,
      max: axis.max,
      interval: axis.step,
      name: model.bare || !isMeasured ? '' : unit,
      nameLocation: 'end',
      nameGap: 13,
      nameTextStyle: longUnit
        ? { ...axisText, align: 'left', padding: [0, 0, 0, -margins(model).left] }
        : { ...axisText, align: 'right', padding: [0, 8, 0, 0] },
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: {
        show: !model.bare && isMeasured,
        ...axisText,
        margin: 8,
        formatter: (value: number) => formatNumber(value, { decimals }),
      },
      splitLine: { show: !model.bare, lineStyle: { color: palette.gridLine, width: 1 } },
    },
    series: [
      shapes('underlay', underlay(model, palette), 1),
      ...curves(model, palette),
      shapes('overlay', overlay(model, palette, view.words.now), 5),
    ],
  }
}
