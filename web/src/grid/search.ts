import { localDate, month } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { calculatorAreas, calculatorMarkets } from '@gridmast/contract/choices.ts'
import { param } from '#lib/url-state.ts'

/** Tab, area and day. Defaults: the first area, yesterday for the emission and today for its prognosis. */
export const carbonSearch = z.object({
  tab: param(z.enum(['emission', 'prognosis'])),
  area: param(z.string().regex(/^[A-Z]{2}\d$/)),
  date: param(localDate),
  instance: param(z.uuid()),
})

/** Start, number of days, price signal and resolution. Defaults: today, one day, the first signal, quarters. */
export const dayAheadSearch = z.object({
  date: param(localDate),
  days: param(z.coerce.number().int().min(1).max(366)),
  signal: param(z.uuid()),
  resolution: param(z.enum(['hour'])),
  dialog: param(z.enum(['tax', 'download'])),
})

/** The submitted request; `capacity` in MW. */
export const calculatorSearch = z.object({
  area: param(z.enum(calculatorAreas)),
  market: param(z.enum(calculatorMarkets)),
  capacity: param(z.coerce.number().gt(0).max(10_000)),
  currency: param(z.enum(['Euro'])),
  startDate: param(month),
  endDate: param(month),
})
