import { z } from 'zod'
import { param, pageSearch, sortSearch } from '#lib/url-state.ts'

/** What a report is shown by; in the address too, so it stands apart from what draws it. */
export const reportParts = ['months', 'keys', 'sites', 'meters', 'changes'] as const
export type ReportPart = (typeof reportParts)[number]

/** The report that is open, the part of it that is shown, and the page of the list. */
export const scope2Search = z.object({
  ...sortSearch.shape,
  report: param(z.uuid()),
  by: param(z.enum(reportParts)),
  ...pageSearch.shape,
})
