import { z } from 'zod'
import { reportParts } from './parts.ts'
import { param, pageSearch, sortSearch } from '#lib/url-state.ts'

/** The report that is open, the part of it that is shown, and the page of the list. */
export const scope2Search = z.object({
  ...sortSearch.shape,
  report: param(z.uuid()),
  by: param(z.enum(reportParts)),
  ...pageSearch.shape,
})
