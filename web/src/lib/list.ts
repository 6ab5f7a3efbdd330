import type { CallShape, Data, Sent } from '@gridmast/contract/call.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { fileOf } from './download.ts'
import { usePageSize } from './phone.ts'
import { useCall } from './query.ts'
import { useSavedViews, type ViewOptions } from './saved-views.ts'
import { integer, searchParams } from './search-params.ts'
import { type Sorting, listSearch, useUrlState } from './url-state.ts'

const pagedSearch = searchParams({
  ...listSearch.shape,
  page: integer(1, 300_000),
})

type LocalState = { ownPage?: boolean | undefined; ownSort?: boolean | undefined }

const useListState = (columns: readonly string[], request: string, { ownPage, ownSort }: LocalState) => {
  const [search, change] = useUrlState(pagedSearch)
  const [local, setLocal] = useState<{ request: string; page: number }>({ request, page: 1 })
  const [localBy, setLocalBy] = useState<Sorting['by']>(null)
  if (local.request !== request) setLocal({ request, page: 1 })
  const inUrl = search.sort === undefined ? null : { key: search.sort, down: search.order === 'desc' }
  const by = ownSort ? localBy : inUrl
  const onPage = (page: number) =>
    ownPage ? setLocal({ request, page }) : change({ page: page === 1 ? undefined : page })
  const onSort: Sorting['onSort'] = (next) => {
    if (ownSort) {
      setLocalBy(next)
      onPage(1)
      return
    }
    change({ sort: next?.key, order: next?.down ? 'desc' : undefined, page: undefined })
    if (ownPage) onPage(1)
  }
  return {
    page: ownPage ? local.page : (search.page ?? 1),
    onPage,
    sorting: { columns, by: by && columns.includes(by.key) ? by : null, onSort },
  }
}

type Options<C extends CallShape, Row> = LocalState & {
  rows: (data: Data<C>) => readonly Row[]
  /** Of useRemoval: such a row has left the list and its total. */
  isRemoved?: (row: Row) => boolean
  /** Default: `totalCount` of the data. */
  total?: (data: Data<C>) => number
  /** At most ten on phones. */
  pageSize?: number | undefined
  limit?: number | undefined
  refetchIntervalMs?: number | ((data: Data<C> | undefined) => number) | undefined
}

// The lists without `total` answer it; a call without it has no pages and fails its test.
const totalCountOf = (data: unknown) => (data as { totalCount: number }).totalCount

/**
 * A list that the server pages and sorts: `sent` is the request without page and sort. Both are in the URL, or with `ownPage` and `ownSort` in
 * the list itself, as in a dialog. The result is for ListPanel, `file` for an ExportButton.
 */
export const useList = <C extends CallShape, Row>(
  call: C,
  sent: Sent<C>,
  { rows: rowsOf, total = totalCountOf, isRemoved = () => false, refetchIntervalMs, ...options }: Options<C, Row>,
) => {
  const request = JSON.stringify(sent)
  const { page, onPage, sorting } = useListState(call.sorts ?? [], request, options)
  const defaultPageSize = usePageSize(options.pageSize)
  const pageSize = options.limit ?? defaultPageSize
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
  const { data } = query
  const all = data === undefined ? [] : rowsOf(data)
  const rows = all.filter((row) => !isRemoved(row))
  const count = data === undefined ? 0 : total(data) - (all.length - rows.length)
  const lastPage = Math.max(1, Math.ceil(count / pageSize))
  const isBeyond = data !== undefined && !query.isPlaceholderData && page > lastPage
  const stepBack = useEffectEvent(() => onPage(lastPage))
  useEffect(() => {
    if (isBeyond) stepBack()
  }, [isBeyond])
  return {
    query,
    rows,
    pageSize,
    sorting,
    paging: { page, total: count, onPage },
    file: { onExport: fileOf(call, sent), disabled: count === 0 },
  }
}

type LocalColumn = { key: string; sortBy?: unknown }

/** A list whose rows are all loaded and sorted by DataTable, with saved views; the result is for SavedList. */
export const useLoadedList = <C extends LocalColumn>(
  columns: readonly (C | false | null | undefined)[],
  views: ViewOptions,
) => {
  const sortable = columns.flatMap((column) => (column && column.sortBy ? [column.key] : []))
  const { page, onPage, sorting } = useListState(sortable, '', {})
  return { columns, sorting, paging: { page, onPage }, views: useSavedViews(views) }
}

/** A list with saved views; the result is for SavedList. */
export const useSavedList = <C extends CallShape, Row>(
  call: C,
  sent: Sent<C>,
  { views, ...options }: Options<C, Row> & { views: ViewOptions },
) => ({ ...useList(call, sent, options), views: useSavedViews(views) })
