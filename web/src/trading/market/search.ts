import { eventSearch } from '#delivery/events/filter.ts'
import { priceSignalId, priceTypes } from '@gridmast/contract/grid/price-signals.ts'
import { clockTime, localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'

/** In the order of the specification. */
export const marketTabs = ['events', 'market', 'signal', 'requestBid', 'soldCapacity'] as const
export type MarketTabName = (typeof marketTabs)[number]

const text = z.coerce.string().max(60).optional().catch(undefined)

/** What the market page keeps in the address (specification text 2, section 2); what is not understood is dropped. */
export const marketSearch = z.object({
  tab: z.enum(marketTabs).optional().catch(undefined),
  subTab: text,
  ...eventSearch,
  signal: priceSignalId.optional().catch(undefined),
  priceType: z.enum(priceTypes).optional().catch(undefined),
  date: localDate.optional().catch(undefined),
  startTime: clockTime.optional().catch(undefined),
  endTime: clockTime.optional().catch(undefined),
  frequency: z.uuid().optional().catch(undefined),
  license: z.uuid().optional().catch(undefined),
  filter: text,
})
export type MarketSearch = z.infer<typeof marketSearch>
