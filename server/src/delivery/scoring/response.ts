import {
  requiredShares,
  conclude,
  curvesOf,
  deliveredFrom,
  extremeOfLast,
  isBetween,
  type ActivationSpan,
  finiteOrNull,
  type Measured,
  noiseShare,
  type Outcome,
  processedPct,
  unseenBeforeS,
} from './measured.ts'
import type { Demand, ResponseTerms } from './products.ts'

/** Each 0 … 1; null for a part that does not apply. */
type ResponseParts = {
  energy: number | null
  ramp: number | null
  over: number | null
  weights: { energy: number; ramp: number; over: number }
}
export type ResponseScore = Outcome<'response', ResponseParts>

const overBackS = 10
const rampShare = 0.2
const fullEnergyShare = 0.5

const weightsWithRamp = { energy: 0.6, ramp: 0.3, over: 0.1 }
const weightsWithoutRamp = { energy: 0.85, ramp: 0, over: 0.15 }

const lagged = (required: Float64Array, { deadTimeS, tauS }: ResponseTerms): Float64Array => {
  const weight = 1 / Math.max(1, tauS)
  const reached = new Float64Array(required.length)
  let due = 0
  let now = 0
  for (let i = 0; i < required.length; i++) {
    const then = i - Math.ceil(deadTimeS)
    const value = then >= 0 ? (required[then] ?? NaN) : 0
    if (!Number.isNaN(value)) due = value // an unknown value counts as unchanged
    now += weight * (due - now)
    reached[i] = now
  }
  return reached
}

/** The delivery score of an answer to frequency within seconds (FCR-D, FFR); formulas in delivery.md. */
export const scoreResponse = (
  demand: Demand,
  terms: ResponseTerms,
  measured: Measured,
  judged: ActivationSpan,
): ResponseScore => {
  const { capacityKw } = measured
  const { direction, startMs } = judged
  const required = requiredShares(demand, measured.trigger, judged).map((share) => capacityKw * share)
  const seconds = required.length
  const span = { fromMs: startMs, seconds, sign: direction === 'increased' ? 1 : -1 } as const
  const { baseKw, deliveredKw } = deliveredFrom(measured, span)
  const slowest = lagged(required, terms)
  const floor = required.map((kw, i) => Math.min(kw, slowest[i] ?? NaN))
  const ceiling = extremeOfLast(required, overBackS).map((kw) => terms.maxShare * kw + noiseShare * capacityKw)

  let seen = 0
  let credited = 0
  let due = 0
  let rampDelivered = 0
  let rampDue = 0
  let within = 0
  let largestRequired = 0
  let largestDue = 0
  for (let i = 0; i < seconds; i++) {
    const delivered = deliveredKw[i] ?? NaN
    const dueNow = floor[i] ?? NaN
    if (Number.isNaN(delivered) || Number.isNaN(dueNow)) continue
    const helping = Math.max(0, delivered)
    seen++
    credited += Math.min(helping, dueNow)
    due += dueNow
    if (i >= terms.rampFromS && i <= terms.rampToS) {
      rampDelivered += helping
      rampDue += dueNow
    }
    if (isBetween(delivered, -Infinity, ceiling[i] ?? 0)) within++
    largestRequired = Math.max(largestRequired, required[i] ?? 0)
    largestDue = Math.max(largestDue, dueNow)
  }

  const energy = credited / due
  const hasRamp = largestRequired >= rampShare * capacityKw && rampDue > 0
  const ramp = hasRamp ? Math.min(1, rampDelivered / rampDue) : 0
  const over = (within / seen) * Math.min(1, energy / fullEnergyShare)
  const weights = hasRamp ? weightsWithRamp : weightsWithoutRamp
  const unseenS = unseenBeforeS(measured.trigger, startMs)
  const missingShare = (seconds - seen + unseenS) / (seconds + unseenS)
  return {
    method: 'response',
    ...conclude(
      weights.energy * energy + weights.ramp * ramp + weights.over * over,
      missingShare,
      largestDue / capacityKw,
    ),
    fromMs: startMs,
    toMs: startMs + seconds * 1000,
    missingShare,
    capacityKw,
    baseKw: finiteOrNull(baseKw),
    processedDeltaLoadPct: processedPct(deliveredKw, capacityKw),
    parts: { energy: finiteOrNull(energy), ramp: hasRamp ? ramp : null, over: finiteOrNull(over), weights },
    curves: curvesOf(startMs, { required, floor, ceiling, delivered: deliveredKw }),
  }
}
