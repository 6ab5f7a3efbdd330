import type { Verdict } from '@gridmast/contract/delivery/events.ts'
import type { Activation } from './activations.ts'
import { firstFrom, heldPerSecond, meanOf, perSecond, type Samples, speaksMs } from './samples.ts'
import type { Demand } from './products.ts'

/** Measurements around an activation or a window; `spanToJudge` (score.ts) defines how far back the samples must reach. */
export type Measured = {
  trigger: Samples
  /** kW; Gridmast's edges count consumption as positive, batteries too. */
  power: Samples
  /** C: the sold capacity, or the registered one where none is sold. Above 0. */
  capacityKw: number
  /** A schedule in kW that replaces the load before the activation; each value is valid until the next. */
  plan?: Samples
}

export type Judged = Pick<Activation, 'direction' | 'startMs' | 'endMs'>

/** One value a second; `x` epoch ms, the others kW in the required direction, null where unknown. Delivered belongs between floor and ceiling. */
export type Curves = {
  x: number[]
  requiredKw: (number | null)[]
  floorKw: (number | null)[]
  ceilingKw: (number | null)[]
  deliveredKw: (number | null)[]
}

export type Outcome<Method, Parts> = {
  method: Method
  /** 0 … 100, one decimal; null with too little data or too small a demand. */
  score: number | null
  verdict: Verdict
  fromMs: number
  toMs: number
  missingShare: number
  capacityKw: number
  baseKw: number | null
  /** 100 · largest delivery / C. */
  processedDeltaLoadPct: number | null
  parts: Parts
  curves: Curves
}

const maxMissingShare = 0.05
/** A load varies by this share of the capacity on its own: tolerance in any case, and smallest demand that is scored. */
export const noiseShare = 0.05

/** `quality` 0 … 1; `peakShare` is the largest demand, as a share of the capacity. */
export const conclude = (
  quality: number,
  missingShare: number,
  peakShare: number,
): { score: number | null; verdict: Verdict } => {
  if (missingShare > maxMissingShare) return { score: null, verdict: 'insufficient data' }
  if (!(peakShare >= noiseShare) || Number.isNaN(quality)) return { score: null, verdict: 'too small' }
  const score = Math.round(1000 * quality) / 10
  return { score, verdict: score >= 95 ? 'delivered' : score >= 80 ? 'partly delivered' : 'not delivered' }
}

const baseFromS = 60
const baseToS = 5

/** The mean power from 60 to 5 s before; NaN when less than half of it is known. */
const powerBefore = (power: Samples, startMs: number): number => {
  const before = perSecond(power, startMs - baseFromS * 1000, baseFromS - baseToS + 1)
  const count = before.reduce((sum, kw) => sum + (Number.isNaN(kw) ? 0 : 1), 0)
  return count * 2 >= before.length ? meanOf(before) : NaN
}

/** Base and delivery in kW each second: reduced load when `sign` is 1, the opposite when it is -1. */
export const deliveredFrom = (
  { power, plan }: Measured,
  span: { fromMs: number; seconds: number; sign: 1 | -1 },
  unplannedKw: (power: Samples) => number = (all) => powerBefore(all, span.fromMs),
): { baseKw: number; deliveredKw: Float64Array } => {
  const { fromMs, seconds, sign } = span
  const planned = plan && heldPerSecond(plan, fromMs, seconds)
  const baseKw = planned ? meanOf(planned) : unplannedKw(power)
  const deliveredKw = perSecond(power, fromMs, seconds)
  for (let second = 0; second < seconds; second++) {
    deliveredKw[second] = sign * ((planned ? (planned[second] ?? NaN) : baseKw) - (deliveredKw[second] ?? NaN))
  }
  return { baseKw, deliveredKw }
}

export const requiredShares = (demand: Demand, trigger: Samples, { direction, startMs, endMs }: Judged) => {
  const toMs = endMs ?? (trigger.x[trigger.x.length - 1] ?? startMs) + 1000
  let seconds = Math.max(1, Math.ceil((toMs - startMs) / 1000))
  const sign = direction === 'increased' ? 1 : -1
  const shares = perSecond(trigger, startMs, seconds)
  for (let i = 0; i < seconds; i++) shares[i] = sign * demand(startMs + i * 1000, shares[i] ?? NaN)
  while (endMs === null && seconds > 1 && !((shares[seconds - 1] ?? 0) > 0)) seconds--
  return shares.subarray(0, seconds)
}

export const unseenBeforeS = ({ x, y }: Samples, startMs: number): number => {
  let before = firstFrom({ x, y }, startMs) - 1
  while (before >= 0 && Number.isNaN(y[before] ?? NaN)) before--
  const gapMs = startMs - (x[before] ?? startMs - baseFromS * 1000)
  return gapMs > speaksMs ? gapMs / 1000 - 1 : 0
}

/** The largest (or with -1 the smallest) of each value and the `back` values before it; unknown values are skipped. */
export const extremeOfLast = (values: Float64Array, back: number, sign: 1 | -1 = 1): Float64Array => {
  const extremes = new Float64Array(values.length)
  const places = new Int32Array(values.length)
  let first = 0
  let end = 0
  for (let i = 0; i < values.length; i++) {
    const value = sign * (values[i] ?? NaN)
    if (!Number.isNaN(value)) {
      while (end > first && sign * (values[places[end - 1] ?? 0] ?? NaN) <= value) end--
      places[end++] = i
    }
    if (end > first && (places[first] ?? 0) < i - back) first++
    extremes[i] = end > first ? (values[places[first] ?? 0] ?? NaN) : NaN
  }
  return extremes
}

/** Tolerance for sums of floats: an answer on the border is inside. */
const hairKw = 1e-6
export const isBetween = (kw: number, floorKw: number, ceilingKw: number): boolean =>
  kw >= floorKw - hairKw && kw <= ceilingKw + hairKw

export const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

const points = (values: Float64Array) => Array.from(values, finiteOrNull)

export const curvesOf = (
  fromMs: number,
  kw: { required: Float64Array; floor: Float64Array; ceiling: Float64Array; delivered: Float64Array },
): Curves => ({
  x: Array.from(kw.required, (_, second) => fromMs + second * 1000),
  requiredKw: points(kw.required),
  floorKw: points(kw.floor),
  ceilingKw: points(kw.ceiling),
  deliveredKw: points(kw.delivered),
})

/** 100 · largest delivery / C over the seconds from `from` to `to`; null when all are unknown. */
export const processedPct = (deliveredKw: Float64Array, capacityKw: number, from = 0, to = Infinity): number | null => {
  let largest = -Infinity
  for (let i = Math.max(0, from); i < Math.min(to, deliveredKw.length); i++) {
    const kw = deliveredKw[i] ?? NaN
    if (kw > largest) largest = kw
  }
  return largest === -Infinity ? null : Math.round((10_000 * Math.max(0, largest)) / capacityKw) / 100
}
