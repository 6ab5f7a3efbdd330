import { type BandScore, scoreBand } from './band.ts'
import { type ActivationSpan, type Measured, processedPct } from './measured.ts'
import { demandOf, type Product } from './products.ts'
import { type ResponseScore, scoreResponse } from './response.ts'
import { lastKnownMs } from './samples.ts'
import { scoreSetPoint, type SetPointScore } from './set-point.ts'

export type Score = ResponseScore | BandScore | SetPointScore

const judgedWindowMs = 900_000
const windowStart = (atMs: number) => Math.floor(atMs / judgedWindowMs) * judgedWindowMs
const windowEnd = (atMs: number) => Math.ceil(atMs / judgedWindowMs) * judgedWindowMs
const beforeMs = 65_000

const checked = (measured: Measured): Measured => {
  if (!(measured.capacityKw > 0)) throw new RangeError('the capacity must be above 0 kW')
  return measured
}

/** Span of samples to score an activation; the score is final once samples reach `toMs` (null while it runs). */
export const spanToJudge = (
  product: Product,
  { startMs, endMs }: ActivationSpan,
): { fromMs: number; toMs: number | null } =>
  product.judged.by === 'band'
    ? { fromMs: windowStart(startMs) - beforeMs, toMs: endMs && windowEnd(endMs) }
    : { fromMs: startMs - beforeMs, toMs: endMs }

/**
 * Score of an activation; without an end up to its last sample, so that nothing jumps at the end. FCR and FCR-N: over the quarters of an hour
 * that it touches, up to the last sample. Throws a RangeError when the capacity is not above 0.
 */
export const scoreActivation = (product: Product, measured: Measured, judged: ActivationSpan): Score => {
  const demand = demandOf(product)
  const { judged: terms } = product
  checked(measured)
  if (terms.by === 'response') return scoreResponse(demand, terms, measured, judged)
  if (terms.by === 'set point') return scoreSetPoint(demand, terms, measured, judged)
  const { direction, startMs } = judged
  const lastMs = lastKnownMs(measured.trigger) + 1000
  const endMs = judged.endMs ?? lastMs
  const fromMs = windowStart(startMs)
  const score = scoreBand(demand, terms, measured, {
    fromMs,
    toMs: Math.min(windowEnd(endMs), Math.max(lastMs, startMs)),
  })
  const sign = direction === 'increased' ? 1 : -1
  const deliveredKw = Float64Array.from(score.curves.deliveredKw, (kw) => (kw === null ? NaN : sign * kw))
  const [from, to] = [startMs, endMs].map((ms) => Math.round((ms - fromMs) / 1000))
  return { ...score, processedDeltaLoadPct: processedPct(deliveredKw, measured.capacityKw, from, to) }
}

/** Each whole quarter of an hour in a span for FCR and FCR-N; other products are scored per activation and have none. */
export const scoreWindows = (product: Product, measured: Measured, fromMs: number, toMs: number): BandScore[] => {
  checked(measured)
  const { judged: terms } = product
  if (terms.by !== 'band') return []
  const starts: number[] = []
  for (let ms = windowEnd(fromMs); ms + judgedWindowMs <= toMs; ms += judgedWindowMs) starts.push(ms)
  const demand = demandOf(product)
  return starts.map((ms) => scoreBand(demand, terms, measured, { fromMs: ms, toMs: ms + judgedWindowMs }))
}
