import { causes, shownLines } from '@gridmast/contract/choices.ts'
import { localDate, month } from '@gridmast/contract/time.ts'
import { z } from 'zod'
import { sortSearch } from '#lib/sort-state.ts'
import { pageSearch } from '#lib/url-state.ts'

/** Beside the overview. */
export const tabs = ['comparison', 'reconciliation', 'statements'] as const

/** What was submitted; the running month is left out. */
export const economicsSearch = z.object({
  tab: z.enum(tabs).optional().catch(undefined),
  month: month.optional().catch(undefined),
  against: month.optional().catch(undefined),
  licenseId: z.uuid().optional().catch(undefined),
  instanceId: z.uuid().optional().catch(undefined),
  startDate: localDate.optional().catch(undefined),
  endDate: localDate.optional().catch(undefined),
  /** Of the reconciliation: one statement, and which of its lines. */
  statement: z.uuid().optional().catch(undefined),
  show: z.enum(shownLines).optional().catch(undefined),
  cause: z.enum(causes).optional().catch(undefined),
  ...sortSearch.shape,
  ...pageSearch.shape,
})
