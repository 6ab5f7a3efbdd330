import { calculatorAreas, calculatorMarkets } from '@gridmast/contract/choices.ts'
import { searchParams, oneOf, matching, number, integer, id, day, month } from '#lib/search-params.ts'
import { rangeSearch, zoomSearch } from '#ui/Chart/range-search.ts'

/** Tab, area and day. Defaults: the first area, yesterday for the emission and today for its prognosis. */
export const carbonSearch = searchParams({
  tab: oneOf('emission', 'prognosis'),
  area: matching(/^[A-Z]{2}\d$/),
  date: day,
  instance: id,
  /** The emission next to its prognosis. */
  compare: oneOf('prognosis'),
  ...rangeSearch.shape,
})

/** Start, number of days, price signal and resolution. Defaults: today, one day, the first signal, quarters. */
export const dayAheadSearch = searchParams({
  date: day,
  days: integer(1, 366),
  signal: id,
  resolution: oneOf('hour'),
  dialog: oneOf('tax', 'download'),
  ...zoomSearch.shape,
})

/** The submitted request; `capacity` in MW. */
export const calculatorSearch = searchParams({
  area: oneOf(...calculatorAreas),
  market: oneOf(...calculatorMarkets),
  capacity: number((value) => value > 0 && value <= 10_000),
  currency: oneOf('Euro'),
  startDate: month,
  endDate: month,
})
