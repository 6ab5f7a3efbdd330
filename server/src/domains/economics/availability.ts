import { hourMs, minuteMs, type Span } from '@gridmast/contract/time.ts'

/** Which commenced hours of a day an instance was not available in. Rules and a worked example: settlement.md. */

/** Samples are counted in pieces of this length. */
export const pieceMs = 5 * minuteMs
/** So many empty pieces in a row are a silence: a quarter of an hour, in which an edge that sends its past coarsely has one sample. */
const silentPieces = 3
/** A day of which more is missing is not judged (decision 34). */
const mostMissing = 0.05
/** What may be missing of the power that was sold: the accuracy of what edges measure. */
const toleratedShare = 0.05

export type Reason = 'silent' | 'too little'

export type DayMeasured = {
  /** Whole hours: a local day has 23, 24 or 25. */
  span: Span
  /** Samples of the instance's power in each piece of the day. */
  counts: readonly number[]
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

const silencesOf = (counts: readonly number[]): { from: number; to: number }[] => {
  const silences: { from: number; to: number }[] = []
  let from = 0
  for (let at = 0; at <= counts.length; at++) {
    if (at < counts.length && (counts[at] ?? 0) === 0) continue
    if (at - from >= silentPieces) silences.push({ from, to: at })
    from = at + 1
  }
  return silences
}

/** `soldKw` by the start of each hour in which something was sold; hours in which nothing was are never missed. */
export const availabilityOf = (
  { span, counts, availableKw }: DayMeasured,
  soldKw: ReadonlyMap<number, number>,
): Availability => {
  const silences = silencesOf(counts)
  const silent = silences.reduce((sum, { from, to }) => sum + to - from, 0)
  const missingShare = counts.length > 0 ? silent / counts.length : 1
  if (missingShare > mostMissing) return { notAvailable: new Map(), missingShare, isJudged: false }
  const notAvailable = new Map<number, Reason>()
  for (const [atMs, sold] of soldKw) {
    const hour = (atMs - span.fromMs) / hourMs
    const [first, end] = [(hour * hourMs) / pieceMs, ((hour + 1) * hourMs) / pieceMs]
    const ready = availableKw[hour] ?? null
    if (silences.some(({ from, to }) => from < end && to > first)) notAvailable.set(atMs, 'silent')
    else if (ready !== null && ready < sold * (1 - toleratedShare)) notAvailable.set(atMs, 'too little')
  }
  return { notAvailable, missingShare, isJudged: true }
}
