import { minuteMs, dayMs } from '@gridmast/contract/time.ts'

/** The clock of a charger may be at 1970, be hours off, or have no zone. */

const aheadMs = 5 * minuteMs
const firstYearMs = Date.UTC(2020, 0, 1)
/** No charger replays older messages. */
const oldestMs = 400 * dayMs

type Effective = { atMs: number; isMoved: boolean }

/** A stamp without a zone is UTC, as OCPP requires; null: not a time. */
const readStamp = (said: string | null): number | null => {
  if (said === null) return null
  const ms = Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(said) ? said : `${said}Z`)
  return Number.isFinite(ms) ? ms : null
}

const isBelievable = (ms: number, receivedMs: number) => ms >= firstYearMs && ms <= receivedMs + aheadMs

/** Milliseconds that the charger's clock is behind, from a message that it sent at once; null: plausible. */
export const skewOf = (said: string | null, receivedMs: number): number | null => {
  const ms = readStamp(said)
  return ms === null || isBelievable(ms, receivedMs) ? null : receivedMs - ms
}

/**
 * The charger's own stamp where it is plausible. A stamp before 2020 or in the future is moved by the skew of the clock where that gives a plausible
 * time; otherwise the time of receipt is used.
 */
export const effectiveTime = (said: string | null, receivedMs: number, skewMs: number | null): Effective => {
  const ms = readStamp(said)
  if (ms === null) return { atMs: receivedMs, isMoved: true }
  if (isBelievable(ms, receivedMs)) return { atMs: Math.min(ms, receivedMs), isMoved: false }
  const moved = skewMs === null ? null : ms + skewMs
  const isPossible = moved !== null && moved > receivedMs - oldestMs && moved <= receivedMs + aheadMs
  return { atMs: isPossible ? Math.min(moved, receivedMs) : receivedMs, isMoved: true }
}
