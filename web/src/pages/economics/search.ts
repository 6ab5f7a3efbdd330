import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { pageSearch } from '#lib/url-state.ts'

/** What was submitted; the running month is left out. */
export const economicsSearch = z.object({
  licenseId: z.uuid().optional().catch(undefined),
  instanceId: z.uuid().optional().catch(undefined),
  startDate: localDate.optional().catch(undefined),
  endDate: localDate.optional().catch(undefined),
  ...pageSearch.shape,
})
