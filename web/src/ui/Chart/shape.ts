import { axisLabel } from '@gridmast/contract/slots.ts'
import {
  dayMs,
  formatDate,
  formatTime,
  hourMs,
  localDateOf,
  localTime,
  minuteMs,
  type Span,
} from '@gridmast/contract/time.ts'
import { type ChartModel, type ChartSeries, type Gap, endOf, isSlots } from './model.ts'

export type ValueAxis = { min: number; max: number; step: number }

const niceSteps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
const intervals = 4

/** Five round ticks around all values; zero is a tick when values are on both sides of it. Given bounds are kept until a value exceeds them. */
export const valueAxis = (
  values: Iterable<number | null>,
  { low, high, fromZero = false }: { low?: number; high?: number; fromZero?: boolean } = {},
): ValueAxis => {
  let min = Infinity
  let max = -Infinity
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) continue
    if (value < min) min = value
    if (value > max) max = value
  }
  if (low !== undefined && high !== undefined && high > low) {
    if (min > max || (min >= low && max <= high)) return { min: low, max: high, step: (high - low) / intervals }
    ;[min, max] = [Math.min(low, min), Math.max(high, max)]
  }
  if (min > max) return { min: 0, max: 1, step: 0.25 }
  if (fromZero) [min, max] = [Math.min(0, min), Math.max(0, max)]
  // Values that differ by rounding only are one level line in the middle.
  const size = Math.max(Math.abs(min), Math.abs(max))
  if (max - min <= size * 1e-9 || size < 1e-9) [min, max] = size < 1e-9 ? [0, 1] : [min - size / 20, max + size / 20]
  const rough = (max - min) / intervals
  const power = 10 ** Math.floor(Math.log10(rough))
  const steps = [...niceSteps, ...niceSteps.map((nice) => nice * 10)].map((nice) => nice * power)
  const start = (step: number) => Math.floor(min / step + 1e-9) * step
  const fits = steps.find((step) => step >= rough * 0.999 && start(step) + intervals * step >= max - step * 1e-9)
  const step = fits ?? 100 * power
  return { min: tidy(start(step)), max: tidy(start(step) + intervals * step), step: tidy(step) }
}

const niceStep = (rough: number): number => {
  const power = 10 ** Math.floor(Math.log10(rough))
  return tidy((niceSteps.find((nice) => nice * power >= rough * 0.999) ?? 10) * power)
}

/** Aligns zero of two axes: both have as many ticks below it as the axis that needs more. */
export const alignZeros = (a: ValueAxis, b: ValueAxis): [ValueAxis, ValueAxis] => {
  const below = ({ min, step }: ValueAxis) => Math.round(-min / step)
  const under = Math.min(intervals - 1, Math.max(below(a), below(b)))
  const aligned = (axis: ValueAxis): ValueAxis => {
    if (below(axis) === under) return axis
    const rough = Math.max(Math.max(0, axis.max) / (intervals - under), under > 0 ? Math.max(0, -axis.min) / under : 0)
    const step = niceStep(rough || 1)
    return { min: tidy(-under * step), max: tidy((intervals - under) * step), step }
  }
  return [aligned(a), aligned(b)]
}

/** 0.1 + 0.2 is 0.3 on an axis. */
const tidy = (value: number) => Number(value.toPrecision(12))

const secondMs = 1000
const shortSteps = [1, 2, 5, 10, 15, 30].map((s) => s * secondMs)
const minuteSteps = [1, 2, 5, 10, 15, 30, 60].map((m) => m * minuteMs)
const hourSteps = [2, 3, 4, 6, 12]
const daySteps = [1, 2, 7, 14]

/**
 * Ticks at round Berlin clock times, at most `most`. Steps of hours count local time, so the ticks of 23- and 25-hour days stay at 03, 06, 09.
 */
export const timeTicks = ({ fromMs, toMs }: Span, most: number): number[] => {
  const length = toMs - fromMs
  // Berlin is whole hours ahead of UTC, so steps up to an hour align with the epoch.
  const step = [...shortSteps, ...minuteSteps].find((s) => length / s <= most)
  if (step) return range(Math.ceil(fromMs / step) * step, toMs, step)
  const hours = hourSteps.find((h) => length / (h * hourMs) <= most)
  const full = range(Math.ceil(fromMs / hourMs) * hourMs, toMs, hourMs)
  const hourOf = (ms: number) => Number(localTime(ms).slice(0, 2))
  if (hours) return full.filter((ms) => hourOf(ms) % hours === 0 && hourOf(ms - hourMs) !== hourOf(ms))
  const days = daySteps.find((d) => length / (d * dayMs) <= most) ?? Math.ceil(length / dayMs / most)
  const midnights = full.filter((ms) => hourOf(ms) === 0 && hourOf(ms - hourMs) !== 0)
  return midnights.filter((_, i) => i % days === 0)
}

