import { eventSearch } from '#delivery/events/filter.ts'
import { priceSignalId, priceTypes } from '@gridmast/contract/grid/price-signals.ts'
import { clockTime, localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { param } from '#lib/url-state.ts'
import { rangeSearch } from '#ui/Chart/range-search.ts'

const text = param(z.coerce.string().max(60))

/** Specification text 2, section 2. */
export const marketSearch = z.object({
  tab: param(z.enum(['events', 'market', 'signal', 'requestBid', 'soldCapacity'])),
  subTab: text,
  ...eventSearch,
  ...rangeSearch.shape,
  signal: param(priceSignalId),
  priceType: param(z.enum(priceTypes)),
  date: param(localDate),
  startTime: param(clockTime),
  endTime: param(clockTime),
  frequency: param(z.uuid()),
  license: param(z.uuid()),
  filter: text,
  /** The request that is open; `new` is the form of a new one, for `instance`. */
  request: param(z.union([z.literal('new'), z.uuid()])),
})

export const requestFilters = marketSearch.pick({ filter: true })
