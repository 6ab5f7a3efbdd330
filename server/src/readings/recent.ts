import type { Span } from '@gridmast/contract/time.ts'
import type { Run } from './writer.ts'

export type Recent = {
  note: (run: Run, version: number, rolledVersion: number) => void
  /** False only when no raw row in the span can be newer than the version. */
  mayHaveChanged: (signalNo: number, span: Span, sinceVersion: number) => boolean
}

type Written = Span & { firstVersion: number; lastVersion: number }

/** Writes within this time, in µs, share one span; above `mostSpans` the two oldest merge. */
const sharedUs = 60_000_000
const mostSpans = 20

/** Spans of this process without roll-ups, which save a chart the query to the store. Nothing before `startVersion` and of other processes. */
export const openRecent = (startVersion: number): Recent => {
  const written = new Map<number, Written[]>()
  return {
    note: ({ signalNo, t0Ms, dtMs, values }, version, rolledVersion) => {
      const span = {
        fromMs: t0Ms,
        toMs: t0Ms + dtMs * (values.length - 1) + 1,
        firstVersion: version,
        lastVersion: version,
      }
      const spans = (written.get(signalNo) ?? []).filter(({ lastVersion }) => lastVersion > rolledVersion)
      const newest = spans.at(-1)
      if (newest && version - newest.firstVersion < sharedUs) spans[spans.length - 1] = union(newest, span)
      else spans.push(span)
      const [oldest, second] = spans
      if (oldest && second && spans.length > mostSpans) spans.splice(0, 2, union(oldest, second))
      written.set(signalNo, spans)
    },
    mayHaveChanged: (signalNo, { fromMs, toMs }, sinceVersion) =>
      sinceVersion < startVersion ||
      (written.get(signalNo) ?? []).some(
        (span) => span.lastVersion > sinceVersion && span.fromMs < toMs && span.toMs > fromMs,
      ),
  }
}

const union = (a: Written, b: Written): Written => ({
  fromMs: Math.min(a.fromMs, b.fromMs),
  toMs: Math.max(a.toMs, b.toMs),
  firstVersion: Math.min(a.firstVersion, b.firstVersion),
  lastVersion: Math.max(a.lastVersion, b.lastVersion),
})
