import { z } from 'zod'

export const fleetDays = [7, 30, 90] as const

/** The days that the dashboard looks back on; the usual thirty are left out. */
export const fleetSearch = z.object({
  days: z.coerce.number().pipe(z.literal(fleetDays)).optional().catch(undefined),
})
