import { deltaLoadSteps, directions, durationClasses } from '@gridmast/contract/delivery/events.ts'
import { type LocalDate, addDays, localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { param, listSearch } from '#lib/url-state.ts'

/** Two local days, `2026-11-14..2026-11-20`. */
const dateRange = z.string().refine((text) => {
  const [start, end, ...more] = text.split('..')
  const areDays = localDate.safeParse(start).success && localDate.safeParse(end).success
  return areDays && more.length === 0 && (start ?? '') <= (end ?? '')
})

const filters = {
  dateRange: param(dateRange),
  direction: param(z.enum(directions)),
  deltaLoad: param(z.coerce.number().pipe(z.literal(deltaLoadSteps))),
  /** Activations below `minDeltaLoadPercent` too. */
  smaller: param(z.literal('shown')),
  duration: param(z.enum(durationClasses)),
  instance: param(z.uuid()),
}
export const eventFilters = z.object(filters)

/** Table of events in the address (specification text 2, section 2); invalid values are dropped. */
export const eventSearch = {
  ...filters,
  ...listSearch.shape,
  page: param(z.coerce.number().int().min(1).max(30_000)),
}
const all = z.object(eventSearch)
export type EventSearch = z.infer<typeof all>

const defaultDays = 7

export type Days = { start: LocalDate; end: LocalDate }

/** The days of the address; by default the last seven. */
export const daysOf = (text: string | undefined, today: LocalDate): Days => {
  const [start, end] = text?.split('..') ?? []
  return { start: start ?? addDays(today, 1 - defaultDays), end: end ?? today }
}

/** Text for the address; undefined for the default days. */
export const dateRangeOf = ({ start, end }: Days, today: LocalDate): string | undefined => {
  const defaults = daysOf(undefined, today)
  return start === defaults.start && end === defaults.end ? undefined : `${start}..${end}`
}
