import { t } from '#lib/i18n.ts'
import type { SavedViews } from '#lib/saved-views.ts'
import { deviceStorage } from '#lib/store.ts'
import { listSearch, useUrlState } from '#lib/url-state.ts'
import type { Columns } from './DataTable.tsx'
import { Note } from './Layout.tsx'
import { type Density, ListColumns } from './ListColumns.tsx'
import { ListViews } from './ListViews.tsx'
import { SelectList, type SelectListProps } from './SelectList.tsx'

const densityKey = 'GM_DENSITY'

/** Columns of a list as the URL names them; columns of actions are always the last. */
const useColumnChoice = <Row,>(all: Columns<Row>) => {
  const [{ columns: inUrl, density = deviceStorage.read(densityKey) }, change] = useUrlState(listSearch)
  const present = all.filter((column) => !!column)
  const fixed = present.filter(({ card }) => card === 'actions')
  const choosable = present.filter((column) => !fixed.includes(column))
  const keys = inUrl?.split(',') ?? []
  const chosen = [...new Set(keys)].flatMap((key) => choosable.find((column) => column.key === key) ?? [])
  const visible = chosen.length > 0 ? chosen : choosable.filter(({ extra }) => !extra)
  const isDense = density === 'dense'
  const onDensity = (next: Density) => {
    deviceStorage.write(densityKey, next)
    change({ density: next })
  }
  return {
    columns: [...visible, ...fixed],
    isDense,
    isColumnLost: keys.some((key) => !choosable.some((column) => column.key === key)),
    settings: {
      columns: [...visible, ...choosable.filter((column) => !visible.includes(column))],
      visible: visible.map(({ key }) => key),
      onColumns: (next: readonly string[] | null) => change({ columns: next?.join(',') }),
      density: isDense ? ('dense' as const) : ('comfortable' as const),
      onDensity,
    },
  }
}

type Props<Row> = SelectListProps<Row> & { views: SavedViews }

/** A list whose columns can be chosen, and whose filters, columns and order can be saved; `views` is of `useList`. */
export const SavedList = <Row,>({ views, badge, tools, columns, ...list }: Props<Row>) => {
  const choice = useColumnChoice(columns)
  const isSortLost = list.sorting?.by === null && views.hasSort
  const isPartLost = views.chosen && (views.lost.length > 0 || choice.isColumnLost || isSortLost)
  const notice =
    views.chosen === null
      ? t('This view does not exist or is not shared with you.')
      : isPartLost
        ? t('A filter or column of this view no longer exists. The view is listed without it.')
        : null
  return (
    <SelectList
      {...list}
      columns={choice.columns}
      dense={choice.isDense}
      isOpening={views.isOpening}
      badge={
        <>
          {badge}
          <ListViews views={views} />
        </>
      }
      tools={
        <>
          {tools}
          <ListColumns {...choice.settings} />
        </>
      }
      notice={
        notice && (
          <Note size="note" role="status">
            {notice}
          </Note>
        )
      }
    />
  )
}
