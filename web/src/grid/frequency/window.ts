import { atLocalTime, localDateOf, localTime, minuteMs, type LocalDate, type Span } from '@gridmast/contract/time.ts'

const windowMs = 15 * minuteMs

/** A day and two clock times on it. */
export type FrequencyTimes = { date: LocalDate; startTime: string; endTime: string }

/** Specification text 1, section 9: the last 15 minutes; cut at midnight, because the page shows one day. */
export const defaultTimes = (nowMs: number): FrequencyTimes => {
  const endMs = Math.floor(nowMs / minuteMs) * minuteMs
  const date = localDateOf(endMs)
  const startMs = Math.max(endMs - windowMs, atLocalTime(date, '00:00'))
  return { date, startTime: localTime(startMs), endTime: localTime(Math.max(endMs, startMs + minuteMs)) }
}

export const spanOf = ({ date, startTime, endTime }: FrequencyTimes): Span => ({
  fromMs: atLocalTime(date, startTime, 'start'),
  toMs: atLocalTime(date, endTime, 'end'),
})

/** The day and clock times of a span that begins on it; an end after its midnight is `24:00`. */
export const timesOf = ({ fromMs, toMs }: Span): FrequencyTimes => {
  const date = localDateOf(fromMs)
  return {
    date,
    startTime: localTime(fromMs),
    endTime: localDateOf(toMs) === date ? localTime(toMs) : '24:00',
  }
}

/** While the page refreshes itself the window ends one minute ahead (specification text 1, section 4); one that lies on another day begins anew. */
export const runningSpan = ({ fromMs }: Span, nowMs: number): Span => {
  const isOfToday = fromMs < nowMs && localDateOf(fromMs) === localDateOf(nowMs)
  return { fromMs: isOfToday ? fromMs : nowMs - windowMs, toMs: nowMs + minuteMs }
}
