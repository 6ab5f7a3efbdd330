import { z } from 'zod'
import { meterSearch } from './meter-search.ts'
import { pageSearch } from '#lib/url-state.ts'

export const hubTabs = ['details', 'allMeters'] as const

/** What the data hub keeps in the address (specification text 0, section 2); the page is that of all meters. */
export const hubSearch = z.object({
  tab: z.enum(hubTabs).optional().catch(undefined),
  ...meterSearch,
  ...pageSearch.shape,
})
