import { z } from 'zod'
import { param } from './url-state.ts'

/** Sort of a screen's list in the URL; the default order is omitted. */
export const sortSearch = z.object({
  sort: param(z.string().max(40)),
  order: param(z.enum(['asc', 'desc'])),
})

export type Sorting = {
  columns: readonly string[]
  by: { key: string; down: boolean } | null
  onSort: (by: { key: string; down: boolean } | null) => void
}
