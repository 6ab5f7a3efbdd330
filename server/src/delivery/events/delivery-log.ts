import { limits } from '@gridmast/contract/limits.ts'
import { quarterMs } from '@gridmast/contract/time.ts'
import type { DeliveryScore } from '@gridmast/contract/delivery/events.ts'
import type { BandScore } from '#delivery/scoring/band.ts'
import type { Curves, Judged } from '#delivery/scoring/measured.ts'
import { products } from '#delivery/scoring/products.ts'
import { scoreWindows } from '#delivery/scoring/score.ts'
import type { Points } from '#readings/decimate.ts'
import { windowOf } from '#readings/window.ts'
import { judge, type Source, type Subject } from './judge.ts'
import { isLong, judgePiece, piecesOf } from './pieces.ts'
import type { EventRow } from './queries.ts'
import type { JudgedSpan } from './seconds-file.ts'
import { judgedOf, slopeOf, toDeliveryScore, toOutcome } from './to-event.ts'

const curveNames = ['requiredKw', 'deliveredKw', 'floorKw', 'ceilingKw'] as const
type CurveName = (typeof curveNames)[number]

type DeliveryLog = {
  score: DeliveryScore | null
  windows: BandScore[]
  curves: Record<CurveName, Points>
}

const thinned = (x: readonly number[], y: readonly (number | null)[], maxPoints: number): Points => {
  const known = x.flatMap((tMs, i) => (typeof y[i] === 'number' ? [[tMs, y[i]] as const] : []))
  const samples = { x: known.map(([tMs]) => tMs), y: known.map(([, value]) => value) }
  return windowOf(samples, { signalNo: 0, fromMs: x[0] ?? 0, toMs: (x.at(-1) ?? 0) + 1, maxPoints })
}

const thinnedCurves = (curves: Curves | undefined, maxPoints: number): Record<CurveName, Points> => {
  const of = (name: CurveName) => thinned(curves?.x ?? [], curves?.[name] ?? [], maxPoints)
  return {
    requiredKw: of('requiredKw'),
    deliveredKw: of('deliveredKw'),
    floorKw: of('floorKw'),
    ceilingKw: of('ceilingKw'),
  }
}

export const deliveryOf = async (
  source: Source,
  row: EventRow,
  subject: Subject,
  nowMs: number,
): Promise<DeliveryLog> => {
  const judged = judgedOf(row)
  const kept = toOutcome(row.outcome)
  if (row.source !== 'telemetry') return { score: kept, windows: [], curves: thinnedCurves(undefined, 1) }
  if (!isLong(judged, nowMs)) {
    const { score, measured } = await judge(source, subject, judged, nowMs)
    const toMs = score && Math.ceil(score.toMs / quarterMs) * quarterMs
    return {
      score: score ? toDeliveryScore(score) : kept,
      windows:
        score?.method === 'band' && toMs ? scoreWindows(products[subject.market], measured, score.fromMs, toMs) : [],
      curves: thinnedCurves(score?.curves, limits.defaultPoints),
    }
  }
  const log: DeliveryLog = { score: kept, windows: [], curves: thinnedCurves(undefined, 1) }
  const pieces = typeof kept?.baseKw === 'number' ? piecesOf(judged, nowMs) : []
  for (const piece of pieces) {
    const { curves, windows } = await judgePiece(source, subject, judged, piece, kept?.baseKw ?? 0)
    const part = thinnedCurves(curves, Math.floor(limits.defaultPoints / pieces.length))
    for (const name of curveNames) {
      log.curves[name].x.push(...part[name].x)
      log.curves[name].y.push(...part[name].y)
    }
    log.windows.push(...windows)
  }
  return log
}

export const judgedSpans = (source: Source, row: EventRow, subject: Subject, nowMs: number): JudgedSpan[] => {
  const judged = judgedOf(row)
  if (row.source !== 'telemetry') return []
  const sign = judged.direction === 'increased' || products[subject.market].judged.by === 'band' ? 1 : -1
  if (!isLong(judged, nowMs))
    return [
      {
        fromMs: judged.startMs,
        toMs: judged.endMs ?? nowMs,
        judge: () => whole(source, subject, judged, { nowMs, sign }),
      },
    ]
  const kept = toOutcome(row.outcome)
  const { score = null, verdict = '', baseKw = null } = kept ?? {}
  if (baseKw === null) return []
  return piecesOf(judged, nowMs).map((piece) => ({
    ...piece,
    judge: async () => ({
      ...(await judgePiece(source, subject, judged, piece, baseKw)),
      score,
      verdict,
      slope: slopeOf(kept),
      baseKw,
      sign,
    }),
  }))
}

const none: Curves = { x: [], requiredKw: [], floorKw: [], ceilingKw: [], deliveredKw: [] }

const whole = async (
  source: Source,
  subject: Subject,
  judged: Judged,
  { nowMs, sign }: { nowMs: number; sign: 1 | -1 },
) => {
  const { score } = await judge(source, subject, judged, nowMs)
  return { ...(score ?? { curves: none, score: null, verdict: '', baseKw: null }), slope: slopeOf(score), sign }
}
