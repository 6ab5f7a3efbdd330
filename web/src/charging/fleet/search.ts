import { z } from 'zod'
import { param } from '#lib/url-state.ts'
import { localDate } from '@gridmast/contract/time.ts'

export const fleetDays = [7, 30, 90] as const

export const fleetSearch = z.object({
  days: param(z.coerce.number().pipe(z.literal(fleetDays))),
})

export const toolsSearch = z.object({
  tab: param(z.enum(['chargers', 'sites'])),
  siteId: param(z.uuid()),
  date: param(localDate),
})
