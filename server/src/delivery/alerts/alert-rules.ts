import type { AlertCriteria, AlertType } from '@gridmast/contract/delivery/alerts.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { hourMs, minuteMs, offsetMs } from '@gridmast/contract/time.ts'

/** Rules of alert triggers (alerts.md); samples are in order of time. */
export type Rule = {
  customerId: string
  alertId: string
  type: AlertType
  criteria: AlertCriteria
  threshold: number
  startMinute: number
  endMinute: number
  intervalMs: number
  validFromMs: number
}

export type State = { tMs: number; holds: boolean; crossedMs: number }

export type Trigger = { tMs: number; crossedMs: number; value: number }

export type Watched = { rule: Rule; state: State }

export type Track = { lastMs: number; hourStartMs: number; sum: number; count: number; isWhole: boolean }

export const newState = (): State => ({ tMs: -Infinity, holds: false, crossedMs: -Infinity })
export const newTrack = (): Track => ({ lastMs: -Infinity, hourStartMs: -Infinity, sum: 0, count: 0, isWhole: false })

/** After a longer silence the earlier state is unknown: a threshold that is exceeded then counts as crossed again. */
export const silenceMs = limits.edgeAliveMs

const isHourly = ({ type, criteria }: Rule): boolean => type === 'consumption' && criteria === 'lt'

export const startOfHour = (tMs: number): number => Math.floor(tMs / hourMs) * hourMs

const minuteOfDay = (tMs: number): number => Math.floor((tMs + offsetMs(tMs)) / minuteMs) % 1440

const isScheduled = ({ startMinute, endMinute }: Rule, minute: number): boolean =>
  startMinute <= endMinute ? startMinute <= minute && minute <= endMinute : minute >= startMinute || minute <= endMinute

const step = ({ rule, state }: Watched, tMs: number, value: number, minute: number): Trigger | null => {
  if (tMs < rule.validFromMs) return null
  const passes = rule.criteria === 'gt' ? value > rule.threshold : value < rule.threshold
  const { tMs: beforeMs, holds } = state
  state.tMs = tMs
  state.holds = passes && isScheduled(rule, minute)
  if (!state.holds) return null
  if (!holds || tMs - beforeMs > (isHourly(rule) ? hourMs : silenceMs)) state.crossedMs = tMs
  else if (!isDueAgain(rule.intervalMs, state.crossedMs, beforeMs, tMs)) return null
  return { tMs, crossedMs: state.crossedMs, value }
}

const isDueAgain = (intervalMs: number, crossedMs: number, beforeMs: number, tMs: number): boolean =>
  intervalMs > 0 && Math.floor((tMs - crossedMs) / intervalMs) > Math.floor((beforeMs - crossedMs) / intervalMs)

export const follow = <W extends Watched>(
  all: readonly W[],
  track: Track,
  tMs: number,
  value: number,
  onTrigger: (watched: W, trigger: Trigger) => void,
): void => {
  const hourStartMs = startOfHour(tMs)
  if (hourStartMs !== track.hourStartMs) {
    const endMs = track.hourStartMs + hourMs
    // The last minute of the hour decides whether it is in the schedule; an hour with a silence in it is unknown, never below.
    if (track.isWhole && tMs - track.lastMs <= silenceMs) {
      const minute = minuteOfDay(endMs - 1)
      for (const watched of all) {
        const trigger = isHourly(watched.rule) ? step(watched, endMs, track.sum / track.count, minute) : null
        if (trigger) onTrigger(watched, trigger)
      }
    }
    track.hourStartMs = hourStartMs
    track.sum = track.count = 0
    track.isWhole = true
  }
  if (tMs - Math.max(track.lastMs, hourStartMs) > silenceMs) track.isWhole = false
  track.lastMs = tMs
  track.sum += value
  track.count++
  // Same energy as in the consumption chart: mean kW of the hour's samples times the part of the hour that has passed.
  const kwh = ((track.sum / track.count) * (tMs - hourStartMs)) / hourMs
  const minute = minuteOfDay(tMs)
  for (const watched of all) {
    if (isHourly(watched.rule)) continue
    const trigger = step(watched, tMs, watched.rule.type === 'power' ? value : kwh, minute)
    if (trigger) onTrigger(watched, trigger)
  }
}
