import { findSavedViews, type SavedView, type ViewedList } from '@gridmast/contract/people/saved-views.ts'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useCall } from './query.ts'
import { type SearchParams, searchParams } from './search-params.ts'
import { listSearch } from './url-state.ts'

/** A list whose filters, columns and order can be saved. */
export type ViewOptions = {
  list: ViewedList
  /** The filters of the list in the URL. */
  filters?: SearchParams
  /** Values that exist, per filter, once they are loaded: a view may name an instance that is gone. */
  existing?: Readonly<Record<string, readonly string[] | undefined>>
}

type Content = Record<string, unknown>

/** With this in the URL the default view is not applied. */
const noView = 'none'

const given = (content: Content): Content =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined))

export const useSavedViews = ({ list, filters = searchParams({}), existing = {} }: ViewOptions) => {
  const router = useRouter()
  const search: Content = useSearch({ strict: false })
  const query = useCall(findSavedViews, { sent: { query: { list } }, retry: false })
  const views = query.data?.views ?? []
  const { saved: _, ...shape } = listSearch.shape
  const schema = searchParams({ ...filters.shape, ...shape })
  const isGone = (key: string, value: unknown) => existing[key]?.includes(String(value)) === false
  const parse = (content: Content) => given(schema.parse(content))
  const { saved } = listSearch.parse(search)
  const current = parse(search)
  const stored = ({ search: text }: SavedView): Content => router.options.parseSearch(`?${text}`)
  const contentOf = (view: SavedView) =>
    Object.fromEntries(Object.entries(parse(stored(view))).filter(([key, value]) => !isGone(key, value)))
  const apply = (view: SavedView | null, replace = false) =>
    router.navigate({
      to: '.',
      replace,
      search: (before: Content) => ({
        ...before,
        ...Object.fromEntries(Object.keys(schema.shape).map((key) => [key, undefined])),
        ...(view ? contentOf(view) : {}),
        saved: view?._id ?? (views.some(({ isDefault }) => isDefault) ? noView : undefined),
        page: undefined,
      }),
    })
  const chosen = views.find(({ _id }) => _id === saved)
  const [isSettled, setSettled] = useState(saved === noView || Object.keys(current).length > 0)
  const opening = isSettled ? undefined : (chosen ?? (saved ? undefined : views.find(({ isDefault }) => isDefault)))
  const isAnswered = !query.isPending
  useEffect(() => {
    if (isSettled || !isAnswered) return
    if (opening) void apply(opening, true).then(() => setSettled(true))
    else setSettled(true)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the views are known
  }, [isSettled, isAnswered])
  return {
    list,
    views,
    query,
    /** The view in the URL; null: it does not exist (any more). */
    chosen: chosen ?? (saved === undefined || saved === noView || !query.isSuccess ? undefined : null),
    isOpening: !isSettled,
    hasSort: current['sort'] !== undefined,
    isChanged: chosen !== undefined && JSON.stringify(contentOf(chosen)) !== JSON.stringify(current),
    /** Filters of the view that the page does not know or whose value is gone. */
    lost: chosen ? Object.keys(stored(chosen)).filter((key) => !(key in contentOf(chosen))) : [],
    apply,
    text: router.options.stringifySearch(current).slice(1),
  }
}
export type SavedViews = ReturnType<typeof useSavedViews>
