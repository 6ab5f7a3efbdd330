import { readAllSamples } from '#readings/samples.ts'
import { quarterMs, type Span } from '@gridmast/contract/time.ts'
import { firstFrom, type Samples } from '#delivery/scoring/samples.ts'
import { withoutTests } from '#delivery/equipment/manual-set-points.ts'
import type { Bucket } from '#readings/intervals.ts'
import type { Readings } from '#readings/readings.ts'
import { bucketsOf } from './measured.ts'

/**
 * Required up and down regulation in a quarter of an hour, each as the sum of percent of the sold capacity over `count` samples, because a mean
 * is no exact decimal. Null without a sample.
 */
export type Asked = { up: number; down: number; count: number } | null

/** Undefined where the bucket is not enough: both directions in one quarter, or more than 100 percent. */
const fromBucket = ({ count, sum, min, max }: Bucket): Asked | undefined => {
  if (count === 0 || min === null || max === null) return null
  if (min >= 0 && max <= 100) return { up: sum, down: 0, count }
  if (max <= 0 && min >= -100) return { up: 0, down: -sum, count }
  return undefined
}

const fromSamples = ({ x, y }: Samples, { fromMs, toMs }: Span): Asked => {
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
): Promise<ReadonlyMap<number, Asked>> => {
  const asked = new Map<number, Asked>()
  if (signalNo === null || days.length === 0) return asked
  const buckets = await bucketsOf(readings, signalNo, days, quarterMs)
  const bySample: number[] = []
  for (const { fromMs: dayMs, toMs } of days)
    for (let fromMs = dayMs; fromMs < toMs; fromMs += quarterMs) {
      const bucket = buckets.get(fromMs)
      const found = bucket === undefined || isWithin(tests, fromMs) ? undefined : fromBucket(bucket)
      if (found === undefined) bySample.push(fromMs)
      else asked.set(fromMs, found)
    }
  for (const span of joined(bySample)) {
    const [samples = { x: [], y: [] }] = await readAllSamples(readings, [signalNo], span)
    const called = withoutTests(samples, tests)
    for (let { fromMs } = span; fromMs < span.toMs; fromMs += quarterMs)
      asked.set(fromMs, fromSamples(called, { fromMs, toMs: fromMs + quarterMs }))
  }
  return asked
}
