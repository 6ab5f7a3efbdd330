import {
  requiredShares,
  conclude,
  curvesOf,
  deliveredFrom,
  extremeOfLast,
  isBetween,
  type Judged,
  finiteOrNull,
  type Measured,
  noiseShare,
  type Outcome,
  processedPct,
  unseenBeforeS,
} from './measured.ts'
import type { Demand, SetPointTerms } from './products.ts'
import { speaksMs } from './samples.ts'

export type SetPointScore = Outcome<'set point', { insideShare: number | null }>

const tolerance = 0.1

/** A set point is valid until the next one, and a market sends one every few seconds: between two within `speaksMs` it is known. */
const heldBetween = (shares: Float64Array): Float64Array => {
  let last = -Infinity
  const hold = (until: number) => {
    if (until - last <= speaksMs / 1000) shares.fill(shares[last] ?? NaN, last + 1, until)
  }
  shares.forEach((share, i) => {
    if (Number.isNaN(share)) return
    hold(i)
    last = i
  })
  hold(shares.length)
  return shares
}

/** Dead time, then each step of the set point becomes a straight line: the mean of the last `rampS` seconds, 0 before the start. */
const slowestOf = (shares: Float64Array, { deadTimeS, rampS }: SetPointTerms): Float64Array => {
  const sums = new Float64Array(shares.length + 1)
  let last = 0
  shares.forEach((share, i) => {
    if (!Number.isNaN(share)) last = share
    sums[i + 1] = (sums[i] ?? 0) + last
  })
  const sumTo = (count: number) => sums[Math.max(0, count)] ?? 0
  return shares.map((_, i) => (sumTo(i + 1 - deadTimeS) - sumTo(i + 1 - deadTimeS - rampS)) / rampS)
}

/** Share of seconds in which the answer to a set point (aFRR, mFRR) is within its limits; formulas in delivery.md. */
export const scoreSetPoint = (
  demand: Demand,
  terms: SetPointTerms,
  measured: Measured,
  judged: Judged,
): SetPointScore => {
  const { capacityKw } = measured
  const { direction, startMs } = judged
  const shares = heldBetween(requiredShares(demand, measured.trigger, judged))
  const seconds = shares.length
  const span = { fromMs: startMs, seconds, sign: direction === 'increased' ? 1 : -1 } as const
  const { baseKw, deliveredKw } = deliveredFrom(measured, span)
  const slowest = slowestOf(shares, terms)
  const most = extremeOfLast(shares, terms.deadTimeS)
  const least = extremeOfLast(shares, terms.deadTimeS, -1)
  const withRoom = (share: number, sign: 1 | -1) =>
    capacityKw * (share + sign * Math.max(tolerance * Math.abs(share), noiseShare))
  const floor = slowest.map((share, i) => withRoom(Math.min(share, least[i] ?? NaN), -1))
  const ceiling = slowest.map((share, i) => withRoom(Math.max(share, most[i] ?? NaN), 1))

  let seen = 0
  let inside = 0
  let largest = 0
  for (let i = 0; i < seconds; i++) {
    const delivered = deliveredKw[i] ?? NaN
    const share = shares[i] ?? NaN
    if (Number.isNaN(delivered) || Number.isNaN(share)) continue
    seen++
    if (isBetween(delivered, floor[i] ?? NaN, ceiling[i] ?? NaN)) inside++
    largest = Math.max(largest, share)
  }
  const unseenS = unseenBeforeS(measured.trigger, startMs)
  const missingShare = (seconds - seen + unseenS) / (seconds + unseenS)
  return {
    method: 'set point',
    ...conclude(inside / seen, missingShare, largest),
    fromMs: startMs,
    toMs: startMs + seconds * 1000,
    missingShare,
    capacityKw,
    baseKw: finiteOrNull(baseKw),
    processedDeltaLoadPct: processedPct(deliveredKw, capacityKw),
    parts: { insideShare: finiteOrNull(inside / seen) },
    curves: curvesOf(startMs, {
      required: shares.map((share) => capacityKw * share),
      floor,
      ceiling,
      delivered: deliveredKw,
    }),
  }
}