const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, i) => from + i * step)

/** `18:12`, `18:12:05` in short windows; over several days a midnight is `20.11.`. The end of one to four days is 24:00. */
export const timeLabel = (ms: number, span: Span, labels: ChartModel['timeLabels'] = 'clock'): string => {
  if (labels === 'month') return monthLabel(ms)
  const length = span.toMs - span.fromMs
  const isMidnight = localTime(ms) === '00:00'
  const isEnd = isMidnight && ms === span.toMs && length > 12 * hourMs && length < 5 * dayMs
  const isDay = isMidnight && length > 26 * hourMs
  const clock = isEnd
    ? '24:00'
    : isDay
      ? formatDate(ms).slice(0, 6)
      : length < 6 * minuteMs
        ? formatTime(ms)
        : clockLabel(ms)
  return labels === 'hour' ? clock.replace(':00', '') : clock
}

/** `18:15`; in the repeated hour of October `02:15A`, then `02:15B`. */
export const clockLabel = (ms: number): string => axisLabel(localDateOf(ms), ms)

/** Spans without measurements: a run of nulls, or two values further apart than `maxStepMs`. */
export const findGaps = (x: readonly number[], y: readonly (number | null)[], maxStepMs: number): Span[] => {
  const gaps: Span[] = []
  let last: number | null = null
  x.forEach((ms, i) => {
    if (y[i] === null || y[i] === undefined) return
    if (last !== null && ms - last > maxStepMs) gaps.push({ fromMs: last, toMs: ms })
    last = ms
  })
  return gaps
}

export const describeGaps = (gaps: Span[], words: string): Gap[] =>
  gaps.map(({ fromMs, toMs }) => ({ fromMs, toMs, words: `${words} ${clockLabel(fromMs)}–${endLabel(toMs)}` }))

export const gapsText = (gaps: readonly Gap[], several: (count: number) => string): string | null => {
  const [first, ...others] = gaps
  if (!first) return null
  return others.length === 0 ? first.words : several(gaps.length)
}

export type Point = [x: number, y: number | null]

/** Corners of a step line: each value lasts until its end, without a bridge to a later one. */
export const stepPoints = (series: ChartSeries): Point[] =>
  series.x.flatMap((ms, i): Point[] => {
    const [value, end, next] = [series.y[i] ?? null, endOf(series, i), series.x[i + 1]]
    const isFollowed = next !== undefined && next <= end && (series.y[i + 1] ?? null) !== null
    if (value === null || isFollowed) return [[ms, value]]
    return [
      [ms, value],
      [end, value],
      [end, null],
    ]
  })

/** Points in drawing order, with a break in each gap so that no line bridges it. */
export const linePoints = (series: ChartSeries, gaps: readonly Span[] = []): Point[] => {
  const points: Point[] = series.x.map((ms, i) => [series.centred ? middleOf(series, i) : ms, series.y[i] ?? null])
  const breaks = gaps.map(({ fromMs, toMs }): Point => [(fromMs + toMs) / 2, null])
  return breaks.length === 0 ? points : [...points, ...breaks].toSorted((a, b) => a[0] - b[0])
}

const middleOf = (series: ChartSeries, i: number): number => ((series.x[i] ?? 0) + endOf(series, i)) / 2

/** Splits a line into measured and estimated parts, which share their boundary points. */
export const splitEstimated = (
  points: Point[],
  estimated: readonly Span[] = [],
): { measured: Point[]; estimated: Point[] } => {
  if (estimated.length === 0) return { measured: points, estimated: [] }
  const inside = (ms: number, open: boolean) =>
    estimated.some((s) => (open ? ms > s.fromMs && ms < s.toMs : ms >= s.fromMs && ms <= s.toMs))
  return {
    measured: points.map(([ms, value]) => [ms, inside(ms, true) ? null : value]),
    estimated: points.map(([ms, value]) => [ms, inside(ms, false) ? value : null]),
  }
}

export type Column = { fromMs: number; toMs: number; value: number; phase: 'past' | 'now' | 'coming' }

