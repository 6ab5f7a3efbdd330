import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { hourMs, quarterMs, type Span } from '@gridmast/contract/time.ts'
import { firstFrom, type Samples } from '#delivery/scoring/samples.ts'
import { withoutTests } from '#delivery/equipment/manual-set-points.ts'
import { readAllSamples } from '#readings/samples.ts'
import type { Bucket } from '#readings/intervals.ts'
import type { Readings } from '#readings/readings.ts'
import { aroundMs, type DayMeasured, pieceMs } from './availability.ts'

export type Signals = Record<'power' | 'capacityUp' | 'capacityDown' | 'setPoint', number | null>

export type Direction = 'up' | 'down' | 'both'

/** `aFRR-INC` is sold upward, FCR both ways. */
export const directionOf = (product: string, market: string): Direction => {
  if (product.endsWith('-INC')) return 'up'
  if (product.endsWith('-DEC')) return 'down'
  return isMarket(market) ? markets[market].direction : 'both'
}

const edgesOf = ({ fromMs, toMs }: Span, stepMs: number) =>
  Array.from({ length: (toMs - fromMs) / stepMs + 1 }, (_, i) => fromMs + i * stepMs)

const around = ({ fromMs, toMs }: Span): Span => ({ fromMs: fromMs - aroundMs, toMs: toMs + aroundMs })

type Store = Pick<Readings, 'buckets'>

/** Buckets by their start; the time between days that are not consecutive is one more bucket, which no caller reads. */
const bucketsOf = async (readings: Store, signalNo: number | null, spans: readonly Span[], stepMs: number) => {
  if (signalNo === null || spans.length === 0) return new Map<number, never>()
  const edgesMs: number[] = []
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs))
    for (const edge of edgesOf(span, stepMs)) if (edge > (edgesMs.at(-1) ?? -Infinity)) edgesMs.push(edge)
  const buckets = await readings.buckets({ signalNo, edgesMs })
  return new Map(buckets.map((bucket, i) => [edgesMs[i] ?? 0, bucket]))
}

export const readDays = async (
  readings: Store,
  { power, capacityUp, capacityDown }: Omit<Signals, 'setPoint'>,
  spans: readonly Span[],
): Promise<(span: Span, direction: Direction) => DayMeasured> => {
  const [pieces, up, down] = await Promise.all([
    bucketsOf(readings, power, spans.map(around), pieceMs),
    bucketsOf(readings, capacityUp, spans, hourMs),
    bucketsOf(readings, capacityDown, spans, hourMs),
  ])
  const meanOf = (of: typeof up, atMs: number): number | null => {
    const { count = 0, sum = 0 } = of.get(atMs) ?? {}
    return count > 0 ? sum / count : null
  }
  const availableKw = (direction: Direction, atMs: number): number | null => {
    const [above, below] = [meanOf(up, atMs), meanOf(down, atMs)]
    if (direction === 'up') return above
    if (direction === 'down') return below
    return above === null || below === null ? null : Math.min(above, below)
  }
  const piecesOf = new Map(
    spans.map((span) => [
      span.fromMs,
      edgesOf(around(span), pieceMs)
        .slice(0, -1)
        .flatMap((atMs) => {
          const { count = 0, firstMs = null, lastMs = null } = pieces.get(atMs) ?? {}
          return firstMs === null || lastMs === null ? [] : { count, firstMs, lastMs }
        }),
    ]),
  )
  return (span, direction) => ({
    span,
    pieces: piecesOf.get(span.fromMs) ?? [],
    availableKw: edgesOf(span, hourMs)
      .slice(0, -1)
      .map((atMs) => availableKw(direction, atMs)),
  })
}

/**
 * Required up and down regulation in a quarter of an hour, each as the sum of percent of the sold capacity over `count` samples, because a mean
 * is no exact decimal. Null without a sample.
 */
export type SetPoint = { up: number; down: number; count: number } | null

/** Undefined where the bucket is not enough: both directions in one quarter, or more than 100 percent. */
const fromBucket = ({ count, sum, min, max }: Bucket): SetPoint | undefined => {
  if (count === 0 || min === null || max === null) return null
  if (min >= 0 && max <= 100) return { up: sum, down: 0, count }
  if (max <= 0 && min >= -100) return { up: 0, down: -sum, count }
  return undefined
}

const fromSamples = ({ x, y }: Samples, { fromMs, toMs }: Span): SetPoint => {
  let [up, down, count] = [0, 0, 0]
  for (let i = firstFrom({ x, y }, fromMs); i < x.length && (x[i] ?? 0) < toMs; i++) {
    const percent = y[i] ?? null
    if (percent === null) continue
    count++
    up += Math.min(100, Math.max(0, percent))
    down += Math.min(100, Math.max(0, -percent))
  }
  return count === 0 ? null : { up, down, count }
}

const isWithin = (spans: readonly Span[], fromMs: number) =>
  spans.some((span) => span.fromMs < fromMs + quarterMs && span.toMs > fromMs)

const joined = (startsMs: readonly number[]): Span[] => {
  const spans: Span[] = []
  for (const fromMs of startsMs) {
    const last = spans.at(-1)
    if (last?.toMs === fromMs) last.toMs += quarterMs
    else spans.push({ fromMs, toMs: fromMs + quarterMs })
  }
  return spans
}

export const readSetPoints = async (
  readings: Pick<Readings, 'buckets' | 'samples'>,
  signalNo: number | null,
  days: readonly Span[],
  tests: readonly Span[],
): Promise<ReadonlyMap<number, SetPoint>> => {
  const setPoints = new Map<number, SetPoint>()
  if (signalNo === null || days.length === 0) return setPoints
  const buckets = await bucketsOf(readings, signalNo, days, quarterMs)
  const bySample: number[] = []
  for (const { fromMs: dayMs, toMs } of days)
    for (let fromMs = dayMs; fromMs < toMs; fromMs += quarterMs) {
      const bucket = buckets.get(fromMs)
      const setPoint = bucket === undefined || isWithin(tests, fromMs) ? undefined : fromBucket(bucket)
      if (setPoint === undefined) bySample.push(fromMs)
      else setPoints.set(fromMs, setPoint)
    }
  for (const span of joined(bySample)) {
    const [samples = { x: [], y: [] }] = await readAllSamples(readings, [signalNo], span)
    const withoutCalls = withoutTests(samples, tests)
    for (let { fromMs } = span; fromMs < span.toMs; fromMs += quarterMs)
      setPoints.set(fromMs, fromSamples(withoutCalls, { fromMs, toMs: fromMs + quarterMs }))
  }
  return setPoints
}
