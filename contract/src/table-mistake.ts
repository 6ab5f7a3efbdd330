import { z } from 'zod'

export const mistake = z.object({
  row: z.number(),
  column: z.string(),
  /** `K12`; null for a missing column. */
  cell: z.string().nullable(),
  found: z.string(),
  expected: z.string(),
})
export type Mistake = z.infer<typeof mistake>
