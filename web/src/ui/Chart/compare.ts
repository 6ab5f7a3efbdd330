import { dayMs, offsetMs } from '@gridmast/contract/time.ts'

/** The instant with the same local time `days` later; null in the hour that a day in March skips. */
export const shiftDays = (ms: number, days: number): number | null => {
  const wallMs = ms + offsetMs(ms) + days * dayMs
  const shiftedMs = wallMs - offsetMs(wallMs - offsetMs(ms))
  return shiftedMs + offsetMs(shiftedMs) === wallMs ? shiftedMs : null
}

type Points = { x: readonly number[]; y: readonly (number | null)[] }

/**
 * Points of an earlier day at the same local times `days` later. The second pass of a repeated hour is omitted, and no line bridges the hour that
 * only the later day has.
 */
export const alignDays = ({ x, y }: Points, days: number): { x: number[]; y: (number | null)[] } => {
  const aligned: { x: number[]; y: (number | null)[] } = { x: [], y: [] }
  let last: { ms: number; shiftedMs: number } | null = null
  x.forEach((ms, i) => {
    const shiftedMs = shiftDays(ms, days)
    if (shiftedMs === null || (last && shiftedMs <= last.shiftedMs)) return
    if (last && shiftedMs - last.shiftedMs > ms - last.ms) {
      aligned.x.push((shiftedMs + last.shiftedMs) / 2)
      aligned.y.push(null)
    }
    aligned.x.push(shiftedMs)
    aligned.y.push(y[i] ?? null)
    last = { ms, shiftedMs }
  })
  return aligned
}
