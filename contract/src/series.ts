import { z } from 'zod'

/** One curve of a chart. `x` are epoch milliseconds, `y` has the same length, null where unknown. */
export const series = z.object({
  name: z.string(),
  unit: z.string(),
  kind: z.enum(['line', 'column', 'step']),
  x: z.array(z.number()),
  y: z.array(z.number().nullable()),
})
export type Series = z.infer<typeof series>

export const graph = z.array(series)

export const fileFormat = z.enum(['xlsx', 'csv'])
export type FileFormat = z.infer<typeof fileFormat>

export const documentFormat = z.enum(['xlsx', 'csv', 'pdf'])

/** A decimal number as text: prices and money are never a binary float. */
export const decimalText = z.string().regex(/^-?\d+(\.\d+)?$/)
