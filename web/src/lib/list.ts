import type { CallShape, Data, Sent } from '@gridmast/contract/call.ts'
import { useState } from 'react'
import { z } from 'zod'
import { usePageSize } from './phone.ts'
import { useCall } from './query.ts'
import { type Sorting, sortSearch, param, useUrlState } from './url-state.ts'

const listSearch = z.object({
  ...sortSearch.shape,
  page: param(z.coerce.number().int().min(1).max(300_000)),
})

type Own = { ownPage?: boolean | undefined; ownSort?: boolean | undefined }

const useListState = (columns: readonly string[], request: string, { ownPage, ownSort }: Own) => {
  const [search, change] = useUrlState(listSearch)
  const [own, setOwn] = useState<{ request: string; page: number }>({ request, page: 1 })
  const [ownBy, setOwnBy] = useState<Sorting['by']>(null)
  if (own.request !== request) setOwn({ request, page: 1 })
  const inAddress = search.sort === undefined ? null : { key: search.sort, down: search.order === 'desc' }
  const by = ownSort ? ownBy : inAddress
  const onPage = (page: number) =>
    ownPage ? setOwn({ request, page }) : change({ page: page === 1 ? undefined : page })
  const onSort: Sorting['onSort'] = (next) => {
    if (ownSort) {
      setOwnBy(next)
      onPage(1)
      return
    }
    change({ sort: next?.key, order: next?.down ? 'desc' : undefined, page: undefined })
    if (ownPage) onPage(1)
  }
  return {
    page: ownPage ? own.page : (search.page ?? 1),
    onPage,
    sorting: { columns, by: by && columns.includes(by.key) ? by : null, onSort },
  }
}

type Options<C extends CallShape, Row> = Own & {
  sortable: readonly string[]
  pageOf: (data: Data<C>) => { rows: readonly Row[]; total: number }
  /** At most ten on phones. */
  pageSize?: number | undefined
  limit?: number | undefined
  refetchIntervalMs?: number | ((data: Data<C> | undefined) => number) | undefined
}

/**
 * A list that the server pages and sorts: `sent` is the request without page and sort. Both are in the URL, or with `ownPage` and `ownSort` in
 * the list itself, as in a dialog. The result is for ListPanel.
 */
export const useList = <C extends CallShape, Row>(
  call: C,
  sent: Sent<C>,
  { sortable, pageOf, refetchIntervalMs, ...options }: Options<C, Row>,
) => {
  const request = JSON.stringify(sent)
  const { page, onPage, sorting } = useListState(sortable, request, options)
  const usualPageSize = usePageSize(options.pageSize)
  const pageSize = options.limit ?? usualPageSize
  const { by } = sorting
  const sentQuery = {
    ...('query' in sent ? (sent.query as object) : {}),
    ...(by ? { sort: by.key, order: by.down ? 'desc' : 'asc' } : {}),
    limit: pageSize,
    skip: (page - 1) * pageSize,
  }
  const query = useCall(call, {
    sent: { ...sent, query: sentQuery },
    keepWhile: request,
    ...(refetchIntervalMs === undefined ? {} : { refetchIntervalMs }),
  })
  const { rows, total } = query.data === undefined ? { rows: [], total: 0 } : pageOf(query.data)
  return { query, rows, pageSize, sorting, paging: { page, total, onPage } }
}
