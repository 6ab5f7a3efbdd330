import { z } from 'zod'

/** An invalid cell of an imported table. */
export const mistake = z.object({
  /** Of the file, counted from 1. */
  row: z.number(),
  /** As the first row names it. */
  column: z.string(),
  /** `K12`; null where the column is missing. */
  cell: z.string().nullable(),
  found: z.string(),
  expected: z.string(),
})
export type Mistake = z.infer<typeof mistake>
