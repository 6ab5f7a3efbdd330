import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'

export const carbonTabs = ['emission', 'prognosis'] as const

/** Tab, area and day; what is not in the address is the emission of the first area, yesterday for it and today for its prognosis. */
export const carbonSearch = z.object({
  tab: z.enum(carbonTabs).optional().catch(undefined),
  area: z
    .string()
    .regex(/^[A-Z]{2}\d$/)
    .optional()
    .catch(undefined),
  date: localDate.optional().catch(undefined),
  instance: z.uuid().optional().catch(undefined),
})
export type CarbonSearch = z.infer<typeof carbonSearch>
