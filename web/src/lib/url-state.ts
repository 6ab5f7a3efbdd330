import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { integer, oneOf, type ParamsOf, type SearchParams, searchParams, text } from './search-params.ts'

/** Unsubmitted values of filter fields, on top of the applied ones. */
export const useDraft = <T extends object>(applied: T) => {
  const [changed, setChanged] = useState<Partial<T>>({})
  return {
    draft: { ...applied, ...changed },
    change: (part: Partial<T>) => setChanged({ ...changed, ...part }),
    reset: () => setChanged({}),
  }
}

export const densities = ['comfortable', 'dense'] as const

/** Order, columns and saved view of a list. */
export const listSearch = searchParams({
  sort: text(40),
  order: oneOf('asc', 'desc'),
  /** Keys of the visible columns in their order, separated by commas; absent: the list's own. */
  columns: text(400),
  density: oneOf(...densities),
  saved: text(40),
})

/** Another list opens without the page, order, columns and saved view of this one. */
export const anotherList = {
  page: undefined,
  sort: undefined,
  order: undefined,
  columns: undefined,
  saved: undefined,
}

export type Sorting = {
  columns: readonly string[]
  by: { key: string; down: boolean } | null
  onSort: (by: { key: string; down: boolean } | null) => void
}

/** Typed text and views of the same content, which replace the history entry. */
const inPlace = new Set([
  'by',
  'columns',
  'compare',
  'connectorId',
  'createAlertModal',
  'createTagModal',
  'day',
  'density',
  'dialog',
  'edit',
  'events',
  'filter',
  'hide',
  'payment',
  'remote',
  'request',
  'resolution',
  'search',
  'session',
  'smaller',
  'stopped',
  'view',
  'who',
  'zoom',
])

/** Tabs, submitted filters, selections and pages are history entries; typing and view switches are not. */
const isPlace = (before: Record<string, unknown>, part: Record<string, unknown>): boolean => {
  const changed = Object.keys(part).filter((key) => part[key] !== before[key])
  const filters = changed.filter((key) => key !== 'page') // a new filter starts at page 1
  return (filters.length > 0 ? filters : changed).some((key) => !inPlace.has(key))
}

/** State in the URL; undefined values are omitted. */
export const useUrlState = <S extends SearchParams>(
  params: S,
): [ParamsOf<S>, (change: Partial<ParamsOf<S>>) => void] => {
  const search: unknown = useSearch({ strict: false })
  const router = useRouter()
  const change = useCallback(
    (part: Partial<ParamsOf<S>>) =>
      void router.navigate({
        to: '.',
        search: (before: object) => ({ ...before, ...part }),
        replace: !isPlace(router.latestLocation.search, part),
      }),
    [router],
  )
  return [params.parse(search) as ParamsOf<S>, change]
}

export type UrlProps<S extends SearchParams> = {
  search: ParamsOf<S>
  onSearch: (part: Partial<ParamsOf<S>>) => void
}

/** The page of a screen's only list; page 1 is omitted from the URL. */
export const pageSearch = searchParams({ page: integer(1, 10_000) })

export const usePage = (): [number, (page: number) => void] => {
  const [{ page = 1 }, change] = useUrlState(pageSearch)
  return [page, (next) => change({ page: next === 1 ? undefined : next })]
}
