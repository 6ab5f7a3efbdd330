import { localDate } from '@gridmast/contract/time.ts'
import { z } from 'zod'

/** What the address says of the meter that is looked at; what is left out is the usual. */
export const meterSearch = {
  /** A day of the month or year that is shown; usually yesterday, the newest day that Eloverblik has. */
  date: localDate.optional().catch(undefined),
  /** The meter; usually the first that is configured. */
  device: z.uuid().optional().catch(undefined),
  view: z.enum(['month', 'year']).optional().catch(undefined),
  compare: z.enum(['before', 'profile']).optional().catch(undefined),
}
const whole = z.object(meterSearch)
export type MeterSearch = z.infer<typeof whole>

/** Settings that are tried out, as they are sent. */
export type Preview = { priceSignal?: string; taxValue?: string }
