import { z } from 'zod'

/** The webhook whose deliveries are open, and their page; the first page is left out. */
export const webhooksSearch = z.object({
  webhook: z.uuid().optional().catch(undefined),
  page: z.coerce.number().int().min(1).optional().catch(undefined),
})
