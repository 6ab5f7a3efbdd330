import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type ComponentProps, Fragment, type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useMarked } from '#lib/marked.ts'
import { part } from '#lib/part.tsx'
import { usePageSize, usePhone } from '#lib/phone.ts'
import type { Sorting } from '#lib/url-state.ts'
import { Bone, Empty } from './Loaded.tsx'
import classes from './DataTable.module.css'

/** A tooltip on hover or focus, also read by screen readers. */
export const Hint = ({ words, children }: { words: string; children: ReactNode }) => (
  // Focusable, so that the tooltip is reachable.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <span data-tip={words} tabIndex={0} className={classes.hint}>
    {children}
    <span className="gm-hidden"> {words}</span>
  </span>
)

// Home needs neither, so both load with the first list that does.
const Pager = part(async () => (await import('./Pager.tsx')).Pager)
const SortMenu = part(async () => (await import('./SortMenu.tsx')).SortMenu)

export type Column<Row> = {
  key: string
  title: string
  hint?: string
  /** Instead of the title in the head of the table. */
  head?: ReactNode
  cell: (row: Row) => ReactNode
  align?: 'right'
  /** Sort key; a column without it cannot be sorted. */
  sortBy?: (row: Row) => string | number
  digits?: boolean
  /** Wraps in a table wider than its panel, as a long text always does. */
  wraps?: boolean
  /** Visible only when it is chosen. */
  extra?: boolean
  /**
   * Place in the card on a phone: `select`, `lead` and `corner` in the first line, `plain` without titles in the next, then columns without a place,
   * `more` behind 'More', and `actions` at the bottom; `none` is omitted.
   */
  card?: 'select' | 'lead' | 'corner' | 'plain' | 'more' | 'actions' | 'none'
  /** Omits the cell from the card of such a row on phones. */
  omitWhen?: (row: Row) => boolean
}

export type Columns<Row> = readonly (Column<Row> | false | null | undefined)[]

type Props<Row> = {
  label: string
  columns: Columns<Row>
  rows: readonly Row[]
  rowKey: (row: Row) => string
  numbered?: boolean
  pageSize?: number
  dense?: boolean
  tight?: boolean
  fill?: boolean
  loading?: boolean
  emptyReason?: ReactNode
  /** Applies to all rows, shown next to their number. */
  footNote?: ReactNode
  warnRow?: (row: Row) => boolean
  renderBelow?: (row: Row) => ReactNode
  rowProps?: (row: Row, i: number) => ComponentProps<'tr'>
  /** With `total`, `rows` are one page; without it they are all rows, and the table pages them. */
  paging?: { page: number; total?: number; onPage: (page: number) => void }
  /** Sorting by the columns with these keys; by the server when `rows` are one page. */
  sorting?: Sorting
}

type Order = Sorting['by']

const sorted = <Row,>(rows: readonly Row[], columns: Column<Row>[], order: Order): readonly Row[] => {
  const by = order && columns.find((c) => c.key === order.key)?.sortBy
  if (!by) return rows
  const sign = order.down ? -1 : 1
  return rows.toSorted((a, b) => {
    const [x, y] = [by(a), by(b)]
    return sign * (typeof x === 'string' || typeof y === 'string' ? String(x).localeCompare(String(y), 'da') : x - y)
  })
}

/** Ascending, descending, unsorted. */
const nextOrder = (order: Order, key: string): Order => {
  if (order?.key !== key) return { key, down: false }
  return order.down ? null : { key, down: true }
}

export const Cut = ({ text, at }: { text: string; at: number }) =>
  text.length <= at ? (
    text
  ) : (
    // Focusable, so that the full text is reachable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <span data-tip={text} tabIndex={0} className={classes.cut} aria-label={text}>
      {text.slice(0, at).trimEnd()}…
    </span>
  )

/** The unit in brackets at the end of an amount's title. */
const unitOf = <Row,>({ title, align }: Column<Row>) => (align ? /\(([^()]+)\)$/.exec(title)?.[1] : undefined)

/** The corner of a card has no title, so an amount there includes its unit. */
const Top = <Row,>({ column, row }: { column: Column<Row>; row: Row }) => {
  const unit = column.card === 'corner' && unitOf(column)
  return (
    <span data-lead={column.card === 'lead' || undefined}>
      {column.cell(row)}
      {unit && column.cell(row) !== unknownText && <small className={classes.cardUnit}> {unit}</small>}
    </span>
  )
}

type CardProps<Row> = { row: Row; columns: Column<Row>[]; warn: boolean | undefined; below: ReactNode }

/** From this number of facts on, the titles of a card are above the values, in columns. */
const manyFacts = 4
/** A longer title would wrap in a third of a card. */
const longTitle = 15

