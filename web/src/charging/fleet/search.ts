import { z } from 'zod'
import { param } from '#lib/url-state.ts'

export const fleetDays = [7, 30, 90] as const

/** The days that the dashboard looks back on; the usual thirty are left out. */
export const fleetSearch = z.object({
  days: param(z.coerce.number().pipe(z.literal(fleetDays))),
})
