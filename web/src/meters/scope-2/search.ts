import { pageSearch, listSearch } from '#lib/url-state.ts'
import { searchParams, oneOf, id } from '#lib/search-params.ts'

export const reportParts = ['months', 'keys', 'sites', 'meters', 'changes'] as const
export type ReportPart = (typeof reportParts)[number]

/** Open report, its part, and the page of the list. */
export const scope2Search = searchParams({
  ...listSearch.shape,
  report: id,
  by: oneOf(...reportParts),
  ...pageSearch.shape,
})
