import { deltaLoadSteps, directions, durationClasses } from '@gridmast/contract/delivery/events.ts'
import { type LocalDate, addDays } from '@gridmast/contract/time.ts'
import { listSearch } from '#lib/url-state.ts'
import { searchParams, type ParamsOf, oneOf, numberOf, integer, id, dayRange } from '#lib/search-params.ts'

const filters = {
  dateRange: dayRange,
  direction: oneOf(...directions),
  deltaLoad: numberOf(...deltaLoadSteps),
  /** Activations below `minDeltaLoadPercent` too. */
  smaller: oneOf('shown'),
  duration: oneOf(...durationClasses),
  instance: id,
}
export const eventFilters = searchParams(filters)

/** Table of events in the address (specification text 2, section 2); invalid values are dropped. */
export const eventSearch = {
  ...filters,
  ...listSearch.shape,
  page: integer(1, 30_000),
}
const all = searchParams(eventSearch)
export type EventSearch = ParamsOf<typeof all>

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
