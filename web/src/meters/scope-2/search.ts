import { z } from 'zod'
import { reportParts } from './parts.ts'
import { param, pageSearch } from '#lib/url-state.ts'
import { sortSearch } from '#lib/sort-state.ts'

/** The report that is open, the part of it that is shown, and the page of the list. */
export const scope2Search = z.object({
  ...sortSearch.shape,
  report: param(z.uuid()),
  by: param(z.enum(reportParts)),
  ...pageSearch.shape,
})