/** Longer than a date or two times. */
const longText = 12
const isLong = (content: ReactNode) => typeof content === 'string' && content.length > longText

type LineProps<Row> = { row: Row; columns: Column<Row>[]; className: string | undefined; many?: boolean }

const Line = <Row,>({ row, columns, className, many }: LineProps<Row>) =>
  columns.length > 0 && (
    <div
      className={className}
      data-many={many || undefined}
      data-wide={columns.some(({ title }) => title.length > longTitle) || undefined}
    >
      {columns.map((column) => (
        <span key={column.key}>
          <span className={column.card === 'plain' || column.card === 'actions' ? 'gm-hidden' : classes.cardLabel}>
            {column.title}{' '}
          </span>
          {column.cell(row)}
        </span>
      ))}
    </div>
  )

const Card = <Row,>({ row, columns, warn, below }: CardProps<Row>) => {
  const ofRow = columns.filter((column) => !column.omitWhen?.(row))
  const at = (...places: Column<Row>['card'][]) => ofRow.filter(({ card }) => places.includes(card))
  const tops = (place: 'lead' | 'corner') =>
    at(place).map((column) => <Top key={column.key} column={column} row={row} />)
  const [select] = at('select')
  const more = at('more')
  // Counted before cells are omitted, so that all cards of a table look alike.
  const many = columns.filter(({ card }) => card === undefined).length >= manyFacts
  return (
    <li data-warn={warn || undefined}>
      <div className={classes.cardTop}>
        {select ? (
          // A control within the name keeps its own act.
          <label className={classes.select}>
            {select.cell(row)}
            {tops('lead')}
          </label>
        ) : (
          tops('lead')
        )}
        {tops('corner')}
      </div>
      <Line row={row} columns={many ? at('plain') : at('plain', undefined)} className={classes.cardLine} />
      {many && <Line row={row} columns={at(undefined)} className={classes.cardLine} many />}
      {more.length > 0 && (
        <details className={classes.more}>
          <summary>{t('More')}</summary>
          <Line row={row} columns={more} className={classes.cardLine} many />
        </details>
      )}
      <Line row={row} columns={at('actions')} className={classes.cardActions} />
      {below}
    </li>
  )
}

const useScrolls = () => {
  const [scrolls, setScrolls] = useState(false)
  const ref = useCallback((element: HTMLDivElement | null) => {
    if (!element) return
    const watching = new ResizeObserver(() =>
      setScrolls([...element.children].some((one) => one.scrollWidth > element.clientWidth)),
    )
    for (const one of [element, ...element.children]) watching.observe(one)
    return () => watching.disconnect()
  }, [])
  return [ref, scrolls] as const
}

type HeadsProps<Row> = {
  columns: Column<Row>[]
  isSortable: (column: Column<Row>) => boolean
  order: Order
  onOrder: (order: Order) => void
}

const Heads = <Row,>({ columns, isSortable, order, onOrder }: HeadsProps<Row>) => {
  const [marked, choose] = useMarked(order, onOrder)
  return columns.map((column) => {
    const { key, title, hint, align, head } = column
    const direction = marked?.key === key ? (marked.down ? 'descending' : 'ascending') : undefined
    return (
      <th key={key} scope="col" data-align={align} aria-sort={direction}>
        {head ??
          (isSortable(column) ? (
            <button data-tip={hint} type="button" onClick={() => choose(nextOrder(marked, key))}>
              {title}
              {hint && <span className="gm-hidden"> {hint}</span>}
              {direction === 'ascending' && <IconArrowUp size={12} aria-hidden />}
              {direction === 'descending' && <IconArrowDown size={12} aria-hidden />}
            </button>
          ) : hint ? (
            <Hint words={hint}>{title}</Hint>
          ) : (
            title
          ))}
      </th>
    )
  })
}

const skeletonKeys = Array.from({ length: limits.pageSize }, (_, i) => `waiting ${i}`)

