import { z } from 'zod'
import { param } from '#lib/url-state.ts'
import { localDate } from '@gridmast/contract/time.ts'

export const fleetDays = [7, 30, 90] as const

/** The days that the dashboard looks back on; the usual thirty are left out. */
export const fleetSearch = z.object({
  days: param(z.coerce.number().pipe(z.literal(fleetDays))),
})

/** What the tools of the charge fleet keep in the address; what is not understood is dropped. */
export const toolsSearch = z.object({
  tab: param(z.enum(['chargers', 'sites'])),
  siteId: param(z.uuid()),
  date: param(localDate),
})
