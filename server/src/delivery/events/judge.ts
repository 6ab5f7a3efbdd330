import { readAllSamples } from '#readings/samples.ts'
import { edgeLimits } from '@gridmast/contract/delivery/edge.ts'
import type { Direction } from '@gridmast/contract/delivery/events.ts'
import { isMarket, type MarketId } from '@gridmast/contract/markets.ts'
import { quarterMs, type Span } from '@gridmast/contract/time.ts'
import { type Consumption, consumptionIn } from '#delivery/scoring/consumption.ts'
import type { Judged, Measured } from '#delivery/scoring/measured.ts'
import { products } from '#delivery/scoring/products.ts'
import { lastKnownMs, type Samples } from '#delivery/scoring/samples.ts'
import { scoreActivation, type Score, spanToJudge } from '#delivery/scoring/score.ts'
import { findTests, withoutTests } from '#delivery/equipment/manual-set-points.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Own } from '#platform/http/route.ts'
import type { Tx } from '#platform/records/records.ts'
import type { RowOf } from '#platform/records/rows.ts'
import type { Readings } from '#readings/readings.ts'
import { type EventRow, getEvent, getMeasuring, type Numbers } from './queries.ts'

export type Source = Pick<Readings, 'samples' | 'latest'>

export type Subject = {
  market: MarketId
  capacityKw: number
  nos: Numbers
  tests: readonly Span[]
}

export const directionOf = (text: string): Direction => (text === 'decreased' ? 'decreased' : 'increased')

export const judgedOf = (row: Pick<RowOf<'event'>, 'direction' | 'started_at' | 'ended_at'>): Judged => ({
  direction: directionOf(row.direction),
  startMs: row.started_at.getTime(),
  endMs: row.ended_at?.getTime() ?? null,
})

const none: Samples = { x: [], y: [] }
const meterShare = 0.05

export const triggerNo = (market: MarketId, nos: Numbers): number | undefined =>
  products[market].trigger === 'frequency' ? nos.frequency : nos.setPoint

const withoutManual = ({ market, tests }: Subject, trigger: Samples): Samples =>
  products[market].trigger === 'set point' ? withoutTests(trigger, tests) : trigger

export const readTrigger = async (source: Source, subject: Subject, span: Span): Promise<Samples> => {
  const [trigger = none] = await readAllSamples(source, [triggerNo(subject.market, subject.nos)], span)
  return withoutManual(subject, trigger)
}

export const readMeasured = async (source: Source, subject: Subject, span: Span): Promise<Measured> => {
  const { market, nos, capacityKw } = subject
  const [trigger = none, power = none] = await readAllSamples(source, [triggerNo(market, nos), nos.power], span)
  return { trigger: withoutManual(subject, trigger), power, capacityKw }
}

export type Outcome = {
  score: Score | null
  consumption: Consumption | null
  measured: Measured
  untilMs: number | null
}

/** A quarter of an hour is scored up to the newest sample: a gap at its end counts only when a later sample shows it. */
const withNewest = async (source: Source, { market, nos }: Subject, { x, y }: Samples, toMs: number) => {
  const no = triggerNo(market, nos)
  const newest = no === undefined ? undefined : (await source.latest([no])).get(no)
  if (!newest || newest.tMs < toMs) return { x, y }
  return { x: [...Array.from(x), newest.tMs], y: [...Array.from(y), newest.value] }
}

export const judge = async (source: Source, subject: Subject, judged: Judged, nowMs: number): Promise<Outcome> => {
  const { startMs, endMs } = judged
  const { fromMs, toMs } = spanToJudge(products[subject.market], judged)
  const measured = await readMeasured(source, subject, { fromMs, toMs: toMs ?? nowMs + edgeLimits.clockAheadMs })
  if (toMs !== null) measured.trigger = await withNewest(source, subject, measured.trigger, toMs)
  const canJudge = subject.capacityKw > 0 && subject.nos.power !== undefined && lastKnownMs(measured.trigger) >= startMs
  const score = canJudge ? scoreActivation(products[subject.market], measured, judged) : null
  if (endMs === null) return { score, measured, consumption: null, untilMs: null }
  if (endMs <= startMs) return { score, measured, consumption: null, untilMs: endMs }
  const roomMs = (endMs - startMs) * meterShare
  const span = { fromMs: startMs - roomMs, toMs: endMs + roomMs + 1 }
  const [register = none] = await readAllSamples(source, [subject.nos.energy], span)
  const consumption = consumptionIn(measured.power, register, startMs, endMs)
  return { score, measured, consumption, untilMs: Math.max(toMs ?? endMs, Math.ceil(endMs + roomMs)) }
}

export const powerNow = ({ score, measured }: Outcome, direction: Judged['direction']) => {
  if (!score) return { requiredKw: null, deliveredKw: null }
  const { curves, baseKw, method } = score
  const sign = direction === 'increased' ? 1 : -1
  const isRequiredNow = (curves.x.at(-1) ?? -Infinity) >= lastKnownMs(measured.trigger) - 1000
  const lastKw = isRequiredNow ? (curves.requiredKw.at(-1) ?? null) : 0
  const kw = measured.power.y[measured.power.x.length - 1] ?? null
  return {
    // The curves of a quarter of an hour are up-regulation, whatever the direction of the activation.
    requiredKw: lastKw === null ? null : Math.max(0, method === 'band' ? sign * lastKw : lastKw),
    deliveredKw: baseKw === null || kw === null ? null : sign * (baseKw - kw),
  }
}

export const loadEvent = (own: Own['own'], eventId: string, nowMs: number) =>
  own(async (tx, customerId) => {
    const row = await getEvent(tx, customerId, eventId)
    return { row, ...(await subjectOf(tx, customerId, row, nowMs)) }
  })

export const subjectOf = async (tx: Tx, customerId: string, row: EventRow, nowMs: number) => {
  const instance = await getMeasuring(tx, customerId, row.instance_id)
  const { startMs, endMs } = judgedOf(row)
  const span = { fromMs: startMs - quarterMs, toMs: endMs ?? nowMs }
  const [tests = []] = await findTests(tx, [{ customerId, instanceId: row.instance_id, ...span }])
  if (!isMarket(row.market)) throw notFound()
  const subject: Subject = { market: row.market, capacityKw: row.capacity_kw, nos: instance.nos, tests }
  return { instance, subject }
}
