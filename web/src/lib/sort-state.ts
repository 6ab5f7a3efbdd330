import { z } from 'zod'
import { param } from './url-state.ts'

/** What the server sorts the list of a screen by, in the address; the list's own order is left out. */
export const sortSearch = z.object({
  sort: param(z.string().max(40)),
  order: param(z.enum(['asc', 'desc'])),
})

export type Sorting = {
  columns: readonly string[]
  by: { key: string; down: boolean } | null
  onSort: (by: { key: string; down: boolean } | null) => void
}
