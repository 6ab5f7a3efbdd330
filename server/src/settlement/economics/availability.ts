import { hourMs, minuteMs, type Span } from '@gridmast/contract/time.ts'

/** Commenced hours of a day in which an instance was not available; rules and a worked example: settlement.md. */

/** A longer gap between two samples is a silence: an edge that sends its past coarsely has one sample each quarter of an hour. */
const longestGapMs = 15 * minuteMs
/** Length of the pieces that samples are counted in, shorter than the gap, so that each silence lies between two pieces. */
export const pieceMs = 5 * minuteMs
export const aroundMs = 30 * minuteMs
const touchMs = 1000
/** A day with a larger missing share is not judged (decision 34). */
const maxMissingShare = 0.05
/** Tolerated share of the sold power: the accuracy of edge measurements. */
const toleratedShare = 0.05

export type Reason = 'silent' | 'too little'

export type Piece = { count: number; firstMs: number; lastMs: number }

export type DayMeasured = {
  span: Span
  pieces: readonly Piece[]
  availableKw: readonly (number | null)[]
}

export type Availability = {
  notAvailable: ReadonlyMap<number, Reason>
  missingShare: number
  isJudged: boolean
}

/** A silence begins when the next sample was due: a sample each minute covers its minute. */
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

/** `soldKw` by the start of each sold hour; other hours are never missed. */
export const availabilityOf = ({ span, pieces, availableKw }: DayMeasured, soldKw: ReadonlyMap<number, number>) => {
  const silences = silencesOf({ span, pieces })
  const silentMs = silences.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  const missingShare = silentMs / (span.toMs - span.fromMs)
  if (missingShare > maxMissingShare) return { notAvailable: new Map(), missingShare, isJudged: false }
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
