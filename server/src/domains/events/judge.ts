import type { MarketId } from '@gridmast/contract/markets.ts'
import { hourMs, type Span } from '@gridmast/contract/time.ts'
import { type Consumption, consumptionIn } from '#delivery/consumption.ts'
import type { Judged, Measured } from '#delivery/measured.ts'
import { products } from '#delivery/products.ts'
import { lastKnownMs, type Samples } from '#delivery/samples.ts'
import { scoreActivation, type Score, spanToJudge } from '#delivery/score.ts'
import type { Readings } from '#readings/readings.ts'
import type { Numbers } from './queries.ts'
import { withoutTests } from './tests-by-hand.ts'

export type Source = Pick<Readings, 'samples'>

/** An instance on a market: what it is judged by. */
export type Subject = {
  market: MarketId
  capacityKw: number
  nos: Numbers
  /** When a set point was held by hand. */
  tests: readonly Span[]
}

const none: Samples = { x: [], y: [] }
/** Of the duration, on both sides: a meter that was read further away says nothing. */
const meterShare = 0.05

/** The number of the series that starts a product. */
export const triggerNo = (market: MarketId, nos: Numbers): number | undefined =>
  products[market].trigger === 'frequency' ? nos.frequency : nos.setPoint

const readAll = async (
  source: Source,
  signalNos: readonly (number | undefined)[],
  { fromMs, toMs }: Span,
): Promise<Samples[]> => {
  const nos = signalNos.flatMap((no) => no ?? [])
  const found = new Map(nos.map((no) => [no, { x: [] as number[], y: [] as number[] }]))
  for (let atMs = fromMs; atMs < toMs && nos.length > 0;) {
    const answer = await source.samples({ signalNos: nos, fromMs: atMs, toMs: Math.min(toMs, atMs + 24 * hourMs) })
    for (const [no, { x, y }] of answer.series) {
      const all = found.get(no)
      for (let i = 0; all && i < x.length; i++) {
        all.x.push(x[i] ?? 0)
        all.y.push(y[i] ?? 0)
      }
    }
    atMs = answer.toMs
  }
  return signalNos.map((no) => (no === undefined ? none : (found.get(no) ?? none)))
}

/** What starts a market and the power of an instance; none by hand. */
export const readMeasured = async (source: Source, subject: Subject, span: Span): Promise<Measured> => {
  const { market, nos, capacityKw, tests } = subject
  const [trigger = none, power = none] = await readAll(source, [triggerNo(market, nos), nos.power], span)
  const isHeld = products[market].trigger === 'set point'
  return { trigger: isHeld ? withoutTests(trigger, tests) : trigger, power, counts: 'consumption', capacityKw }
}

export type Outcome = {
  /** Null without a capacity or a power. */
  score: Score | null
  consumption: Consumption | null
  measured: Measured
  /** Samples from here on change nothing; null while it runs. */
  untilMs: number | null
}

/** How an activation was answered, from what is stored now. */
export const judge = async (source: Source, subject: Subject, judged: Judged, nowMs: number): Promise<Outcome> => {
  const { startMs, endMs } = judged
  const { fromMs, toMs } = spanToJudge(products[subject.market], judged)
  const measured = await readMeasured(source, subject, { fromMs, toMs: toMs ?? nowMs + 1 })
  const canJudge = subject.capacityKw > 0 && subject.nos.power !== undefined && lastKnownMs(measured.trigger) >= startMs
  const score = canJudge ? scoreActivation(products[subject.market], measured, judged) : null
  if (endMs === null) return { score, measured, consumption: null, untilMs: null }
  if (endMs <= startMs) return { score, measured, consumption: null, untilMs: endMs }
  const roomMs = (endMs - startMs) * meterShare
  const span = { fromMs: startMs - roomMs, toMs: endMs + roomMs + 1 }
  const [register = none] = await readAll(source, [subject.nos.energy], span)
  const consumption = consumptionIn(measured.power, register, startMs, endMs)
  return { score, measured, consumption, untilMs: Math.max(toMs ?? endMs, Math.ceil(endMs + roomMs)) }
}

/** Required and delivered at the last sample of an activation that runs. */
export const powerNow = ({ score, measured }: Outcome, direction: Judged['direction']) => {
  if (!score) return { requiredKw: null, deliveredKw: null }
  const { curves, baseKw, method } = score
  const sign = direction === 'increased' ? 1 : -1
  const isAskedNow = (curves.x.at(-1) ?? -Infinity) >= lastKnownMs(measured.trigger) - 1000
  const lastKw = isAskedNow ? (curves.requiredKw.at(-1) ?? null) : 0
  const kw = measured.power.y[measured.power.x.length - 1] ?? null
  return {
    // The curves of a quarter of an hour are up-regulation, whichever way the activation goes.
    requiredKw: lastKw === null ? null : Math.max(0, method === 'band' ? sign * lastKw : lastKw),
    deliveredKw: baseKw === null || kw === null ? null : sign * (baseKw - kw),
  }
}
