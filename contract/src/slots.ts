import {
  atLocalTime,
  datesBetween,
  dayBounds,
  hourMs,
  localDateOf,
  localTime,
  quarterMs,
  type LocalDate,
  type Span,
} from './time.ts'

/**
 * Divisions of a local day. `block`: six blocks of 4 local hours (FCR); the first has 3 hours on the day in March and 5 on the day in October.
 * `bidHour`: 24 local hours as in bid tables; slot 02 is empty in March and two hours long in October. `hour`: real hours, 23, 24 or 25.
 * `quarter`: real quarters, 92, 96 or 100.
 */
export type SlotKind = 'block' | 'bidHour' | 'hour' | 'quarter'

/** `index` counts from 0. Only a `bidHour` may be empty (`fromMs === toMs`). */
export type Slot = Span & { index: number; label: string }

const two = (n: number) => String(n).padStart(2, '0')

/** 'A' and 'B' distinguish the two passes of the repeated hour in October. */
const pass = (date: LocalDate, fromMs: number): '' | 'A' | 'B' => {
  const day = dayBounds(date)
  if (day.toMs - day.fromMs !== 25 * hourMs) return ''
  if (localTime(fromMs) === localTime(fromMs + hourMs)) return 'A'
  return localTime(fromMs) === localTime(fromMs - hourMs) ? 'B' : ''
}

const hourLabel = (date: LocalDate, fromMs: number) => {
  const hour = Number(localTime(fromMs).slice(0, 2))
  return `${two(hour)}${pass(date, fromMs)}–${two(hour + 1)}`
}

const localHours = (date: LocalDate, length: number): Slot[] =>
  Array.from({ length: 24 / length }, (_, index) => {
    const [from, to] = [index * length, (index + 1) * length]
    return {
      index,
      fromMs: atLocalTime(date, `${two(from)}:00`),
      toMs: atLocalTime(date, `${two(to)}:00`),
      label: `${two(from)}–${two(to)}`,
    }
  })

const passing = (date: LocalDate, stepMs: number, label: (fromMs: number) => string): Slot[] => {
  const day = dayBounds(date)
  return Array.from({ length: (day.toMs - day.fromMs) / stepMs }, (_, index) => {
    const fromMs = day.fromMs + index * stepMs
    return { index, fromMs, toMs: fromMs + stepMs, label: label(fromMs) }
  })
}

export const slots = (kind: SlotKind, date: LocalDate): Slot[] => {
  if (kind === 'block') return localHours(date, 4)
  if (kind === 'bidHour') return localHours(date, 1)
  if (kind === 'hour') return passing(date, hourMs, (fromMs) => hourLabel(date, fromMs))
  return passing(date, quarterMs, (fromMs) => `${localTime(fromMs)}${pass(date, fromMs)}`)
}

/** Local days that a span touches. */
export const datesIn = ({ fromMs, toMs }: Span): LocalDate[] => datesBetween(localDateOf(fromMs), localDateOf(toMs - 1))

/** Whole slots that overlap a span. */
export const slotsIn = (kind: SlotKind, span: Span): Slot[] =>
  datesIn(span)
    .flatMap((date) => slots(kind, date))
    .filter(({ fromMs, toMs }) => toMs > span.fromMs && fromMs < span.toMs)

/** Length of a slot in hours: 4, 3 or 5 for a block; 1, 0 or 2 for a bid hour; 1; 0.25. Throws a RangeError when the day has no such slot. */
export const slotHours = (kind: SlotKind, date: LocalDate, index: number): number => {
  const slot = slots(kind, date)[index]
  if (!slot) throw new RangeError(`${date} has no ${kind} ${index}`)
  return (slot.toMs - slot.fromMs) / hourMs
}

/** `18:15` for an instant of a day's axis; the end of the day is `24:00`, the repeated hour in October has A and B. */
export const axisLabel = (date: LocalDate, ms: number): string =>
  ms === dayBounds(date).toMs ? '24:00' : `${localTime(ms)}${pass(date, ms)}`
