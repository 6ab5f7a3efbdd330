import { edgeLimits } from '@gridmast/contract/delivery/edge.ts'
import type { DeliveryScore } from '@gridmast/contract/delivery/events.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { hourMs, minuteMs, quarterMs, type Span } from '@gridmast/contract/time.ts'
import type { BandScore } from '#delivery/scoring/band.ts'
import type { Curves, Judged } from '#delivery/scoring/measured.ts'
import { products } from '#delivery/scoring/products.ts'
import { scoreActivation, scoreWindows } from '#delivery/scoring/score.ts'
import type { Points } from '#readings/decimate.ts'
import { windowOf } from '#readings/window.ts'
import type { JudgedSpan } from './files.ts'
import { judge, judgedOf, type Outcome, readMeasured, type Source, type Subject } from './judge.ts'
import type { EventRow } from './queries.ts'
import { slopeOf, toDeliveryScore, toOutcome } from './to-event.ts'

/** Longest part of an activation in memory at once (security rule L1). */
export const pieceMs = 6 * hourMs
/** Longest dead time with its ramp: a set point this long before still shapes the required power. */
const leadMs = 30 * minuteMs

const isLong = ({ startMs, endMs }: Judged, nowMs: number): boolean => (endMs ?? nowMs) - startMs > pieceMs

/** Pieces meet at quarters of an hour, the windows of FCR and FCR-N scores. */
export const piecesOf = ({ startMs, endMs }: Judged, nowMs: number): Span[] => {
  const toMs = endMs ?? nowMs
  const pieces: Span[] = []
  for (let fromMs = startMs; fromMs < toMs;) {
    const nextMs = Math.min(toMs, startOfQuarter(fromMs + pieceMs))
    pieces.push({ fromMs, toMs: nextMs })
    fromMs = nextMs
  }
  return pieces
}

const startOfQuarter = (tMs: number) => Math.floor(tMs / quarterMs) * quarterMs

export const judgePiece = async (
  source: Source,
  subject: Subject,
  { direction, startMs }: Judged,
  piece: Span,
  baseKw: number,
): Promise<{ curves: Curves; windows: BandScore[] }> => {
  const product = products[subject.market]
  const fromMs = Math.max(startMs, piece.fromMs - leadMs)
  const bandMs = product.judged.by === 'band' ? quarterMs : 0
  const span = { fromMs: fromMs - bandMs - minuteMs, toMs: piece.toMs + bandMs }
  const measured = await readMeasured(source, subject, span)
  const planned = { ...measured, plan: { x: [fromMs - bandMs], y: [baseKw] } }
  const { curves } = scoreActivation(product, planned, { direction, startMs: fromMs, endMs: piece.toMs })
  const lead = piece.fromMs === startMs ? 0 : curves.x.filter((tMs) => tMs < piece.fromMs).length
  return {
    curves: {
      x: curves.x.slice(lead),
      requiredKw: curves.requiredKw.slice(lead),
      deliveredKw: curves.deliveredKw.slice(lead),
      floorKw: curves.floorKw.slice(lead),
      ceilingKw: curves.ceilingKw.slice(lead),
    },
    windows: scoreWindows(product, measured, startOfQuarter(piece.fromMs), startOfQuarter(piece.toMs + quarterMs - 1)),
  }
}

/** A long activation is judged over its last hour, without a score. */
export const judgeRunning = async (
  source: Source,
  subject: Subject,
  judged: Judged,
  outcome: DeliveryScore | null,
  nowMs: number,
): Promise<Outcome> => {
  if (!isLong(judged, nowMs)) return judge(source, subject, judged, nowMs)
  const fromMs = startOfQuarter(nowMs - hourMs)
  const span = { fromMs: fromMs - minuteMs, toMs: nowMs + edgeLimits.clockAheadMs }
  const measured = await readMeasured(source, subject, span)
  const unscored = { score: null, measured, consumption: null, untilMs: null }
  if (typeof outcome?.baseKw !== 'number') return unscored
  const planned = { ...measured, plan: { x: [fromMs], y: [outcome.baseKw] } }
  const score = scoreActivation(products[subject.market], planned, { ...judged, startMs: fromMs })
  return { ...unscored, score: { ...score, score: null } }
}

const curveNames = ['requiredKw', 'deliveredKw', 'floorKw', 'ceilingKw'] as const
type DeliveryCurves = Record<(typeof curveNames)[number], Points>

const emptyCurves = (): Curves => ({ x: [], requiredKw: [], floorKw: [], ceilingKw: [], deliveredKw: [] })

const thinned = (curves: Curves, name: keyof DeliveryCurves, maxPoints: number): Points => {
  const points = curves.x.map((tMs, i) => ({ tMs, kw: curves[name][i] ?? NaN })).filter(({ kw }) => !Number.isNaN(kw))
  const samples = { x: points.map(({ tMs }) => tMs), y: points.map(({ kw }) => kw) }
  const span = { fromMs: curves.x[0] ?? 0, toMs: (curves.x.at(-1) ?? 0) + 1 }
  return windowOf(samples, { signalNo: 0, ...span, maxPoints })
}

const thinnedCurves = (curves: Curves, maxPoints: number) =>
  Object.fromEntries(curveNames.map((name) => [name, thinned(curves, name, maxPoints)])) as DeliveryCurves // the same names

type DeliveryLog = { score: DeliveryScore | null; windows: BandScore[]; curves: DeliveryCurves }

export const deliveryOf = async (source: Source, row: EventRow, subject: Subject, nowMs: number) => {
  const judged = judgedOf(row)
  const outcome = toOutcome(row.outcome)
  const log: DeliveryLog = { score: outcome, windows: [], curves: thinnedCurves(emptyCurves(), 1) }
  if (row.source !== 'telemetry') return log
  if (!isLong(judged, nowMs)) {
    const { score, measured } = await judge(source, subject, judged, nowMs)
    if (!score) return log
    const toMs = Math.ceil(score.toMs / quarterMs) * quarterMs
    const isBand = score.method === 'band'
    return {
      score: toDeliveryScore(score),
      windows: isBand ? scoreWindows(products[subject.market], measured, score.fromMs, toMs) : [],
      curves: thinnedCurves(score.curves, limits.defaultPoints),
    }
  }
  if (typeof outcome?.baseKw !== 'number') return log
  const pieces = piecesOf(judged, nowMs)
  for (const piece of pieces) {
    const { curves, windows } = await judgePiece(source, subject, judged, piece, outcome.baseKw)
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
  if (!isLong(judged, nowMs)) {
    const judgeAll = async () => {
      const { score } = await judge(source, subject, judged, nowMs)
      const unscored = { curves: emptyCurves(), score: null, verdict: '', baseKw: null }
      return { ...(score ?? unscored), slope: slopeOf(score), sign } as const
    }
    return [{ fromMs: judged.startMs, toMs: judged.endMs ?? nowMs, judge: judgeAll }]
  }
  const outcome = toOutcome(row.outcome)
  if (typeof outcome?.baseKw !== 'number') return []
  const { score, verdict, baseKw } = outcome
  return piecesOf(judged, nowMs).map((piece) => ({
    ...piece,
    judge: async () => {
      const { curves } = await judgePiece(source, subject, judged, piece, baseKw)
      return { curves, score, verdict, slope: slopeOf(outcome), baseKw, sign }
    },
  }))
}
