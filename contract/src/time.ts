import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { m } from './messages.ts'

/**
 * Local days, months and clock times of the market's zone; the only file with the Temporal polyfill. Instants are epoch milliseconds, always
 * named `...Ms`. Spans are half-open: `fromMs` is inside, `toMs` is not. Every function throws a RangeError for a date that does not exist or an
 * instant that is not a finite number.
 */
export const zone = 'Europe/Berlin'

export type Span = { fromMs: number; toMs: number }

/** A local day, `2026-11-20`. */
export type LocalDate = string
/** A local month, `2026-11`. */
export type LocalMonth = string

export const minuteMs = 60_000
export const quarterMs = 15 * minuteMs
export const hourMs = 60 * minuteMs
/** Elapsed time: a local day has 23, 24 or 25 hours. */
export const dayMs = 24 * hourMs

/**
 * Wire schemas; years 2000 to 2099, so that no request can ask for centuries. `abort` ends the check of invalid text, so that rules about two
 * dates run on dates only.
 */
export const localDate = z.iso
  .date({
    error: ({ input }) => (input === undefined || input === '' ? m.required : m.date),
    abort: true,
  })
  .regex(/^20/, { error: m.year, abort: true })
export const monthPattern = /^20\d\d-(0[1-9]|1[0-2])$/
export const month = z.string().regex(monthPattern, { error: m.month, abort: true })
/** `HH:mm`, 00:00 to 23:59; `24:00` is the end of the day. */
export const clockTimePattern = /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/
export const clockTime = z.string().regex(clockTimePattern, m.time)

type Offset = Span & { offsetMs: number }

const zonedAt = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)

/** 'previous' and 'next' exclude a clock change at the instant itself, which begins a span: hence the millisecond on one side only. */
const lookUpOffset = (ms: number): Offset => {
  const at = zonedAt(ms)
  return {
    fromMs: zonedAt(ms + 1).getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity,
    toMs: at.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity,
    offsetMs: at.offsetNanoseconds / 1e6,
  }
}

// An export formats a million instants of the same half year: the last span between two clock changes is cached (8 µs -> 0.1 µs each).
let lastOffset: Offset = { fromMs: 1, toMs: 0, offsetMs: 0 }

export const offsetMs = (ms: number): number => {
  if (!Number.isFinite(ms)) throw new RangeError(`not an instant: ${ms}`)
  const whole = Math.floor(ms)
  if (whole < lastOffset.fromMs || whole >= lastOffset.toMs) lastOffset = lookUpOffset(whole)
  return lastOffset.offsetMs
}

/** Local time of Berlin in ISO format; its Z is wrong and never leaves this file. */
const wall = (ms: number): string => new Date(Math.floor(ms) + offsetMs(ms)).toISOString()

export const localDateOf = (ms: number): LocalDate => wall(ms).slice(0, 10)
export const localMonthOf = (ms: number): LocalMonth => wall(ms).slice(0, 7)
/** `18:12` */
export const localTime = (ms: number): string => wall(ms).slice(11, 16)
export const today = (nowMs: number): LocalDate => localDateOf(nowMs)

const datePattern = /^\d{4}-\d\d-\d\d$/
/** Days are counted in UTC, where each has 24 hours, and without Temporal: a settlement counts thousands of them. */
const dateAt = (utcMs: number): LocalDate => new Date(utcMs).toISOString().slice(0, -'T00:00:00.000Z'.length)
const utcMsOf = (date: LocalDate): number => {
  const ms = Date.parse(date)
  if (!datePattern.test(date) || new Date(ms).getUTCDate() !== Number(date.slice(8)))
    throw new RangeError(`not a date: ${date}`)
  return ms
}

/** `days` may be negative. */
export const addDays = (date: LocalDate, days: number): LocalDate => dateAt(utcMsOf(date) + days * dayMs)
export const addMonths = (month: LocalMonth, months: number): LocalMonth =>
  Temporal.PlainYearMonth.from(month).add({ months }).toString()

/** Days from `first` to `last`, 0 when they are the same, negative when `last` is earlier. */
export const daysBetween = (first: LocalDate, last: LocalDate): number => (utcMsOf(last) - utcMsOf(first)) / dayMs

/** Every day from `first` to `last`, both included; empty when `last` is earlier. */
export const datesBetween = (first: LocalDate, last: LocalDate): LocalDate[] => {
  const [fromMs, days] = [utcMsOf(first), daysBetween(first, last)]
  return Array.from({ length: Math.max(0, days + 1) }, (_, i) => dateAt(fromMs + i * dayMs))
}

