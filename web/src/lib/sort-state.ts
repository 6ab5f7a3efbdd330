import { z } from 'zod'

/** What the server sorts the list of a screen by, in the address; the list's own order is left out. */
export const sortSearch = z.object({
  sort: z.string().max(40).optional().catch(undefined),
  order: z.enum(['asc', 'desc']).optional().catch(undefined),
})

export type Sorting = {
  columns: readonly string[]
  by: { key: string; down: boolean } | null
  onSort: (by: { key: string; down: boolean } | null) => void
}
