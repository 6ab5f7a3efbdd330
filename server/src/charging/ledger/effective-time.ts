import { minuteMs, dayMs } from '@gridmast/contract/time.ts'

/** When something happened, of what a charger says about it. Its clock may stand at 1970, be hours off, or have no zone. */

const aheadMs = 5 * minuteMs
const firstYearMs = Date.UTC(2020, 0, 1)
/** Longer ago nothing is replayed. */
const oldestMs = 400 * dayMs

type Effective = { atMs: number; isMoved: boolean }

/** A stamp without a zone is UTC, as the protocol asks for. Null where it is no time at all. */
const readStamp = (said: string | null): number | null => {
  if (said === null) return null
  const ms = Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(said) ? said : `${said}Z`)
  return Number.isFinite(ms) ? ms : null
}

const isBelievable = (ms: number, receivedMs: number) => ms >= firstYearMs && ms <= receivedMs + aheadMs

/** How much later it was than the charger's clock said, by a message that it sent at once. */
export const skewOf = (said: string | null, receivedMs: number): number | null => {
  const ms = readStamp(said)
  return ms === null || isBelievable(ms, receivedMs) ? null : receivedMs - ms
}

/**
 * The charger's own stamp where it can be true. One that cannot (before 2020, or later than now) is moved by the skew of its clock, where that
 * is known and leads to a time that can be; else it is the time at which the message came.
 */
export const effectiveTime = (said: string | null, receivedMs: number, skewMs: number | null): Effective => {
  const ms = readStamp(said)
  if (ms === null) return { atMs: receivedMs, isMoved: true }
  if (isBelievable(ms, receivedMs)) return { atMs: Math.min(ms, receivedMs), isMoved: false }
  const moved = skewMs === null ? null : ms + skewMs
  const isPossible = moved !== null && moved > receivedMs - oldestMs && moved <= receivedMs + aheadMs
  return { atMs: isPossible ? Math.min(moved, receivedMs) : receivedMs, isMoved: true }
}
