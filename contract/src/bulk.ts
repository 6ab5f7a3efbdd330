import { z } from 'zod'
import { id } from './call.ts'

/** Rows of one act, at most a page. */
export const ids = (ref: string) => z.array(id(ref)).min(1).max(100)

/** Rows that were changed, and the reason for each other one. */
export const bulkResult = z.object({
  done: z.array(z.string()),
  failed: z.array(z.object({ _id: z.string(), message: z.string() })),
})
export type BulkResult = z.infer<typeof bulkResult>