export const columnsOf = (series: ChartSeries, nowMs?: number): Column[] =>
  series.x.flatMap((fromMs, i) => {
    const value = series.y[i]
    if (value === null || value === undefined) return []
    const toMs = endOf(series, i)
    const phase = nowMs === undefined || fromMs > nowMs ? 'coming' : toMs <= nowMs ? 'past' : 'now'
    return [{ fromMs, toMs, value, phase: nowMs === undefined ? 'now' : phase }]
  })

/** Index of the last x up to `ms`, or -1. */
export const indexAt = (x: readonly number[], ms: number): number => {
  let low = 0
  let high = x.length
  while (low < high) {
    const mid = (low + high) >> 1
    if ((x[mid] ?? Infinity) <= ms) low = mid + 1
    else high = mid
  }
  return low - 1
}

export type ValueAt = { series: ChartSeries; ms: number; endMs: number; value: number | null }

/** Values at an instant: the nearest point of a line, or the column or step around it. */
export const valuesAt = (series: readonly ChartSeries[], ms: number): ValueAt[] =>
  series.flatMap((s) => {
    const before = indexAt(s.x, ms)
    const next = before + 1
    const nearer =
      s.kind === 'line' &&
      !s.centred &&
      next < s.x.length &&
      (before < 0 || (s.x[next] ?? 0) - ms < ms - (s.x[before] ?? 0))
        ? next
        : before
    const at = s.x[nearer]
    if (at === undefined) return []
    if (isSlots(s) && ms >= endOf(s, nearer)) return []
    return [{ series: s, ms: at, endMs: endOf(s, nearer), value: s.y[nearer] ?? null }]
  })

export const tableRows = (model: ChartModel): { ms: number; values: (number | null)[] }[] => {
  const rows = new Map<number, (number | null)[]>()
  model.series.forEach((s, column) =>
    s.x.forEach((ms, i) => {
      const values = rows.get(ms) ?? model.series.map(() => null)
      values[column] = s.y[i] ?? null
      rows.set(ms, values)
    }),
  )
  return [...rows].map(([ms, values]) => ({ ms, values })).toSorted((a, b) => a.ms - b.ms)
}

export const isOneDay = ({ fromMs, toMs }: Span): boolean => localDateOf(fromMs) === localDateOf(toMs - 1)

/** As `clockLabel` for an end: midnight is 24:00 of the previous day. */
export const endLabel = (ms: number): string => (localDateOf(ms - 1) !== localDateOf(ms) ? '24:00' : clockLabel(ms))

/** `18–19` for a full hour, else `18:15–18:30`; the last slot of a day ends at 24, the repeated hours are `02A–03` and `02B–03`. */
export const slotLabel = (fromMs: number, toMs: number): string => {
  const [from, to] = [clockLabel(fromMs), endLabel(toMs)]
  if (!from.slice(2).startsWith(':00') || !to.slice(2).startsWith(':00')) return `${from}–${to}`
  const isFirstPass = from.endsWith('A') && to.endsWith('B')
  return `${from.replace(':00', '')}–${isFirstPass ? clockLabel(toMs + hourMs).slice(0, 2) : to.slice(0, 2)}`
}

/** `05.2026` */
export const monthLabel = (ms: number): string => formatDate(ms).slice(3)

export const slotWords = (fromMs: number, toMs: number): string =>
  toMs - fromMs > 2 * dayMs ? monthLabel(fromMs) : `${formatDate(fromMs)} ${slotLabel(fromMs, toMs)}`

export const columnTicks = (series: ChartSeries, most: number): number[] => {
  const every = Math.max(1, Math.ceil(series.x.length / most))
  return series.x.flatMap((ms, i) => (i % every === 0 ? [(ms + endOf(series, i)) / 2] : []))
}

export type Extreme = { ms: number; value: number }

export const extremesOf = (
  series: Pick<ChartSeries, 'x' | 'y'>,
): { lowest: Extreme; highest: Extreme; latest: Extreme } | null => {
  let extremes: { lowest: Extreme; highest: Extreme; latest: Extreme } | null = null
  series.x.forEach((ms, i) => {
    const value = series.y[i]
    if (value === null || value === undefined) return
    const point = { ms, value }
    extremes = extremes
      ? {
          lowest: value < extremes.lowest.value ? point : extremes.lowest,
          highest: value > extremes.highest.value ? point : extremes.highest,
          latest: point,
        }
      : { lowest: point, highest: point, latest: point }
  })
  return extremes
}
