import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { pageSearch, param } from '#lib/url-state.ts'

/** Specification text 0, section 2. `page` is the page of all meters. */
export const hubSearch = z.object({
  tab: param(z.enum(['details', 'allMeters'])),
  /** A day of the month or year on screen. Default: yesterday, the newest day of Eloverblik. */
  date: param(localDate),
  /** Default: the first configured meter. */
  device: param(z.uuid()),
  view: param(z.enum(['month', 'year'])),
  compare: param(z.enum(['before', 'profile'])),
  ...pageSearch.shape,
})
export type HubSearch = z.infer<typeof hubSearch>
