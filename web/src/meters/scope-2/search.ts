import { z } from 'zod'
import { param, pageSearch, sortSearch } from '#lib/url-state.ts'

export const reportParts = ['months', 'keys', 'sites', 'meters', 'changes'] as const
export type ReportPart = (typeof reportParts)[number]

/** Open report, its part, and the page of the list. */
export const scope2Search = z.object({
  ...sortSearch.shape,
  report: param(z.uuid()),
  by: param(z.enum(reportParts)),
  ...pageSearch.shape,
})
