import { z } from 'zod'
import { numberInUrl } from './fields.ts'
import { limits } from './limits.ts'

/** Query of a paged list: sorted by one of `columns` and then by the list's own order, or only by the latter without `sort`. */
export const paged = <const C extends readonly [string, ...string[]]>(
  columns: C,
  usualLimit: number = limits.pageSize,
) => ({
  limit: numberInUrl(z.int().min(1).max(100)).default(usualLimit),
  skip: numberInUrl(z.int().min(0).max(10_000_000)).default(0),
  sort: z.enum(columns).optional(),
  order: z.enum(['asc', 'desc']).default('asc'),
})
