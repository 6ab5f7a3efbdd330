import { hourMs, minuteMs, type Span } from '@gridmast/contract/time.ts'

/** Which commenced hours of a day an instance was not available in. Rules and a worked example: settlement.md. */

/** More than this between two samples is a silence: an edge that sends its past coarsely has one sample each quarter of an hour. */
const longestGapMs = 15 * minuteMs
/** Samples are summed up in pieces of this length, shorter than the gap: each silence lies between two pieces. */
export const pieceMs = 5 * minuteMs
/** Samples this long before and after the day count too: a silence may reach over midnight. */
export const aroundMs = 30 * minuteMs
/** An hour is touched by at least this much: clocks of edges are a second wide. */
const touchMs = 1000
/** A day of which more is missing is not judged (decision 34). */
const mostMissing = 0.05
/** What may be missing of the power that was sold: the accuracy of what edges measure. */
const toleratedShare = 0.05

export type Reason = 'silent' | 'too little'

/** Samples of the instance's power within one piece of time, by their instants. */
export type Piece = { count: number; firstMs: number; lastMs: number }

export type DayMeasured = {
  /** Whole hours: a local day has 23, 24 or 25. */
  span: Span
  /** In order, of the day and what lies around it; empty ones are absent. */
  pieces: readonly Piece[]
  /** What stood ready on average in each hour, kW; null where it was not measured. */
  availableKw: readonly (number | null)[]
}

export type Availability = {
  /** By the start of the hour. */
  notAvailable: ReadonlyMap<number, Reason>
  missingShare: number
  /** Too much is missing: nothing is taken off. */
  isJudged: boolean
}

/** Within the day. A silence begins when the sample after its last one was due: a sample each minute speaks for its minute. */
const silencesOf = ({ span, pieces }: Pick<DayMeasured, 'span' | 'pieces'>): Span[] => {
  const silences: Span[] = []
  let [lastMs, stepMs] = [-Infinity, 0]
  for (const piece of [...pieces, { count: 1, firstMs: Infinity, lastMs: Infinity }]) {
    const gapMs = piece.firstMs - lastMs
    if (gapMs > longestGapMs) {
      const silence = { fromMs: Math.max(span.fromMs, lastMs + stepMs), toMs: Math.min(span.toMs, piece.firstMs) }
      if (silence.toMs - silence.fromMs >= touchMs) silences.push(silence)
    }
    stepMs = piece.count > 1 ? (piece.lastMs - piece.firstMs) / (piece.count - 1) : Math.min(gapMs, longestGapMs)
    lastMs = piece.lastMs
  }
  return silences
}

/** `soldKw` by the start of each hour in which something was sold; hours in which nothing was are never missed. */
export const availabilityOf = (
  { span, pieces, availableKw }: DayMeasured,
  soldKw: ReadonlyMap<number, number>,
): Availability => {
  const silences = silencesOf({ span, pieces })
  const silentMs = silences.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  const missingShare = silentMs / (span.toMs - span.fromMs)
  if (missingShare > mostMissing) return { notAvailable: new Map(), missingShare, isJudged: false }
  const notAvailable = new Map<number, Reason>()
  for (const [atMs, sold] of soldKw) {
    const isSilent = silences.some(
      ({ fromMs, toMs }) => Math.min(toMs, atMs + hourMs) - Math.max(fromMs, atMs) >= touchMs,
    )
    const ready = availableKw[(atMs - span.fromMs) / hourMs] ?? null
    if (isSilent) notAvailable.set(atMs, 'silent')
    else if (ready !== null && ready < sold * (1 - toleratedShare)) notAvailable.set(atMs, 'too little')
  }
  return { notAvailable, missingShare, isJudged: true }
}
