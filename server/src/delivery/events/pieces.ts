import { edgeLimits } from '@gridmast/contract/delivery/edge.ts'
import type { DeliveryScore } from '@gridmast/contract/delivery/events.ts'
import { hourMs, minuteMs, quarterMs, type Span } from '@gridmast/contract/time.ts'
import type { BandScore } from '#delivery/scoring/band.ts'
import type { Curves, Judged } from '#delivery/scoring/measured.ts'
import { products } from '#delivery/scoring/products.ts'
import { scoreActivation, scoreWindows } from '#delivery/scoring/score.ts'
import { judge, type Outcome, readMeasured, type Source, type Subject } from './judge.ts'

/** Longest part of an activation in memory at once (security rule L1). */
export const pieceMs = 6 * hourMs
/** Longest dead time with its ramp: a set point this long before still shapes the required power. */
const leadMs = 30 * minuteMs

export const isLong = ({ startMs, endMs }: Judged, nowMs: number): boolean => (endMs ?? nowMs) - startMs > pieceMs

/** Pieces meet at quarters of an hour, the windows of FCR and FCR-N scores. */
export const piecesOf = ({ startMs, endMs }: Judged, nowMs: number): Span[] => {
  const toMs = endMs ?? nowMs
  const pieces: Span[] = []
  for (let fromMs = startMs; fromMs < toMs;) {
    const nextMs = Math.min(toMs, Math.floor((fromMs + pieceMs) / quarterMs) * quarterMs)
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
  const quarters = product.judged.by === 'band' ? quarterMs : 0
  const measured = await readMeasured(source, subject, {
    fromMs: fromMs - quarters - minuteMs,
    toMs: piece.toMs + quarters,
  })
  const planned = { ...measured, plan: { x: [fromMs - quarters], y: [baseKw] } }
  const { curves } = scoreActivation(product, planned, { direction, startMs: fromMs, endMs: piece.toMs })
  const lead = piece.fromMs === startMs ? 0 : curves.x.filter((tMs) => tMs < piece.fromMs).length
  const part = <T>(values: T[]) => values.slice(lead)
  return {
    curves: {
      x: part(curves.x),
      requiredKw: part(curves.requiredKw),
      deliveredKw: part(curves.deliveredKw),
      floorKw: part(curves.floorKw),
      ceilingKw: part(curves.ceilingKw),
    },
    windows: scoreWindows(product, measured, startOfQuarter(piece.fromMs), startOfQuarter(piece.toMs + quarterMs - 1)),
  }
}

export const judgeRunning = async (
  source: Source,
  subject: Subject,
  judged: Judged,
  kept: DeliveryScore | null,
  nowMs: number,
): Promise<Outcome> => {
  if (!isLong(judged, nowMs)) return judge(source, subject, judged, nowMs)
  const fromMs = Math.floor((nowMs - hourMs) / quarterMs) * quarterMs
  const measured = await readMeasured(source, subject, {
    fromMs: fromMs - minuteMs,
    toMs: nowMs + edgeLimits.clockAheadMs,
  })
  const none = { score: null, measured, consumption: null, untilMs: null }
  if (typeof kept?.baseKw !== 'number') return none
  const planned = { ...measured, plan: { x: [fromMs], y: [kept.baseKw] } }
  const score = scoreActivation(products[subject.market], planned, { ...judged, startMs: fromMs })
  return { ...none, score: { ...score, score: null } }
}
