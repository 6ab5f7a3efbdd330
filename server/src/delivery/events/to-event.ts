import {
  type ActivationEvent,
  type DeliveryScore,
  type DeliveryWindow,
  type Verdict,
  deliveryScore,
  isOverruled,
  verdicts,
} from '@gridmast/contract/delivery/events.ts'
import type { BandScore } from '#delivery/scoring/band.ts'
import type { Judged } from '#delivery/scoring/measured.ts'
import { lastKnownMs } from '#delivery/scoring/samples.ts'
import type { Score } from '#delivery/scoring/score.ts'
import { directionOf, type Outcome, powerNow } from './judge.ts'
import type { EventRow } from './queries.ts'

export const verdictOf = (text: string | null): Verdict | null => verdicts.find((one) => one === text) ?? null
const isoOf = (at: Date | null): string | null => at?.toISOString() ?? null
export const numberOf = (text: string | null): number | null => (text === null ? null : Number(text))

export const slopeOf = (score: Score | DeliveryScore | null) => (score?.method === 'band' ? score.parts.slope : null)

type Decided = { score: number | null; verdict: string | null; slope: number | null }
/** The figure that decided the verdict: the score, or the slope of the answer (delivery.md). */
export const decidingFigure = ({ score, verdict, slope }: Decided): Pick<Decided, 'score' | 'slope'> =>
  isOverruled({ score, verdict: verdictOf(verdict) }) ? { score: null, slope } : { score, slope: null }

export const figureOf = (row: EventRow) => decidingFigure({ ...row, slope: slopeOf(toOutcome(row.outcome)) })

const capacityWords = { sold: 'as sold', registered: 'registered as flexible' }
const capacitySourceOf = (text: string) => (text === 'sold' ? 'sold' : 'registered')
type Capacity = Pick<EventRow, 'capacity_kw' | 'capacity_source'>
export const capacityText = ({ capacity_kw, capacity_source }: Capacity): string =>
  `${capacity_kw} (${capacityWords[capacitySourceOf(capacity_source)]})`

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
  capacitySource: capacitySourceOf(row.capacity_source),
  score: row.score,
  verdict: verdictOf(row.verdict),
  slope: figureOf(row).slope,
  edgeReport: row.edge_started_at && {
    startTime: row.edge_started_at.toISOString(),
    endTime: isoOf(row.edge_ended_at),
    maxSetPoint: numberOf(row.edge_max_set_point),
    frequency: numberOf(row.edge_hz),
  },
  late: row.late,
  simulated: row.simulated,
})

const timesOf = ({ fromMs, toMs }: Score) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
})

export const toDeliveryScore = (full: Score): DeliveryScore => {
  const { fromMs: _, toMs: __, curves: ___, processedDeltaLoadPct: ____, ...score } = full
  return { ...score, ...timesOf(full) }
}

export const toOutcome = (stored: unknown): DeliveryScore | null => deliveryScore.safeParse(stored).data ?? null

export const toWindow = (full: BandScore): DeliveryWindow => {
  const { score, verdict, missingShare, capacityKw, baseKw, parts } = full
  return { score, verdict, missingShare, capacityKw, baseKw, parts, ...timesOf(full) }
}

type RunningColumns =
  | 'event_id'
  | 'market'
  | 'instance_id'
  | 'instance_name'
  | 'simulated'
  | 'capacity_kw'
  | 'delta_load'

export const toRunning = (row: Pick<EventRow, RunningColumns>, { direction, startMs }: Judged, outcome: Outcome) => ({
  _id: row.event_id,
  market: row.market,
  instanceId: row.instance_id,
  instanceName: row.instance_name,
  simulated: row.simulated,
  capacityKw: row.capacity_kw,
  deltaLoad: row.delta_load,
  direction,
  startTime: new Date(startMs).toISOString(),
  seconds: Math.max(0, Math.round((lastKnownMs(outcome.measured.trigger) + 1000 - startMs) / 1000)),
  ...powerNow(outcome, direction),
  score: outcome.score?.score ?? null,
})
