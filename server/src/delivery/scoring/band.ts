import {
  conclude,
  curvesOf,
  deliveredFrom,
  extremeOfLast,
  isBetween,
  finiteOrNull,
  type Measured,
  noiseShare,
  type Outcome,
} from './measured.ts'
import { type BandTerms, type Demand, droopShare } from './products.ts'
import { perSecond } from './samples.ts'

type BandParts = {
  insideShare: number | null
  /**
   * Slope of the delivered over the required power, at the delay of 0 … 15 s with the best fit; null when hardly anything was required. Must be
   * 0.9 … 1.2.
   */
  slope: number | null
  /** Σ (D - C·u): too much (+) or too little up-regulation. */
  biasKwh: number | null
}
export type BandScore = Outcome<'band', BandParts>

const overShare = 1.1
const lowestSlope = 0.9
const highestSlope = 1.2
/** With less spread of u, the 5 % of a load's own movement could change the slope by half. */
const minSpread = 0.1

type Line = { slope: number | null; offset: number; fit: number }

/** y = offset + slope · x over the known pairs; the slope is 1 where x hardly varies. `fit` is r². */
const fitLine = (x: Float64Array, y: Float64Array, leastSpreadX: number): Line => {
  let count = 0
  let [sumX, sumY, sumXX, sumXY, sumYY] = [0, 0, 0, 0, 0]
  y.forEach((yi, i) => {
    const xi = x[i] ?? NaN
    if (Number.isNaN(xi) || Number.isNaN(yi)) return
    count++
    sumX += xi
    sumY += yi
    sumXX += xi * xi
    sumXY += xi * yi
    sumYY += yi * yi
  })
  const variance = sumXX - (sumX * sumX) / count
  const covariance = sumXY - (sumX * sumY) / count
  const slope = variance >= count * leastSpreadX ** 2 ? covariance / variance : null
  const fit = covariance ** 2 / variance / (sumYY - (sumY * sumY) / count)
  return { slope, offset: (sumY - (slope ?? 1) * sumX) / count, fit }
}

/** The line at the delay with the best fit, up to `lagS`: a fixed delay would understate a fast unit. */
const fitDelayed = (requestedKw: Float64Array, y: Float64Array, lagS: number, leastSpreadX: number): Line => {
  let best = fitLine(requestedKw.subarray(lagS), y, leastSpreadX)
  for (let delayS = 1; delayS <= lagS; delayS++) {
    const line = fitLine(requestedKw.subarray(lagS - delayS, requestedKw.length - delayS), y, leastSpreadX)
    if (line.fit > best.fit) best = line
  }
  return best
}

/** Score of FCR or FCR-N in a window, up-regulation positive in all figures; without a plan the base is the offset of the fitted line (delivery.md). */
export const scoreBand = (
  demand: Demand,
  terms: BandTerms,
  measured: Measured,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): BandScore => {
  const { capacityKw, plan } = measured
  const seconds = Math.max(1, Math.round((toMs - fromMs) / 1000))
  const before = terms.lagS
  const hz = perSecond(measured.trigger, fromMs - before * 1000, seconds + before)
  const requestedKw = hz.map((value, i) => capacityKw * demand(fromMs + (i - before) * 1000, value))
  const leastKw = hz.map((value) => capacityKw * droopShare(terms.least, value))
  const lowest = extremeOfLast(
    requestedKw.map((kw, i) => Math.min(overShare * kw, leastKw[i] ?? NaN)),
    before,
    -1,
  )
  const highest = extremeOfLast(
    requestedKw.map((kw, i) => Math.max(overShare * kw, leastKw[i] ?? NaN)),
    before,
  )
  const floor = lowest.subarray(before).map((kw) => kw - noiseShare * capacityKw)
  const ceiling = highest.subarray(before).map((kw) => kw + noiseShare * capacityKw)
  const required = requestedKw.subarray(before)

  const answer = deliveredFrom(measured, { fromMs, seconds, sign: 1 }, () => 0)
  const line = fitDelayed(requestedKw, answer.deliveredKw, before, minSpread * capacityKw)
  const delivered = plan ? answer.deliveredKw : answer.deliveredKw.map((kw) => kw - line.offset)

  let seen = 0
  let inside = 0
  let biasKwh = 0
  let largest = 0
  for (let i = 0; i < seconds; i++) {
    const kw = delivered[i] ?? NaN
    const requiredKw = required[i] ?? NaN
    if (Number.isNaN(kw) || Number.isNaN(requiredKw)) continue
    seen++
    if (isBetween(kw, floor[i] ?? NaN, ceiling[i] ?? NaN)) inside++
    biasKwh += (kw - requiredKw) / 3600
    largest = Math.max(largest, Math.abs(requiredKw))
  }
  const missingShare = (seconds - seen) / seconds
  const { score, verdict } = conclude(inside / seen, missingShare, largest / capacityKw)
  const follows = line.slope === null || (line.slope >= lowestSlope && line.slope <= highestSlope)
  return {
    method: 'band',
    score,
    verdict: score !== null && !follows ? 'not delivered' : verdict,
    fromMs,
    toMs: fromMs + seconds * 1000,
    missingShare,
    capacityKw,
    baseKw: finiteOrNull(plan ? answer.baseKw : -line.offset),
    processedDeltaLoadPct: null,
    parts: { insideShare: finiteOrNull(inside / seen), slope: line.slope, biasKwh: seen > 0 ? biasKwh : null },
    curves: curvesOf(fromMs, { required, floor, ceiling, delivered }),
  }
}
