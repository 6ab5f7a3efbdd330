import type {
  ActivationEvent,
  DeliveryScore,
  Direction,
  RunningActivation,
  Verdict,
} from '@gridmast/contract/delivery/events.ts'
import { deliveryScore, isOverruled, verdicts } from '@gridmast/contract/delivery/events.ts'
import type { BandScore } from '#delivery/scoring/band.ts'
import { lastKnownMs } from '#delivery/scoring/samples.ts'
import type { Judged } from '#delivery/scoring/measured.ts'
import type { Score } from '#delivery/scoring/score.ts'
import { type Outcome, powerNow } from './judge.ts'
import type { EventRow } from './queries.ts'

export const directionOf = (text: string): Direction => (text === 'decreased' ? 'decreased' : 'increased')
export const verdictOf = (text: string | null): Verdict | null => verdicts.find((one) => one === text) ?? null
const isoOf = (at: Date | null): string | null => at?.toISOString() ?? null
const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))

export const slopeOf = (score: Score | DeliveryScore | null): number | null =>
  score?.method === 'band' ? score.parts.slope : null

type Decided = { score: number | null; verdict: string | null; slope: number | null }
/** The figure that decided the verdict: the score, or the slope of the answer (delivery.md). */
export const decidingFigure = ({ score, verdict, slope }: Decided): Pick<Decided, 'score' | 'slope'> =>
  isOverruled({ score, verdict: verdictOf(verdict) }) ? { score: null, slope } : { score, slope: null }

const capacityWords = { sold: 'as sold', registered: 'registered as flexible' }
export const capacityText = ({
  capacity_kw,
  capacity_source,
}: Pick<EventRow, 'capacity_kw' | 'capacity_source'>): string =>
  `${capacity_kw} (${capacityWords[capacity_source === 'sold' ? 'sold' : 'registered']})`

export const toEvent = (row: EventRow): ActivationEvent => ({
  _id: row.event_id,
  type: row.market,
  market: row.market,
  instanceId: row.instance_id,
  instanceName: row.instance_name,
  eventType: row.event_type === 'frr_based' ? 'frr_based' : 'fcr_based',
  source: row.source === 'edge' ? 'edge' : 'telemetry',
  direction: directionOf(row.direction),
  startTime: row.started_at.toISOString(),
  endTime: isoOf(row.ended_at),
  duration: row.duration_s,
  difference: row.duration_s,
  deltaLoad: row.delta_load,
  processedDeltaLoad: row.processed_delta_load,
  maxFrequency: row.extreme_hz,
  maxSetPoint: row.max_set_point,
  consumption: row.consumption_kwh,
  isConsumptionEstimated: row.consumption_estimated,
  capacityKw: row.capacity_kw,
  capacitySource: row.capacity_source === 'sold' ? 'sold' : 'registered',
  score: row.score,
  verdict: verdictOf(row.verdict),
  slope: decidingFigure({ ...row, slope: slopeOf(toOutcome(row.outcome)) }).slope,
  edgeReport: row.edge_started_at && {
    startTime: row.edge_started_at.toISOString(),
    endTime: isoOf(row.edge_ended_at),
    maxSetPoint: numberOf(row.edge_max_set_point),
    frequency: numberOf(row.edge_hz),
  },
  late: row.late,
  simulated: row.simulated,
})

const toJudged = ({ score, verdict, fromMs, toMs, missingShare, capacityKw, baseKw }: Score) => ({
  score,
  verdict,
  missingShare,
  capacityKw,
  baseKw,
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
})

export const toDeliveryScore = (score: Score): DeliveryScore => {
  const judged = toJudged(score)
  if (score.method === 'response') return { method: score.method, ...judged, parts: score.parts }
  if (score.method === 'band') return { method: score.method, ...judged, parts: score.parts }
  return { method: score.method, ...judged, parts: score.parts }
}

export const toOutcome = (kept: unknown): DeliveryScore | null => deliveryScore.safeParse(kept).data ?? null

export const toWindow = (score: BandScore) => ({ ...toJudged(score), parts: score.parts })

export const judgedOf = (row: EventRow): Judged => ({
  direction: directionOf(row.direction),
  startMs: row.started_at.getTime(),
  endMs: row.ended_at?.getTime() ?? null,
})

type Named = {
  _id: string
  market: string
  instanceId: string
  instanceName: string
  simulated: boolean
  capacityKw: number
  deltaLoad: number | null
}

export const toRunning = (
  named: Named,
  { direction, startMs }: { direction: Direction; startMs: number },
  outcome: Outcome,
): RunningActivation => ({
  ...named,
  direction,
  startTime: new Date(startMs).toISOString(),
  seconds: Math.max(0, Math.round((lastKnownMs(outcome.measured.trigger) + 1000 - startMs) / 1000)),
  ...powerNow(outcome, direction),
  score: outcome.score?.score ?? null,
})
