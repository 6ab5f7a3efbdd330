/**
 * One measured signal: `x` epoch milliseconds, strictly ascending; `y` of the same length, null or NaN where unknown. A missing sample is
 * unknown too. Raw points of a reading have this shape; decimated points must not be used.
 */
export type Samples = { readonly x: ArrayLike<number>; readonly y: ArrayLike<number | null> }

/** The time between two samples at most this far apart is known; longer gaps are unknown. The aFRR signal arrives every 4 s. */
export const speaksMs = 5000

export const firstFrom = ({ x }: Samples, atMs: number): number => {
  let low = 0
  let high = x.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((x[middle] ?? Infinity) < atMs) low = middle + 1
    else high = middle
  }
  return low
}

/** A value a second from `fromMs` on: the mean of the samples nearest to it, NaN without one; 1 Hz with jitter and 10 Hz both fit. */
export const perSecond = (samples: Samples, fromMs: number, seconds: number): Float64Array => {
  const sums = new Float64Array(seconds)
  const counts = new Uint16Array(seconds)
  for (let i = firstFrom(samples, fromMs - 500); i < samples.x.length; i++) {
    const second = Math.floor(((samples.x[i] ?? 0) - fromMs) / 1000 + 0.5)
    if (second >= seconds) break
    const value = samples.y[i] ?? NaN
    if (Number.isNaN(value)) continue
    sums[second] = (sums[second] ?? 0) + value
    counts[second] = (counts[second] ?? 0) + 1
  }
  for (let second = 0; second < seconds; second++) {
    const count = counts[second] ?? 0
    sums[second] = count > 0 ? (sums[second] ?? 0) / count : NaN
  }
  return sums
}

/** The value of a schedule at each second: each is valid until the next; NaN before the first. */
export const heldPerSecond = (schedule: Samples, fromMs: number, seconds: number): Float64Array => {
  const values = new Float64Array(seconds)
  let next = firstFrom(schedule, fromMs)
  for (let second = 0; second < seconds; second++) {
    while ((schedule.x[next] ?? Infinity) <= fromMs + second * 1000) next++
    values[second] = schedule.y[next - 1] ?? NaN
  }
  return values
}

export const meanOf = (values: ArrayLike<number>): number => {
  let sum = 0
  let count = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? NaN
    if (Number.isNaN(value)) continue
    sum += value
    count++
  }
  return count > 0 ? sum / count : NaN
}

export const lastKnownMs = ({ x, y }: Samples): number => {
  let last = x.length - 1
  while (last >= 0 && Number.isNaN(y[last] ?? NaN)) last--
  return x[last] ?? -Infinity
}
