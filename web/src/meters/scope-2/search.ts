import { z } from 'zod'
import { param, pageSearch, listSearch } from '#lib/url-state.ts'

export const reportParts = ['months', 'keys', 'sites', 'meters', 'changes'] as const
export type ReportPart = (typeof reportParts)[number]

/** Open report, its part, and the page of the list. */
export const scope2Search = z.object({
  ...listSearch.shape,
  report: param(z.uuid()),
  by: param(z.enum(reportParts)),
  ...pageSearch.shape,
})
