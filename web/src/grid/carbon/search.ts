import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { param } from '#lib/url-state.ts'

/** Tab, area and day; what is not in the address is the emission of the first area, yesterday for it and today for its prognosis. */
export const carbonSearch = z.object({
  tab: param(z.enum(['emission', 'prognosis'])),
  area: param(z.string().regex(/^[A-Z]{2}\d$/)),
  date: param(localDate),
  instance: param(z.uuid()),
})
