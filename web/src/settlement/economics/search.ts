import { causes, shownLines } from '@gridmast/contract/choices.ts'
import { localDate, month } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { sortSearch, param, pageSearch } from '#lib/url-state.ts'

/** What was submitted; the running month is left out. */
export const economicsSearch = z.object({
  tab: param(z.enum(['comparison', 'reconciliation', 'statements'])),
  month: param(month),
  against: param(month),
  licenseId: param(z.uuid()),
  instanceId: param(z.uuid()),
  startDate: param(localDate),
  endDate: param(localDate),
  /** Of the reconciliation: one statement, and which of its lines. */
  statement: param(z.uuid()),
  show: param(z.enum(shownLines)),
  cause: param(z.enum(causes)),
  ...sortSearch.shape,
  ...pageSearch.shape,
})
export type EconomicsSearch = z.infer<typeof economicsSearch>
