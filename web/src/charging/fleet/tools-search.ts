import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { param } from '#lib/url-state.ts'

/** What the tools of the charge fleet keep in the address; what is not understood is dropped. */
export const toolsSearch = z.object({
  tab: param(z.enum(['chargers', 'sites'])),
  siteId: param(z.uuid()),
  date: param(localDate),
})
