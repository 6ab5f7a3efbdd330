import { dayMs, hourMs, minuteMs } from '@gridmast/contract/time.ts'

export type Points = { x: number[]; y: (number | null)[] }

export type Extremes = {
  count: number
  min: number
  minAtMs: number
  max: number
  maxAtMs: number
  firstAtMs: number
  first: number
  lastAtMs: number
  last: number
}

const subseconds = [1, 2, 5, 10, 20, 50, 100, 200, 500]
/** Bucket widths that are readable on an axis; from two minutes up whole minutes, so that roll-ups apply. */
const widths = [
  ...subseconds,
  ...[1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30].map((n) => n * 1000),
  ...[1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30].map((n) => n * minuteMs),
  ...[1, 2, 3, 4, 6, 8, 12].map((n) => n * hourMs),
  ...[1, 2, 4, 7, 14, 28, 91, 182, 364, 3640].map((n) => n * dayMs),
]

const bucketBudget = (maxPoints: number) => Math.max(1, Math.floor((maxPoints - 2) / 2))

/** The narrowest width whose buckets, aligned to the epoch, cover the span within the budget. */
export const bucketWidthMs = (fromMs: number, toMs: number, maxPoints: number): number => {
  const budget = bucketBudget(maxPoints)
  const fits = (width: number) => Math.ceil(toMs / width) - Math.floor(fromMs / width) <= budget
  return widths.find(fits) ?? toMs // one bucket from the epoch on
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** A longer silence is a gap: three typical steps, at least two buckets, because buckets hide anything shorter. */
const gapMs = (typicalStepMs: number, widthMs: number) => Math.max(3 * typicalStepMs, 2 * widthMs)

export const joinSamples = (times: number[], values: number[]): Points => {
  const limit = gapMs(median(times.slice(1).map((time, i) => time - (times[i] ?? time))), 0)
  const points: Points = { x: [], y: [] }
  times.forEach((time, i) => {
    const before = times[i - 1]
    if (before !== undefined && time - before > limit) add(points, midway(before, time), null)
    add(points, time, values[i] ?? null)
  })
  return points
}

export const bucketsOf = (times: readonly number[], values: readonly number[], widthMs: number): Extremes[] => {
  const buckets: Extremes[] = []
  let open: Extremes | undefined
  let endMs = -Infinity
  for (let i = 0; i < times.length; i++) {
    const [atMs = 0, value = 0] = [times[i], values[i]]
    if (!open || atMs >= endMs) {
      endMs = (Math.floor(atMs / widthMs) + 1) * widthMs
      const extremes = { min: value, minAtMs: atMs, max: value, maxAtMs: atMs }
      open = { count: 0, ...extremes, first: value, firstAtMs: atMs, last: value, lastAtMs: atMs }
      buckets.push(open)
    }
    open.count++
    if (value < open.min) [open.min, open.minAtMs] = [value, atMs]
    if (value > open.max) [open.max, open.maxAtMs] = [value, atMs]
    open.last = value
    open.lastAtMs = atMs
  }
  return buckets
}

/** Minimum and maximum of each bucket at their real times, the first and last sample, and a null inside each gap. */
export const joinBuckets = (buckets: Extremes[], widthMs: number, maxPoints: number): Points => {
  const points: Points = { x: [], y: [] }
  const limit = gapMs(typicalStep(buckets), widthMs)
  const withEnds = maxPoints >= 4
  buckets.forEach((bucket, i) => {
    const before = buckets[i - 1]
    if (before && bucket.firstAtMs - before.lastAtMs > limit)
      add(points, midway(before.lastAtMs, bucket.firstAtMs), null)
    if (withEnds && i === 0) add(points, bucket.firstAtMs, bucket.first)
    const isMinFirst = bucket.minAtMs <= bucket.maxAtMs
    if (isMinFirst) add(points, bucket.minAtMs, bucket.min)
    add(points, bucket.maxAtMs, bucket.max)
    if (!isMinFirst) add(points, bucket.minAtMs, bucket.min)
    if (withEnds && i === buckets.length - 1) add(points, bucket.lastAtMs, bucket.last)
  })
  return points
}

const typicalStep = (buckets: Extremes[]): number => {
  const inside = buckets.filter(({ count }) => count > 1).map((b) => (b.lastAtMs - b.firstAtMs) / (b.count - 1))
  if (inside.length > 0) return median(inside)
  return median(buckets.slice(1).map((bucket, i) => bucket.firstAtMs - (buckets[i]?.lastAtMs ?? bucket.firstAtMs)))
}

const midway = (a: number, b: number) => Math.floor((a + b) / 2)

const add = (points: Points, x: number, y: number | null) => {
  if (points.x.at(-1) === x) return
  points.x.push(x)
  points.y.push(y)
}

/** Merges two parts of one bucket in any order; of equal extremes the earlier counts. */
export const mergeExtremes = (a: Extremes, b: Extremes): Extremes => {
  const lower = b.min < a.min || (b.min === a.min && b.minAtMs < a.minAtMs) ? b : a
  const upper = b.max > a.max || (b.max === a.max && b.maxAtMs < a.maxAtMs) ? b : a
  const earlier = b.firstAtMs < a.firstAtMs ? b : a
  const later = b.lastAtMs > a.lastAtMs ? b : a
  return {
    count: a.count + b.count,
    min: lower.min,
    minAtMs: lower.minAtMs,
    max: upper.max,
    maxAtMs: upper.maxAtMs,
    first: earlier.first,
    firstAtMs: earlier.firstAtMs,
    last: later.last,
    lastAtMs: later.lastAtMs,
  }
}