export const DataTable = <Row,>(props: Props<Row>) => {
  const { label, rows, rowKey, numbered, dense, tight, fill, loading, emptyReason, footNote } = props
  const {
    columns: allColumns,
    pageSize: widePageSize = limits.pageSize,
    warnRow,
    renderBelow,
    rowProps,
    paging,
    sorting,
  } = props
  const columns = useMemo(() => allColumns.filter((column) => !!column), [allColumns])
  const naming = columns.find(({ card }) => card === 'lead')
  const phone = usePhone()
  const phonePageSize = usePageSize(widePageSize)
  const pageSize = paging?.total === undefined ? phonePageSize : widePageSize
  const [localOrder, setLocalOrder] = useState<Order>(null)
  const order = sorting ? sorting.by : localOrder
  const [localPage, setLocalPage] = useState(1)
  const [place, scrolls] = useScrolls()
  const isOnePage = paging?.total !== undefined
  const ordered = useMemo(() => (isOnePage ? rows : sorted(rows, columns, order)), [isOnePage, rows, columns, order])
  const total = paging?.total ?? rows.length
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const page = Math.min(paging?.page ?? localPage, pages)
  const first = (page - 1) * pageSize
  const visible = loading ? [] : isOnePage ? ordered : ordered.slice(first, first + pageSize)
  const waiting = loading ? skeletonKeys.slice(0, Math.min(Math.max(total - first, 5), skeletonKeys.length)) : []
  const foot = (pages > 1 || footNote) && (
    <div className={classes.foot}>
      <span className="gm-num">
        {visible.length === 0
          ? ''
          : t('{{from}}–{{to}} of {{total}}', { from: first + 1, to: first + visible.length, total })}
        {footNote && <> · {footNote}</>}
      </span>
      {pages > 1 && (
        <Suspense>
          <Pager page={page} pages={pages} onPage={paging?.onPage ?? setLocalPage} />
        </Suspense>
      )}
    </div>
  )

  // After a filter, an order or another page a screen reader hears how many rows there are.
  const status = (loading || paging) && (
    <span role="status" className="gm-hidden" aria-label={loading ? t('Loading') : undefined}>
      {!loading && `${label}: ${total}`}
    </span>
  )
  const empty = !loading && rows.length === 0 && <Empty title={t(m.noRecords)}>{emptyReason}</Empty>

  const setOrder = sorting?.onSort ?? setLocalOrder
  const isSortable = ({ key, sortBy }: Column<Row>) => (sorting ? sorting.columns.includes(key) : sortBy !== undefined)

  const sortable = columns.filter(isSortable)

  if (phone)
    return (
      <div className={classes.frame}>
        {/* Space is reserved while the rows load. */}
        {sortable.length > 0 && (loading || total > 1) && (
          <div className={classes.sort}>
            {total > 1 && (
              <Suspense>
                <SortMenu columns={sortable} order={order} onSort={(key) => setOrder(nextOrder(order, key))} />
              </Suspense>
            )}
          </div>
        )}
        {empty}
        {status}
        <ul className={classes.cards} aria-label={label}>
          {waiting.map((key) => (
            <li key={key}>
              <Bone style={{ height: 14, width: '60%' }} />
              <Bone style={{ height: 12, width: '85%' }} />
            </li>
          ))}
          {visible.map((row) => (
            <Card key={rowKey(row)} row={row} columns={columns} warn={warnRow?.(row)} below={renderBelow?.(row)} />
          ))}
        </ul>
        {foot}
      </div>
    )

  return (
    <div className={classes.frame} data-fill={fill || undefined} data-scrolls={scrolls || undefined}>
      {/* A scrolling region is focusable. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div
        ref={place}
        className={classes.scroll}
        {...(fill || scrolls
          ? { tabIndex: 0, role: fill ? 'region' : 'group', 'aria-label': fill ? label : t('Scrolls sideways') }
          : {})}
      >
        <table
          className={classes.table}
          data-dense={dense || undefined}
          data-tight={tight || undefined}
          aria-label={label}
        >
          <thead>
            <tr>
              {numbered && <th scope="col">{t('S.No')}</th>}
              <Heads columns={columns} isSortable={isSortable} order={order} onOrder={setOrder} />
            </tr>
          </thead>
          <tbody>
            {waiting.map((key) => (
              <tr key={key}>
                {[...(numbered ? ['number'] : []), ...columns.map((column) => column.key)].map((cell) => (
                  <td key={cell}>
                    <Bone style={{ height: 14 }} />
                  </td>
                ))}
              </tr>
            ))}
            {visible.map((row, i) => {
              const opened = renderBelow?.(row)
              return (
                <Fragment key={rowKey(row)}>
                  <tr data-warn={warnRow?.(row) || undefined} {...rowProps?.(row, i)}>
                    {numbered && <td className={classes.number}>{first + i + 1}</td>}
                    {columns.map((column) => {
                      const content = column.cell(row)
                      return (
                        <td
                          key={column.key}
                          role={column === naming ? 'rowheader' : undefined}
                          data-align={column.align}
                          data-digits={column.digits}
                          data-wraps={column.wraps || isLong(content) || undefined}
                        >
                          {content}
                        </td>
                      )
                    })}
                  </tr>
                  {opened && (
                    <tr className={classes.below}>
                      <td colSpan={columns.length + (numbered ? 1 : 0)}>{opened}</td>
                    </tr>
                  )}
                </Fragment>
              )
            })}
          </tbody>
        </table>
        {empty}
        {status}
      </div>
      {foot}
    </div>
  )
}