/** 1 Monday to 7 Sunday: 1970 began on a Thursday. */
export const weekday = (date: LocalDate): number => ((((utcMsOf(date) / dayMs + 3) % 7) + 7) % 7) + 1

const midnightMs = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).epochMilliseconds

// Slots, labels and sums of some days need the same bounds hundreds of times (20 µs each).
const knownDays = new Map<LocalDate, Span>()
const maxDays = 400

/** 23, 24 or 25 hours. */
export const dayBounds = (date: LocalDate): Span => {
  const known = knownDays.get(date)
  if (known) return { ...known }
  const day = Temporal.PlainDate.from(date)
  const bounds = { fromMs: midnightMs(day), toMs: midnightMs(day.add({ days: 1 })) }
  if (knownDays.size >= maxDays) knownDays.clear()
  knownDays.set(date, bounds)
  return { ...bounds }
}

export const monthBounds = (month: LocalMonth): Span => {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 })
  return { fromMs: midnightMs(first), toMs: midnightMs(first.add({ months: 1 })) }
}

/**
 * The instant of a clock time (`HH:mm`, or `24:00` for the end of the day) on a local day. A time that the day in March skips (02:00 to 02:59)
 * is the moment of the change, 03:00. A time that the day in October has twice is the first one for a start and the second one for an end, so
 * that a window never loses data.
 */
export const atLocalTime = (date: LocalDate, time: string, edge: 'start' | 'end' = 'start'): number => {
  if (!clockTimePattern.test(time)) throw new RangeError(`not a time of day: ${time}`)
  if (time === '24:00') return dayBounds(date).toMs
  const wanted = Temporal.PlainDateTime.from(`${date}T${time}`)
  const found = wanted.toZonedDateTime(zone, { disambiguation: edge === 'start' ? 'earlier' : 'later' })
  if (found.toPlainDateTime().equals(wanted)) return found.epochMilliseconds
  const gap = wanted.toZonedDateTime(zone, { disambiguation: 'earlier' }).getTimeZoneTransition('next')
  return gap?.epochMilliseconds ?? found.epochMilliseconds
}

const clockPattern = /^\d\d:\d\d$/

/** Whether the clock time does not exist on the day: 02:00 to 02:59 on the day in March. */
export const isSkipped = (text: string, date: LocalDate): boolean =>
  clockPattern.test(text) && text < '24:00' && localTime(atLocalTime(date, text)) !== text

/** Instant of a `start` or `end` parameter: with a zone (`2026-11-20T10:00:00Z`) or as `HH:mm` on `date`. Null for any other text. */
export const instantOf = (text: string, date: LocalDate, edge: 'start' | 'end'): number | null => {
  try {
    if (clockPattern.test(text)) return atLocalTime(date, text, edge)
    return text.startsWith('20') ? Temporal.Instant.from(text).epochMilliseconds : null
  } catch {
    return null
  }
}

export const frequencyWindow = (nowMs: number): Span => ({ fromMs: nowMs - 30 * minuteMs, toMs: nowMs })

export const capacityWindow = (lastReportedMs: number): Span => ({
  fromMs: lastReportedMs - 16 * minuteMs,
  toMs: lastReportedMs + minuteMs,
})

/** `20.11.2026`, from an instant or a local day. */
export const formatDate = (at: number | LocalDate): string => {
  const date = typeof at === 'number' ? localDateOf(at) : Temporal.PlainDate.from(at).toString()
  return `${date.slice(8, 10)}.${date.slice(5, 7)}.${date.slice(0, 4)}`
}
/** `18:12:08` */
export const formatTime = (ms: number): string => wall(ms).slice(11, 19)
/** `20.11.2026 18:12:08` */
export const formatDateTime = (ms: number): string => `${formatDate(ms)} ${formatTime(ms)}`
/** `2026-11-20 18:12:08`: local text for files, sortable within one offset. */
export const localText = (ms: number): string => wall(ms).slice(0, 19).replace('T', ' ')
export const zoneLabel = (ms: number): 'CET' | 'CEST' => (offsetMs(ms) === hourMs ? 'CET' : 'CEST')

/** Clock times of a span within a local day; with the zone on a day whose clock changes, because an hour of October is repeated. */
export const localSpan = (fromMs: number, toMs: number): string => {
  const [from, to] = [localTime(fromMs), localTime(toMs)]
  const day = dayBounds(localDateOf(fromMs))
  if (offsetMs(day.fromMs) === offsetMs(day.toMs)) return `${from}–${to}`
  const [first, last] = [zoneLabel(fromMs), zoneLabel(toMs)]
  return first === last ? `${from}–${to} ${first}` : `${from} ${first}–${to} ${last}`
}
