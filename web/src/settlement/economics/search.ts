import { causes, shownLines } from '@gridmast/contract/choices.ts'
import { localDate, month } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { sortSearch, param, pageSearch } from '#lib/url-state.ts'

export const economicsSearch = z.object({
  tab: param(z.enum(['comparison', 'reconciliation', 'statements'])),
  month: param(month),
  against: param(month),
  licenseId: param(z.uuid()),
  instanceId: param(z.uuid()),
  startDate: param(localDate),
  endDate: param(localDate),
  /** Open statement of the reconciliation, and the filter of its lines. */
  statement: param(z.uuid()),
  show: param(z.enum(shownLines)),
  cause: param(z.enum(causes)),
  ...sortSearch.shape,
  ...pageSearch.shape,
})
export type EconomicsSearch = z.infer<typeof economicsSearch>
