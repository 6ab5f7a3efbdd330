import { z } from 'zod'
import { param } from '#lib/url-state.ts'

/** The webhook whose deliveries are open, and their page; the first page is left out. */
export const webhooksSearch = z.object({
  webhook: param(z.uuid()),
  page: param(z.coerce.number().int().min(1)),
})
