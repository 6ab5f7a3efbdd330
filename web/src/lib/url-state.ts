import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { z } from 'zod'

/** What is typed or changes the view of the same thing. */
const inPlace = new Set([
  'by',
  'compare',
  'connectorId',
  'createAlertModal',
  'createTagModal',
  'day',
  'dialog',
  'edit',
  'events',
  'filter',
  'payment',
  'resolution',
  'search',
  'session',
  'smaller',
  'view',
  'who',
])

/** Tabs, submitted filters, chosen things and pages are places that Back leads to; typing and switches of a view are not. */
const isPlace = (before: Record<string, unknown>, part: Record<string, unknown>): boolean => {
  const changed = Object.keys(part).filter((key) => part[key] !== before[key])
  const own = changed.filter((key) => key !== 'page') // another filter begins at page 1
  return (own.length > 0 ? own : changed).some((key) => !inPlace.has(key))
}

/** State that lives in the address, read through a schema; what is undefined is left out of it. */
export const useUrlState = <S extends z.ZodObject>(
  schema: S,
): [z.output<S>, (change: Partial<z.output<S>>) => void] => {
  const search: unknown = useSearch({ strict: false })
  const router = useRouter()
  const change = useCallback(
    (part: Partial<z.output<S>>) =>
      void router.navigate({
        to: '.',
        search: (before: object) => ({ ...before, ...part }),
        replace: !isPlace(router.latestLocation.search, part),
      }),
    [router],
  )
  return [schema.parse(search), change]
}

/** A value of the address; one that does not fit is dropped. */
export const param = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined)

/** What a screen passes to its parts. */
export type UrlProps<S extends z.ZodObject> = {
  search: z.output<S>
  onSearch: (part: Partial<z.output<S>>) => void
}

/** The page of the only list of a screen; the first is left out of the address. */
export const pageSearch = z.object({ page: param(z.coerce.number().int().min(1).max(10_000)) })

export const usePage = (): [number, (page: number) => void] => {
  const [{ page = 1 }, change] = useUrlState(pageSearch)
  return [page, (next) => change({ page: next === 1 ? undefined : next })]
}
