import { useState } from 'react'
import { z } from 'zod'
import { param, pageSearch, useUrlState } from './url-state.ts'

/** What the server sorts the list of a screen by, in the address; the list's own order is left out. */
export const sortSearch = z.object({
  sort: param(z.string().max(40)),
  order: param(z.enum(['asc', 'desc'])),
})
const sortedPage = z.object({ ...sortSearch.shape, ...pageSearch.shape })

export type Sorting = {
  columns: readonly string[]
  by: { key: string; down: boolean } | null
  onSort: (by: { key: string; down: boolean } | null) => void
}

/** As useSorting, of a list in a dialog: the address belongs to the screen below it. */
export const useOwnSorting = <S extends string>(
  columns: readonly S[],
  onSorted: () => void,
): [{ sort?: S; order?: 'asc' | 'desc' }, Sorting] => {
  const [by, setBy] = useState<Sorting['by']>(null)
  const sort = columns.find((column) => column === by?.key)
  const onSort: Sorting['onSort'] = (next) => {
    setBy(next)
    onSorted()
  }
  return [sort === undefined ? {} : { sort, order: by?.down ? 'desc' : 'asc' }, { columns, by, onSort }]
}

/** The sort of a list by one of the columns that its call allows: what is sent, and what its table shows. */
export const useSorting = <S extends string>(
  columns: readonly S[],
  onSorted?: () => void,
): [{ sort?: S; order?: 'asc' | 'desc' }, Sorting] => {
  const [{ sort: wanted, order = 'asc' }, change] = useUrlState(sortedPage)
  const sort = columns.find((column) => column === wanted)
  const by = sort === undefined ? null : { key: sort, down: order === 'desc' }
  const onSort: Sorting['onSort'] = (next) => {
    change({ sort: next?.key, order: next?.down ? 'desc' : undefined, page: undefined })
    onSorted?.()
  }
  return [sort === undefined ? {} : { sort, order }, { columns, by, onSort }]
}
